//! A game being played: people, the engine and the clock, without a user interface.

use super::clock::{GameClock, milliseconds};
use super::command::Command;
use super::engine_player::{EngineEvent, EnginePlayer};
use super::game::{Ending, Game};
use super::game_files;
use super::saved_game::SavedGame;
use super::settings::Settings;
use crate::display::messages::Messages;
use crate::display::score::score_text;
use crate::engine::Answer;
use crate::engine::go::{Go, Times};
use crate::engine::level;
use crate::engine::offers::Offer;
use crate::engine::options::Setting;
use crate::position::Position;
use crate::search::report::Line;
use crate::types::{Color, Move, Score};
use std::fmt::Display;
use std::path::PathBuf;
use std::time::Duration;

/// Time of the search for a hint, in milliseconds.
const HINT_MILLISECONDS: u64 = 1_000;

/// Maximum number of moves shown with a hint.
const HINT_MOVES: usize = 8;

/// Size of the hash table of the engine that gives hints and evaluations, in megabytes.
const ANALYST_MEGABYTES: &str = "64";

/// The engine's opinion of the current position.
#[derive(Clone, Debug)]
pub struct Analysis {
    /// Red's score, in engine units.
    pub score: Score,
    /// Depth, in plies.
    pub depth: u32,
    /// The best line.
    pub line: Vec<Move>,
}

/// A game being played.
pub struct Session {
    settings: Settings,
    game: Game,
    clock: Option<GameClock>,
    /// The times of Red and Black when it became the turn of the side to move, by number of moves.
    times: Vec<[Duration; 2]>,
    opponent: EnginePlayer,
    analyst: EnginePlayer,
    /// Whether the search of the analyst is for a hint.
    gives_hint: bool,
    shows_evaluation: bool,
    analysis: Option<Analysis>,
    /// The side that offers a draw.
    draw_offer: Option<Color>,
    messages: Messages,
    /// What to tell the players.
    notices: Vec<String>,
    /// Where the game is kept after each move.
    file: Option<PathBuf>,
    /// Whether anything has been done: a game that was only looked at does not replace the one that is kept.
    is_begun: bool,
}

impl Session {
    /// Begins or continues `game`. With a `file` the game is kept there after each move.
    pub fn new(settings: Settings, mut game: Game, clock: Option<GameClock>, file: Option<PathBuf>) -> Session {
        game.set_rules(settings.rules);
        let clock = clock.or_else(|| settings.control.map(GameClock::new));
        let times = clock.iter().flat_map(|clock| vec![clock.both(); game.position().plies()]).collect();
        let messages = Messages::new(settings.language);
        let mut session = Session {
            opponent: EnginePlayer::start(opponent_settings(&settings)),
            analyst: EnginePlayer::start(analyst_settings(&settings)),
            settings,
            game,
            clock,
            times,
            gives_hint: false,
            shows_evaluation: false,
            analysis: None,
            draw_offer: None,
            messages,
            notices: Vec::new(),
            file,
            is_begun: false,
        };
        session.begin_turn();
        session.is_begun = true;
        session
    }

    /// The settings.
    pub fn settings(&self) -> &Settings {
        &self.settings
    }

    /// The game.
    pub fn game(&self) -> &Game {
        &self.game
    }

    /// The position with its moves.
    pub fn position(&self) -> &Position {
        self.game.position()
    }

    /// The clock, in a game with one.
    pub fn clock(&self) -> Option<&GameClock> {
        self.clock.as_ref()
    }

    /// The engine's opinion of the position, if it is to be shown and there is one.
    pub fn analysis(&self) -> Option<&Analysis> {
        self.analysis.as_ref().filter(|_| self.shows_evaluation)
    }

    /// Whether the evaluation is to be shown.
    pub fn shows_evaluation(&self) -> bool {
        self.shows_evaluation
    }

    /// Whether it is the engine's turn.
    pub fn is_engine_turn(&self) -> bool {
        self.game.ending().is_none() && self.settings.engine_plays[self.game.side().index()]
    }

