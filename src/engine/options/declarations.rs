//! The table of options. To add an option, see [`super`].

use super::declaration::{Declaration, Effect, OptionType};
use super::values::{BookChoice, BookUse, Options, Style};
use crate::engine::level;
use crate::eval::Knowledge;
use crate::notation::Ranks;
use crate::position::Variant;
use crate::rules::{ALL_CHECKS, MOVE_LIMIT, Repetition};
use crate::search::pruning::Pruning;
use crate::search::settings::Idle;
use std::time::Duration;

/// Longest accepted move limit, in plies.
const MAX_MOVE_LIMIT: u32 = 1_000;

/// All options, in the order of announcement.
///
/// `resign` and `draws` stand early: GMChess drops the first block of 1,024 bytes of the greeting, and takes these words
/// in a later one for a resignation and a draw offer.
pub const DECLARATIONS: &[Declaration] = &[
    row(
        "usemillisec",
        "",
        check(true, |options, on| options.use_milliseconds = on),
        Effect::None,
        "times in UCCI's go are milliseconds; otherwise seconds",
    ),
    row("resign", "", check(true, |options, on| options.resigns = on), Effect::None, "resign lost games"),
    row(
        "draws",
        "",
        check(true, |options, on| options.draws = on),
        Effect::None,
        "offer draws, and accept those that are offered",
    ),
    row(
        "batch",
        "",
        check(false, |options, on| options.batch = on),
        Effect::None,
        "read nothing during perft, bench and searches that end by themselves",
    ),
    row(
        "debug",
        "",
        check(false, |options, on| options.debug = on),
        Effect::None,
        "report how commands were understood, and why a search ended",
    ),
    row(
        "ponder",
        "Ponder",
        check(false, |options, on| options.ponder = on),
        Effect::None,
        "the client lets the engine ponder: it may think a quarter longer",
    ),
    row(
        "hashsize",
        "Hash",
        spin(0, 0, 32_768, |options, megabytes| options.hash_megabytes = (megabytes > 0).then_some(megabytes as usize)),
        Effect::ResizeHash,
        "transposition table in MB; 0: chosen by the engine",
    ),
    row(
        "threads",
        "Threads",
        spin(1, 0, 256, |options, threads| options.threads = (threads > 0).then_some(threads as usize)),
        Effect::PrepareThreads,
        "search threads; 0: one per processor",
    ),
    row(
        "multipv",
        "MultiPV",
        spin(1, 1, 128, |options, lines| options.lines = lines as usize),
        Effect::None,
        "number of best lines shown",
    ),
    row(
        "moveoverhead",
        "Move Overhead",
        spin(30, 0, 10_000, |options, time| options.move_overhead = Some(Duration::from_millis(time.into()))),
        Effect::None,
        "milliseconds per move kept in reserve for delays between engine and client",
    ),
    row(
        "showwdl",
        "UCI_ShowWDL",
        check(false, |options, on| options.show_wdl = on),
        Effect::None,
        "show win/draw/loss probabilities with the scores, per mille",
    ),
    row(
        "usebook",
        "OwnBook",
        OptionType::Check {
            default: true,
            uci_default: false,
            set: |options, on| options.use_book = if on { BookUse::On } else { BookUse::Off },
        },
        Effect::None,
        "play from opening books",
    ),
    row(
        "bookfiles",
        "Book Files",
        OptionType::Text { set: |options, files| options.book_files = files.to_string() },
        Effect::OpenBooks,
        "opening books, separated by semicolons; empty: the built-in one",
    ),
    row(
        "bookdepth",
        "Book Depth",
        spin(60, 0, 1_000, |options, plies| options.book_depth = plies),
        Effect::None,
        "plies of a game after which no book is used",
    ),
    row(
        "bookchoice",
        "Book Choice",
        OptionType::Combo {
            values: &[
                ("weighted", |options| options.book_choice = BookChoice::Weighted),
                ("best", |options| options.book_choice = BookChoice::Best),
            ],
        },
        Effect::None,
        "play each book move in proportion to its weight, or only the best",
    ),
    row(
        "cloudbook",
        "Cloud Book",
        check(false, |options, on| options.cloud_book = on),
        Effect::None,
        "ask the Xiangqi Cloud Database where the books have no move",
    ),
    row(
        "cloudaddress",
        "Cloud Address",
        OptionType::Text { set: |options, address| options.cloud_address = address.to_string() },
        Effect::ResetCloud,
        "another server with the same interface (http://…)",
    ),
    row(
        "cloudtimeout",
        "Cloud Timeout",
        spin(1_000, 50, 30_000, |options, time| options.cloud_timeout = Duration::from_millis(time.into())),
        Effect::None,
        "longest wait for the cloud, in milliseconds",
    ),
    row(
        "useegtb",
        "Use EGTB",
        check(true, |options, on| options.use_egtb = on),
        Effect::ForgetScores,
        "use endgame tables",
    ),
    row(
        "egtbpaths",
        "EGTB Paths",
        OptionType::Text { set: |options, folders| options.egtb_folders = folders.to_string() },
        Effect::OpenTables,
        "folders of endgame tables, separated by semicolons; empty: the folder egtb",
    ),
    row(
        "idle",
        "Idle",
        OptionType::Combo {
            values: &[
                ("none", |options| options.idle = Idle::None),
                ("small", |options| options.idle = Idle::Small),
                ("medium", |options| options.idle = Idle::Medium),
                ("large", |options| options.idle = Idle::Large),
            ],
        },
        Effect::None,
        "leave a quarter, half or three quarters of the processor to other programs",
    ),
    row(
        "pruning",
        "Pruning",
        OptionType::Combo {
            values: &[
                ("large", |options| options.pruning = Pruning::Large),
                ("medium", |options| options.pruning = Pruning::Medium),
                ("small", |options| options.pruning = Pruning::Small),
                ("none", |options| options.pruning = Pruning::None),
            ],
        },
        Effect::ForgetScores,
        "how much the search prunes",
    ),
    row(
        "knowledge",
        "Knowledge",
        OptionType::Combo {
            values: &[
                ("large", |options| options.knowledge = Knowledge::Large),
                ("medium", |options| options.knowledge = Knowledge::Medium),
                ("small", |options| options.knowledge = Knowledge::Small),
                ("none", |options| options.knowledge = Knowledge::None),
            ],
        },
        Effect::ForgetScores,
        "what the evaluation uses",
    ),
    row(
        "evalapi",
        "EvalFile",
        OptionType::Text { set: |options, path| options.evaluation_file = (!path.is_empty()).then(|| path.into()) },
        Effect::OpenNetwork,
        "network file to use in place of the built-in one",
    ),
    row(
        "randomness",
        "Randomness",
        // Values in UCCI points, as in ElephantEye.
        OptionType::Combo {
            values: &[
                ("none", |options| options.randomness = 0),
                ("tiny", |options| options.randomness = 1),
                ("small", |options| options.randomness = 3),
                ("medium", |options| options.randomness = 7),
                ("large", |options| options.randomness = 15),
                ("huge", |options| options.randomness = 31),
            ],
        },
        Effect::None,
        "play moves worse than the best by at most 1, 3, 7, 15 or 31 UCCI points",
    ),
    row(
        "randomseed",
        "Random Seed",
        spin(0, 0, i32::MAX as u32, |options, seed| options.seed = (seed > 0).then_some(seed)),
        Effect::Seed,
        "seed of the random numbers in every new game; 0: a new seed each time",
    ),
    row(
        "level",
        "",
        spin(level::FULL, 1, level::FULL, |options, level| options.level = level),
        Effect::None,
        "playing strength; 20: full",
    ),
    row(
        "",
        "Skill Level",
        spin(level::FULL, 0, level::FULL, |options, level| options.level = level),
        Effect::None,
        "playing strength; 20: full",
    ),
    row(
        "",
        "UCI_LimitStrength",
        check(false, |options, on| options.limits_strength = on),
        Effect::None,
        "play with the strength of UCI_Elo instead of Skill Level",
    ),
    row(
        "",
        "UCI_Elo",
        spin(level::MAX_ELO, level::MIN_ELO, level::MAX_ELO, |options, elo| options.elo = elo),
        Effect::None,
        "strength in Elo, if UCI_LimitStrength is on",
    ),
    row(
        "style",
        "Style",
        OptionType::Combo {
            values: &[
                ("normal", |options| options.style = Style::Normal),
                ("solid", |options| options.style = Style::Solid),
                ("risky", |options| options.style = Style::Risky),
            ],
        },
        Effect::ForgetScores,
        "contempt: what a draw is worth",
    ),
    row(
        "repetition",
        "Repetition Rule",
        OptionType::Combo {
            values: &[
                ("asian", |options| options.rules.repetition = Repetition::Asian),
                ("league", |options| options.rules.repetition = Repetition::League),
                ("chinese", |options| options.rules.repetition = Repetition::Chinese),
                ("plain", |options| options.rules.repetition = Repetition::Plain),
            ],
        },
        Effect::ForgetScores,
        "how repetitions are judged",
    ),
    row(
        "movelimit",
        "Move Limit",
        spin(MOVE_LIMIT, 20, MAX_MOVE_LIMIT, |options, plies| options.rules.move_limit = plies),
        Effect::ForgetScores,
        "plies without a capture after which the game is drawn",
    ),
    row(
        "checkscount",
        "Checks Count",
        check(true, |options, on| options.rules.checks_count = on),
        Effect::ForgetScores,
        "checks and the replies to them count towards the move limit",
    ),
    row(
        "countedchecks",
        "Counted Checks",
        spin(ALL_CHECKS, 0, ALL_CHECKS, |options, checks| options.rules.counted_checks = checks),
        Effect::ForgetScores,
        "each side's checks that count towards the move limit; 1000: all",
    ),
    row(
        "promotion",
        "Promotion",
        check(false, |options, on| options.variant = Variant::promoting(on)),
        Effect::ForgetScores,
        "a variant: advisors and bishops may become pawns",
    ),
    row(
        "ranks",
        "Ranks",
        OptionType::Combo {
            values: &[
                ("auto", |options| options.ranks = None),
                ("0", |options| options.ranks = Some(Ranks::FromZero)),
                ("1", |options| options.ranks = Some(Ranks::FromOne)),
            ],
        },
        Effect::None,
        "number of the first rank in coordinates of moves; auto: as the client has it",
    ),
    row("newgame", "", OptionType::Button, Effect::NewGame, "a new game: clear the hash table and the histories"),
    row("clearhash", "Clear Hash", OptionType::Button, Effect::ClearHash, "clear the transposition table"),
    row("", "UCI_Variant", OptionType::Combo { values: &[("xiangqi", |_| {})] }, Effect::None, "the game played"),
];

