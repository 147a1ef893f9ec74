//! The user interface on the full screen, with keys and mouse.

use super::board_view::{BoardView, Marks};
use super::buffer::{Buffer, Text, width, wrapped};
use super::command::{self, Command};
use super::panel;
use super::session::Session;
use super::tty::{INTERRUPT, Terminal};
use crate::games::visible::visible;
use crate::types::{Color, Move, Square};
use crossterm::event::{Event, KeyCode, KeyEvent, KeyEventKind, KeyModifiers, MouseButton, MouseEvent, MouseEventKind};
use crossterm::style::{ContentStyle, Stylize};
use std::collections::VecDeque;
use std::io;
use std::ops::Range;
use std::time::{Duration, Instant};

/// Longest time without a look at the engine and the clock.
const TICK: Duration = Duration::from_millis(50);
/// Characters of the input at most: more than any move and most paths have.
const MAX_INPUT: usize = 1_000;
/// Events kept at most; of more, only Ctrl-C counts.
const MAX_EVENTS: usize = 10_000;
/// Columns of the panel at least, and at most.
const PANEL: (u16, u16) = (24, 60);

/// Plays on the terminal until the player quits.
///
/// # Errors
/// When the terminal cannot be used.
pub(crate) fn run(session: &mut Session) -> io::Result<()> {
    let mut terminal = Terminal::open()?;
    let mut screen = Screen::new(session);
    let mut events = VecDeque::new();
    while screen.is_open {
        screen.session.poll();
        let mut buffer = terminal.buffer()?;
        screen.draw(&mut buffer);
        terminal.show(buffer)?;
        events.extend(terminal.events(if events.is_empty() { TICK } else { Duration::ZERO }));
        screen.handle_all(&mut events);
    }
    Ok(())
}

/// The state of the screen.
struct Screen<'a> {
    session: &'a mut Session,
    /// Whether the player has not quit.
    is_open: bool,
    cursor: Square,
    shows_cursor: bool,
    selected: Option<Square>,
    input: String,
    notices: Vec<String>,
    /// Turns of the session when it was drawn last.
    turns: u32,
    shows_help: bool,
    /// The command that asks to be repeated before it is done.
    unconfirmed: Option<Command>,
    /// Columns and rows for the board when it was drawn last.
    room: (u16, u16),
    /// The columns and the row of each key, and its command.
    keys: Vec<(Range<u16>, u16, Command)>,
}

impl<'a> Screen<'a> {
    /// The screen of a session.
    fn new(session: &'a mut Session) -> Screen<'a> {
        Screen {
            is_open: true,
            cursor: Square::new(4, if session.settings.bottom == Color::Red { 0 } else { 9 }),
            shows_cursor: false,
            selected: None,
            input: String::new(),
            notices: Vec::new(),
            turns: session.turns,
            shows_help: false,
            unconfirmed: None,
            room: (0, 0),
            keys: Vec::new(),
            session,
        }
    }

    /// One of two texts in the language of the session.
    fn pick(&self, english: &'static str, chinese: &'static str) -> &'static str {
        self.session.settings.language.pick(english, chinese)
    }

    /// Draws everything.
    fn draw(&mut self, buffer: &mut Buffer) {
        // What was told before the last move or the end of the game is no longer true.
        if self.turns != self.session.turns {
            self.turns = self.session.turns;
            self.notices.clear();
        }
        self.notices.extend(self.session.take_notices());
        // A move of the engine ends the choice of a piece that is gone.
        self.selected = self.selected.filter(|&square| self.is_own(square));
        let (columns, rows) = (buffer.width, buffer.height().saturating_sub(2));
        self.room = (columns.saturating_sub(PANEL.0), rows);
        match self.board() {
            _ if self.shows_help => buffer.put_rows(0, (columns, rows), self.help(columns)),
            None => {
                let text = self
                    .pick("the window is too small: at least 63 columns and 23 rows", "窗口太小：至少 63 列、23 行");
                buffer.put_rows(0, (columns, rows), wrapped(text, columns, ContentStyle::new()));
            }
            Some(board) => {
                let cursor = Some(self.cursor).filter(|_| self.shows_cursor);
                board.render(&Marks { cursor, selected: self.selected, targets: self.targets() }, buffer);
                let (width, height) = board.size();
                let columns = (columns - width - 1).min(PANEL.1);
                let panel = panel::rows(self.session, &self.notices, columns, height);
                buffer.put_rows(width + 1, (columns, height), panel);
            }
        }
        self.draw_input(buffer);
        self.draw_keys(buffer);
    }

