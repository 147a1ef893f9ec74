//! Why a bad move is bad, where that is certain: a mate, the rules of repetition, an endgame table, or pieces that the best
//! lines capture. Nothing is said where the lines leave it open.

use crate::display::language::Language;
use crate::display::units::mate_moves;
use crate::egtb::tables::Tables;
use crate::egtb::value::EndgameValue;
use crate::position::{Position, piece_value};
use crate::rules::game_status::{EndReason, GameStatus};
use crate::rules::occurrences;
use crate::types::score::{is_decided, plies_to_mate};
use crate::types::{Color, Move, Piece, PieceType, Score, Square};

/// Plies in which the first capture must come.
const FIRST_CAPTURE: usize = 4;
/// Plies without a capture that end an exchange.
const QUIET: usize = 2;
/// The material, in engine units, from which a loss is told: a knight for a pawn is less, a rook for a cannon is more.
const MIN_MATERIAL: Score = 300;

/// Why a move is bad.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Reason {
    /// The opponent mates in so many moves.
    Mated {
        /// Moves of the opponent.
        moves: i32,
        /// Whether the endgame tables have the position.
        by_table: bool,
    },
    /// The opponent wins by the rules of repetition.
    LosesByRule,
    /// The best move would have mated in so many moves.
    MissesMate {
        /// Moves to mate.
        moves: i32,
        /// Whether the position is a draw of the endgame tables now.
        is_table_draw: bool,
    },
    /// The best move would have won by the rules of repetition.
    MissesWinByRule,
    /// The best line ends in a repetition that is a draw.
    AllowsRepetition,
    /// Pieces are lost.
    LosesPieces(Exchange),
    /// The best line would have won pieces.
    MissesPieces(Exchange),
}

/// What an exchange costs one side, without pieces of the same worth that both lose.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Exchange {
    /// Its pieces, each with its square if it did not move before it was captured.
    pub lost: Vec<(Piece, Option<Square>)>,
    /// What it gets for them.
    pub gained: Vec<Piece>,
}

