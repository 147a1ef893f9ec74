//! A game being played: people, the engine and the clock, without a user interface.

use super::clock::GameClock;
use super::command::{self, Command, PlayCommandError};
use super::engine_player::{EngineEvent, EnginePlayer, setting};
use super::game::{Ending, Game};
use super::game_file::{self, KeptGame};
use crate::display::board::PieceSet;
use crate::display::language::Language;
use crate::display::messages::Messages;
use crate::display::score::score_text;
use crate::engine::Answer;
use crate::engine::go::{Go, Times};
use crate::engine::level;
use crate::engine::offers::Offer;
use crate::engine::options::Setting;
use crate::games::visible::visible;
use crate::notation::Notation;
use crate::position::Position;
use crate::rules::Rules;
use crate::search::report::Line;
use crate::types::{Color, Move};
use std::fmt::Display;
use std::time::Duration;

/// Time of the search for a hint, in milliseconds.
const HINT_MILLISECONDS: u64 = 1_000;

/// Maximum number of moves shown with a hint.
const HINT_MOVES: usize = 8;

/// Size of the hash table of the engine that gives hints and evaluations, in megabytes.
const ANALYST_MEGABYTES: u32 = 64;

/// How games are played and shown.
#[derive(Clone, Debug)]
pub(crate) struct Settings {
    /// The engine's time for a move without a clock.
    pub move_time: Duration,
    /// More options of the engine.
    pub options: Vec<Setting>,
    /// The rules by which the game ends.
    pub rules: Rules,
    /// How moves are written.
    pub notation: Notation,
    /// How pieces are drawn.
    pub pieces: PieceSet,
    /// The side at the bottom of the board.
    pub bottom: Color,
    /// Whether lines and signs are ASCII, for terminals that draw others two columns wide.
    pub is_ascii: bool,
    /// Whether the screen has colors.
    pub has_colors: bool,
    /// The language of the texts.
    pub language: Language,
}

/// A game being played.
pub(crate) struct Session {
    /// How the game is played and shown.
    pub(super) settings: Settings,
    /// The game, its players and its clock.
    pub(super) game: Game,
    /// Number of turns begun: as long as it is the same, nobody has moved, and the game has not ended.
    pub(super) turns: u32,
    opponent: EnginePlayer,
    analyst: EnginePlayer,
    /// Whether the search of the analyst is for a hint.
    gives_hint: bool,
    /// Whether the evaluation is to be shown.
    pub(super) shows_evaluation: bool,
    /// The line of a search of the position, with Red's score.
    analysis: Option<Line>,
    /// The side that offers a draw.
    draw_offer: Option<Color>,
    messages: Messages,
    /// What to tell the players.
    notices: Vec<String>,
    /// Where the game is kept after each move.
    kept: Option<KeptGame>,
}

impl Session {
    /// Begins or continues a game. If it is kept, then from the first move on: a game that was only looked at does not replace
    /// the one that is there.
    pub(crate) fn new(settings: Settings, mut game: Game, kept: Option<KeptGame>) -> Session {
        game.set_rules(settings.rules);
        let mut session = Session {
            opponent: EnginePlayer::start(opponent_settings(&settings)),
            analyst: EnginePlayer::start(analyst_settings(&settings)),
            messages: Messages::new(settings.language),
            settings,
            game,
            turns: 0,
            gives_hint: false,
            shows_evaluation: false,
            analysis: None,
            draw_offer: None,
            notices: Vec::new(),
            kept: None,
        };
        session.begin_turn();
        session.kept = kept;
        session
    }

    /// The position with its moves.
    pub(crate) fn position(&self) -> &Position {
        self.game.position()
    }

    /// The engine's line of the position with Red's score, if it is to be shown and there is one.
    pub(crate) fn analysis(&self) -> Option<&Line> {
        self.analysis.as_ref().filter(|_| self.shows_evaluation)
    }

    /// Whether an engine is working on a move or a hint.
    pub(crate) fn is_waiting(&self) -> bool {
        self.opponent.signals().is_some() || self.gives_hint
    }

    /// The name of the player of a side.
    pub(crate) fn player(&self, side: Color) -> String {
        let (language, level) = (self.settings.language, self.game.level);
        match self.game.engine_plays[side.index()] {
            _ if !self.game.names[side.index()].is_empty() => visible(&self.game.names[side.index()]),
            true if level == level::FULL => "ChuHe".to_string(),
            true => language.pick(format!("ChuHe, level {level}"), format!("楚河 {level} 级")),
            false if self.game.only_human().is_some() => language.pick("you", "您").to_string(),
            false => language.side(side).to_string(),
        }
    }

