//! `chuhe match`: matches and tournaments between engines.

use super::error::{CliError, Context, ExitStatus, Failure, IoContext};
use super::guard::{Target, guard};
use super::match_arg_error::MatchArgError;
use super::messages::{print_message, report_damaged_tables};
use super::names::{Threads, named_parser};
use super::progress::progress;
use super::rules_args::RulesArgs;
use super::text_output;
use super::tournament_args::{self, EngineWords};
use super::translate::locale_language;
use crate::book::dat::OpeningBook;
use crate::engine::endgames;
use crate::files;
use crate::files::lock::FileLock;
use crate::games::error::MAX_PLIES;
use crate::tournament::engine_config::EngineConfig;
use crate::tournament::journal::{Journal, JournalError};
use crate::tournament::opening_suite::{OpeningSuite, OpeningSuiteError, SuiteSettings};
use crate::tournament::played_game::PlayedGame;
use crate::tournament::process::MatchContext;
use crate::tournament::referee::RefereeSettings;
use crate::tournament::report::Report;
use crate::tournament::runner::{Tournament, TournamentError};
use crate::tournament::schedule::{Schedule, TournamentForm};
use crate::tournament::traffic_log::TrafficLog;
use clap::Args;
use std::fs::File;
use std::io::{self, IsTerminal, Read, Write};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

#[derive(Args)]
pub(super) struct Match {
    #[command(flatten)]
    engines: EngineWords,
    /// What all engines have, with the keys of --engine; what an engine has itself comes first
    #[arg(long, value_name = "KEY=VALUE", num_args = 1..)]
    each: Vec<String>,
    /// Who meets whom in a round: each engine each other one, the first each other one, or those with as many points
    #[arg(long, value_name = "FORM", default_value = "roundrobin", value_parser = named_parser(FORMS))]
    tournament: TournamentForm,
    /// Number of rounds
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    rounds: u32,
    /// Games of two engines that meet, in pairs: each from one opening with colors exchanged; default: 2
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    games: Option<u32>,
    /// The same as --games, 2 without a number: as in other programs for matches
    #[arg(long, value_name = "N", num_args = 0..=1, default_missing_value = "2", value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    repeat: Option<u32>,
    /// Games played at the same time; 0: one for each processor
    #[arg(long, value_name = "N", default_value = "1")]
    concurrency: Threads,
    /// Where games begin; default: the start position. file=FILE with positions (FEN, EPD), games (PGN, XQF) or a book
    /// (`.dat`); format=fen, epd, pgn or book if the name does not tell, or without a file format=named (openings of the
    /// encyclopedia), book (the one built in) or random (level positions); order=random or sequential; plies=N, at most, of
    /// games and books (default: 8); start=N, the first
    #[arg(long, value_name = "KEY=VALUE", num_args = 1..)]
    openings: Vec<String>,
    /// Seed of the order of the openings and of random ones
    #[arg(long, alias = "srand", value_name = "N", default_value_t = 1)]
    seed: u64,
    #[command(flatten)]
    rules: RulesArgs,
    /// Moves of each side after which a game is drawn; 0: never
    #[arg(long, value_name = "N", default_value_t = 200)]
    maxmoves: u32,
    /// A game is lost after movecount=N moves in a row with score=CP below 0 or more, in centipawns; with twosided=on only if
    /// the opponent's scores agree
    #[arg(long, value_name = "KEY=VALUE", num_args = 1..)]
    resign: Vec<String>,
    /// A game is drawn after movenumber=N moves, and quiet=N moves without a capture, when both scores have been within score=CP
    /// centipawns for movecount=N moves without a capture
    #[arg(long, value_name = "KEY=VALUE", num_args = 1..)]
    draw: Vec<String>,
    /// Endgame tables decide games: those built in, and those of the folders [default: `egtb` in the working folder, or else
    /// beside the program]
    #[arg(long, value_name = "FOLDER", num_args = 0..)]
    tb: Option<Vec<PathBuf>>,
    /// End by a sequential probability ratio test: elo0=E and elo1=E, and perhaps alpha=P, beta=P (0.05) and model=logistic
    /// or normalized (Elo)
    #[arg(long, value_name = "KEY=VALUE", num_args = 1..)]
    sprt: Vec<String>,
    /// Write the games as PGN, with score, depth and time of each move
    #[arg(long, value_name = "FILE")]
    pgnout: Option<String>,
    /// Write a line of JSON for the settings, for each game and for the result
    #[arg(long, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Go on with the file of --output after an interruption, with the same settings: the results are those of a match that
    /// was not interrupted. The file of --pgnout is written again
    #[arg(long, requires = "output")]
    resume: bool,
    /// Append what the engines are sent and send, with times
    #[arg(long, value_name = "FILE")]
    log: Option<PathBuf>,
    /// Name of the event in PGN
    #[arg(long, value_name = "TEXT", default_value = "match")]
    event: String,
    /// Seconds that an engine may take to start and to get ready
    #[arg(long, value_name = "SECONDS", default_value_t = 60, value_parser = clap::value_parser!(u64).range(1..=100_000))]
    startup: u64,
    /// Seconds after which an engine without a limit of time has lost
    #[arg(long, value_name = "SECONDS", default_value_t = 60.0, value_parser = positive)]
    hang: f64,
    /// Check that the best lines of engines are legal and begin with their moves
    #[arg(long)]
    check_pv: bool,
    /// Taken and without effect, as in other programs for matches: engines that fail are always started again
    #[arg(long)]
    recover: bool,
}

