//! The user interface on the full screen, with keys and mouse.

use super::board_view::{BoardGeometry, BoardView};
use super::buffer::{Buffer, Rect, Style, width};
use super::command::{self, Command, PlayCommandError};
use super::event::{Event, Key};
use super::game::Ending;
use super::input::Input;
use super::session::Session;
use super::terminal::Terminal;
use super::{help, panel};
use crate::display::verdict::Language;
use crate::engine::level;
use crate::games::visible::visible;
use crate::types::{Color, Move, Square};
use std::io;
use std::time::{Duration, Instant};

/// Longest time without a look at the engine and the clock.
const TICK: Duration = Duration::from_millis(50);
/// Characters of the input at most: more than any move and most paths have.
const MAX_INPUT: usize = 1_000;
/// Columns of the panel at least, and at most.
const PANEL: (u16, u16) = (24, 60);
/// Rows below the board: the input and the keys.
const BOTTOM_ROWS: u16 = 2;

/// The keys with a command, and what the last row says of them.
const KEYS: [(u8, Command, &str, &str); 8] = [
    (1, Command::Help, "help", "帮助"),
    (2, Command::New, "new", "新局"),
    (3, Command::Hint, "hint", "提示"),
    (4, Command::Undo, "undo", "悔棋"),
    (5, Command::Flip, "flip", "翻转"),
    (6, Command::Eval, "eval", "评估"),
    (7, Command::Draw, "draw", "求和"),
    (8, Command::Resign, "resign", "认输"),
];

/// Plays on the terminal until the player quits.
///
/// # Errors
/// When the terminal cannot be used.
pub fn run(session: &mut Session, bottom: Color, has_colors: bool) -> io::Result<()> {
    let mut terminal = Terminal::open()?;
    let mut screen = Screen::new(session, bottom, has_colors);
    let mut input = Input::default();
    while screen.is_open {
        screen.session.poll();
        let mut buffer = terminal.buffer()?;
        screen.draw(&mut buffer);
        terminal.show(buffer)?;
        input.read(TICK)?;
        screen.handle_all(&mut input);
    }
    Ok(())
}

/// The state of the screen.
pub struct Screen<'a> {
    /// The game.
    pub session: &'a mut Session,
    /// Whether the player has not quit.
    pub is_open: bool,
    bottom: Color,
    has_colors: bool,
    cursor: Square,
    shows_cursor: bool,
    selected: Option<Square>,
    input: String,
    notices: Vec<String>,
    /// Moves and ending of the game drawn last.
    state: Option<(Vec<Move>, Option<Ending>)>,
    shows_help: bool,
    /// The command that asks to be repeated before it is done.
    unconfirmed: Option<Command>,
    geometry: Option<BoardGeometry>,
    /// The row of the keys, and the columns of each.
    key_places: Vec<(Rect, Command)>,
}