/// Options of other engines that have a meaning here and that clients set without being offered them. Not announced.
pub(super) const FOREIGN: &[Declaration] = &[
    row(
        "",
        // Pikafish.
        "Sixty Move Rule",
        check(true, |options, on| options.rules.move_limit = if on { MOVE_LIMIT } else { MAX_MOVE_LIMIT }),
        Effect::ForgetScores,
        "whether the game is drawn after sixty moves of each side without a capture",
    ),
    // Fairy-Stockfish. Tells that the client is made for it.
    row("", "UCI_Chess960", check(false, |_, _| {}), Effect::None, "chess from a random position"),
];

/// The options of Fairy-Stockfish (what versions 11.1 and 14 announce). A client that sets `UCI_Variant` and none but
/// these is made for it. Those that this engine does not have are ignored in silence.
pub(super) const FAIRY_STOCKFISH: &[&str] = &[
    "Analysis Contempt",
    "Clear Hash",
    "Contempt",
    "Debug Log File",
    "EvalFile",
    "Hash",
    "Minimum Thinking Time",
    "Move Overhead",
    "MultiPV",
    "nodestime",
    "Ponder",
    "Protocol",
    "Skill Level",
    "Slow Mover",
    "Syzygy50MoveRule",
    "SyzygyPath",
    "SyzygyProbeDepth",
    "SyzygyProbeLimit",
    "Threads",
    "TsumeMode",
    "UCI_AnalyseMode",
    "UCI_Chess960",
    "UCI_Elo",
    "UCI_LimitStrength",
    "UCI_ShowWDL",
    "UCI_Variant",
    "Use NNUE",
    "usemillisec",
    "VariantPath",
];

