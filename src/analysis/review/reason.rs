//! Why a bad move is bad, where that is certain: a mate, the rules of repetition, an endgame table, or pieces that the best
//! lines capture. Nothing is said where the lines leave it open.

use super::mate_pattern::{MatePattern, mate_pattern};
use super::motif::{MIN_MATERIAL, Motif, motif};
use crate::display::units::mate_moves;
use crate::egtb::tables::Tables;
use crate::egtb::value::EndgameValue;
use crate::position::{Position, piece_value};
use crate::rules::game_status::{EndReason, GameStatus};
use crate::rules::occurrences;
use crate::types::score::{is_decided, plies_to_mate};
use crate::types::{Color, Move, Piece, PieceType, Score, Square};

/// Plies in which the first capture must come.
const FIRST_CAPTURE: usize = 8;
/// Plies without a capture after which a line that ends captures nothing.
const SHORT_LINE: usize = 4;
/// Plies without a capture that end an exchange.
const QUIET: usize = 2;

/// Why a move is bad, with the line that shows it.
#[derive(Clone)]
pub(crate) struct Explanation {
    /// Why.
    pub reason: Reason,
    /// Whether the line follows the bad move; otherwise it begins in its place.
    pub is_after: bool,
    /// The position where the line begins.
    pub start: Position,
    /// The line, as far as it shows the reason.
    pub line: Vec<Move>,
}

/// Why a move is bad.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Reason {
    /// The opponent mates in so many moves.
    Mated {
        /// Moves of the opponent.
        moves: i32,
        /// Whether the endgame tables have the position.
        by_table: bool,
        /// The name of the mate.
        pattern: Option<MatePattern>,
    },
    /// The opponent wins by the rules of repetition.
    LosesByRule,
    /// The best move would have mated in so many moves.
    MissesMate {
        /// Moves to mate.
        moves: i32,
        /// Whether the position is a draw of the endgame tables now.
        is_table_draw: bool,
        /// The name of the mate.
        pattern: Option<MatePattern>,
    },
    /// The best move would have won by the rules of repetition.
    MissesWinByRule,
    /// The best line ends in a repetition that is a draw.
    AllowsRepetition,
    /// Pieces are lost.
    LosesPieces(Exchange),
    /// The best line would have won pieces.
    MissesPieces(Exchange),
    /// Pieces are lost, and others that the best line would have won are not won.
    LosesAndMisses(Exchange, Exchange),
}

/// What an exchange costs one side, without pieces of the same worth that both lose.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Exchange {
    /// Its pieces, each with its square if it did not move before it was captured.
    pub lost: Vec<(Piece, Option<Square>)>,
    /// What it gets for them.
    pub gained: Vec<Piece>,
    /// How the pieces are won, and the ply of the line that does it.
    pub motif: Option<(Motif, usize)>,
}

/// A capture of a line.
#[derive(Clone, Copy)]
struct Capture {
    ply: usize,
    piece: Piece,
    /// Its square, if it has not moved since the first ply.
    square: Option<Square>,
}

/// What the search of a position found.
#[derive(Clone, Copy)]
pub(crate) struct Found<'a> {
    /// The position, without the moves before it.
    pub position: &'a Position,
    /// Red's score.
    pub score: Option<Score>,
    /// The best line.
    pub best: &'a [Move],
}