const FORMS: &[(&str, &str, TournamentForm)] = &[
    ("roundrobin", "round-robin", TournamentForm::RoundRobin),
    ("gauntlet", "", TournamentForm::Gauntlet),
    ("swiss", "", TournamentForm::Swiss),
];

fn positive(text: &str) -> Result<f64, String> {
    let number = text.parse().ok().filter(|number| (1e-3..=1e6).contains(number));
    number.ok_or_else(|| "expected a number from 0.001 to 1000000".to_string())
}

impl Match {
    pub(super) fn run(self) -> Result<ExitStatus, Failure> {
        let engines = tournament_args::engines(&self.engines, &self.each)?;
        let (resign, draw) = (self.resign.as_slice(), self.draw.as_slice());
        let of_words = |words: &[String]| !words.is_empty();
        let sprt = of_words(&self.sprt).then(|| tournament_args::sprt(&self.sprt)).transpose()?;
        let games = self.games.or(self.repeat).unwrap_or(2) as usize;
        if sprt.is_some() && (engines.len() > 2 || !games.is_multiple_of(2)) {
            return Err(MatchArgError::NoPairs.into());
        }
        let (openings, checksum) = self.openings()?;
        let _locks = self.guard(&engines)?;
        let context = MatchContext { log: self.open_log()?, ..MatchContext::default() };
        end_at_signals(&context)?;
        let mut tournament = Tournament {
            schedule: Schedule { form: self.tournament, engines: engines.len(), rounds: self.rounds as usize, games },
            engines,
            openings,
            settings: RefereeSettings {
                rules: self.rules.rules(),
                occurrences: self.rules.occurrences(),
                max_plies: Some(2 * self.maxmoves as usize).filter(|&plies| plies > 0),
                hang: Duration::from_secs_f64(self.hang),
                resign: of_words(resign).then(|| tournament_args::resign_rule(resign)).transpose()?,
                draw: of_words(draw).then(|| tournament_args::draw_rule(draw)).transpose()?,
                tables: self.tb.as_ref().map(|folders| {
                    let (tables, bad) = endgames::open(folders);
                    bad.iter().for_each(|bad| print_message(bad));
                    Arc::new(tables)
                }),
                checks_lines: self.check_pv,
            },
            seed: self.seed,
            concurrency: self.concurrency.count(),
            startup_timeout: Duration::from_secs(self.startup),
            context,
        };
        let identities = tournament.identify()?;
        for (engine, identity) in tournament.engines.iter().zip(&identities) {
            let name = || engine.name.clone();
            if let Some(option) = identity.unknown_options.first() {
                return Err(MatchArgError::NoOption(name(), option.clone()).into());
            }
            if let Some((option, value)) = identity.values_not_taken.first() {
                return Err(MatchArgError::OptionValue(name(), option.clone(), value.clone()).into());
            }
        }
        let openings = format!("{} seed={} CRC-32 {checksum:08x}", self.openings.join(" "), self.seed);
        let settings = tournament.settings_json(&identities, &openings);
        let open = |path: &PathBuf| {
            let opened = Journal::open(path, &settings, self.resume);
            opened.in_file(path)
        };
        let journal = self.output.as_ref().map(open).transpose()?;
        let report = Report { form: self.tournament, games, sprt, language: locale_language() };
        self.play(&tournament, journal, &report)
    }