/// A capture of a line.
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
pub(crate) fn reason(
    position: &Position,
    played: Move,
    [before, after]: [Found; 2],
    end: &GameStatus,
    tables: Option<&Tables>,
) -> Option<Reason> {
    let side = position.side();
    match end {
        GameStatus::Ongoing => {}
        // A mate, and a repetition that loses; the move limit is no reason.
        GameStatus::Won { reason: EndReason::Checkmate | EndReason::Stalemate, .. } => return None,
        GameStatus::Won { winner, .. } => return (*winner != side).then_some(Reason::LosesByRule),
        GameStatus::Drawn(reason) => return (*reason == EndReason::Repetition).then_some(Reason::AllowsRepetition),
    }
    let [best_score, score] = [before.score?, after.score?].map(|score| score * side.sign());
    if is_decided(score) && score < 0 {
        let mated = Reason::Mated {
            moves: mate_moves(-score),
            by_table: tables.is_some_and(|tables| tables.probe(after.position).is_some()),
        };
        return Some(if plies_to_mate(score).is_some() { mated } else { Reason::LosesByRule });
    }
    if is_decided(best_score) && best_score > 0 && !is_decided(score) {
        let is_draw = |tables: &Tables| {
            tables.probe(after.position).is_some_and(|probe| probe.is_exact && probe.value == EndgameValue::Draw)
        };
        let missed = Reason::MissesMate { moves: mate_moves(best_score), is_table_draw: tables.is_some_and(is_draw) };
        return Some(if plies_to_mate(best_score).is_some() { missed } else { Reason::MissesWinByRule });
    }
    let line: Vec<Move> = [played].into_iter().chain(after.best.iter().copied()).collect();
    if score == 0 && repeats(position, &line) {
        return Some(Reason::AllowsRepetition);
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
    if lost(played).min(lost(&all)) >= MIN_MATERIAL {
        return Some(Reason::LosesPieces(exchange(played, side)));
    }
    let best = best?;
    let won = -lost(best).max(lost(&best_all));
    let misses = lost(played) <= 0 && won >= MIN_MATERIAL;
    misses.then(|| Reason::MissesPieces(exchange(best, !side)))
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
    let mut quiet_from = 0;
    let mut wait = FIRST_CAPTURE;
    for (count, capture) in captures.iter().enumerate() {
        if capture.ply >= quiet_from + wait {
            return Some(count);
        }
        (quiet_from, wait) = (capture.ply + 1, QUIET);
    }
    (plies >= quiet_from + wait).then_some(captures.len())
}

/// What `side` has won by the captures, in engine units.
fn balance(captures: &[Capture], side: Color) -> Score {
    captures.iter().map(|it| -side.sign() * it.piece.color().sign() * piece_value(it.piece.piece_type())).sum()
}

/// The captures as an exchange for `side`.
fn exchange(captures: &[Capture], side: Color) -> Exchange {
    let (lost, gained): (Vec<&Capture>, Vec<&Capture>) = captures.iter().partition(|it| it.piece.color() == side);
    let mut lost: Vec<_> = lost.iter().map(|it| (it.piece, it.square)).collect();
    let mut left = Vec::new();
    for piece in gained.iter().map(|it| it.piece) {
        match lost.iter().position(|(other, _)| worth(*other) == worth(piece)) {
            Some(same) => drop(lost.remove(same)),
            None => left.push(piece),
        }
    }
    Exchange { lost, gained: left }
}

/// A knight and a cannon are worth the same.
fn worth(piece: Piece) -> PieceType {
    if piece.piece_type() == PieceType::Cannon { PieceType::Knight } else { piece.piece_type() }
}

impl Reason {
    /// The reason as a sentence.
    pub(crate) fn text(&self, language: Language) -> String {
        let text = match self {
            Reason::Mated { moves, by_table } => {
                let table = if *by_table { language.pick(" (endgame table)", "（残局库）") } else { "" };
                language.pick(format!("Allows mate in {moves}{table}"), format!("对方{moves}着杀{table}"))
            }
            Reason::LosesByRule => language.pick("Loses by the rules of repetition", "按循环规则判负").to_string(),
            Reason::MissesMate { moves, is_table_draw } => {
                let now = language.pick("; now a draw (endgame table)", "；现为和棋（残局库）");
                let now = if *is_table_draw { now } else { "" };
                language.pick(format!("Misses mate in {moves}{now}"), format!("错过{moves}着杀{now}"))
            }
            Reason::MissesWinByRule => {
                language.pick("Misses a win by the rules of repetition", "错过按循环规则取胜").to_string()
            }
            Reason::AllowsRepetition => language.pick("Allows a draw by repetition", "对方可循环成和").to_string(),
            Reason::LosesPieces(exchange) => exchange.text("Loses", "丢", language),
            Reason::MissesPieces(exchange) => exchange.text("Misses the win of", "错过得", language),
        };
        text + language.pick(".", "。")
    }
}

impl Exchange {
    fn text(&self, english: &str, chinese: &str, language: Language) -> String {
        let join = |names: Vec<String>| names.join(language.pick(" and ", "、"));
        let a = |piece: Piece| {
            let name = language.piece(piece);
            let article = if name.starts_with('a') { "an" } else { "a" };
            language.pick(format!("{article} {name}"), name.to_string())
        };
        let lost = self.lost.iter().map(|&(piece, square)| match square {
            Some(square) => {
                let name = language.piece(piece);
                language.pick(format!("the {name} on {square}"), format!("{name}（{square}）"))
            }
            None => a(piece),
        });
        let lost = join(lost.collect());
        let text = language.pick(format!("{english} {lost}"), format!("{chinese}{lost}"));
        if self.gained.is_empty() {
            return text;
        }
        let gained = join(self.gained.iter().map(|&piece| a(piece)).collect());
        text + &language.pick(format!(" for {gained}"), format!("，换{gained}"))
    }
}