/// Why the move `played` in `position` (with the moves before it) is bad; `before` and `after`: the positions around it;
/// `end`: the status, if the move ended the game.
pub(crate) fn explain(
    position: &Position,
    played: Move,
    [before, after]: [Found; 2],
    end: &GameStatus,
    tables: Option<&Tables>,
) -> Option<Explanation> {
    let side = position.side();
    let shown = |reason, found: Found, is_after, plies: usize| Explanation {
        reason,
        is_after,
        start: found.position.clone(),
        line: found.best[..plies].to_vec(),
    };
    // By the line that follows, and by the line that the better move begins.
    let by_reply = |reason, plies| Some(shown(reason, after, true, plies));
    let by_better = |reason, plies| Some(shown(reason, before, false, plies));
    match end {
        GameStatus::Ongoing => {}
        // A mate, and a repetition that loses; the move limit is no reason.
        GameStatus::Won { reason: EndReason::Checkmate | EndReason::Stalemate, .. } => return None,
        GameStatus::Won { winner, .. } => return by_reply(Reason::LosesByRule, 0).filter(|_| *winner != side),
        GameStatus::Drawn(reason) => {
            return by_reply(Reason::AllowsRepetition, 0).filter(|_| *reason == EndReason::Repetition);
        }
    }
    let [best_score, score] = [before.score?, after.score?].map(|score| score * side.sign());
    if is_decided(score) && score < 0 {
        let mated = || Reason::Mated {
            moves: mate_moves(-score),
            by_table: tables.is_some_and(|tables| tables.probe(after.position).is_some()),
            pattern: mate_pattern(after.position, after.best),
        };
        return by_reply(if plies_to_mate(score).is_some() { mated() } else { Reason::LosesByRule }, after.best.len());
    }
    if is_decided(best_score) && best_score > 0 && !is_decided(score) {
        let is_draw = |tables: &Tables| {
            tables.probe(after.position).is_some_and(|probe| probe.is_exact && probe.value == EndgameValue::Draw)
        };
        let missed = || Reason::MissesMate {
            moves: mate_moves(best_score),
            is_table_draw: tables.is_some_and(is_draw),
            pattern: mate_pattern(before.position, before.best),
        };
        let reason = if plies_to_mate(best_score).is_some() { missed() } else { Reason::MissesWinByRule };
        return by_better(reason, before.best.len());
    }
    let line: Vec<Move> = [played].into_iter().chain(after.best.iter().copied()).collect();
    if score == 0 && repeats(position, &line) {
        return by_reply(Reason::AllowsRepetition, after.best.len());
    }
    let captures_of = |line: &[Move], unmoved: usize| captures(before.position, line, unmoved);
    let (all, best_all) = (captures_of(&line, 1), captures_of(before.best, 0));
    let lost = |captures: &[Capture]| -balance(captures, side);
    let played = &all[..settled(&all, line.len())?];
    let best = settled(&best_all, before.best.len()).map(|count| &best_all[..count]);
    // Of a line that ends during the exchange, the worst moment.
    let worst = || (0..=best_all.len()).map(|count| lost(&best_all[..count])).max().unwrap_or(0);
    let difference = lost(played) - best.map_or_else(worst, lost);
    // Where the scores differ by much less, the pieces come back later, or there is something for them.
    if difference < MIN_MATERIAL || best_score - score < difference / 2 {
        return None;
    }
    // In the line from the next position on.
    let later: Vec<Capture> =
        played.iter().filter_map(|it| Some(Capture { ply: it.ply.checked_sub(1)?, ..*it })).collect();
    let plies = |captures: &[Capture]| captures.last().map_or(0, |last| last.ply + 1);
    let losing = || exchange(played, &later, side, after);
    let least = lost(played).min(lost(&all));
    if least >= MIN_MATERIAL {
        return by_reply(Reason::LosesPieces(losing()), plies(&later));
    }
    let best = best?;
    let won = -lost(best).max(lost(&best_all));
    let missing = || exchange(best, best, !side, before);
    if lost(played) <= 0 && won >= MIN_MATERIAL {
        return by_better(Reason::MissesPieces(missing()), plies(best));
    }
    let is_both = least > 0 && won > 0 && least + won >= MIN_MATERIAL;
    if !is_both {
        return None;
    }
    let missing = Exchange { motif: None, ..missing() };
    by_reply(Reason::LosesAndMisses(losing(), missing), plies(&later))
}

/// Whether a position of the line occurred before.
fn repeats(position: &Position, line: &[Move]) -> bool {
    let mut position = position.clone();
    line.iter().any(|&mv| {
        position.make(mv);
        occurrences(&position) > 1
    })
}

/// The captures of a line. Squares are those of pieces that have not moved since the ply `unmoved`.
fn captures(position: &Position, line: &[Move], unmoved: usize) -> Vec<Capture> {
    let mut position = position.clone();
    let mut captures = Vec::new();
    for (ply, &mv) in line.iter().enumerate() {
        if let Some(piece) = position.piece_at(mv.to()).filter(|piece| piece.color() != position.side()) {
            let has_moved = line.iter().take(ply).skip(unmoved).any(|earlier| earlier.to() == mv.to());
            captures.push(Capture { ply, piece, square: (!has_moved).then_some(mv.to()) });
        }
        position.make(mv);
    }
    captures
}

