//! The client's side of UCCI and UCI: an engine that is asked for moves.

use super::announced_option::AnnouncedOption;
use super::engine_config::EngineConfig;
use super::engine_error::EngineError;
use super::limit::Limit;
use super::match_clock::MatchClock;
use super::match_engine::{MatchEngine, Reply, Turn};
use super::process::{MatchContext, Process};
use super::search_info::SearchInfo;
use crate::notation::Ranks;
use crate::protocol::dialect::Dialect;
use crate::types::{Color, Move};
use std::collections::HashMap;
use std::time::{Duration, Instant};

/// A position in which every move of Red begins on the rank that is written 0 or 1.
const RANKS_QUESTION: &str = "3k5/9/9/9/9/9/9/9/9/R3K4 w - - 0 1";
/// How long an engine that is asked for its protocol may take for each of the two.
const PROTOCOL_TIME: Duration = Duration::from_secs(5);
/// How long after its time an answer is waited for, which tells how late it was.
const LATE_TIME: Duration = Duration::from_secs(1);

/// A running engine.
pub(crate) struct EngineClient {
    process: Process,
    config: EngineConfig,
    dialect: Dialect,
    ranks: Ranks,
    id_name: String,
    /// Its options, by name in lower case.
    options: HashMap<String, AnnouncedOption>,
    /// The option `UCI_Variant` has another default than xiangqi.
    has_other_variant: bool,
    /// The move of the opponent that it expects while it thinks in the opponent's time.
    expected: Option<Move>,
    /// How long it may take to start and to get ready.
    startup_timeout: Duration,
}

impl EngineClient {
    /// Starts an engine, asks for the protocol and the numbering of ranks where the configuration does not tell, and sets
    /// the options.
    ///
    /// # Errors
    /// When it does not start, or does not get ready within `startup_timeout`.
    pub(crate) fn start(
        config: &EngineConfig,
        context: &MatchContext,
        startup_timeout: Duration,
    ) -> Result<EngineClient, EngineError> {
        let greet = |time, dialect| EngineClient::greet(config, context, time, startup_timeout, dialect);
        let mut client = match config.dialect {
            Some(dialect) => greet(startup_timeout, dialect)?,
            None => {
                let time = startup_timeout.min(PROTOCOL_TIME);
                EngineClient::find_protocol(time, |dialect| greet(time, dialect))?
            }
        };
        client.set_options()?;
        client.wait_until_ready()?;
        if config.ranks.is_none() {
            client.ranks = client.ask_ranks()?;
        }
        Ok(client)
    }

    /// Starts the engine in the protocol that it speaks, by asking; each may be answered for `time`.
    fn find_protocol(
        time: Duration,
        greet: impl Fn(Dialect) -> Result<EngineClient, EngineError>,
    ) -> Result<EngineClient, EngineError> {
        // UCCI first: classical engines end at any other word.
        let mut client = match greet(Dialect::Ucci) {
            Err(EngineError::Died(_) | EngineError::Silent(..) | EngineError::OtherProtocol(_)) => {
                return greet(Dialect::Uci).map_err(|error| match error {
                    EngineError::Silent("uciok", _) | EngineError::OtherProtocol(_) => {
                        EngineError::NoProtocol(2 * time.as_secs())
                    }
                    error => error,
                });
            }
            greeted => greeted?,
        };
        // Without this option UCCI counts whole seconds, UCI milliseconds: Fairy-Stockfish has both protocols.
        if client.options.contains_key("usemillisec") {
            return Ok(client);
        }
        match client.speaks_uci() {
            Ok(true) => greet(Dialect::Uci),
            Ok(false) => Ok(client),
            Err(_) => greet(Dialect::Ucci),
        }
    }