    /// What is to be told since the last call.
    pub(crate) fn take_notices(&mut self) -> Vec<String> {
        std::mem::take(&mut self.notices)
    }

    /// Tells the players `text` in their language.
    pub(crate) fn notify(&mut self, text: &dyn Display) {
        let text = self.messages.text(text);
        self.notices.push(text);
    }

    fn tell(&mut self, english: impl Into<String>, chinese: impl Into<String>) {
        self.notices.push(self.settings.language.pick(english.into(), chinese.into()));
    }

    fn tell_engines_turn(&mut self) {
        self.tell("it is the engine's turn (go: move now)", "轮到引擎走（走：立即走）");
    }

    /// The commands: what to type and what it does, one a line.
    pub(crate) fn help(&self) -> String {
        command::help(self.settings.language, &self.messages)
    }

    /// The command of a line; that it has none is told.
    pub(crate) fn read(&mut self, line: &str) -> Option<Command> {
        match command::read(line, self.position())? {
            Ok(command) => return Some(command),
            // A move of the side that is not to move looks illegal.
            Err(PlayCommandError::Move(_)) if self.game.is_engine_turn() => self.tell_engines_turn(),
            Err(error) => self.notify(&error),
        }
        None
    }

    /// Executes a command; those that only show something are up to the user interfaces.
    pub(crate) fn execute(&mut self, command: Command) {
        match command {
            Command::Move(_) | Command::Hint | Command::Go | Command::Resign | Command::Draw
                if self.game.ending().is_some() =>
            {
                self.tell("the game is over (new, undo)", "对局已结束（新局、悔棋）");
            }
            Command::Move(_) | Command::Hint if self.game.is_engine_turn() => self.tell_engines_turn(),
            Command::Resign | Command::Draw if self.game.engine_plays == [true; 2] => {
                self.tell("the engine plays both sides", "双方都由引擎走");
            }
            Command::Move(mv) => self.make(mv),
            Command::Undo => self.undo(),
            Command::Hint => {
                self.gives_hint = true;
                self.search_for_analysis(Go { move_time: Some(HINT_MILLISECONDS), ..Go::default() });
            }
            Command::New => self.restart(Position::start()),
            Command::Resign => {
                let side = self.game.only_human().unwrap_or(self.position().side());
                self.end(Ending::Resigned(side));
            }
            Command::Draw => self.draw(),
            Command::Level(level) => {
                self.game.level = level;
                let full = level::FULL;
                self.tell(format!("level {level} of {full}"), format!("等级 {level}，最高 {full}"));
                self.keep();
            }
            Command::Go => {
                if let Some(signals) = self.opponent.signals() {
                    return signals.stop();
                }
                let side = self.position().side();
                if !self.game.is_engine_turn() {
                    self.game.engine_plays = Color::ALL.map(|other| other == side);
                }
                self.begin_turn();
            }
            Command::Eval => {
                self.shows_evaluation = !self.shows_evaluation;
                self.analyse();
            }
            Command::Flip => self.settings.bottom = !self.settings.bottom,
            Command::Save(name) => self.save(&name),
            Command::Load(name) => match game_file::load(&name) {
                Ok((position, note)) => {
                    self.restart(position);
                    if let Some(note) = note {
                        self.notify(&note);
                    }
                }
                Err(error) => self.notify(&error),
            },
            Command::Board | Command::Pieces | Command::Help | Command::Quit => {}
        }
    }

    fn save(&mut self, name: &str) {
        let names = Color::ALL.map(|side| match &self.game.names[side.index()] {
            name if name.is_empty() && self.game.engine_plays[side.index()] => self.player(side),
            name => name.clone(),
        });
        match game_file::save(name, &self.game, self.settings.notation, &names) {
            Ok(path) => self.tell(format!("{} written", path.display()), format!("已写入 {}", path.display())),
            Err(error) => self.notify(&error),
        }
    }

    /// Takes what the engines found and looks at the clock.
    pub(crate) fn poll(&mut self) {
        if let Some(side) = self.game.clock.as_ref().and_then(GameClock::flagged) {
            self.end(Ending::TimeOut(side));
        }
        // The one searches while it is the engine's turn, the other while it is not.
        while let Some(event) = self.opponent.poll().or_else(|| self.analyst.poll()) {
            match event {
                EngineEvent::Line(line) => self.note(line),
                EngineEvent::Answer(answer) if self.game.is_engine_turn() => self.answer(&answer),
                EngineEvent::Answer(answer) if self.gives_hint => self.show_hint(&answer),
                EngineEvent::Answer(_) => {}
            }
        }
    }

