//! Reading lines of either protocol into commands.

use super::command::{Command, CommandError, ConsoleCommand};
use super::dialect::Dialect;
use crate::engine::go::Go;
use crate::engine::options::Setting;
use crate::games::setup::GameSetup;
use crate::notation::{self, Notation};
use crate::search::bench;
use crate::types::MAX_PLY;

/// Maximum depth of perft in plies; one more takes days.
const MAX_PERFT_DEPTH: u64 = 10;
/// Maximum depth of the bench in plies.
const MAX_BENCH_DEPTH: u64 = 40;

/// Maximum number of words in the name of an option.
const MAX_NAME_WORDS: usize = 3;

/// The dialect in which a client speaks that sends this line before any greeting, if it is UCI's `setoption`.
pub fn assumed_dialect(line: &str) -> Option<Dialect> {
    let mut words = line.split_ascii_whitespace();
    let is = |word: Option<&str>, wanted: &str| word.is_some_and(|word| word.eq_ignore_ascii_case(wanted));
    // No option of UCCI is called `name`.
    let is_uci = is(words.next(), "setoption") && is(words.next(), "name") && words.next().is_some();
    is_uci.then_some(Dialect::Uci)
}

/// Parses a line; `dialect` is that of the last greeting. `None` if the line is blank or needs no answer.
///
/// # Errors
/// Why it is not a command.
pub fn parse(line: &str, dialect: Dialect) -> Result<Option<Command>, CommandError> {
    let line = line.trim_ascii();
    let first = line.split_ascii_whitespace().next().unwrap_or_default();
    // UCI's copy protection; nothing to register.
    if first.is_empty() || first.starts_with('#') || first.starts_with("//") || first.eq_ignore_ascii_case("register") {
        return Ok(None);
    }
    let arguments = line[first.len()..].trim_ascii_start();
    let words: Vec<&str> = arguments.split_ascii_whitespace().collect();
    Ok(Some(match first.to_ascii_lowercase().as_str() {
        "ucci" => Command::Greet(Dialect::Ucci),
        // UCI-Cyclone is UCI with other words for a few commands.
        "uci" | "ucicyclone" => Command::Greet(Dialect::Uci),
        "isready" => Command::IsReady,
        "setoption" => option(&words)?,
        "level" if !words.is_empty() => Command::Set(Setting::read("level", words[0])?),
        "debug" => Command::Set(Setting::read("debug", words.first().unwrap_or(&"on"))?),
        "ucinewgame" => Command::Set(Setting::new_game()),
        "position" => Command::Position(position(arguments)),
        // UCI-Cyclone's commands without the word `position`. `fen` alone is a console command.
        "fen" if !words.is_empty() => Command::Position(position(line)),
        "startpos" => Command::Position(position(line)),
        _ if first.contains('/') => match GameSetup::read(line) {
            Some(setup) => Command::Position(setup),
            None => return Err(CommandError::Unknown(excerpt(first))),
        },
        "banmoves" => Command::Ban(owned(&words)),
        "go" if words.first().is_some_and(|word| word.eq_ignore_ascii_case("perft")) => {
            Command::Console(ConsoleCommand::Perft(perft_depth(&words[1..])?))
        }
        "go" => Command::Go(Box::new(go(&words, dialect))),
        "stop" => Command::Stop,
        "ponderhit" => Command::PonderHit { draw: words.iter().any(|word| word.eq_ignore_ascii_case("draw")) },
        "probe" => match GameSetup::read(arguments) {
            Some(setup) => Command::Probe(setup),
            None => return Err(CommandError::Missing { after: "probe", wanted: "fen or startpos" }),
        },
        "quit" | "exit" => Command::Quit,
        word => Command::Console(match console_command(word, &words, dialect)? {
            Some(command) => command,
            None if notation::is_move(first) => ConsoleCommand::Do(owned(&[&[first], words.as_slice()].concat())),
            None => return Err(CommandError::Unknown(excerpt(first))),
        }),
    }))
}

