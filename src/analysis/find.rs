//! Games searched for a position, moves, pieces and tags.

use crate::book::ecco;
use crate::egtb::material::{Material, MaterialError};
use crate::games::GameRecord;
use crate::games::record::GameResult;
use crate::position::{Position, START_FEN};
use crate::types::{Color, Move, Piece, Square};
use std::ops::RangeInclusive;
use std::str::FromStr;
use thiserror::Error;

/// What is on one square: `Re4`, `.e4` for nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct SquareContent {
    square: Square,
    piece: Option<Piece>,
}

/// A text that does not say what is on a square.
#[derive(Debug, Error)]
#[error("{0:?} is not a piece and a square such as Re4, nor . and a square")]
pub(crate) struct NoContent(String);

impl FromStr for SquareContent {
    type Err = NoContent;

    fn from_str(text: &str) -> Result<SquareContent, NoContent> {
        let content = match *text.as_bytes() {
            [b'.', file, rank] => Square::from_ascii(file, rank).map(|square| (square, None)),
            [letter, file, rank] => Square::from_ascii(file, rank).zip(Piece::from_letter(letter).map(Some)),
            _ => None,
        };
        let (square, piece) = content.ok_or_else(|| NoContent(text.to_string()))?;
        Ok(SquareContent { square, piece })
    }
}

/// The pieces on the board: those of a class, or its attacking pieces with any advisors and bishops.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct MaterialQuery {
    class: Material,
    any_guards: bool,
}

impl FromStr for MaterialQuery {
    type Err = MaterialError;

    /// Reads the name of a class (see [`Material::read`]); a `+` behind it: with any advisors and bishops besides.
    fn from_str(text: &str) -> Result<MaterialQuery, MaterialError> {
        let (name, any_guards) = text.strip_suffix('+').map_or((text, false), |name| (name, true));
        Ok(MaterialQuery { class: Material::read(name)?, any_guards })
    }
}

impl MaterialQuery {
    fn is_met(self, position: &Position) -> bool {
        let guards = |class: Material| Color::ALL.into_iter().fold(class, Material::without_guards);
        Material::of(position).is_some_and(|class| match self.any_guards {
            true => guards(class) == guards(self.class),
            false => class == self.class,
        })
    }
}

/// What a position of a game and the moves from there are to be. Without any of it, the start of a game.
#[derive(Clone, Debug, Default)]
pub(crate) struct PositionQuery {
    /// The board and the side to move.
    pub position: Option<Position>,
    /// The next moves.
    pub moves: Vec<Move>,
    pub pieces: Vec<SquareContent>,
    pub material: Option<MaterialQuery>,
}

/// How a hit differs from what was sought.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct View {
    /// File a for file i.
    pub is_mirrored: bool,
    /// Red for Black.
    pub is_swapped: bool,
}

impl View {
    pub(crate) fn square(self, square: Square) -> Square {
        let square = if self.is_mirrored { square.mirrored() } else { square };
        if self.is_swapped { square.flipped() } else { square }
    }

    pub(crate) fn mv(self, mv: Move) -> Move {
        Move::new(self.square(mv.from()), self.square(mv.to()))
    }

    pub(crate) fn color(self, color: Color) -> Color {
        if self.is_swapped { !color } else { color }
    }

    fn position(self, position: &Position) -> Position {
        let position = if self.is_mirrored { position.mirrored() } else { position.without_history() };
        if self.is_swapped { position.color_flipped() } else { position }
    }

    fn sought(self, sought: &PositionQuery) -> PositionQuery {
        let pieces = sought.pieces.iter().map(|content| SquareContent {
            square: self.square(content.square),
            piece: content.piece.map(|piece| Piece::new(self.color(piece.color()), piece.piece_type())),
        });
        let class = |it: MaterialQuery| if self.is_swapped { it.class.flipped() } else { it.class };
        PositionQuery {
            position: sought.position.as_ref().map(|position| self.position(position)),
            moves: sought.moves.iter().map(|&mv| self.mv(mv)).collect(),
            pieces: pieces.collect(),
            material: sought.material.map(|it| MaterialQuery { class: class(it), ..it }),
        }
    }
}

impl PositionQuery {
    /// Whether any position will do.
    fn is_any(&self) -> bool {
        self.position.is_none() && self.moves.is_empty() && self.pieces.is_empty() && self.material.is_none()
    }

