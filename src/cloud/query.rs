//! Queries of the Xiangqi Cloud Database (chessdb.cn): the actions of its HTTP interface, and their parameters.

use crate::position::Position;
use crate::types::{Move, Piece, PieceType};
use std::fmt;

/// Maximum number of pieces of a position for which the database has endgame tables.
const MAX_TABLE_PIECES: usize = 13;
/// Maximum number of attacking pieces (rooks, knights, cannons, pawns) of such a position.
const MAX_TABLE_ATTACKERS: usize = 5;

/// An action: what is asked about a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum CloudAction {
    /// All moves that the database knows, with scores.
    QueryAll,
    /// One of the best moves, at random.
    QueryBest,
    /// One of the good moves, at random: a wider choice.
    Query,
    /// The moves that are worth a search.
    QuerySearch,
    /// The score of the position.
    QueryScore,
    /// The principal variation.
    QueryPv,
    /// Ask the server to analyse the position.
    Queue,
}

impl CloudAction {
    /// All actions with their names in the interface.
    pub const NAMES: [(&'static str, CloudAction); 7] = [
        ("queryall", CloudAction::QueryAll),
        ("querybest", CloudAction::QueryBest),
        ("query", CloudAction::Query),
        ("querysearch", CloudAction::QuerySearch),
        ("queryscore", CloudAction::QueryScore),
        ("querypv", CloudAction::QueryPv),
        ("queue", CloudAction::Queue),
    ];

    /// The action with this name.
    pub fn named(name: &str) -> Option<CloudAction> {
        CloudAction::NAMES.iter().find(|(known, _)| *known == name).map(|&(_, action)| action)
    }
}

/// The name in the interface.
impl fmt::Display for CloudAction {
    fn fmt(&self, out: &mut fmt::Formatter) -> fmt::Result {
        let name = CloudAction::NAMES.iter().find(|(_, action)| action == self).map_or("", |(name, _)| name);
        out.write_str(name)
    }
}

/// What the distances of endgame tables count.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum TableMetric {
    /// Plies to the mate.
    Dtm,
    /// Steps to the next capture or conversion into another ending.
    Dtc,
}

/// A query about a position.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct CloudQuery {
    /// What is asked.
    pub action: CloudAction,
    /// The first two fields of the FEN: pieces and side to move.
    board: String,
    /// The moves to exclude, in the syntax of the interface.
    banned: String,
    /// Only answers from endgame tables (`query`, `querybest` and `querysearch`).
    pub endgame_only: bool,
    /// The distances of endgame tables; `None`: the server's default, plies to the mate.
    pub metric: Option<TableMetric>,
    /// Whether the server may analyse the position if it does not know it; so the interface has it by default.
    pub learn: bool,
    /// Also list the legal moves that the database does not know (`queryall`).
    pub show_all: bool,
    /// Prefer a principal variation that stays the same from query to query (`querypv`).
    pub stable: bool,
}

impl CloudQuery {
    /// A query about `position`, without the moves `banned`, and without optional parameters.
    pub fn new(action: CloudAction, position: &Position, banned: &[Move]) -> CloudQuery {
        let board: Vec<String> = position.to_fen().split(' ').take(2).map(str::to_string).collect();
        let mut banned: Vec<String> = banned.iter().map(|mv| format!("move:{mv}")).collect();
        banned.sort();
        banned.dedup();
        CloudQuery {
            action,
            board: board.join(" "),
            banned: banned.join("|"),
            endgame_only: false,
            metric: None,
            learn: true,
            show_all: false,
            stable: false,
        }
    }

    /// The parameters of the URL, not yet encoded.
    pub fn parameters(&self) -> Vec<(&'static str, String)> {
        let mut parameters = vec![("action", self.action.to_string()), ("board", self.board.clone())];
        if !self.banned.is_empty() {
            parameters.push(("ban", self.banned.clone()));
        }
        let flags = [("endgame", self.endgame_only), ("showall", self.show_all), ("stable", self.stable)];
        parameters.extend(flags.iter().filter(|(_, on)| *on).map(|&(name, _)| (name, "1".to_string())));
        match self.metric {
            Some(TableMetric::Dtm) => parameters.push(("egtbmetric", "dtm".to_string())),
            Some(TableMetric::Dtc) => parameters.push(("egtbmetric", "dtc".to_string())),
            None => {}
        }
        if !self.learn {
            parameters.push(("learn", "0".to_string()));
        }
        parameters
    }
}

/// Whether `position` has few enough pieces for the endgame tables of the database, which cover many but not all such
/// positions.
pub fn is_table_ending(position: &Position) -> bool {
    let is_attacker = |piece: &Piece| {
        use PieceType::{Cannon, Knight, Pawn, Rook};
        matches!(piece.piece_type(), Rook | Knight | Cannon | Pawn)
    };
    let pieces = || position.pieces().map(|(piece, _)| piece);
    pieces().count() <= MAX_TABLE_PIECES && pieces().filter(is_attacker).count() <= MAX_TABLE_ATTACKERS
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn endings_with_tables_have_few_pieces_and_attackers() {
        let is_ending = |fen: &str| is_table_ending(&Position::from_fen(fen).unwrap());
        // Thirteen pieces, five attackers; another advisor; another pawn instead of an advisor.
        assert!(is_ending("2bak4/4a4/4b3n/9/9/2P6/9/4B4/4A4/3AKR1C1 w - - 0 1"));
        assert!(!is_ending("2bak1b2/4a4/9/9/8n/2P6/9/4B4/4A4/3AKRBC1 w - - 0 1"));
        assert!(!is_ending("2bak4/9/4b3n/p8/9/2P6/9/4B4/4A4/3AKRPC1 w - - 0 1"));
        assert!(!is_table_ending(&Position::start()));
    }
}