    /// Starts the engine, which may take `time` to answer the greeting.
    fn greet(
        config: &EngineConfig,
        context: &MatchContext,
        time: Duration,
        startup_timeout: Duration,
        dialect: Dialect,
    ) -> Result<EngineClient, EngineError> {
        let mut client = EngineClient {
            process: Process::start(config, context)?,
            config: config.clone(),
            dialect,
            ranks: config.ranks.unwrap_or_default(),
            id_name: String::new(),
            options: HashMap::new(),
            has_other_variant: false,
            expected: None,
            startup_timeout: time,
        };
        let (greeting, answer) = match dialect {
            Dialect::Ucci => ("ucci", "ucciok"),
            Dialect::Uci => ("uci", "uciok"),
        };
        client.process.send(greeting)?;
        // An engine that does not know the greeting answers this, and one need not wait.
        let is_asked = config.dialect.is_none();
        if is_asked {
            client.process.send("isready")?;
        }
        if client.wait_for(&[answer, "readyok"])? == "readyok" && is_asked {
            return Err(EngineError::OtherProtocol(greeting));
        }
        client.startup_timeout = startup_timeout;
        if is_asked {
            client.wait_for(&["readyok"])?;
        }
        Ok(client)
    }

    /// Whether the engine, which has answered `ucci`, answers `uci` as well.
    fn speaks_uci(&mut self) -> Result<bool, EngineError> {
        self.process.send("uci")?;
        self.process.send("isready")?;
        Ok(self.wait_for(&["uciok", "readyok"])? == "uciok")
    }