    /// Plays the match and prints its results.
    fn play(&self, tournament: &Tournament, journal: Option<Journal>, report: &Report) -> Result<ExitStatus, Failure> {
        let mut pgn = self.create_pgn(tournament, journal.as_ref())?;
        let mut standings = tournament.standings();
        let total = tournament.games();
        let bar = progress(total as u64, report.language.pick("games", "局"));
        let is_live = io::stdout().is_terminal() && io::stderr().is_terminal();
        if is_live {
            bar.tick();
        }
        let mut failure: Option<Failure> = None;
        let played = tournament.play(&mut standings, journal.as_ref(), &mut |game, standings| {
            let line = report.game_line(game, standings, total);
            let written = (|| -> Result<(), Failure> {
                if let Some((path, file)) = &mut pgn {
                    let text = self.pgn(tournament, game);
                    file.write_all(text.as_bytes()).writing(path)?;
                }
                if is_live {
                    if game.termination.is_failure() {
                        bar.println(&line);
                    }
                    bar.set_message(format!("\n{}", report.table(standings)));
                    bar.inc(1);
                    return Ok(());
                }
                Ok(writeln!(text_output::stdout(), "{line}")?)
            })();
            let sprt = report.sprt.filter(|sprt| sprt.accepts_h1(sprt.llr(&standings.pairs[0][1])).is_some());
            if let Err(error) = written {
                failure = Some(error);
            }
            if failure.is_some() || sprt.is_some() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        });
        bar.finish_and_clear();
        failure.map_or(Ok(()), Err)?;
        if standings.games() > 0 {
            writeln!(text_output::stdout(), "{}", report.text(&standings))?;
        }
        played.map_err(|error| match error {
            TournamentError::Interrupted if self.output.is_some() => CliError::InterruptedMatch.into(),
            error => Failure::from(error),
        })?;
        if let Some(journal) = journal {
            let finished = journal.finish(standings.games() as usize, &report.json(&standings));
            finished.map_err(TournamentError::from)?;
        }
        let is_damaged = report_damaged_tables(tournament.settings.tables.as_deref());
        Ok(if is_damaged { ExitStatus::CheckFailed } else { ExitStatus::Success })
    }

    /// Checks and locks, before anything is made, the files that are written.
    fn guard(&self, engines: &[EngineConfig]) -> Result<Vec<FileLock>, Failure> {
        let given = |engine: &EngineConfig| {
            let values = engine.options.iter().map(|(_, value)| value).chain(&engine.arguments);
            let folder = engine.folder.clone().unwrap_or_default();
            let files: Vec<PathBuf> = values.map(|value| folder.join(value)).filter(|path| path.is_file()).collect();
            files.into_iter().chain([engine.found_program()])
        };
        let openings = self.openings.iter().filter_map(|word| Some(PathBuf::from(word.strip_prefix("file=")?)));
        let inputs: Vec<PathBuf> = openings.chain(engines.iter().flat_map(given)).collect();
        let (output, pgn) = (self.output.as_deref(), self.pgn_path());
        let logs = self.log.iter().chain(engines.iter().filter_map(|engine| engine.error_file.as_ref()));
        let outputs = output.into_iter().chain(pgn).map(Target::Continued).chain(logs.map(|path| Target::Log(path)));
        let inputs: Vec<&Path> = inputs.iter().map(PathBuf::as_path).collect();
        let locks = guard(&inputs, &outputs.collect::<Vec<_>>())?;
        match output {
            // These have the games of a match already.
            Some(output) if self.resume && output.exists() => {}
            Some(output) if output.exists() => return Err(JournalError::Exists).in_file(output),
            _ => self.refuse_other_games(b"")?,
        }
        Ok(locks)
    }

    fn open_log(&self) -> Result<Option<Arc<TrafficLog>>, Failure> {
        let open = |path: &PathBuf| TrafficLog::open(path).map_err(|error| CliError::Log(path.clone(), error));
        Ok(self.log.as_ref().map(open).transpose()?.map(Arc::new))
    }

    /// A game as PGN.
    fn pgn(&self, tournament: &Tournament, game: &PlayedGame) -> String {
        let limit = |name: &str| {
            let engine = tournament.engines.iter().find(|engine| engine.name == name);
            engine.map_or_else(String::new, |engine| engine.limit.to_string())
        };
        game.to_pgn(&self.event, [&limit(&game.red), &limit(&game.black)])
    }

    /// The file for PGN. As fastchess has it, its name may be behind `file=`.
    fn pgn_path(&self) -> Option<&Path> {
        self.pgnout.as_ref().map(|text| Path::new(text.strip_prefix("file=").unwrap_or(text)))
    }