    /// Whether an engine is working on a move or a hint.
    pub fn is_waiting(&self) -> bool {
        self.opponent.is_searching() || self.gives_hint
    }

    /// The name of the player of a side.
    pub fn player(&self, side: Color) -> String {
        let language = self.settings.language;
        if !self.settings.engine_plays[side.index()] {
            return match self.settings.only_human() {
                Some(_) => language.pick("you", "您").to_string(),
                None => language.side(side).to_string(),
            };
        }
        let level = self.settings.level;
        match level >= level::FULL {
            true => "ChuHe".to_string(),
            false => language.pick(format!("ChuHe, level {level}"), format!("楚河 {level} 级")),
        }
    }

    /// What is to be told since the last call.
    pub fn take_notices(&mut self) -> Vec<String> {
        std::mem::take(&mut self.notices)
    }

    /// Tells the players `text` in their language.
    pub fn notify(&mut self, text: &dyn Display) {
        let text = self.messages.text(text);
        self.notices.push(text);
    }

    fn tell(&mut self, english: &str, chinese: &str) {
        self.notices.push(self.settings.language.pick(english, chinese).to_string());
    }

    /// Tells that a person cannot move now.
    pub fn tell_engines_turn(&mut self) {
        self.tell("it is the engine's turn (go: move now)", "轮到引擎走（走：立即走）");
    }

    /// Executes a command that changes the game; the user interfaces execute the others.
    pub fn execute(&mut self, command: Command) {
        match command {
            Command::Move(_) | Command::Hint | Command::Go | Command::Resign | Command::Draw
                if self.game.ending().is_some() =>
            {
                self.tell("the game is over (new, undo)", "对局已结束（新局、悔棋）");
            }
            Command::Move(_) if self.is_engine_turn() => self.tell_engines_turn(),
            Command::Resign | Command::Draw if self.settings.engine_plays == [true; 2] => {
                self.tell("the engine plays both sides", "双方都由引擎走");
            }
            Command::Move(mv) => self.make(mv),
            Command::Undo => self.undo(),
            Command::Hint => self.hint(),
            Command::New => self.restart(Game::new(Position::start())),
            Command::Resign => {
                let side = self.settings.only_human().unwrap_or(self.game.side());
                self.end(Ending::Resigned(side));
            }
            Command::Draw => self.draw(),
            Command::Level(level) => {
                self.settings.level = level;
                let full = level::FULL;
                let language = self.settings.language;
                self.notices
                    .push(language.pick(format!("level {level} of {full}"), format!("等级 {level}，最高 {full}")));
                self.keep();
            }
            Command::Go if self.opponent.is_searching() => self.opponent.hurry(),
            Command::Go if self.is_engine_turn() => self.begin_turn(),
            Command::Go => {
                let side = self.game.side().index();
                self.settings.engine_plays[side] = true;
                self.settings.engine_plays[1 - side] = false;
                self.begin_turn();
            }
            Command::Eval => {
                self.shows_evaluation = !self.shows_evaluation;
                self.analyse();
            }
            Command::Save(name) => match game_files::save(&name, &self.game, self.settings.notation, &self.names()) {
                Ok(path) => {
                    let language = self.settings.language;
                    let path = path.display();
                    self.notices.push(language.pick(format!("{path} written"), format!("已写入 {path}")));
                }
                Err(error) => self.notify(&error),
            },
            Command::Load(name) => match game_files::load(&name) {
                Ok(game) => self.restart(game),
                Err(error) => self.notify(&error),
            },
            Command::Flip | Command::Board | Command::Pieces | Command::Help | Command::Quit => {}
        }
    }

    /// The names of the players for a file.
    fn names(&self) -> [String; 2] {
        Color::ALL.map(|side| match self.settings.engine_plays[side.index()] {
            true => self.player(side),
            false => String::new(),
        })
    }