/// Arguments of `setoption`: UCCI's `NAME [VALUE]`, or UCI's `name NAME [value VALUE]`, both of one or more words. Without
/// the word `value`, the name is the longest one that fits: clients that take UCI's names from `option` lines send them
/// in UCCI too (`setoption Repetition Rule league`).
fn option(words: &[&str]) -> Result<Command, CommandError> {
    let (is_uci, words) = match words {
        [word, rest @ ..] if word.eq_ignore_ascii_case("name") => (true, rest),
        _ => (false, words),
    };
    let marked = words.iter().position(|word| is_uci && word.eq_ignore_ascii_case("value"));
    let longest =
        || (1..=MAX_NAME_WORDS.min(words.len())).rev().find(|&end| Setting::is_named(&words[..end].join(" ")));
    let (name, value) = match marked.or_else(longest) {
        Some(end) => (&words[..end], &words[end + marked.map_or(0, |_| 1)..]),
        None if is_uci => (words, &words[..0]),
        None => words.split_at(words.len().min(1)),
    };
    if name.is_empty() {
        return Err(CommandError::Missing { after: "setoption", wanted: "a name" });
    }
    Ok(Command::Set(Setting::read(&name.join(" "), &value.join(" "))?))
}

/// Parses a console command; `None` if the first word is not one.
fn console_command(first: &str, words: &[&str], dialect: Dialect) -> Result<Option<ConsoleCommand>, CommandError> {
    let name = |after| match words {
        [] => Err(CommandError::Missing { after, wanted: "a file name" }),
        words => Ok(words.join(" ")),
    };
    Ok(Some(match first {
        "d" | "pos" | "board" => ConsoleCommand::Show,
        "newgame" | "uccinewgame" => ConsoleCommand::NewGame,
        "level" => ConsoleCommand::Level,
        "play" => play(words, dialect)?,
        "load" => ConsoleCommand::Load(name("load")?),
        "save" => ConsoleCommand::Save(name("save")?),
        "fen" => ConsoleCommand::Fen,
        "xfen" => ConsoleCommand::Game,
        "moves" => ConsoleCommand::Moves(notation(words)?),
        "eval" => ConsoleCommand::Evaluate,
        "perft" => ConsoleCommand::Perft(perft_depth(words)?),
        "do" if words.is_empty() => return Err(CommandError::Missing { after: "do", wanted: "moves" }),
        "do" => ConsoleCommand::Do(owned(words)),
        "undo" => ConsoleCommand::Undo(count("undo", words, usize::MAX as u64)?.unwrap_or(1) as usize),
        "flip" => ConsoleCommand::Flip,
        "resign" => ConsoleCommand::Resign,
        "draw" => ConsoleCommand::Draw,
        "bench" => {
            let depth = count("bench", words, MAX_BENCH_DEPTH)?;
            ConsoleCommand::Bench(depth.map_or(bench::DEFAULT_DEPTH, |depth| depth as u32))
        }
        "export_net" => ConsoleCommand::ExportNetwork(name("export_net")?),
        "compiler" => ConsoleCommand::Compiler,
        "help" | "?" if words.first().is_some_and(|word| word.eq_ignore_ascii_case("options")) => {
            ConsoleCommand::HelpOptions
        }
        "help" | "?" => ConsoleCommand::Help,
        _ => return Ok(None),
    }))
}

/// The arguments of `play`, those of `go`; default: think for a second.
fn play(words: &[&str], dialect: Dialect) -> Result<ConsoleCommand, CommandError> {
    let words = if words.is_empty() { &["movetime", "1000"] } else { words };
    let go = go(words, dialect);
    if go.is_bounded() && !go.ponder || go.is_garbled() {
        return Ok(ConsoleCommand::Play(Box::new(go)));
    }
    Err(invalid("play", &words.join(" "), "depth, nodes or movetime, and a number"))
}

/// The argument of `moves`; default: ICCS coordinates.
fn notation(words: &[&str]) -> Result<Notation, CommandError> {
    let Some(&text) = words.first() else { return Ok(Notation::Iccs) };
    let names = || Notation::NAMES.map(|(name, _)| name).join(", ");
    Notation::named(text).ok_or_else(|| invalid("moves", text, format!("one of {}", names())))
}

/// The error of an argument of the command `after`.
fn invalid(after: &'static str, text: &str, wanted: impl Into<String>) -> CommandError {
    CommandError::Value { after, text: excerpt(text), wanted: wanted.into() }
}

/// At most the first 40 characters of a text, for an error message.
fn excerpt(text: &str) -> String {
    const MAX_CHARS: usize = 40;
    match text.char_indices().nth(MAX_CHARS) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_string(),
    }
}

