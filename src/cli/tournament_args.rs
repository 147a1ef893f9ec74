//! The arguments of `chuhe match` that are lists of `KEY=VALUE`, as cutechess-cli and fastchess have them.

use super::error::Failure;
use super::match_arg_error::MatchArgError;
use super::net::common::settings;
use crate::notation::Ranks;
use crate::protocol::dialect::Dialect;
use crate::search::limits::Limits;
use crate::search::settings::SearchSettings;
use crate::search::tunables::Tunables;
use crate::tournament::adjudication::{DrawRule, ResignRule};
use crate::tournament::engine_config::EngineConfig;
use crate::tournament::limit::Limit;
use crate::tournament::sprt::{EloModel, Sprt};
use clap::{Arg, ArgAction, ArgMatches, Args, Command, FromArgMatches};
use std::env;
use std::ffi::{OsStr, OsString};
use std::path::PathBuf;
use std::str::FromStr;
use std::time::Duration;

/// Milliseconds by which an answer may be late, as in the UCCI league manager.
const MARGIN: Duration = Duration::from_millis(200);

const ENGINE_HELP: &str = "An engine, once for each: name=; cmd=, the program (default: this one); args=, divided at \
                                blanks, and arg=, one argument, may be repeated; dir=, the working folder; proto=ucci or uci \
                                and ranks=0 or 1 (default: the engine is asked); option.NAME=VALUE; \
                                tc=[MOVES/]SECONDS[+INCREMENT], st=SECONDS, movetime=MS, nodes=N or depth=N; timemargin=MS \
                                (default: 200); ponder=on; restart=on, anew for each game; scale=X, which turns its scores \
                                into centipawns; stderr=FILE. Or inside this process, with a hash table of \
                                4 MB: eval=, a network's file or small, medium or large; nodestime=N, the nodes that count \
                                as a millisecond of tc= or st=";

/// The keys of `--engine` that only programs have.
const PROGRAM_KEYS: &[&str] = &["cmd", "args", "arg", "dir", "proto", "ranks", "ponder", "restart", "scale", "stderr"];

/// The words of each `--engine`.
pub(super) struct EngineWords(pub Vec<Vec<String>>);

impl FromArgMatches for EngineWords {
    fn from_arg_matches(matches: &ArgMatches) -> Result<EngineWords, clap::Error> {
        let all = matches.get_occurrences::<String>("engine");
        Ok(EngineWords(all.into_iter().flatten().map(|words| words.cloned().collect()).collect()))
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        *self = EngineWords::from_arg_matches(matches)?;
        Ok(())
    }
}

impl Args for EngineWords {
    fn augment_args(command: Command) -> Command {
        let engine = Arg::new("engine").long("engine").num_args(1..).action(ArgAction::Append);
        command.arg(engine.value_name("KEY=VALUE").help(ENGINE_HELP))
    }

    fn augment_args_for_update(command: Command) -> Command {
        EngineWords::augment_args(command)
    }
}

/// The arguments of a command line, in which those of `match` may have one dash as in cutechess-cli: `-engine`.
pub(super) fn with_two_dashes(arguments: impl Iterator<Item = OsString>) -> Vec<OsString> {
    let mut arguments: Vec<OsString> = arguments.collect();
    if arguments.get(1).is_some_and(|command| command == "match") {
        for argument in &mut arguments[2..] {
            let is_long =
                |text: &str| text.len() > 2 && text.starts_with('-') && text.as_bytes()[1].is_ascii_alphabetic();
            if argument.to_str().is_some_and(is_long) {
                *argument = OsString::from("-".to_string() + argument.to_str().unwrap_or_default());
            }
        }
    }
    arguments
}

/// The pairs of a list.
pub(super) fn pairs<'a>(what: &'static str, words: &'a [String]) -> Result<Vec<(&'a str, &'a str)>, MatchArgError> {
    let pair = |word: &'a String| {
        word.split_once('=').filter(|(key, _)| !key.is_empty()).ok_or_else(|| MatchArgError::NoPair(what, word.clone()))
    };
    words.iter().map(pair).collect()
}

/// The value of a key, or the error for it.
pub(super) fn value<T: FromStr>(what: &'static str, key: &str, value: &str) -> Result<T, MatchArgError> {
    value.parse().map_err(|_| MatchArgError::Value(what, key.to_string(), value.to_string()))
}

fn switch(what: &'static str, key: &str, value: &str) -> Result<bool, MatchArgError> {
    match value.to_lowercase().as_str() {
        "on" | "true" | "yes" | "1" => Ok(true),
        "off" | "false" | "no" | "0" => Ok(false),
        _ => Err(MatchArgError::Value(what, key.to_string(), value.to_string())),
    }
}