    /// Takes what the engines found and looks at the clock. Returns whether something changed.
    pub fn poll(&mut self) -> bool {
        let mut changed = false;
        if let Some(side) = self.clock.as_ref().and_then(GameClock::flagged) {
            self.end(Ending::TimeOut(side));
            changed = true;
        }
        while let Some(event) = self.opponent.poll() {
            changed = true;
            match event {
                EngineEvent::Line(line) => self.note(&line),
                EngineEvent::Answer(answer) => self.answer(&answer),
            }
        }
        while let Some(event) = self.analyst.poll() {
            changed = true;
            match event {
                EngineEvent::Line(line) => self.note(&line),
                EngineEvent::Answer(answer) if self.gives_hint => self.show_hint(&answer),
                EngineEvent::Answer(_) => {}
            }
        }
        changed
    }

    /// Keeps the line of a search of the current position as the analysis.
    fn note(&mut self, line: &Line) {
        let sign = if self.game.side() == Color::Red { 1 } else { -1 };
        self.analysis = Some(Analysis { score: sign * line.score, depth: line.depth, line: line.pv.clone() });
    }

    /// Does what the engine answered.
    fn answer(&mut self, answer: &Answer) {
        let side = self.game.side();
        let was_offered = self.draw_offer.take() == Some(side.other());
        let offer = match answer {
            Answer::Move { offer, .. } => *offer,
            _ => None,
        };
        match (offer, answer.best()) {
            (Some(Offer::Resign), _) => return self.end(Ending::Resigned(side)),
            (Some(Offer::Draw), _) if was_offered => return self.end(Ending::Agreed),
            (_, None) => return self.tell("the engine has no move", "引擎没有着法"),
            (Some(Offer::Draw), _) => {
                self.draw_offer = Some(side);
                self.tell("the engine offers a draw (draw: accept)", "引擎求和（和棋：同意）");
            }
            (None, _) if was_offered => self.tell("the engine declines the draw", "引擎不同意和棋"),
            (None, _) => {}
        }
        if let Some(best) = answer.best() {
            self.make(best);
        }
    }

    fn make(&mut self, mv: Move) {
        let side = self.game.side();
        // An offer holds until the other side has moved.
        if self.draw_offer == Some(side.other()) {
            self.draw_offer = None;
        }
        if let Some(clock) = &mut self.clock {
            clock.stop();
            if let Some(flagged) = Some(side).filter(|&side| clock.left(side).is_zero()) {
                return self.end(Ending::TimeOut(flagged));
            }
            clock.add_increment(side);
        }
        self.game.make(mv);
        self.begin_turn();
    }

    /// Starts the clock and the engine for the side to move.
    fn begin_turn(&mut self) {
        self.opponent.stop();
        self.analyst.stop();
        self.gives_hint = false;
        self.analysis = None;
        let side = self.game.side();
        let is_over = self.game.ending().is_some();
        if let Some(clock) = &mut self.clock {
            clock.stop();
            self.times.truncate(self.game.position().plies());
            self.times.push(clock.both());
            if !is_over {
                clock.start(side);
            }
        }
        if self.is_engine_turn() {
            let level = setting("level", &self.settings.level.to_string());
            self.opponent.search(vec![level], self.game.setup(), self.go(side));
        } else {
            self.analyse();
        }
        self.keep();
    }

    /// The search of the engine's move.
    fn go(&self, side: Color) -> Go {
        let mut go = Go { draw: self.draw_offer == Some(side.other()), ..Go::default() };
        match &self.clock {
            None => go.move_time = Some(milliseconds(self.settings.move_time)),
            Some(clock) => {
                let increment = Some(milliseconds(clock.control().increment));
                go.sides =
                    clock.both().map(|left| Times { time: Some(milliseconds(left)), increment, moves_to_go: None });
            }
        }
        go
    }

    /// Analyses the position while a person thinks, if the evaluation is to be shown.
    fn analyse(&mut self) {
        if self.gives_hint {
            return;
        }
        match self.shows_evaluation && self.game.ending().is_none() && !self.is_engine_turn() {
            true => {
                let go = Go { infinite: true, ..Go::default() };
                self.analyst.search(Vec::new(), self.game.setup(), go);
            }
            false => self.analyst.stop(),
        }
    }

    fn hint(&mut self) {
        if self.is_engine_turn() {
            return self.tell_engines_turn();
        }
        self.gives_hint = true;
        let go = Go { move_time: Some(HINT_MILLISECONDS), ..Go::default() };
        self.analyst.search(Vec::new(), self.game.setup(), go);
    }