    /// Refuses a file for PGN that begins otherwise than with these tags of the match. It may end within them.
    fn refuse_other_games(&self, tags: &[u8]) -> Result<(), Failure> {
        // A pipe or a device has no beginning.
        let Some(path) = self.pgn_path().filter(|path| path.is_file()) else { return Ok(()) };
        let mut old = Vec::new();
        let read = File::open(path).and_then(|file| file.take(tags.len().max(1) as u64).read_to_end(&mut old));
        read.reading(path)?;
        if tags.starts_with(&old) { Ok(()) } else { Err(CliError::OtherGames(path.into()).into()) }
    }

    /// Makes the file for PGN, or where the match goes on empties that of its games, which is written again.
    fn create_pgn(
        &self,
        tournament: &Tournament,
        journal: Option<&Journal>,
    ) -> Result<Option<(PathBuf, File)>, Failure> {
        let Some(path) = self.pgn_path() else { return Ok(None) };
        let first = journal.map(|journal| journal.game(1)).transpose().map_err(TournamentError::from)?.flatten();
        let first = first.map_or_else(String::new, |first| self.pgn(tournament, &first));
        self.refuse_other_games(first.split("\n\n").next().unwrap_or_default().as_bytes())?;
        let file = File::create(path).writing(path)?;
        Ok(Some((path.into(), file)))
    }

    /// The openings, and the checksum of their file.
    fn openings(&self) -> Result<(OpeningSuite, u32), Failure> {
        const WHAT: &str = "--openings";
        let (mut path, mut format) = (None, None);
        let mut settings = SuiteSettings { plies: 8, is_shuffled: true, seed: self.seed, first: 0 };
        for (key, text) in tournament_args::pairs(WHAT, &self.openings)? {
            match (key, text) {
                ("file", _) => path = Some(PathBuf::from(text)),
                ("format", _) => format = Some(text),
                ("order", "random") => settings.is_shuffled = true,
                ("order", "sequential") => settings.is_shuffled = false,
                ("plies", _) => settings.plies = tournament_args::value::<usize>(WHAT, key, text)?.min(MAX_PLIES),
                ("start", _) => settings.first = tournament_args::value::<usize>(WHAT, key, text)?.saturating_sub(1),
                ("order", _) => return Err(MatchArgError::Value(WHAT, key.into(), text.into()).into()),
                _ => return Err(MatchArgError::Key(WHAT, key.into()).into()),
            }
        }
        let extension =
            path.as_ref().and_then(|path: &PathBuf| path.extension()).and_then(|extension| extension.to_str());
        let format = format.or_else(|| {
            extension.map(|extension| match extension {
                "pgn" | "xqf" => "pgn",
                "dat" => "book",
                _ => "fen",
            })
        });
        let bytes = match &path {
            Some(path) => files::read(path, files::MAX_FILE_BYTES).reading(path)?,
            None => Vec::new(),
        };
        let book =
            |book: OpeningBook| OpeningSuite::Book { book: Box::new(book), plies: settings.plies, seed: self.seed };
        let suite = match (&path, format) {
            (Some(path), Some("pgn")) => OpeningSuite::games(&bytes[..], &settings, &mut |number, note| {
                print_message(&format_args!("{}: game {number}: {note}", path.display()));
            }),
            (Some(_), Some("book")) => OpeningBook::read(&bytes).map(book).map_err(OpeningSuiteError::Book),
            (Some(_), None | Some("fen" | "epd")) => {
                OpeningSuite::positions(&String::from_utf8_lossy(&bytes), &settings)
            }
            (None, None) => Ok(OpeningSuite::start_position()),
            (None, Some("named")) => OpeningSuite::named(&settings),
            (None, Some("random")) => Ok(OpeningSuite::Random { seed: self.seed }),
            (None, Some("book")) => Ok(book(OpeningBook::built_in())),
            (_, Some(format)) => return Err(MatchArgError::Value(WHAT, "format".into(), format.into()).into()),
        };
        let suite = suite.in_file(path.unwrap_or_default())?;
        Ok((suite, crc32fast::hash(&bytes)))
    }
}

/// Lets Ctrl-C and `kill` end the match in order: the engines are ended, the results so far are printed. A second one ends the
/// program.
fn end_at_signals(context: &MatchContext) -> Result<(), Failure> {
    #[cfg(unix)]
    for signal in [signal_hook::consts::SIGINT, signal_hook::consts::SIGTERM] {
        let stop = || Arc::clone(&context.stop);
        signal_hook::flag::register_conditional_shutdown(signal, 130, stop())?;
        signal_hook::flag::register(signal, stop())?;
    }
    #[cfg(not(unix))]
    let _ = context;
    Ok(())
}