    /// Waits for a line that begins with one of these words, and returns the word.
    fn wait_for(&mut self, words: &[&'static str]) -> Result<&'static str, EngineError> {
        let deadline = Instant::now() + self.startup_timeout;
        loop {
            let line = match self.process.line(deadline) {
                // An endless stream of other lines does not postpone the end.
                Ok((time, line)) if time <= deadline => line,
                Ok(_) | Err(EngineError::NoAnswer) => {
                    return Err(EngineError::Silent(words[0], self.startup_timeout.as_secs()));
                }
                Err(error) => return Err(error),
            };
            let first = line.split_whitespace().next().unwrap_or_default();
            if let Some(word) = words.iter().find(|&&word| word == first) {
                return Ok(word);
            }
            self.read_greeting(&line);
        }
    }

    /// Reads a line of the answer to a greeting.
    fn read_greeting(&mut self, line: &str) {
        if let Some(name) = line.strip_prefix("id name ") {
            self.id_name = name.trim().to_string();
        } else if let Some(option) = line.strip_prefix("option ") {
            let option = option.strip_prefix("name ").filter(|_| self.dialect == Dialect::Uci).unwrap_or(option);
            let (name, kind) = option.split_once(" type ").unwrap_or((option, ""));
            let name = name.trim().to_lowercase();
            self.has_other_variant |=
                name == "uci_variant" && kind.contains("var xiangqi") && !kind.contains("default xiangqi");
            self.options.insert(name, AnnouncedOption::read(kind));
        }
    }

    fn set_options(&mut self) -> Result<(), EngineError> {
        if self.dialect == Dialect::Ucci && self.options.contains_key("usemillisec") {
            self.set("usemillisec", "true")?;
        }
        if self.has_other_variant && !self.is_configured("UCI_Variant") {
            self.set("UCI_Variant", "xiangqi")?;
        }
        if self.config.ponders && !self.is_configured("ponder") && self.options.contains_key("ponder") {
            self.set(if self.dialect == Dialect::Uci { "Ponder" } else { "ponder" }, "true")?;
        }
        let options = self.config.options.clone();
        options.iter().try_for_each(|(name, value)| self.set(name, value))
    }

    /// Whether the configuration sets an option.
    fn is_configured(&self, wanted: &str) -> bool {
        self.config.options.iter().any(|(name, _)| name.eq_ignore_ascii_case(wanted))
    }

    fn set(&mut self, name: &str, value: &str) -> Result<(), EngineError> {
        let line = match (self.dialect, value) {
            (Dialect::Ucci, _) => format!("setoption {name} {value}"),
            (Dialect::Uci, "") => format!("setoption name {name}"),
            (Dialect::Uci, _) => format!("setoption name {name} value {value}"),
        };
        self.process.send(line.trim_end())
    }

    fn wait_until_ready(&mut self) -> Result<(), EngineError> {
        self.process.send("isready")?;
        self.wait_for(&["readyok"]).map(drop)
    }

    /// Asks for a move that shows how the engine numbers ranks. Without a move it is taken to number them from 0.
    fn ask_ranks(&mut self) -> Result<Ranks, EngineError> {
        self.process.send(&format!("position fen {RANKS_QUESTION}"))?;
        self.process.send("go depth 1")?;
        match self.read_reply(Instant::now(), self.startup_timeout) {
            Ok(Reply { best: Some(mv), .. }) if mv.get(1..2) == Some("1") => Ok(Ranks::FromOne),
            Ok(_) => Ok(Ranks::FromZero),
            Err(EngineError::NoAnswer) => self.process.send("stop").map(|()| Ranks::FromZero),
            Err(EngineError::Died(status)) => Err(EngineError::DiedAtQuestion(RANKS_QUESTION, status)),
            Err(error) => Err(error),
        }
    }

    /// The protocol that is spoken.
    pub(crate) fn dialect(&self) -> Dialect {
        self.dialect
    }

    /// The name that the engine gives itself.
    pub(crate) fn id_name(&self) -> &str {
        &self.id_name
    }

    /// The options of the configuration that the engine has not announced.
    pub(crate) fn unknown_options(&self) -> impl Iterator<Item = &str> {
        let names = self.config.options.iter().map(|(name, _)| name.as_str());
        names.filter(|name| !self.options.contains_key(&name.to_lowercase()))
    }

    /// The options of the configuration, with their values, that the engine does not take by what it announced.
    pub(crate) fn values_not_taken(&self) -> impl Iterator<Item = (&str, &str)> {
        let options = self.config.options.iter().map(|(name, value)| (name.as_str(), value.as_str()));
        options
            .filter(|(name, value)| self.options.get(&name.to_lowercase()).is_some_and(|option| !option.takes(value)))
    }

    /// Reads lines up to the answer, which may come too late for this clock.
    fn read_timed_reply(&mut self, start: Instant, clock: &MatchClock) -> Result<Reply, EngineError> {
        if !clock.limit().is_time() {
            return self.read_reply(start, clock.budget());
        }
        self.read_reply(start, clock.budget().saturating_add(LATE_TIME)).map_err(|error| match error {
            EngineError::NoAnswer => EngineError::Late(LATE_TIME.as_millis()),
            error => error,
        })
    }

    fn stop_pondering(&mut self) -> Result<(), EngineError> {
        if self.expected.take().is_some() {
            self.process.send("stop")?;
            self.read_reply(Instant::now(), self.startup_timeout)?;
        }
        Ok(())
    }

    /// Reads lines up to the answer.
    fn read_reply(&mut self, start: Instant, budget: Duration) -> Result<Reply, EngineError> {
        let deadline = start + budget;
        let mut info = SearchInfo::default();
        loop {
            let (time, line) = self.process.line(deadline)?;
            let words: Vec<&str> = line.split_whitespace().collect();
            match words.first() {
                _ if time > deadline => return Err(EngineError::NoAnswer),
                Some(&"info") => info.read(&words[1..], self.config.score_scale),
                Some(&("bestmove" | "nobestmove")) => {
                    let is_move = |word: &&&str| !["(none)", "none", "0000", "null"].contains(*word);
                    let best = words.get(1).filter(|_| words[0] == "bestmove").filter(is_move);
                    let after = |word| words.iter().skip_while(move |&&other| other != word).nth(1);
                    return Ok(Reply {
                        best: best.map(|word| word.to_lowercase()),
                        ponder: after("ponder").map(|word| word.to_lowercase()),
                        time: time.saturating_duration_since(start),
                        info,
                        offers_draw: words[1..].contains(&"draw"),
                        resigns: words[1..].contains(&"resign"),
                    });
                }
                _ => {}
            }
        }
    }

    /// The `position` line of a turn, after one more move if there is one.
    fn position(&self, turn: &Turn, next: Option<Move>) -> String {
        let mut line = format!("position fen {}", turn.start);
        for (index, &mv) in turn.moves.iter().chain(&next).enumerate() {
            line += if index == 0 { " moves " } else { " " };
            line += &self.ranks.write(mv).to_string();
        }
        line
    }

    /// The `go` line of a turn.
    fn go(&self, turn: &Turn, is_pondering: bool) -> String {
        let Turn { own, other, .. } = turn;
        let ponder = match self.dialect {
            _ if is_pondering => " ponder",
            Dialect::Ucci if turn.is_draw_offered => " draw",
            _ => "",
        };
        let is_clock = |clock: &MatchClock| matches!(clock.limit(), Limit::Clock { .. });
        // Without the option UCCI's unit is a second.
        let unit = if self.dialect == Dialect::Uci || self.options.contains_key("usemillisec") { 1 } else { 1000 };
        let limit = match own.limit() {
            Limit::Nodes(nodes) => format!("nodes {nodes}"),
            Limit::Depth(depth) => format!("depth {depth}"),
            Limit::MoveTime(time) => match self.dialect {
                Dialect::Uci => format!("movetime {}", time.as_millis()),
                Dialect::Ucci => format!("time {} movestogo 1", (time.as_millis() / unit).max(1)),
            },
            Limit::Clock { .. } if self.dialect == Dialect::Uci => {
                // An opponent without a clock is shown as having the same.
                let other = if is_clock(other) { other } else { own };
                let [red, black] = if turn.side == Color::Red { [own, other] } else { [other, own] };
                let mut limit = format!("wtime {} btime {}", red.milliseconds_left(), black.milliseconds_left());
                limit += &format!(" winc {} binc {}", red.increment_milliseconds(), black.increment_milliseconds());
                if own.moves_left() > 0 {
                    limit += &format!(" movestogo {}", own.moves_left());
                }
                limit
            }
            Limit::Clock { .. } => {
                let clock = |clock: &MatchClock, prefix: &str| {
                    let rest = match clock.moves_left() {
                        0 => format!("increment {}", clock.increment_milliseconds() / unit),
                        moves => format!("movestogo {moves}"),
                    };
                    format!("{prefix}time {} {prefix}{rest}", (clock.milliseconds_left() / unit).max(1))
                };
                let others = if is_clock(other) { " ".to_string() + &clock(other, "opp") } else { String::new() };
                clock(own, "") + &others
            }
        };
        format!("go{ponder} {limit}")
    }
}

impl MatchEngine for EngineClient {
    /// If it announced an option `randomseed` or `Random Seed` that the configuration does not set, it gets `seed`.
    fn start_game(&mut self, seed: u32) -> Result<(), EngineError> {
        self.stop_pondering()?;
        for name in ["randomseed", "Random Seed"] {
            if self.options.contains_key(&name.to_lowercase()) && !self.is_configured(name) {
                self.set(name, &seed.to_string())?;
            }
        }
        match self.dialect {
            Dialect::Uci => self.process.send("ucinewgame")?,
            Dialect::Ucci => {
                self.process.send("setoption newgame")?;
                // As some engines have it.
                if !self.options.contains_key("newgame") {
                    self.process.send("uccinewgame")?;
                }
            }
        }
        self.wait_until_ready()
    }

    fn think(&mut self, turn: &Turn) -> Result<Reply, EngineError> {
        let expected = self.expected;
        if expected.is_some() && expected.as_ref() == turn.moves.last() {
            self.expected = None;
            let start = Instant::now();
            let draw = if turn.is_draw_offered && self.dialect == Dialect::Ucci { " draw" } else { "" };
            self.process.send(&format!("ponderhit{draw}"))?;
            return self.read_timed_reply(start, turn.own);
        }
        self.stop_pondering()?;
        self.process.discard_lines();
        self.process.send(&self.position(turn, None))?;
        let go = self.go(turn, false);
        let start = Instant::now();
        self.process.send(&go)?;
        self.read_timed_reply(start, turn.own)
    }

    fn ponder(&mut self, turn: &Turn, reply: Move) -> Result<(), EngineError> {
        if !self.config.ponders || !turn.own.limit().is_time() {
            return Ok(());
        }
        self.process.send(&self.position(turn, Some(reply)))?;
        self.process.send(&self.go(turn, true))?;
        self.expected = Some(reply);
        Ok(())
    }

    fn ranks(&self) -> Ranks {
        self.ranks
    }

    fn quit(self: Box<Self>) {
        self.process.quit();
    }
}