    fn show_hint(&mut self, answer: &Answer) {
        self.gives_hint = false;
        if let Some(best) = answer.best() {
            let position = self.position();
            let mut text = self.settings.notation.write(position, best);
            if let Some(Analysis { score, depth, line }) = &self.analysis {
                let line = &line[..line.len().min(HINT_MOVES)];
                let line = self.settings.notation.write_line(position, line).join(" ");
                text.push_str(&format!(" ({}, {depth}: {line})", score_text(*score, self.settings.language)));
            }
            self.notices.push(self.settings.language.pick(format!("hint: {text}"), format!("提示：{text}")));
        }
        self.analyse();
    }

    /// Takes back moves until a person is to move, at least one.
    fn undo(&mut self) {
        let has_human = self.settings.engine_plays != [true; 2];
        let first = self.game.start().side();
        let own_moves = match self.settings.only_human() {
            Some(human) => (self.game.moves().len() + usize::from(human == first)) / 2,
            None => self.game.moves().len(),
        };
        if own_moves == 0 {
            return self.tell("there is no move to take back", "没有可悔的着法");
        }
        while self.game.undo() {
            if !has_human || !self.settings.engine_plays[self.game.side().index()] {
                break;
            }
        }
        if let (Some(clock), Some(&left)) = (&mut self.clock, self.times.get(self.game.position().plies())) {
            clock.stop();
            clock.set_left(left);
        }
        self.draw_offer = None;
        self.begin_turn();
    }

    fn draw(&mut self) {
        let human = self.settings.only_human();
        match (self.draw_offer, human) {
            // The offer of the engine, or of the other person.
            (Some(offer), _) if human != Some(offer) => self.end(Ending::Agreed),
            (Some(_), _) => {}
            (None, Some(human)) => {
                self.draw_offer = Some(human);
                match self.is_engine_turn() {
                    true => self.opponent.offer_draw(),
                    false => self.tell("offered with your next move", "随下一着提和"),
                }
            }
            (None, None) => {
                self.draw_offer = Some(self.game.side());
                self.tell("a draw is offered (draw: accept)", "提议和棋（和棋：同意）");
            }
        }
    }

    fn end(&mut self, ending: Ending) {
        self.game.end(ending);
        self.draw_offer = None;
        self.begin_turn();
    }

    /// Begins or continues another game.
    fn restart(&mut self, game: Game) {
        self.game = game;
        self.game.set_rules(self.settings.rules);
        self.clock = self.settings.control.map(GameClock::new);
        let plies = self.game.position().plies();
        self.times = self.clock.iter().flat_map(|clock| vec![clock.both(); plies]).collect();
        self.draw_offer = None;
        self.begin_turn();
    }

    /// Keeps the game for the next start of the program. That this fails is told once.
    fn keep(&mut self) {
        let Some(file) = self.file.as_ref().filter(|_| self.is_begun) else { return };
        let kept = SavedGame::of(&self.settings, &self.game, self.clock.as_ref()).write(file);
        if let Err(error) = kept {
            let error = format!("cannot write {}: {error}", file.display());
            self.file = None;
            self.notify(&error);
        }
    }
}

/// The options of the engine that plays, but for its level.
fn opponent_settings(settings: &Settings) -> Vec<Setting> {
    [vec![setting("usebook", "true")], settings.options.clone()].concat()
}

/// The options of the engine that gives hints and evaluations.
fn analyst_settings(settings: &Settings) -> Vec<Setting> {
    let own = [setting("hashsize", ANALYST_MEGABYTES), setting("usebook", "false")];
    let given = settings.options.iter().filter(|option| option.is_for_search());
    own.into_iter().chain(given.cloned()).collect()
}