/// Options of Pikafish that have no meaning here, and that Fairy-Stockfish does not have. Ignored in silence.
pub(super) const PIKAFISH: &[&str] = &[
    "Draw Rule",
    "LU_Output",
    "Mate Threat Depth",
    "NumaPolicy",
    "Repetition Fold",
    "Rule60MaxPly",
    "ScoreType",
    "Strict Three Fold",
    "UCI_WDLCentipawn",
];

/// Names of options and words of combos that clients use for those of [`DECLARATIONS`]: UCCI 2's `selectivity`, and
/// Pikafish's `AsianRule` and `ChineseRule`.
pub(super) const SYNONYMS: &[(&str, &str)] =
    &[("selectivity", "randomness"), ("AsianRule", "asian"), ("ChineseRule", "chinese")];

const fn row(
    ucci: &'static str,
    uci: &'static str,
    kind: OptionType,
    effect: Effect,
    meaning: &'static str,
) -> Declaration {
    Declaration { ucci: name(ucci), uci: name(uci), kind, effect, meaning }
}

/// `None` for an empty name.
const fn name(text: &'static str) -> Option<&'static str> {
    if text.is_empty() { None } else { Some(text) }
}

const fn check(default: bool, set: fn(&mut Options, bool)) -> OptionType {
    OptionType::Check { default, uci_default: default, set }
}

const fn spin(default: u32, min: u32, max: u32, set: fn(&mut Options, u32)) -> OptionType {
    OptionType::Spin { min, max, default, set }
}