    /// The board, if there is room for it.
    fn board(&self) -> Option<BoardView<'_>> {
        BoardView::fit(self.session, self.room.0, self.room.1)
    }

    /// The help in rows of so many columns.
    fn help(&self, columns: u16) -> Vec<Vec<Text>> {
        let title = self.pick("Help (any key closes it)", "帮助（按任意键关闭）");
        let keys = self.pick(
            "arrows and Enter or the mouse: choose a piece, then its target; Esc: drop it; Ctrl-C: quit",
            "方向键和回车或鼠标：先选棋子，再选目标；Esc：取消；Ctrl-C：退出",
        );
        let text = format!("{title}\n{}{keys}", self.session.help());
        text.lines().flat_map(|line| wrapped(line, columns, ContentStyle::new())).collect()
    }

    /// Draws the input: of a long line the end.
    fn draw_input(&self, buffer: &mut Buffer) {
        let (columns, y) = (buffer.width, buffer.height().saturating_sub(2));
        let starts = self.input.char_indices().map(|(start, _)| start);
        let shown = starts.map(|start| &self.input[start..]).find(|text| width(text) + 3 <= columns);
        let used = buffer.put((0, y), columns, &format!("> {}", shown.unwrap_or_default()), ContentStyle::new());
        buffer.cursor = Some((used, y)).filter(|_| used < columns);
    }

    fn draw_keys(&mut self, buffer: &mut Buffer) {
        let (mut x, y) = (0, buffer.height().saturating_sub(1));
        self.keys.clear();
        for (number, name, command) in command::keys(self.session.settings.language) {
            let text = format!("F{number} {name}");
            if x + width(&text) > buffer.width {
                break;
            }
            buffer.put((x, y), buffer.width, &text, ContentStyle::new().reverse());
            self.keys.push((x..x + width(&text), y, command));
            x += width(&text) + 1;
        }
    }

    /// Whether a piece of the side to move stands on a square.
    fn is_own(&self, square: Square) -> bool {
        let position = self.session.position();
        position.piece_at(square).is_some_and(|piece| piece.color() == position.side())
    }

    /// Where the chosen piece can go.
    fn targets(&self) -> Vec<Square> {
        let legal = self.session.position().legal_moves();
        legal.iter().filter(|mv| Some(mv.from()) == self.selected).map(Move::to).collect()
    }

    /// Does what the events ask for, for about [`TICK`]; or, if one is Ctrl-C, only that.
    fn handle_all(&mut self, events: &mut VecDeque<Event>) {
        if events.contains(&INTERRUPT) {
            self.is_open = false;
        }
        events.truncate(MAX_EVENTS);
        let start = Instant::now();
        while self.is_open
            && start.elapsed() < TICK
            && let Some(event) = events.pop_front()
        {
            self.handle(&event);
        }
    }

    /// Does what a key, the mouse or a paste asks for.
    fn handle(&mut self, event: &Event) {
        match event {
            Event::Key(KeyEvent { kind: KeyEventKind::Press | KeyEventKind::Repeat, .. })
            | Event::Mouse(MouseEvent { kind: MouseEventKind::Down(_), .. })
                if std::mem::take(&mut self.shows_help) => {}
            Event::Key(key) if key.kind != KeyEventKind::Release => self.key(*key),
            Event::Mouse(MouseEvent { kind, column, row, .. }) => match kind {
                MouseEventKind::Down(MouseButton::Left) => self.click(*column, *row),
                MouseEventKind::Up(MouseButton::Left) => self.drop_piece(*column, *row),
                _ => {}
            },
            Event::Paste(text) => self.type_text(text.lines().next().unwrap_or_default()),
            _ => {}
        }
    }

    fn key(&mut self, key: KeyEvent) {
        // With both, it is a character of the third level.
        let is_control = key.modifiers & (KeyModifiers::CONTROL | KeyModifiers::ALT) == KeyModifiers::CONTROL;
        match key.code {
            KeyCode::Char('c' | 'd' | 'q') if is_control => self.is_open = false,
            KeyCode::Char('u') if is_control => self.input.clear(),
            KeyCode::Char('z') if is_control => self.execute(Command::Undo),
            KeyCode::Char('h') if is_control => drop(self.input.pop()),
            KeyCode::Char('j') if is_control => self.enter(),
            KeyCode::Char(_) if is_control => {}
            KeyCode::Char(' ') if self.input.is_empty() => self.choose(self.cursor),
            KeyCode::Char(letter) => self.type_text(letter.encode_utf8(&mut [0; 4])),
            KeyCode::Backspace => drop(self.input.pop()),
            KeyCode::Enter => self.enter(),
            KeyCode::Esc => {
                self.input.clear();
                self.selected = None;
                self.unconfirmed = None;
            }
            KeyCode::Up => self.move_cursor(0, 1),
            KeyCode::Down => self.move_cursor(0, -1),
            KeyCode::Left => self.move_cursor(-1, 0),
            KeyCode::Right => self.move_cursor(1, 0),
            KeyCode::F(number) => {
                let mut keys = command::keys(self.session.settings.language);
                if let Some((.., command)) = keys.find(|(key, ..)| *key == number) {
                    self.press(command);
                }
            }
            _ => {}
        }
    }

    /// Appends to the input, as much as has room.
    fn type_text(&mut self, text: &str) {
        let room = MAX_INPUT.saturating_sub(self.input.chars().count());
        self.input.extend(visible(text).chars().take(room));
    }

    /// Does what is typed; chooses the square of the cursor if nothing is.
    fn enter(&mut self) {
        let line = std::mem::take(&mut self.input);
        if line.trim().is_empty() {
            self.choose(self.cursor);
        } else if let Some(command) = self.session.read(&line) {
            self.execute(command);
        }
    }

    /// Moves the cursor as seen on the screen.
    fn move_cursor(&mut self, files: i8, ranks: i8) {
        let sign = if self.session.settings.bottom == Color::Red { 1 } else { -1 };
        let moved = |place: u8, by: i8, count: u8| place.saturating_add_signed(sign * by).min(count - 1);
        if self.shows_cursor {
            let file = moved(self.cursor.file(), files, Square::FILES);
            self.cursor = Square::new(file, moved(self.cursor.rank(), ranks, Square::RANKS));
        }
        self.shows_cursor = true;
    }

    fn square_at(&self, column: u16, row: u16) -> Option<Square> {
        self.board()?.square_at(column, row)
    }

    /// Chooses the square at a place of the screen, or presses the key there.
    fn click(&mut self, column: u16, row: u16) {
        if let Some(square) = self.square_at(column, row) {
            self.shows_cursor = false;
            self.cursor = square;
            self.choose(square);
        } else if let Some((.., command)) = self.keys.iter().find(|(x, y, _)| x.contains(&column) && *y == row) {
            self.press(command.clone());
        }
    }

    /// Moves a piece that was dragged to its target.
    fn drop_piece(&mut self, column: u16, row: u16) {
        if let Some(square) = self.square_at(column, row).filter(|square| self.targets().contains(square)) {
            self.choose(square);
        }
    }

    /// Chooses a piece, or the target of the chosen one.
    fn choose(&mut self, square: Square) {
        match self.selected {
            Some(from) if self.targets().contains(&square) => {
                self.selected = None;
                self.execute(Command::Move(Move::new(from, square)));
            }
            Some(from) if from == square => self.selected = None,
            _ => {
                let may_move = self.session.game.ending().is_none() && !self.session.game.is_engine_turn();
                self.selected = Some(square).filter(|&square| may_move && self.is_own(square));
            }
        }
    }

    /// Does what a key or a click asks for; what ends the game, only when it is asked for twice.
    fn press(&mut self, command: Command) {
        let is_over = self.session.game.ending().is_some();
        let ends_game = match command {
            Command::Resign => true,
            Command::New => !is_over && self.session.position().plies() > 0,
            _ => false,
        };
        if ends_game && self.unconfirmed.as_ref() != Some(&command) {
            self.unconfirmed = Some(command);
            let text = self.pick("once more to confirm; Esc: no", "再按一次确认；Esc：取消");
            self.notices.push(text.to_string());
            return;
        }
        self.execute(command);
    }

    fn execute(&mut self, command: Command) {
        self.unconfirmed = None;
        match command {
            Command::Help => self.shows_help = true,
            Command::Quit => self.is_open = false,
            command => self.session.execute(command),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::display::board::PieceSet;
    use crate::display::language::Language;
    use crate::games::record::GameResult;
    use crate::position::Position;
    use crate::terminal::clock::{GameClock, TimeControl};
    use crate::terminal::game::Game;
    use crate::terminal::session::Settings;
    use crate::terminal::session::tests::{game, settings};

    fn session(fen: &str) -> Session {
        Session::new(settings(), game(fen), None)
    }

    /// The rows of the screen.
    fn rows(screen: &mut Screen, width: u16, height: u16) -> Vec<String> {
        let mut buffer = Buffer::new(width, height);
        screen.draw(&mut buffer);
        buffer.texts()
    }

    fn press(screen: &mut Screen, keys: &[KeyCode]) {
        keys.iter().for_each(|&key| screen.handle(&Event::Key(key.into())));
    }

    fn type_line(screen: &mut Screen, line: &str) {
        line.chars().for_each(|letter| press(screen, &[KeyCode::Char(letter)]));
        press(screen, &[KeyCode::Enter]);
    }

    fn mouse(screen: &mut Screen, kind: MouseEventKind, (column, row): (u16, u16)) {
        screen.handle(&Event::Mouse(MouseEvent { kind, column, row, modifiers: KeyModifiers::NONE }));
    }

    const DOWN: MouseEventKind = MouseEventKind::Down(MouseButton::Left);
    const UP: MouseEventKind = MouseEventKind::Up(MouseButton::Left);
    const START: &str = crate::position::START_FEN;

    #[test]
    fn board_is_drawn_in_two_sizes_and_both_directions() {
        let mut session = session(START);
        let mut screen = Screen::new(&mut session);
        let small = rows(&mut screen, 80, 24);
        assert!(small[1].starts_with(" 9 車──馬──象──士──將──士──象──馬──車   ► "), "{small:#?}");
        assert!(small[2].starts_with("   │   │   │   │ ╲ │ ╱ │   │   │   │"), "{small:#?}");
        assert!(small[10].starts_with("   │   楚  河              漢  界  │"), "{small:#?}");
        assert!(small[19].starts_with(" 0 俥──傌"), "{small:#?}");
        assert!(rows(&mut screen, 120, 40)[28].starts_with(" 0 俥────傌"));
        assert!(rows(&mut screen, 40, 10)[0].starts_with("the window is too small"));
        press(&mut screen, &[KeyCode::F(5)]);
        let turned = rows(&mut screen, 80, 24);
        assert!(turned[1].starts_with(" 0 俥──傌") && turned[0].starts_with("   i   h"), "{turned:#?}");
        press(&mut screen, &[KeyCode::F(1)]);
        let help = rows(&mut screen, 63, 23);
        assert!(help[0].starts_with("Help (any key") && help[19].ends_with("quit") && help[21] == ">", "{help:#?}");
        press(&mut screen, &[KeyCode::Char('x')]);
        assert_eq!(rows(&mut screen, 80, 24), turned);
    }

    #[test]
    fn marks_stay_on_the_board() {
        let mut session = session(START);
        let mut screen = Screen::new(&mut session);
        rows(&mut screen, 80, 24);
        let keys = [KeyCode::Up, KeyCode::Right, KeyCode::Right, KeyCode::Right, KeyCode::Right, KeyCode::Up];
        press(&mut screen, &keys);
        let marked = rows(&mut screen, 80, 24);
        assert!(marked[17].ends_with("┼───┤"), "{marked:#?}");
    }

    #[test]
    fn pieces_are_moved_by_keys_by_mouse_and_by_typing() {
        let mut session = Session::new(Settings { has_colors: false, ..settings() }, game(START), None);
        let mut screen = Screen::new(&mut session);
        rows(&mut screen, 80, 24);
        // The cursor appears on e0 with the first arrow; to h0, and its knight to g2.
        press(&mut screen, &[KeyCode::Up, KeyCode::Right, KeyCode::Right, KeyCode::Right, KeyCode::Enter]);
        let chosen = rows(&mut screen, 80, 24);
        assert_eq!(chosen.concat().matches('●').count(), 2, "{chosen:#?}");
        press(&mut screen, &[KeyCode::Up, KeyCode::Up, KeyCode::Left, KeyCode::Char(' ')]);
        assert_eq!(screen.session.game.record().moves(), ["h0g2".parse().unwrap()]);
        // b9 is clicked, then c7; b2 is dragged to e2.
        let at = |file: u16, rank: u16| (3 + 4 * file, 1 + 2 * (9 - rank));
        for place in [at(1, 9), at(2, 7)] {
            mouse(&mut screen, DOWN, place);
            mouse(&mut screen, UP, place);
        }
        mouse(&mut screen, DOWN, at(1, 2));
        mouse(&mut screen, UP, at(4, 2));
        type_line(&mut screen, "车１平２");
        let moves: Vec<String> = screen.session.game.record().moves().iter().map(Move::to_string).collect();
        assert_eq!(moves, ["h0g2", "b9c7", "b2e2", "a9b9"]);
        type_line(&mut screen, "h2i4");
        let shown = rows(&mut screen, 80, 24).concat();
        assert!(shown.contains("h2i4 is illegal") && shown.contains("2. C8.5"), "{shown}");
    }

    #[test]
    fn a_game_ends_only_when_it_is_confirmed() {
        let mut session = session(START);
        let mut screen = Screen::new(&mut session);
        rows(&mut screen, 80, 24);
        press(&mut screen, &[KeyCode::F(8), KeyCode::Esc, KeyCode::F(8)]);
        assert!(screen.session.game.ending().is_none());
        // The last key of the last row.
        let (columns, row, _) = screen.keys.last().unwrap().clone();
        mouse(&mut screen, DOWN, (columns.start, row));
        assert_eq!(screen.session.game.result(), GameResult::Won(Color::Black));
        assert!(rows(&mut screen, 80, 24).concat().contains("black wins: red resigns"));
        press(&mut screen, &[KeyCode::F(2)]);
        assert_eq!(screen.session.game.result(), GameResult::Unknown);
    }

    #[test]
    fn nothing_but_ascii_is_drawn_if_asked_for() {
        let settings = Settings { is_ascii: true, pieces: PieceSet::Letters, ..settings() };
        let mut session = Session::new(settings, game(START), None);
        session.execute(Command::Eval);
        let mut screen = Screen::new(&mut session);
        press(&mut screen, &[KeyCode::Up, KeyCode::Enter]);
        let shown = rows(&mut screen, 80, 24).concat();
        assert!(shown.is_ascii() && shown.contains("r --n --b"), "{shown}");
    }

    #[test]
    fn long_pastes_and_many_keys_are_bounded() {
        let mut session = session(START);
        let mut screen = Screen::new(&mut session);
        screen.handle(&Event::Paste("炮\u{1b}".repeat(100_000)));
        press(&mut screen, &[KeyCode::Char('x')]);
        assert_eq!(screen.input, "炮".repeat(MAX_INPUT));
        let shown = rows(&mut screen, 80, 24);
        assert_eq!(shown[22], format!("> {}", "炮".repeat(38)), "the end, with a column for the cursor");
        // Whatever waits before it, Ctrl-C quits at once.
        let new = Event::Key(KeyCode::F(2).into());
        screen.handle_all(&mut VecDeque::from([new.clone(), new, INTERRUPT]));
        assert!(!screen.is_open && screen.unconfirmed.is_none());
    }

    #[test]
    fn texts_stay_beside_the_board_and_whole() {
        let mut game = Game::new(Position::start());
        game.clock = Some(GameClock::new(TimeControl::read("600+5", 1.0).unwrap(), 0));
        let mut session = Session::new(Settings { language: Language::Chinese, ..settings() }, game, None);
        let mut screen = Screen::new(&mut session);
        let before = rows(&mut screen, 63, 23);
        assert!(before.iter().filter(|row| row.ends_with("10:00") || row.contains("9:5")).count() == 2, "{before:#?}");
        for (width, height) in (63..130).flat_map(|width| [(width, 23), (width, 34)]) {
            let text = "提示：兵三进一 (+0.15, 16: 兵三进一 炮８平５ 炮八平五 马８进７ 马八进七 车９平８)";
            screen.notices = vec![text.to_string()];
            let shown = rows(&mut screen, width, height);
            let beside: String = shown.iter().flat_map(|row| row.split("   ").last()).collect();
            let letters = |text: &str| text.replace(' ', "");
            assert!(letters(&beside).contains("提示：兵三进一(+0.15,16:兵三进一"), "{width}x{height}: {shown:#?}");
        }
    }
}