fn setting(name: &str, value: &str) -> Setting {
    Setting::read(name, value).expect("invariant: the option is declared and the value in its range")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::display::board::PieceSet;
    use crate::display::verdict::Language;
    use crate::notation::Notation;
    use crate::play::clock::TimeControl;
    use crate::rules::Rules;
    use std::thread;

    fn settings(engine_plays: [bool; 2], control: Option<TimeControl>) -> Settings {
        Settings {
            engine_plays,
            level: 1,
            control,
            move_time: Duration::from_millis(50),
            options: Vec::new(),
            rules: Rules::default(),
            notation: Notation::Iccs,
            pieces: PieceSet::Letters,
            is_ascii: true,
            language: Language::English,
        }
    }

    fn session(engine_plays: [bool; 2], control: Option<TimeControl>, file: Option<PathBuf>) -> Session {
        Session::new(settings(engine_plays, control), Game::new(Position::start()), None, file)
    }

    fn make(session: &mut Session, moves: &[&str]) {
        moves.iter().for_each(|mv| session.execute(Command::Move(mv.parse().unwrap())));
    }

    /// Waits until the engine has nothing to do.
    fn wait(session: &mut Session) {
        session.poll();
        while session.is_waiting() {
            thread::yield_now();
            session.poll();
        }
    }

    #[test]
    fn moves_taken_back_give_their_time_back() {
        let control = "1+10".parse().unwrap();
        let mut session = session([false; 2], Some(control), None);
        make(&mut session, &["h2e2", "h9g7"]);
        let both = session.clock().unwrap().both();
        assert!(both.iter().all(|left| *left > Duration::from_secs(69)), "{both:?}");
        session.execute(Command::Undo);
        let [red, black] = session.clock().unwrap().both();
        assert!(red > Duration::from_secs(69) && black <= Duration::from_secs(60), "{red:?} {black:?}");
        session.execute(Command::Undo);
        assert!(session.clock().unwrap().left(Color::Red) <= Duration::from_secs(60));
        let resumed = GameClock::with_left(control, [Duration::from_secs(5); 2]);
        let mut game = Game::new(Position::start());
        game.make("h2e2".parse().unwrap());
        let mut session = Session::new(settings([false; 2], Some(control)), game, Some(resumed), None);
        session.execute(Command::Undo);
        assert!(session.game().ending().is_none() && session.clock().unwrap().flagged().is_none());
    }

    #[test]
    fn the_engine_takes_the_side_to_move_and_gives_hints() {
        let mut session = session([false; 2], None, None);
        make(&mut session, &["h2e2"]);
        session.execute(Command::Go);
        wait(&mut session);
        assert_eq!((session.position().plies(), session.settings().engine_plays), (2, [false, true]));
        session.execute(Command::Hint);
        assert!(session.is_waiting());
        wait(&mut session);
        assert!(session.take_notices().iter().any(|notice| notice.starts_with("hint: ")));
        session.execute(Command::Undo);
        assert_eq!(session.position().plies(), 0, "the engine's move is taken back too");
    }

    #[test]
    fn the_engines_first_move_is_not_taken_back() {
        let mut session = session([true, false], None, None);
        wait(&mut session);
        session.execute(Command::Undo);
        assert_eq!(session.position().plies(), 1);
        assert_eq!(session.take_notices(), ["there is no move to take back"]);
    }

    #[test]
    fn draws_are_agreed_by_both() {
        let mut session = session([false; 2], None, None);
        session.execute(Command::Draw);
        make(&mut session, &["h2e2", "h9g7"]);
        session.execute(Command::Draw);
        assert!(session.game().ending().is_none(), "the first offer ended with the answer to it");
        session.execute(Command::Draw);
        assert_eq!(session.game().ending(), Some(&Ending::Agreed));
        make(&mut session, &["h0g2"]);
        assert_eq!(session.position().plies(), 2, "the game is over");
    }

    #[test]
    fn a_game_only_looked_at_is_not_kept() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("game.json");
        let mut session = session([false; 2], None, Some(file.clone()));
        assert!(!file.exists());
        make(&mut session, &["h2e2"]);
        assert!(SavedGame::read(&file).unwrap().resume(settings([false; 2], None)).is_some());
        session.execute(Command::New);
        assert!(SavedGame::read(&file).unwrap().resume(settings([false; 2], None)).is_none());
    }
}