/// The number of captures, one after the other, until the exchange that begins the line is over; `None` if a line of so
/// many plies ends before.
fn settled(captures: &[Capture], plies: usize) -> Option<usize> {
    let (mut end, mut least) = (FIRST_CAPTURE, SHORT_LINE);
    for (count, capture) in captures.iter().enumerate() {
        if capture.ply >= end {
            return Some(count);
        }
        end = capture.ply + 1 + QUIET;
        least = end;
    }
    (plies >= least).then_some(captures.len())
}

/// What the side to move has won in engine units, by the moves of `line` alone and with the exchange that `rest` goes on with:
/// the lesser.
pub(crate) fn settled_material(position: &Position, line: &[Move], rest: &[Move]) -> Score {
    let all = captures(position, &[line, rest].concat(), 0);
    let made = all.iter().filter(|it| it.ply < line.len()).count();
    let over = all[made..].iter().scan(line.len(), |end, it| {
        let goes_on = it.ply < *end + QUIET;
        *end = it.ply + 1;
        goes_on.then_some(())
    });
    let count = made + over.count();
    balance(&all[..made], position.side()).min(balance(&all[..count], position.side()))
}

/// What `side` has won by the captures, in engine units.
fn balance(captures: &[Capture], side: Color) -> Score {
    captures.iter().map(|it| -side.sign() * it.piece.color().sign() * piece_value(it.piece.piece_type())).sum()
}

/// The captures as an exchange for `side`; `in_line`: those in the line of `found`, which the other side begins.
fn exchange(captures: &[Capture], in_line: &[Capture], side: Color, found: Found) -> Exchange {
    let (lost, gained): (Vec<Capture>, Vec<Capture>) =
        captures.iter().copied().partition(|it| it.piece.color() == side);
    let mut lost: Vec<_> = lost.iter().map(|it| (it.piece, it.square)).collect();
    let mut left = Vec::new();
    for piece in gained.iter().map(|it| it.piece) {
        match lost.iter().position(|(other, _)| worth(*other) == worth(piece)) {
            Some(same) => drop(lost.remove(same)),
            None => left.push(piece),
        }
    }
    let is_lost = |it: &&Capture| it.ply.is_multiple_of(2) && lost.iter().any(|&(piece, _)| piece == it.piece);
    let motif = in_line.iter().filter(is_lost).find_map(|it| motif(found.position, found.best, it.ply));
    Exchange { lost, gained: left, motif }
}

/// A knight and a cannon are worth the same.
fn worth(piece: Piece) -> PieceType {
    if piece.piece_type() == PieceType::Cannon { PieceType::Knight } else { piece.piece_type() }
}

impl Reason {
    /// Whether it needs no confirmation by a longer search: a proven mate, the tables, or the rules.
    pub(crate) fn is_proven(&self) -> bool {
        !matches!(
            self,
            Reason::AllowsRepetition | Reason::LosesPieces(_) | Reason::MissesPieces(_) | Reason::LosesAndMisses(..)
        )
    }

    /// The ply of the line with which the pieces are won.
    pub(crate) fn key(&self) -> Option<usize> {
        match self {
            Reason::LosesPieces(exchange) | Reason::MissesPieces(exchange) | Reason::LosesAndMisses(exchange, _) => {
                exchange.motif.map(|(_, ply)| ply)
            }
            _ => None,
        }
    }

    /// The name of its kind in JSON, in English and in Chinese.
    pub(crate) fn names(&self) -> [&'static str; 3] {
        match self {
            Reason::Mated { .. } => ["mate-allowed", "mate allowed", "被杀"],
            Reason::MissesMate { is_table_draw: true, .. } => {
                ["table-win-missed", "won endgame given away", "放走残局胜势"]
            }
            Reason::MissesMate { .. } => ["mate-missed", "mate missed", "漏杀"],
            Reason::LosesByRule => ["lost-by-rule", "lost by rule", "犯规判负"],
            Reason::MissesWinByRule => ["win-by-rule-missed", "win by rule missed", "放过对方犯规"],
            Reason::AllowsRepetition => ["repetition-allowed", "repetition allowed", "被迫不变作和"],
            Reason::LosesPieces(exchange) | Reason::MissesPieces(exchange) | Reason::LosesAndMisses(exchange, _) => {
                exchange.motif.map_or(["exchange", "exchange", "兑子失算"], |(motif, _)| motif.names())
            }
        }
    }
}