/// The engines of the arguments `--engine`, with what `--each` gives to all of them.
///
/// # Errors
/// The first word that is wrong; fewer than two engines; two of one name.
pub(super) fn engines(words: &EngineWords, each: &[String]) -> Result<Vec<EngineConfig>, Failure> {
    let mut engines = Vec::new();
    for own in &words.0 {
        engines.push(engine(&pairs("--each", each)?, &pairs("--engine", own)?)?);
    }
    if engines.len() < 2 {
        return Err(MatchArgError::TooFew.into());
    }
    let is_double = |(index, one): (usize, &EngineConfig)| engines[..index].iter().any(|other| other.name == one.name);
    match engines.iter().enumerate().find(|&engine| is_double(engine)) {
        Some((_, double)) => Err(MatchArgError::SameName(double.name.clone()).into()),
        None => Ok(engines),
    }
}

fn engine(each: &[(&str, &str)], own: &[(&str, &str)]) -> Result<EngineConfig, Failure> {
    let (mut name, mut limit, mut arguments) = (None, None::<(&str, String, Limit)>, Vec::new());
    let (mut evaluation, mut node_time) = (None, None);
    let mut config = EngineConfig {
        name: String::new(),
        internal: None,
        program: PathBuf::new(),
        arguments: Vec::new(),
        folder: None,
        dialect: None,
        ranks: None,
        options: Vec::new(),
        limit: Limit::Nodes(1),
        margin: MARGIN,
        ponders: false,
        restarts: false,
        score_scale: 1.0,
        error_file: None,
    };
    for (what, &(key, text)) in
        each.iter().map(|pair| ("--each", pair)).chain(own.iter().map(|pair| ("--engine", pair)))
    {
        let refuse = || MatchArgError::Value(what, key.to_string(), text.to_string());
        if let Some(option) = key.strip_prefix("option.").filter(|option| !option.is_empty()) {
            // The engine's own value replaces that for all.
            config.set_option(option, text);
            continue;
        }
        if let Some(read) = Limit::read(key, text) {
            // As cutechess-cli has it: without a clock.
            if (key, text) != ("tc", "inf") {
                let pair = format!("{key}={text}");
                // The engine's own replaces that for all.
                if let Some((_, other, _)) = limit.filter(|(list, ..)| *list == what) {
                    return Err(MatchArgError::TwoLimits(what, other, pair).into());
                }
                limit = Some((what, pair, read.map_err(MatchArgError::from)?));
            }
            continue;
        }
        match key {
            "name" => name = Some(text.to_string()),
            "cmd" => config.program = PathBuf::from(text),
            "args" => arguments.extend(text.split_whitespace().map(String::from)),
            "arg" => arguments.push(text.to_string()),
            "dir" => config.folder = Some(PathBuf::from(text)),
            "stderr" => config.error_file = Some(PathBuf::from(text)),
            "proto" => {
                config.dialect = match text {
                    "ucci" => Some(Dialect::Ucci),
                    "uci" => Some(Dialect::Uci),
                    "auto" => None,
                    _ => return Err(refuse().into()),
                }
            }
            "ranks" => {
                config.ranks = match text {
                    "0" => Some(Ranks::FromZero),
                    "1" => Some(Ranks::FromOne),
                    "auto" => None,
                    _ => return Err(refuse().into()),
                }
            }
            "eval" => evaluation = Some(text),
            "nodestime" => node_time = Some(value(what, key, text)?),
            #[cfg(feature = "tuning")]
            "state" => {
                for parameter in super::tune::read_state(text.as_ref())?.parameters {
                    config.set_option(parameter.tunable.name, &parameter.value.round().to_string());
                }
            }
            "timemargin" => config.margin = Duration::from_millis(value::<u32>(what, key, text)?.into()),
            "ponder" => config.ponders = switch(what, key, text)?,
            "restart" => config.restarts = switch(what, key, text)?,
            "scale" => {
                config.score_scale = value(what, key, text)?;
                if !config.score_scale.is_finite() {
                    return Err(refuse().into());
                }
            }
            _ => return Err(MatchArgError::Key(what, key.to_string()).into()),
        }
    }
    config.arguments = arguments;
    if let Some(evaluation) = evaluation {
        config.program = PathBuf::from(evaluation);
    }
    let own_name = || config.program.file_stem().map(|name| name.to_string_lossy().into_owned());
    config.name = name.or_else(own_name).unwrap_or_else(|| "chuhe".to_string());
    if config.program.as_os_str().is_empty() {
        config.program = env::current_exe().unwrap_or_else(|_| "chuhe".into());
    }
    config.limit = limit.map(|(.., limit)| limit).ok_or_else(|| MatchArgError::NoLimit(config.name.clone()))?;
    let other_kind = |key: &str, other| MatchArgError::OtherKind(config.name.clone(), key.to_string(), other);
    match evaluation {
        Some(evaluation) => {
            if let Some((key, _)) = own.iter().find(|(key, _)| PROGRAM_KEYS.contains(key)) {
                return Err(other_kind(key, "eval").into());
            }
            let settings = SearchSettings { tunables: tunables(&config)?, ..settings(OsStr::new(evaluation))? };
            config.internal = Some(Limits { settings, node_time, ..Limits::default() });
        }
        None if node_time.is_some() => return Err(other_kind("nodestime", "cmd").into()),
        None => {}
    }
    Ok(config)
}