/// Parses an integer as clients write them: negative numbers count as 0, larger ones than `u64::MAX` as that, and a
/// fraction is truncated.
fn number(text: &str) -> Option<u64> {
    let (is_negative, digits) = match text.strip_prefix('-') {
        Some(digits) => (true, digits),
        None => (false, text.strip_prefix('+').unwrap_or(text)),
    };
    let digits = match digits.split_once('.') {
        Some((whole, fraction)) if fraction.bytes().all(|byte| byte.is_ascii_digit()) => whole,
        _ => digits,
    };
    if digits.is_empty() || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    Some(if is_negative { 0 } else { digits.parse().unwrap_or(u64::MAX) })
}

/// The optional argument of the command `after`, a number up to `max`.
///
/// # Errors
/// When it is no number, or greater.
fn count(after: &'static str, words: &[&str], max: u64) -> Result<Option<u64>, CommandError> {
    let Some(&text) = words.first() else { return Ok(None) };
    match number(text) {
        Some(number) if number <= max => Ok(Some(number)),
        Some(_) => Err(invalid(after, text, format!("at most {max}"))),
        None => Err(invalid(after, text, "an integer")),
    }
}

/// The argument of `perft`.
///
/// # Errors
/// When it is missing, no number, or too deep.
fn perft_depth(words: &[&str]) -> Result<usize, CommandError> {
    let depth =
        count("perft", words, MAX_PERFT_DEPTH)?.ok_or(CommandError::Missing { after: "perft", wanted: "a depth" });
    depth.map(|depth| depth as usize)
}

/// The words as strings.
fn owned(words: &[&str]) -> Vec<String> {
    words.iter().map(|&word| word.to_string()).collect()
}

/// Arguments of `position`. What is no position is taken for a FEN, which is refused where it is set up.
fn position(text: &str) -> GameSetup {
    GameSetup::read(text).unwrap_or_else(|| GameSetup { fen: Some(text.to_string()), ..GameSetup::default() })
}

/// Arguments of `go`, of either protocol, in any order. A word that needs a number and has none counts as unknown.
///
/// The protocols differ in searches without limits: UCCI's may end at a proven mate. In UCI, `go` alone searches to the
/// maximum depth, `infinite` never answers before `stop`, and `depth 0` counts as `depth 1`.
fn go(words: &[&str], dialect: Dialect) -> Go {
    let mut go = Go::default();
    let mut lists_moves = false;
    let mut rest = words;
    while let Some((&word, after)) = rest.split_first() {
        rest = after;
        // `searchmoves` ends at the next known word.
        let is_listed = std::mem::take(&mut lists_moves);
        let lower_case = word.to_ascii_lowercase();
        match lower_case.as_str() {
            "infinite" => go.infinite = true,
            "ponder" => go.ponder = true,
            "draw" => go.draw = true,
            "searchmoves" => lists_moves = true,
            keyword => match (target(&mut go, keyword), after.first().and_then(|text| number(text))) {
                (Some(target), Some(number)) => {
                    *target = Some(number);
                    rest = &after[1..];
                }
                _ if is_listed => {
                    go.search_moves.push(word.to_string());
                    lists_moves = true;
                }
                _ => go.unknown.push(excerpt(word)),
            },
        }
    }
    if dialect == Dialect::Uci {
        if !go.is_bounded() && !go.infinite && !go.ponder {
            go.depth = Some(MAX_PLY as u64);
        }
        go.depth = go.depth.map(|depth| depth.max(1));
        go.waits_for_stop = go.infinite;
    }
    go
}