    /// Keeps the line of a search of the current position as the analysis.
    fn note(&mut self, line: Line) {
        let sign = if self.position().side() == Color::Red { 1 } else { -1 };
        self.analysis = Some(Line { score: sign * line.score, ..line });
    }

    /// Does what the engine answered.
    fn answer(&mut self, answer: &Answer) {
        let side = self.position().side();
        let was_offered = self.draw_offer.take() == Some(!side);
        let offer = match answer {
            Answer::Move { offer, .. } => *offer,
            _ => None,
        };
        let Some(best) = answer.best() else { return self.tell("the engine has no move", "引擎没有着法") };
        match offer {
            Some(Offer::Resign) => return self.end(Ending::Resigned(side)),
            Some(Offer::Draw) if was_offered => return self.end(Ending::Agreed),
            Some(Offer::Draw) => {
                self.draw_offer = Some(side);
                self.tell("the engine offers a draw (draw: accept)", "引擎求和（和棋：同意）");
            }
            None if was_offered => self.tell("the engine declines the draw", "引擎不同意和棋"),
            None => {}
        }
        self.make(best);
    }

    fn make(&mut self, mv: Move) {
        let side = self.position().side();
        // An offer holds until the other side has moved.
        if self.draw_offer == Some(!side) {
            self.draw_offer = None;
        }
        if let Some(clock) = &mut self.game.clock {
            clock.stop();
            if clock.left(side).is_zero() {
                return self.end(Ending::TimeOut(side));
            }
            clock.press(side);
        }
        self.game.make(mv);
        self.begin_turn();
    }

    /// Starts the clock and the engine for the side to move.
    fn begin_turn(&mut self) {
        self.turns += 1;
        self.opponent.stop();
        self.gives_hint = false;
        self.analysis = None;
        let side = self.position().side();
        let is_over = self.game.ending().is_some();
        match &mut self.game.clock {
            Some(clock) if is_over => clock.stop(),
            Some(clock) => clock.start(side),
            None => {}
        }
        if self.game.is_engine_turn() {
            self.opponent.search(self.game.level, self.game.record().setup(), self.go(side));
        }
        self.analyse();
        self.keep();
    }

    /// The search of the engine's move.
    fn go(&self, side: Color) -> Go {
        let mut go = Go { draw: self.draw_offer == Some(!side), ..Go::default() };
        let milliseconds = |time: Duration| Some(time.as_millis() as u64);
        match &self.game.clock {
            None => go.move_time = milliseconds(self.settings.move_time),
            Some(clock) => {
                let increment = milliseconds(clock.control().increment());
                go.sides = clock.both().map(|left| Times { time: milliseconds(left), increment, moves_to_go: None });
            }
        }
        go
    }

    /// Analyses the position while a person thinks, if the evaluation is to be shown.
    fn analyse(&mut self) {
        if self.gives_hint {
            return;
        }
        match self.shows_evaluation && self.game.ending().is_none() && !self.game.is_engine_turn() {
            true => self.search_for_analysis(Go { infinite: true, ..Go::default() }),
            false => self.analyst.stop(),
        }
    }

    fn search_for_analysis(&mut self, go: Go) {
        self.analyst.search(level::FULL, self.game.record().setup(), go);
    }

    fn show_hint(&mut self, answer: &Answer) {
        self.gives_hint = false;
        if let Some(best) = answer.best() {
            let position = self.position();
            let mut text = self.settings.notation.write(position, best);
            if let Some(Line { score, depth, pv, .. }) = &self.analysis {
                let line = self.settings.notation.write_line(position, &pv[..pv.len().min(HINT_MOVES)]).join(" ");
                text.push_str(&format!(" ({}, {depth}: {line})", score_text(*score, self.settings.language)));
            }
            self.tell(format!("hint: {text}"), format!("提示：{text}"));
        }
        self.analyse();
    }

    /// Takes back moves until a person is to move, at least one.
    fn undo(&mut self) {
        let (plies, side) = (self.position().plies(), self.position().side());
        let own_moves = match self.game.only_human() {
            Some(human) => (plies + usize::from(human != side)) / 2,
            None => plies,
        };
        if own_moves == 0 {
            return self.tell("there is no move to take back", "没有可悔的着法");
        }
        let has_human = self.game.engine_plays != [true; 2];
        while self.game.undo() {
            if !has_human || !self.game.engine_plays[self.position().side().index()] {
                break;
            }
        }
        let plies = self.position().plies();
        if let Some(clock) = &mut self.game.clock {
            clock.set_back(plies);
        }
        self.draw_offer = None;
        self.begin_turn();
    }