/// The search parameters that the options of an engine inside this process set.
fn tunables(config: &EngineConfig) -> Result<Tunables, MatchArgError> {
    let mut tunables = Tunables::default();
    for (option, value) in &config.options {
        let is_known = cfg!(feature = "tuning") && Tunables::ALL.iter().any(|tunable| tunable.name == option);
        if !is_known {
            return Err(MatchArgError::NoOption(config.name.clone(), option.clone()));
        }
        if !value.parse().is_ok_and(|value| tunables.set(option, value)) {
            return Err(MatchArgError::OptionValue(config.name.clone(), option.clone(), value.clone()));
        }
    }
    Ok(tunables)
}

/// Numbers and switches of a rule, by key.
struct RuleWords<'a> {
    what: &'static str,
    pairs: Vec<(&'a str, &'a str)>,
}

impl<'a> RuleWords<'a> {
    fn read(what: &'static str, words: &'a [String], keys: &[&str]) -> Result<RuleWords<'a>, MatchArgError> {
        let pairs = pairs(what, words)?;
        match pairs.iter().find(|(key, _)| !keys.contains(key)) {
            Some((key, _)) => Err(MatchArgError::Key(what, key.to_string())),
            None => Ok(RuleWords { what, pairs }),
        }
    }

    fn text(&self, key: &str) -> Option<&'a str> {
        self.pairs.iter().rfind(|(other, _)| *other == key).map(|&(_, text)| text)
    }

    fn number<T: FromStr>(&self, key: &'static str, default: Option<T>) -> Result<T, MatchArgError> {
        match self.text(key) {
            Some(text) => value(self.what, key, text),
            None => default.ok_or(MatchArgError::Missing(self.what, key)),
        }
    }
}

/// Reads `--resign movecount=N score=CP [twosided=on]`.
pub(super) fn resign_rule(words: &[String]) -> Result<ResignRule, MatchArgError> {
    let words = RuleWords::read("--resign", words, &["movecount", "score", "twosided"])?;
    let is_two_sided = words.text("twosided").map_or(Ok(false), |text| switch("--resign", "twosided", text))?;
    Ok(ResignRule { moves: words.number("movecount", None)?, score: words.number("score", None)?, is_two_sided })
}

/// Reads `--draw movenumber=N quiet=N movecount=N score=CP`.
pub(super) fn draw_rule(words: &[String]) -> Result<DrawRule, MatchArgError> {
    let words = RuleWords::read("--draw", words, &["movenumber", "quiet", "movecount", "score"])?;
    Ok(DrawRule {
        from_move: words.number("movenumber", Some(0))?,
        quiet_plies: words.number("quiet", Some(0u32))?.saturating_mul(2),
        moves: words.number("movecount", None)?,
        score: words.number("score", None)?,
    })
}

/// Reads `--sprt elo0=E elo1=E [alpha=A] [beta=B] [model=logistic|normalized]`.
pub(super) fn sprt(words: &[String]) -> Result<Sprt, MatchArgError> {
    let words = RuleWords::read("--sprt", words, &["elo0", "elo1", "alpha", "beta", "model"])?;
    let model = match words.text("model") {
        None | Some("logistic") => EloModel::Logistic,
        Some("normalized" | "normalised") => EloModel::Normalised,
        Some(other) => return Err(MatchArgError::Value("--sprt", "model".to_string(), other.to_string())),
    };
    let sprt = Sprt {
        elo0: words.number("elo0", Some(0.0))?,
        elo1: words.number("elo1", Some(5.0))?,
        alpha: words.number("alpha", Some(0.05))?,
        beta: words.number("beta", Some(0.05))?,
        model,
    };
    let is_probability = |value: f64| value > 0.0 && value < 0.5;
    let is_elo = |elo: f64| elo.abs() <= 500.0;
    let is_valid = sprt.elo0 < sprt.elo1
        && is_elo(sprt.elo0)
        && is_elo(sprt.elo1)
        && is_probability(sprt.alpha)
        && is_probability(sprt.beta);
    if is_valid { Ok(sprt) } else { Err(MatchArgError::Sprt) }
}