/// The field of `go` that the number after `word` sets.
fn target<'a>(go: &'a mut Go, word: &str) -> Option<&'a mut Option<u64>> {
    let [red, black] = &mut go.sides;
    Some(match word {
        "depth" => &mut go.depth,
        "nodes" => &mut go.nodes,
        "mate" => &mut go.mate,
        "movetime" => &mut go.move_time,
        "time" => &mut go.own.time,
        "increment" => &mut go.own.increment,
        "movestogo" => &mut go.own.moves_to_go,
        "opptime" => &mut go.opponent.time,
        "oppincrement" => &mut go.opponent.increment,
        "oppmovestogo" => &mut go.opponent.moves_to_go,
        "wtime" => &mut red.time,
        "winc" => &mut red.increment,
        "btime" => &mut black.time,
        "binc" => &mut black.increment,
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::go::Times;
    use crate::engine::options::OptionError;

    fn read_go(text: &str, dialect: Dialect) -> Go {
        let words: Vec<&str> = text.split(' ').filter(|word| !word.is_empty()).collect();
        go(&words, dialect)
    }

    fn times(time: u64, increment: u64) -> Times {
        Times { time: Some(time), increment: Some(increment), moves_to_go: None }
    }

    #[test]
    fn numbers_saturate() {
        assert_eq!(number("17"), Some(17));
        assert_eq!(number("+17"), Some(17));
        assert_eq!(number("-17"), Some(0));
        assert_eq!(number("99999999999999999999999"), Some(u64::MAX));
        assert_eq!(number("-99999999999999999999999"), Some(0));
        assert_eq!(number("1500.75"), Some(1500));
        for bad in ["", "-", "+", ".", ".5", "1e5", "x", "1x", "--1", "1.5.2", "１"] {
            assert_eq!(number(bad), None, "{bad:?}");
        }
    }

    #[test]
    fn go_arguments_come_in_any_order() {
        let expected = Go { own: times(60_000, 500), opponent: times(1, 2), draw: true, ..Go::default() };
        for text in [
            "draw time 60000 increment 500 opptime 1 oppincrement 2",
            "oppincrement 2 increment 500 opptime 1 time 60000 draw",
        ] {
            assert_eq!(read_go(text, Dialect::Ucci), expected);
        }
        let own = Times { time: Some(0), moves_to_go: Some(u64::MAX), increment: None };
        let expected = Go { own, ponder: true, ..Go::default() };
        assert_eq!(read_go("ponder time -5 movestogo 99999999999999999999", Dialect::Ucci), expected);
        let unknown = ["depth", "deep", "blue", "nodes"].map(String::from).to_vec();
        let expected = Go { own: Times { time: Some(5), ..Times::default() }, unknown, ..Go::default() };
        assert_eq!(read_go("depth deep blue time 5 nodes", Dialect::Ucci), expected);
        let perft = Command::Console(ConsoleCommand::Perft(3));
        assert_eq!(parse("go perft 3", Dialect::Uci), Ok(Some(perft)));
        let expected = Go {
            sides: [times(1, 2), times(3, 4)],
            search_moves: vec!["h2e2".into(), "b2e2".into()],
            move_time: Some(9),
            ..Go::default()
        };
        let text = "searchmoves h2e2 b2e2 wtime 1 winc 2 btime 3 binc 4 movetime 9";
        assert_eq!(read_go(text, Dialect::Uci), expected);
        // A word that is no move does not end the list; the engine reports it.
        let search_moves = ["castles", "h2e2", "7"].map(String::from).to_vec();
        let expected = Go { search_moves, depth: Some(3), ..Go::default() };
        assert_eq!(read_go("searchmoves castles h2e2 7 depth 3", Dialect::Uci), expected);
    }

    #[test]
    fn search_without_limits_depends_on_the_protocol() {
        assert_eq!(read_go("", Dialect::Ucci), Go::default());
        assert_eq!(read_go("", Dialect::Uci), Go { depth: Some(MAX_PLY as u64), ..Go::default() });
        let infinite = Go { infinite: true, ..Go::default() };
        assert_eq!(read_go("infinite", Dialect::Ucci), infinite);
        assert_eq!(read_go("infinite", Dialect::Uci), Go { waits_for_stop: true, ..infinite });
        assert_eq!(read_go("depth 0", Dialect::Ucci).depth, Some(0));
        assert_eq!(read_go("depth 0", Dialect::Uci).depth, Some(1));
        assert_eq!(read_go("ponder", Dialect::Uci).depth, None);
    }

    fn read(line: &str) -> Result<Option<Command>, CommandError> {
        parse(line, Dialect::Ucci)
    }

    #[test]
    fn blank_lines_are_skipped_and_unknown_words_are_errors() {
        assert_eq!(read(" \t\r"), Ok(None));
        assert_eq!(read("  xyzzy plugh"), Err(CommandError::Unknown("xyzzy".into())));
        assert_eq!(read("  isready \r"), Ok(Some(Command::IsReady)));
        let long = "ä".repeat(1000);
        assert_eq!(read(&long), Err(CommandError::Unknown(format!("{}…", "ä".repeat(40)))));
    }

    #[test]
    fn positions_are_fen_or_start_and_moves() {
        let setup = |fen: Option<&str>, moves: &[&str]| {
            Ok(Some(Command::Position(GameSetup {
                fen: fen.map(String::from),
                moves: owned(moves),
                ..GameSetup::default()
            })))
        };
        assert_eq!(read("position startpos"), setup(None, &[]));
        assert_eq!(read("position startpos moves h2e2  h9g7\r"), setup(None, &["h2e2", "h9g7"]));
        assert_eq!(read("position fen X w - - 0 4 ;A34.. - 1 moves a0a1"), {
            setup(Some("X w - - 0 4 ;A34.. - 1"), &["a0a1"])
        });
        assert_eq!(read("position fen"), setup(Some(""), &[]));
        // Refused when they are set up.
        for bad in ["", "moves h2e2", "kiwipete"] {
            assert_eq!(read(&format!("position {bad}")), setup(Some(bad), &[]), "{bad}");
        }
    }

    #[test]
    fn options_are_set_in_either_dialect() {
        for line in
            ["setoption moveoverhead 7", "setoption name Move Overhead value 7", "setoption name moveoverhead value 7"]
        {
            for dialect in [Dialect::Ucci, Dialect::Uci] {
                assert_eq!(
                    parse(line, dialect),
                    Ok(Some(Command::Set(Setting::read("moveoverhead", "7").unwrap()))),
                    "{line}"
                );
            }
        }
        for line in ["setoption clearhash", "setoption name Clear Hash", "setoption name Clear Hash value"] {
            assert_eq!(read(line), Ok(Some(Command::Set(Setting::read("clearhash", "").unwrap()))), "{line}");
        }
        assert_eq!(read("debug on"), Ok(Some(Command::Set(Setting::read("debug", "true").unwrap()))));
        assert_eq!(read("ucinewgame"), Ok(Some(Command::Set(Setting::new_game()))));
        for line in ["setoption", "setoption name", "setoption name value 7"] {
            assert!(matches!(read(line), Err(CommandError::Missing { after: "setoption", .. })), "{line}");
        }
        let unknown = |name: &str| Err(CommandError::Option(OptionError::Unknown(name.into())));
        assert_eq!(read("setoption name No Such value 7"), unknown("No Such"));
        assert_eq!(read("setoption name No Such 7"), unknown("No Such 7"));
        assert_eq!(read("setoption usebooks on"), unknown("usebooks"));
        let foreign = |name| Err(CommandError::Option(OptionError::Foreign(name)));
        assert_eq!(read("setoption name slow mover value 7"), foreign("Slow Mover"));
        assert_eq!(read("setoption Mate Threat Depth 7"), foreign("Mate Threat Depth"));
    }

    #[test]
    fn without_value_the_longest_name_counts() {
        for (line, name, value) in [
            ("setoption Repetition Rule league", "repetition", "league"),
            ("setoption name Repetition Rule league", "repetition", "league"),
            ("setoption Sixty Move Rule false", "Sixty Move Rule", "false"),
            ("setoption Skill Level 5", "Skill Level", "5"),
            ("setoption level 5", "level", "5"),
            ("setoption Book Files a b.dat", "bookfiles", "a b.dat"),
            ("setoption bookfiles value b.dat", "bookfiles", "value b.dat"),
            ("setoption clear hash", "clearhash", ""),
        ] {
            assert_eq!(read(line), Ok(Some(Command::Set(Setting::read(name, value).unwrap()))), "{line}");
        }
    }

    #[test]
    fn clients_that_do_not_greet_are_known_by_setoption() {
        assert_eq!(assumed_dialect("setoption name Threads value 1"), Some(Dialect::Uci));
        assert_eq!(assumed_dialect(" SetOption Name Book Files Value"), Some(Dialect::Uci));
        assert_eq!(assumed_dialect("setoption name Clear Hash"), Some(Dialect::Uci));
        for line in ["", "setoption threads 1", "setoption name", "setoption bookfiles name value", "go"] {
            assert_eq!(assumed_dialect(line), None, "{line}");
        }
    }

    #[test]
    fn console_commands_and_their_arguments_are_read() {
        use ConsoleCommand::*;
        let go = |go: Go| Play(Box::new(go));
        let text = |text: &str| text.to_string();
        for (line, command) in [
            ("d", Show),
            ("pos", Show),
            ("Board", Show),
            ("newgame", NewGame),
            ("uccinewgame", NewGame),
            ("play", go(Go { move_time: Some(1_000), ..Go::default() })),
            ("play depth 4", go(Go { depth: Some(4), ..Go::default() })),
            // The words are answered as those of `go` are.
            ("play depht 4", go(Go { unknown: vec![text("depht"), text("4")], ..Go::default() })),
            ("load my game.fen", Load(text("my game.fen"))),
            ("save my game.fen", Save(text("my game.fen"))),
            ("fen", Fen),
            ("xfen", Game),
            ("moves", Moves(Notation::Iccs)),
            ("moves WXF", Moves(Notation::Wxf)),
            ("eval", Evaluate),
            ("perft 4", Perft(4)),
            ("perft 10", Perft(10)),
            ("go perft 3", Perft(3)),
            ("do h2e2 h9g7", Do(vec![text("h2e2"), text("h9g7")])),
            ("h2e2 h9g7", Do(vec![text("h2e2"), text("h9g7")])),
            ("undo", Undo(1)),
            ("undo 3", Undo(3)),
            ("undo 99999999999999999999", Undo(usize::MAX)),
            ("flip", Flip),
            ("resign", Resign),
            ("draw", Draw),
            ("bench", Bench(bench::DEFAULT_DEPTH)),
            ("bench 40", Bench(40)),
            ("export_net a b.net", ExportNetwork(text("a b.net"))),
            ("compiler", Compiler),
            ("help", Help),
            ("?", Help),
            ("help moves", Help),
            ("help Options", HelpOptions),
            ("level", Level),
        ] {
            assert_eq!(read(line), Ok(Some(Command::Console(command))), "{line}");
        }
        for missing in ["load", "save", "perft", "do", "export_net", "go perft"] {
            let after = missing.split(' ').next_back().unwrap();
            assert!(
                matches!(read(missing), Err(CommandError::Missing { after: name, .. }) if name == after),
                "{missing}"
            );
        }
        for (value, after) in [
            ("perft 11", "perft"),
            ("perft x", "perft"),
            ("bench 41", "bench"),
            ("undo x", "undo"),
            ("moves xyz", "moves"),
            ("play infinite", "play"),
            ("play ponder depth 3", "play"),
        ] {
            assert!(
                matches!(read(value), Err(CommandError::Value { after: name, .. }) if name == after),
                "{value}: {:?}",
                read(value)
            );
        }
        assert!(Command::Console(Perft(1)) != Command::Console(Perft(2)));
    }

    #[test]
    fn commands_of_both_protocols_are_read() {
        let ok = |command| Ok(Some(command));
        let setup = |fen: Option<&str>, moves: &[&str]| GameSetup {
            fen: fen.map(String::from),
            moves: owned(moves),
            ..GameSetup::default()
        };
        let board = "3k5/9/9/9/9/9/9/9/9/4K4";
        for (line, command) in [
            ("ucci", Command::Greet(Dialect::Ucci)),
            ("UCI", Command::Greet(Dialect::Uci)),
            ("ucicyclone", Command::Greet(Dialect::Uci)),
            ("level", Command::Console(ConsoleCommand::Level)),
            ("level 3", Command::Set(Setting::read("level", "3").unwrap())),
            ("debug", Command::Set(Setting::read("debug", "on").unwrap())),
            ("debug off", Command::Set(Setting::read("debug", "off").unwrap())),
            ("startpos moves h2e2", Command::Position(setup(None, &["h2e2"]))),
            ("Fen X w moves a0a1", Command::Position(setup(Some("X w"), &["a0a1"]))),
            (&format!("{board} w"), Command::Position(setup(Some(&format!("{board} w")), &[]))),
            ("banmoves h2e2 b2e2", Command::Ban(owned(&["h2e2", "b2e2"]))),
            ("stop", Command::Stop),
            ("ponderhit", Command::PonderHit { draw: false }),
            ("ponderhit Draw", Command::PonderHit { draw: true }),
            ("probe startpos moves h2e2", Command::Probe(setup(None, &["h2e2"]))),
            ("quit", Command::Quit),
            ("exit", Command::Quit),
        ] {
            assert_eq!(read(line), ok(command), "{line}");
        }
        for silent in ["# h2e2", "#h2e2", "// comment", "//", "register later"] {
            assert_eq!(read(silent), Ok(None), "{silent}");
        }
        assert!(matches!(read("probe h2e2"), Err(CommandError::Missing { after: "probe", .. })));
        assert_eq!(read("a/b"), Err(CommandError::Unknown("a/b".into())));
        assert_eq!(read_go("draw opptime 1 oppincrement 2 oppmovestogo 3 mate 4 nodes 5", Dialect::Ucci), {
            let opponent = Times { moves_to_go: Some(3), ..times(1, 2) };
            Go { draw: true, opponent, mate: Some(4), nodes: Some(5), ..Go::default() }
        });
    }
}
