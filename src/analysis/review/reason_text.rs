//! Explanations as sentences, in the words of the board that is shown: with files counted by each side, or with squares.

use super::mate_pattern::MatePattern;
use super::motif::Motif;
use super::reason::{Exchange, Explanation, Reason};
use crate::display::language::Language;
use crate::notation::Notation;
use crate::types::{Color, Piece, PieceType, Square};

/// How a sentence is written.
#[derive(Clone, Copy)]
struct Style<'a> {
    explanation: &'a Explanation,
    language: Language,
    notation: Notation,
}

impl Explanation {
    /// The explanation as a sentence; pieces and moves as in `notation`.
    pub(crate) fn text(&self, language: Language, notation: Notation) -> String {
        let style = Style { explanation: self, language, notation };
        let named = |pattern: &Option<MatePattern>| {
            pattern.map(MatePattern::names).map_or(String::new(), |[_, english, chinese]| {
                language.pick(format!(" ({english})"), format!("（{chinese}）"))
            })
        };
        let text = match &self.reason {
            Reason::Mated { moves, by_table, pattern } => {
                let table = if *by_table { language.pick(" (endgame table)", "（残局库）") } else { "" };
                let name = named(pattern);
                language.pick(format!("Allows mate in {moves}{name}{table}"), format!("对方{moves}着杀{name}{table}"))
            }
            Reason::LosesByRule => language.pick("Loses by the rules of repetition", "按循环规则判负").to_string(),
            Reason::MissesMate { moves, is_table_draw, pattern } => {
                let now = language.pick("; now a draw (endgame table)", "；现为和棋（残局库）");
                let now = if *is_table_draw { now } else { "" };
                let name = named(pattern);
                language.pick(format!("Misses mate in {moves}{name}{now}"), format!("错过{moves}着杀{name}{now}"))
            }
            Reason::MissesWinByRule => {
                language.pick("Misses a win by the rules of repetition", "错过按循环规则取胜").to_string()
            }
            Reason::AllowsRepetition => language.pick("Allows a draw by repetition", "对方可循环成和").to_string(),
            Reason::LosesPieces(exchange) => style.exchange(exchange, "Loses", "丢"),
            Reason::MissesPieces(exchange) => style.exchange(exchange, "Misses the win of", "错过得"),
            Reason::LosesAndMisses(lost, missed) => {
                let missed = style.exchange(missed, "misses the win of", "错过得");
                style.exchange(lost, "Loses", "丢") + language.pick("; ", "；") + &missed
            }
        };
        text + language.pick(".", "。")
    }
}

impl Style<'_> {
    fn exchange(self, exchange: &Exchange, english: &str, chinese: &str) -> String {
        let join = |names: Vec<String>| names.join(self.language.pick(" and ", "、"));
        let lost = join(exchange.lost.iter().map(|&(piece, square)| self.piece_on(piece, square)).collect());
        let mut text = self.language.pick(format!("{english} {lost}"), format!("{chinese}{lost}"));
        if !exchange.gained.is_empty() {
            let gained = join(exchange.gained.iter().map(|&piece| self.piece_on(piece, None)).collect());
            text += &self.language.pick(format!(" for {gained}"), format!("，换{gained}"));
        }
        match exchange.motif {
            Some((motif, ply)) if motif != Motif::Hanging => {
                let Explanation { start, line, .. } = self.explanation;
                let mv = self.notation.write_line(start, &line[..=ply]).pop().unwrap_or_default();
                let [_, english, chinese] = motif.names();
                text + &self.language.pick(format!(" ({english}: {mv})"), format!("（{mv}，{chinese}）"))
            }
            _ => text,
        }
    }

    /// `the rook on file 3`, `the rook on c6` or, without a square, `a rook`.
    fn piece_on(self, piece: Piece, square: Option<Square>) -> String {
        let name = self.piece(piece);
        let Some(square) = square else {
            let article = if name.starts_with(['a', 'e']) { "an" } else { "a" };
            return self.language.pick(format!("{article} {name}"), name.to_string());
        };
        if self.notation == Notation::Iccs {
            return self.language.pick(format!("the {name} on {square}"), format!("{name}（{square}）"));
        }
        let is_red = piece.color() == Color::Red;
        let file = if is_red { 9 - square.file() } else { square.file() + 1 };
        let same = self.explanation.start.pieces().filter(|&(other, at)| other == piece && at.file() == square.file());
        let ahead = |at: Square| if is_red { at.rank() > square.rank() } else { at.rank() < square.rank() };
        let others: Vec<bool> = same.filter(|&(_, at)| at != square).map(|(_, at)| ahead(at)).collect();
        let (front, chinese_front) = match others[..] {
            [] => ("", ""),
            _ if others.iter().all(|&is_ahead| is_ahead) => ("rear ", "后"),
            _ if others.iter().any(|&is_ahead| is_ahead) => ("middle ", "中"),
            _ => ("front ", "前"),
        };
        let digits = if is_red { "一二三四五六七八九" } else { "１２３４５６７８９" };
        let digit = digits.chars().nth(usize::from(file) - 1).unwrap_or_default();
        self.language.pick(format!("the {front}{name} on file {file}"), format!("{digit}路{chinese_front}{name}"))
    }

    /// The name of a piece; in English that of its letter, H and E in WXF notation.
    fn piece(self, piece: Piece) -> &'static str {
        match (piece.piece_type(), self.language, self.notation) {
            (PieceType::Knight, Language::English, Notation::Wxf) => "horse",
            (PieceType::Bishop, Language::English, Notation::Wxf) => "elephant",
            _ => self.language.piece(piece),
        }
    }
}