impl<'a> Screen<'a> {
    /// The screen of a session, with the side at the bottom of the board.
    pub fn new(session: &'a mut Session, bottom: Color, has_colors: bool) -> Screen<'a> {
        Screen {
            session,
            is_open: true,
            bottom,
            has_colors,
            cursor: Square::new(4, if bottom == Color::Red { 0 } else { 9 }),
            shows_cursor: false,
            selected: None,
            input: String::new(),
            notices: Vec::new(),
            state: None,
            shows_help: false,
            unconfirmed: None,
            geometry: None,
            key_places: Vec::new(),
        }
    }

    fn language(&self) -> Language {
        self.session.settings().language
    }

    /// Draws everything.
    pub fn draw(&mut self, buffer: &mut Buffer) {
        // What was told before the last move or the end of the game is no longer true.
        let state = (self.session.game().moves(), self.session.game().ending().cloned());
        if self.state.replace(state.clone()).is_some_and(|before| before != state) {
            self.notices.clear();
        }
        self.notices.extend(self.session.take_notices());
        // A move of the engine ends the choice of a piece that is gone.
        let position = self.session.position();
        let is_own = |square: &Square| position.piece_at(*square).is_some_and(|piece| piece.color() == position.side());
        self.selected = self.selected.filter(is_own);
        let area = buffer.area();
        let rows = area.height.saturating_sub(BOTTOM_ROWS);
        let room = Rect { height: rows, width: area.width.saturating_sub(PANEL.0), ..area };
        self.geometry = BoardGeometry::fit(room, self.bottom);
        let Some(geometry) = self.geometry else {
            let text = self
                .language()
                .pick("the window is too small: at least 63 columns and 23 rows", "窗口太小：至少 63 列、23 行");
            buffer.set_wrapped(area, [text], Style::default());
            return self.draw_bottom(buffer);
        };
        let targets = self.targets();
        let view = BoardView {
            position: self.session.position(),
            bottom: self.bottom,
            pieces: self.session.settings().pieces,
            is_ascii: self.session.settings().is_ascii,
            has_colors: self.has_colors,
            last_move: self.session.game().last_move(),
            cursor: Some(self.cursor).filter(|_| self.shows_cursor),
            selected: self.selected,
            targets: &targets,
        };
        view.render(&geometry, buffer);
        let (width, height) = geometry.size();
        let panel_width = (area.width - width).saturating_sub(1).min(PANEL.1);
        let beside = Rect { x: area.x + width + 1, y: area.y, width: panel_width, height: height.min(rows) };
        panel::render(self.session, &self.notices, self.bottom, self.has_colors, beside, buffer);
        self.draw_bottom(buffer);
        if self.shows_help {
            self.draw_help(buffer);
        }
    }

    /// Draws the input and the keys.
    fn draw_bottom(&mut self, buffer: &mut Buffer) {
        let area = buffer.area();
        if area.height < BOTTOM_ROWS {
            return;
        }
        let (input_row, key_row) = (area.row(area.height - 2), area.row(area.height - 1));
        // Of a long line the end is shown.
        let mut start = self.input.len();
        while let Some(letter) = self.input[..start].chars().next_back()
            && width(&self.input[start - letter.len_utf8()..]) + 3 <= usize::from(area.width)
        {
            start -= letter.len_utf8();
        }
        let used = buffer.set_string(input_row, &format!("> {}", &self.input[start..]), Style::default());
        buffer.cursor = Some((used, input_row.y)).filter(|_| used < area.width);
        let mut x = area.x;
        self.key_places.clear();
        for (key, command, english, chinese) in KEYS {
            let text = format!("F{key} {}", self.language().pick(english, chinese));
            let width = width(&text) as u16;
            if x + width > area.width {
                break;
            }
            let place = Rect { x, width, ..key_row };
            buffer.set_string(place, &text, Style { is_reversed: true, ..Style::default() });
            self.key_places.push((place, command));
            x += width + 1;
        }
    }

    fn draw_help(&self, buffer: &mut Buffer) {
        let (language, area) = (self.language(), buffer.area());
        let text = format!("{}\n{}", help::text(language), help::keys(language));
        let height = (text.lines().count() as u16 + 4).min(area.height);
        let columns = 76.min(area.width);
        let place = Rect::new((area.width - columns) / 2, (area.height - height) / 2, columns, height);
        let title = language.pick(" Help (any key closes it) ", " 帮助（按任意键关闭） ");
        let inside = Rect::new(place.x + 1, place.y + 1, columns - 2, height - 2);
        let style = Style::default();
        let bar = |columns: u16| "─".repeat(columns.into());
        buffer.set_string(place, &format!("┌{title}{}┐", bar(inside.width - width(title) as u16)), style);
        for y in 0..inside.height {
            buffer.set_string(place.row(1 + y), &format!("│{}│", " ".repeat(inside.width.into())), style);
        }
        buffer.set_string(place.row(height - 1), &format!("└{}┘", bar(inside.width)), style);
        buffer.set_wrapped(inside, text.lines(), style);
    }

    /// Where the chosen piece can go.
    fn targets(&self) -> Vec<Square> {
        let legal = self.session.position().legal_moves();
        let from = self.selected;
        legal.iter().filter(|mv| Some(mv.from()) == from).map(Move::to).collect()
    }

    /// Does what the events ask for, for about [`TICK`]; or, if one is Ctrl-C, only that.
    fn handle_all(&mut self, input: &mut Input) {
        if input.has_interrupt() {
            self.is_open = false;
        }
        let start = Instant::now();
        while self.is_open
            && start.elapsed() < TICK
            && let Some(event) = input.take()
        {
            self.handle(&event);
        }
    }

    /// Does what a key, the mouse or a paste asks for.
    pub fn handle(&mut self, event: &Event) {
        match event {
            Event::Key(key) => self.key(*key),
            Event::MouseDown { .. } if std::mem::take(&mut self.shows_help) => {}
            Event::MouseDown { is_left: true, column, row } => self.click(*column, *row),
            Event::MouseDown { .. } => {}
            Event::MouseUp { column, row } => self.drop_piece(*column, *row),
            Event::Paste(text) => self.type_text(text.lines().next().unwrap_or_default()),
        }
    }

    fn key(&mut self, key: Key) {
        if std::mem::take(&mut self.shows_help) {
            return;
        }
        match key {
            Key::Control('c' | 'd' | 'q') => self.is_open = false,
            Key::Control('u') => self.input.clear(),
            Key::Control('z') => self.execute(Command::Undo),
            Key::Character(' ') if self.input.is_empty() => self.choose(self.cursor),
            Key::Character(letter) => self.type_text(letter.encode_utf8(&mut [0; 4])),
            Key::Backspace => {
                self.input.pop();
            }
            Key::Escape => {
                self.input.clear();
                self.selected = None;
                self.unconfirmed = None;
            }
            Key::Enter if self.input.trim().is_empty() => self.choose(self.cursor),
            Key::Enter => self.submit(),
            Key::Up => self.move_cursor(0, 1),
            Key::Down => self.move_cursor(0, -1),
            Key::Left => self.move_cursor(-1, 0),
            Key::Right => self.move_cursor(1, 0),
            Key::Function(number) => {
                if let Some((_, command, ..)) = KEYS.into_iter().find(|(key, ..)| *key == number) {
                    self.press(command);
                }
            }
            Key::Control(_) | Key::Other => {}
        }
    }

    /// Appends to the input, as much as has room.
    fn type_text(&mut self, text: &str) {
        let room = MAX_INPUT.saturating_sub(self.input.chars().count());
        self.input.extend(visible(text).chars().take(room));
    }

    /// Moves the cursor as seen on the screen.
    fn move_cursor(&mut self, files: i8, ranks: i8) {
        let sign = if self.bottom == Color::Red { 1 } else { -1 };
        let moved = |place: u8, by: i8, count: u8| place.saturating_add_signed(sign * by).min(count - 1);
        if self.shows_cursor {
            let file = moved(self.cursor.file(), files, Square::FILES);
            self.cursor = Square::new(file, moved(self.cursor.rank(), ranks, Square::RANKS));
        }
        self.shows_cursor = true;
    }

    fn square_at(&self, column: u16, row: u16) -> Option<Square> {
        self.geometry.and_then(|geometry| geometry.square_at(column, row))
    }

    /// Chooses the square at a place of the screen, or presses the key there.
    fn click(&mut self, column: u16, row: u16) {
        if let Some(square) = self.square_at(column, row) {
            self.shows_cursor = false;
            self.cursor = square;
            self.choose(square);
        } else if let Some((_, command)) = self.key_places.iter().find(|(area, _)| area.contains(column, row)) {
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
        let position = self.session.position();
        let is_own = position.piece_at(square).is_some_and(|piece| piece.color() == position.side());
        match self.selected {
            Some(from) if self.targets().contains(&square) => {
                self.selected = None;
                self.execute(Command::Move(Move::new(from, square)));
            }
            Some(from) if from == square => self.selected = None,
            _ => {
                let may_move = is_own && self.session.game().ending().is_none() && !self.session.is_engine_turn();
                self.selected = Some(square).filter(|_| may_move);
            }
        }
    }

    fn submit(&mut self) {
        let line = std::mem::take(&mut self.input);
        match command::read(&line, self.session.position(), level::FULL) {
            None => {}
            Some(Ok(command)) => self.execute(command),
            // A move of the side that is not to move looks illegal.
            Some(Err(PlayCommandError::Move(_))) if self.session.is_engine_turn() => self.session.tell_engines_turn(),
            Some(Err(error)) => self.session.notify(&error),
        }
    }

    /// Does what a key or a click asks for; what ends the game, only when it is asked for twice.
    fn press(&mut self, command: Command) {
        let is_over = self.session.game().ending().is_some();
        let ends_game = match command {
            Command::Resign => true,
            Command::New => !is_over && self.session.position().plies() > 0,
            _ => false,
        };
        if ends_game && self.unconfirmed.as_ref() != Some(&command) {
            self.unconfirmed = Some(command);
            let text = self.language().pick("once more to confirm; Esc: no", "再按一次确认；Esc：取消");
            self.notices.push(text.to_string());
            return;
        }
        self.execute(command);
    }

    fn execute(&mut self, command: Command) {
        self.unconfirmed = None;
        match command {
            Command::Flip => self.bottom = self.bottom.other(),
            Command::Help => self.shows_help = true,
            Command::Quit => self.is_open = false,
            Command::Board | Command::Pieces => {}
            command => self.session.execute(command),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::display::board::PieceSet;
    use crate::games::record::GameResult;
    use crate::notation::Notation;
    use crate::play::event::INTERRUPT;
    use crate::play::game::Game;
    use crate::play::settings::Settings;
    use crate::position::Position;
    use crate::rules::Rules;

    /// A game of two people, so that nothing happens but what the test does.
    fn session(fen: &str) -> Session {
        let settings = Settings {
            engine_plays: [false; 2],
            level: 5,
            control: None,
            move_time: Duration::from_secs(1),
            options: Vec::new(),
            rules: Rules::default(),
            notation: Notation::Wxf,
            pieces: PieceSet::Traditional,
            is_ascii: false,
            language: Language::English,
        };
        Session::new(settings, Game::new(Position::from_fen(fen).unwrap()), None, None)
    }

    /// The rows of the screen.
    fn rows(screen: &mut Screen, width: u16, height: u16) -> Vec<String> {
        let mut buffer = Buffer::new(width, height);
        screen.draw(&mut buffer);
        buffer.rows()
    }

    fn press(screen: &mut Screen, keys: &[Key]) {
        keys.iter().for_each(|&key| screen.handle(&Event::Key(key)));
    }

    fn type_line(screen: &mut Screen, line: &str) {
        line.chars().for_each(|letter| press(screen, &[Key::Character(letter)]));
        press(screen, &[Key::Enter]);
    }

    fn mouse_down(screen: &mut Screen, (column, row): (u16, u16)) {
        screen.handle(&Event::MouseDown { is_left: true, column, row });
    }

    fn mouse_up(screen: &mut Screen, (column, row): (u16, u16)) {
        screen.handle(&Event::MouseUp { column, row });
    }

    const START: &str = crate::position::START_FEN;

    #[test]
    fn board_is_drawn_in_two_sizes_and_both_directions() {
        let mut session = session(START);
        let mut screen = Screen::new(&mut session, Color::Red, true);
        let small = rows(&mut screen, 80, 24);
        assert!(small[1].starts_with(" 9 車──馬──象──士──將──士──象──馬──車   ► "), "{small:#?}");
        assert!(small[2].starts_with("   │   │   │   │ ╲ │ ╱ │   │   │   │"), "{small:#?}");
        assert!(small[10].starts_with("   │   楚  河              漢  界  │"), "{small:#?}");
        assert!(small[19].starts_with(" 0 俥──傌"), "{small:#?}");
        assert!(rows(&mut screen, 120, 40)[28].starts_with(" 0 俥────傌"));
        assert!(rows(&mut screen, 40, 10)[0].starts_with("the window is too small"));
        press(&mut screen, &[Key::Function(5)]);
        let turned = rows(&mut screen, 80, 24);
        assert!(turned[1].starts_with(" 0 俥──傌") && turned[0].starts_with("   i   h"), "{turned:#?}");
    }

    #[test]
    fn pieces_are_moved_by_keys_by_mouse_and_by_typing() {
        let mut session = session(START);
        let mut screen = Screen::new(&mut session, Color::Red, false);
        rows(&mut screen, 80, 24);
        // The cursor appears on e0 with the first arrow; to h0, and its knight to g2.
        press(&mut screen, &[Key::Up, Key::Right, Key::Right, Key::Right, Key::Enter]);
        let chosen = rows(&mut screen, 80, 24);
        assert_eq!(chosen.concat().matches('●').count(), 2, "{chosen:#?}");
        press(&mut screen, &[Key::Up, Key::Up, Key::Left, Key::Character(' ')]);
        assert_eq!(screen.session.game().moves(), ["h0g2".parse().unwrap()]);
        // b9 is clicked, then c7; b2 is dragged to e2.
        let at = |file: u16, rank: u16| (3 + 4 * file, 1 + 2 * (9 - rank));
        for place in [at(1, 9), at(2, 7)] {
            mouse_down(&mut screen, place);
            mouse_up(&mut screen, place);
        }
        mouse_down(&mut screen, at(1, 2));
        mouse_up(&mut screen, at(4, 2));
        type_line(&mut screen, "车１平２");
        let moves: Vec<String> = screen.session.game().moves().iter().map(Move::to_string).collect();
        assert_eq!(moves, ["h0g2", "b9c7", "b2e2", "a9b9"]);
        type_line(&mut screen, "h2i4");
        let shown = rows(&mut screen, 80, 24).concat();
        assert!(shown.contains("h2i4 is illegal") && shown.contains("2. C8.5"), "{shown}");
    }

    #[test]
    fn a_game_ends_only_when_it_is_confirmed() {
        let mut session = session(START);
        let mut screen = Screen::new(&mut session, Color::Red, true);
        rows(&mut screen, 80, 24);
        press(&mut screen, &[Key::Function(8), Key::Escape, Key::Function(8)]);
        assert!(screen.session.game().ending().is_none());
        // The last key of the last row.
        let place = screen.key_places.last().unwrap().0;
        mouse_down(&mut screen, (place.x, place.y));
        assert_eq!(screen.session.game().result(), GameResult::Won(Color::Black));
        assert!(rows(&mut screen, 80, 24).concat().contains("black wins: red resigns"));
        press(&mut screen, &[Key::Function(2)]);
        assert_eq!(screen.session.game().result(), GameResult::Unknown);
    }

    #[test]
    fn checks_and_mates_are_shown() {
        let mut session = session("3k5/R8/9/9/9/9/9/9/9/1R3K3 w - - 0 1");
        let mut screen = Screen::new(&mut session, Color::Red, true);
        type_line(&mut screen, "b0b9");
        let shown = rows(&mut screen, 80, 24).concat();
        assert!(shown.contains("red wins: checkmate"), "{shown}");
        press(&mut screen, &[Key::Function(4)]);
        type_line(&mut screen, "a8a9");
        assert!(rows(&mut screen, 80, 24).concat().contains("black to move, in check"));
    }

    #[test]
    fn nothing_but_ascii_is_drawn_if_asked_for() {
        let mut session = session(START);
        session.execute(Command::Eval);
        let settings = Settings { is_ascii: true, pieces: PieceSet::Letters, ..session.settings().clone() };
        let mut session = Session::new(settings, session.game().clone(), None, None);
        let mut screen = Screen::new(&mut session, Color::Red, true);
        press(&mut screen, &[Key::Up, Key::Enter]);
        let shown = rows(&mut screen, 80, 24).concat();
        assert!(shown.is_ascii() && shown.contains("r --n --b"), "{shown}");
    }

    #[test]
    fn long_pastes_and_many_keys_are_bounded() {
        let mut session = session(START);
        let mut screen = Screen::new(&mut session, Color::Red, true);
        screen.handle(&Event::Paste("炮\u{1b}".repeat(100_000)));
        press(&mut screen, &[Key::Character('x')]);
        assert_eq!(screen.input, "炮".repeat(MAX_INPUT));
        let shown = rows(&mut screen, 80, 24);
        assert_eq!(shown[22], format!("> {}", "炮".repeat(38)), "the end, with a column for the cursor");
        // Whatever waits before it, Ctrl-C quits at once.
        let mut input = Input::default();
        for event in [Event::Key(Key::Function(2)), Event::Key(Key::Function(2)), INTERRUPT] {
            input.push(event);
        }
        screen.handle_all(&mut input);
        assert!(!screen.is_open && screen.unconfirmed.is_none());
    }

    #[test]
    fn texts_stay_beside_the_board_and_whole() {
        let session = session(START);
        let clock = Some("10+5".parse().unwrap());
        let settings = Settings {
            language: Language::Chinese,
            control: clock,
            level: 5,
            engine_plays: [false, true],
            ..session.settings().clone()
        };
        let mut session = Session::new(settings, session.game().clone(), None, None);
        let mut screen = Screen::new(&mut session, Color::Red, true);
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

    #[test]
    fn help_covers_the_board_until_a_key() {
        let mut session = session(START);
        let mut screen = Screen::new(&mut session, Color::Red, true);
        press(&mut screen, &[Key::Function(1)]);
        assert!(rows(&mut screen, 80, 24).concat().contains("take back your last move"));
        press(&mut screen, &[Key::Character('x')]);
        let shown = rows(&mut screen, 80, 24);
        assert!(!shown.concat().contains("take back") && shown[22] == ">", "{shown:#?}");
        screen.handle(&INTERRUPT);
        assert!(!screen.is_open);
    }
}