    fn draw(&mut self) {
        let human = self.game.only_human();
        match (self.draw_offer, human) {
            // The offer of the engine, or of the other person.
            (Some(offer), _) if human != Some(offer) => self.end(Ending::Agreed),
            (Some(_), _) => {}
            (None, Some(human)) => {
                self.draw_offer = Some(human);
                match self.opponent.signals() {
                    Some(signals) => signals.offer_draw(),
                    None => self.tell("offered with your next move", "随下一着提和"),
                }
            }
            (None, None) => {
                self.draw_offer = Some(self.position().side());
                self.tell("a draw is offered (draw: accept)", "提议和棋（和棋：同意）");
            }
        }
    }

    fn end(&mut self, ending: Ending) {
        self.game.end(ending);
        self.draw_offer = None;
        self.begin_turn();
    }

    /// Puts the game, if it is over, to the finished ones. To be called at the end.
    pub(crate) fn close(&mut self) {
        let is_over = self.game.ending().is_some() && self.position().plies() > 0;
        let finished = self.kept.as_ref().filter(|_| is_over).map(|kept| kept.finish(&self.game));
        if let Some(Err(error)) = finished {
            self.kept = None;
            self.notify(&error);
        }
    }

    /// Begins or continues another game.
    fn restart(&mut self, position: Position) {
        self.close();
        self.game.restart(position);
        self.draw_offer = None;
        self.begin_turn();
    }

    /// Keeps the game for the next start of the program. That this fails is told once.
    fn keep(&mut self) {
        if let Some(Err(error)) = self.kept.as_ref().map(|kept| kept.write(&self.game)) {
            self.kept = None;
            self.notify(&error);
        }
    }
}

/// The options of the engine that plays, but for its level.
fn opponent_settings(settings: &Settings) -> Vec<Setting> {
    [vec![setting("usebook", true)], settings.options.clone()].concat()
}

/// The options of the engine that gives hints and evaluations.
fn analyst_settings(settings: &Settings) -> Vec<Setting> {
    let own = [setting("hashsize", ANALYST_MEGABYTES), setting("usebook", false)];
    let given = settings.options.iter().filter(|option| option.is_for_search());
    own.into_iter().chain(given.cloned()).collect()
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use crate::terminal::clock::TimeControl;

    pub(crate) fn settings() -> Settings {
        Settings {
            move_time: Duration::from_millis(50),
            options: Vec::new(),
            rules: Rules::default(),
            notation: Notation::Wxf,
            pieces: PieceSet::Traditional,
            bottom: Color::Red,
            is_ascii: false,
            has_colors: true,
            language: Language::English,
        }
    }

    /// A game of two people, so that nothing happens but what the test does.
    pub(crate) fn game(fen: &str) -> Game {
        let mut game = Game::new(Position::from_fen(fen).unwrap());
        game.engine_plays = [false; 2];
        game
    }

    #[test]
    fn moves_taken_back_give_their_time_back() {
        let control = TimeControl::read("60+10", 1.0).unwrap();
        let mut game = game(crate::position::START_FEN);
        game.clock = Some(GameClock::new(control, 0));
        let mut session = Session::new(settings(), game.clone(), None);
        let both = |session: &Session| session.game.clock.as_ref().unwrap().both().map(|left| left.as_secs_f64());
        for mv in ["h2e2", "h9g7"] {
            session.execute(Command::Move(mv.parse().unwrap()));
        }
        assert!(both(&session).iter().all(|left| *left > 69.0), "{:?}", both(&session));
        session.execute(Command::Undo);
        let [red, black] = both(&session);
        assert!(red > 69.0 && black <= 60.0, "{red} {black}");
        session.execute(Command::Undo);
        assert!(both(&session)[0] <= 60.0);
        // Of a game that goes on, the times at the moves before are not known.
        game.make("h2e2".parse().unwrap());
        game.clock = Some(GameClock::with_left(control, [Duration::from_secs(5); 2], 1));
        let mut session = Session::new(settings(), game, None);
        session.execute(Command::Undo);
        assert_eq!((session.game.ending(), both(&session)[1]), (None, 5.0));
    }
}