    fn is_met(&self, position: &Position, next: &[Move]) -> bool {
        let is_there = |it: &SquareContent| position.piece_at(it.square) == it.piece;
        self.position.as_ref().is_none_or(|sought| sought.key() == position.key())
            && self.pieces.iter().all(is_there)
            && self.material.is_none_or(|material| material.is_met(position))
            && next.starts_with(&self.moves)
    }
}

/// What the tags of a game are to be, besides its moves.
#[derive(Clone, Debug, Default)]
pub(crate) struct TagQuery {
    /// In small letters, as the other texts: each in the name of one of the players.
    pub players: Vec<String>,
    /// In the name of Red's and of Black's player.
    pub sides: [Option<String>; 2],
    /// Names of tags, and what is in their values.
    pub tags: Vec<(String, String)>,
    pub result: Option<GameResult>,
    pub years: Option<RangeInclusive<u32>>,
    /// The beginning of the ECCO code, or a part of the opening's name.
    pub opening: Option<String>,
}

impl TagQuery {
    fn are_met(&self, game: &GameRecord, moves: &[Move]) -> bool {
        let has = |value: Option<&str>, text: &String| value.is_some_and(|value| value.to_lowercase().contains(text));
        self.players.iter().all(|name| Color::ALL.iter().any(|&side| has(game.player(side), name)))
            && Color::ALL
                .iter()
                .all(|&side| self.sides[side.index()].as_ref().is_none_or(|name| has(game.player(side), name)))
            && self.tags.iter().all(|(tag, text)| has(game.tag(tag), text))
            && self.result.is_none_or(|result| result == game.result)
            && self.years.as_ref().is_none_or(|years| year(game).is_some_and(|year| years.contains(&year)))
            && self.opening.as_ref().is_none_or(|text| is_opening(game, moves, text))
    }
}

/// The year of a game: the first four digits of its date.
pub(crate) fn year(game: &GameRecord) -> Option<u32> {
    let date = game.tag("Date")?;
    date.split(|letter: char| !letter.is_ascii_digit()).find(|it| it.len() == 4)?.parse().ok()
}

fn is_opening(game: &GameRecord, moves: &[Move], text: &str) -> bool {
    let opening = Some(moves).filter(|_| game.start.to_fen() == START_FEN).and_then(ecco::opening);
    opening.is_some_and(|opening| {
        opening.code.to_lowercase().starts_with(text)
            || opening.english.to_lowercase().contains(text)
            || opening.chinese().contains(text)
    })
}

/// A position of a game that was sought.
#[derive(Clone, Debug)]
pub(crate) struct Hit {
    /// Behind the moves that were sought.
    pub position: Position,
    /// Number of moves before it.
    pub ply: usize,
    pub view: View,
    /// All moves of the game.
    pub moves: Vec<Move>,
}

/// A search of games.
pub(crate) struct Finder {
    tags: TagQuery,
    views: Vec<(View, PositionQuery)>,
}

impl Finder {
    /// A search for this; unless `is_exact` mirror images and exchanged colors are found as well. Moves alone are those from the
    /// start position.
    pub(crate) fn new(mut sought: PositionQuery, tags: TagQuery, is_exact: bool) -> Finder {
        if !sought.moves.is_empty() && sought.position.is_none() {
            sought.position = Some(Position::start());
        }
        let all = [(false, false), (true, false), (false, true), (true, true)];
        let count = if is_exact || sought.is_any() { 1 } else { all.len() };
        let views = all[..count].iter().map(|&(is_mirrored, is_swapped)| {
            let view = View { is_mirrored, is_swapped };
            (view, view.sought(&sought))
        });
        Finder { tags, views: views.collect() }
    }

    /// The first position of the main line that was sought.
    pub(crate) fn find(&self, game: &GameRecord) -> Option<Hit> {
        let moves = game.moves();
        if !self.tags.are_met(game, &moves) {
            return None;
        }
        let mut position = game.start.clone();
        for ply in 0..=moves.len() {
            let next = &moves[ply..];
            if let Some((view, sought)) = self.views.iter().find(|(_, sought)| sought.is_met(&position, next)) {
                let count = sought.moves.len();
                next[..count].iter().for_each(|&mv| position.make(mv));
                return Some(Hit { position, ply: ply + count, view: *view, moves });
            }
            next.first().into_iter().for_each(|&mv| position.make(mv));
        }
        None
    }
}
