//! The evaluation of a position as a table of its terms, and a board with the values of the pieces.

use super::columns::left_aligned;
use super::language::Language;
use super::score::score_text;
use crate::display::units::ucci_points;
use crate::eval::EvalTerms;
use crate::eval::tapered::{FULL_PHASE, Tapered};
use crate::types::{Color, Square};
use std::fmt::Write;

/// Chinese names of the classical terms.
const CHINESE_TERMS: &[(&str, &str)] = &[
    ("rook mobility", "车的活动"),
    ("cannon mobility", "炮的活动"),
    ("knight mobility", "马的活动"),
    ("threats", "威胁"),
    ("cannon and king", "炮对将帅"),
    ("rook and king", "车对将帅"),
    ("attack", "攻势"),
    ("advisors", "仕士"),
    ("bishops", "相象"),
    ("pawns", "兵卒"),
];

/// The terms, one a line, the board, and the evaluation for `side`, in the units that users meet, without a newline at the
/// end.
pub(crate) fn evaluation(terms: &EvalTerms, side: Color, language: Language) -> String {
    let mut text = String::from(language.pick(
        "                 early   late   (red - black, engine units)\n",
        "                  前期   后期   （红减黑，引擎单位）\n",
    ));
    let name = |english: &'static str, chinese| left_aligned(language.pick(english, chinese), 15);
    let mut row = |name: &str, score: Tapered| {
        let _ = writeln!(text, "{} {:6} {:6}", left_aligned(name, 15), score.early(), score.late());
    };
    for (kind, score) in terms.piece_types {
        row(language.piece_type(kind), score);
    }
    for &(english, score) in &terms.classical {
        let chinese = CHINESE_TERMS.iter().find(|(name, _)| *name == english).map_or(english, |&(_, chinese)| chinese);
        row(language.pick(english, chinese), score);
    }
    let start = language.pick("(start position)", "（开局局面）");
    let _ = writeln!(text, "{} {:6} / {FULL_PHASE} {start}", name("phase", "阶段"), terms.phase);
    if let Some(score) = terms.network {
        let _ = writeln!(text, "{} {score:6}", name("network", "神经网络"));
    }
    if let Some((numerator, denominator)) = terms.damping {
        let towards = language.pick("towards the move limit", "临近自然限着时减小");
        let _ = writeln!(text, "{} {numerator:6} / {denominator} {towards}", name("damping", "衰减"));
    }
    for &color in &terms.cannot_win {
        let cannot_win = language.pick(" has no attacking pieces and cannot win", "没有攻击子力，不可能取胜");
        let _ = writeln!(text, "{}{cannot_win}", language.side(color));
    }
    text.push_str(language.pick(
        "pieces, each with what the evaluation loses without it (red - black, engine units):\n",
        "各个棋子，以及没有它时评估减少多少（红减黑，引擎单位）：\n",
    ));
    for rank in (0..Square::RANKS).rev() {
        let cell = |file| {
            let square = Square::new(file, rank);
            let (piece, _, value) = terms.pieces.iter().find(|&&(_, at, _)| at == square)?;
            Some(value.map_or(piece.letter().to_string(), |value| format!("{}{value:+}", piece.letter())))
        };
        let row: String = (0..Square::FILES).map(|file| format!(" {:6}", cell(file).unwrap_or(".".into()))).collect();
        let _ = writeln!(text, "{rank}{}", row.trim_end());
    }
    text.push_str("  a      b      c      d      e      f      g      h      i\n");
    let score = side.sign() * terms.score;
    let (points, pawns) = (ucci_points(score), score_text(score, language));
    let of_red = score_text(terms.score, language);
    // The last line is as Stockfish writes it: clients wait for its first word.
    text + &language.pick(
        format!(
            "for {side}: {score} engine units, {points} UCCI points, {pawns} pawns\nFinal evaluation {of_red} (red side)"
        ),
        format!(
            "对{}而言：{score} 引擎单位，{points} UCCI 分，{pawns} 兵\n最终评估 {of_red}（红方）",
            language.side(side)
        ),
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::eval::Knowledge;
    use crate::eval::network::Network;
    use crate::position::Position;
    use crate::rules::Rules;

    #[test]
    fn terms_are_written_one_a_line() {
        let position = Position::from_fen("3k5/9/9/9/9/9/9/4B4/4A4/2BAK3p w - - 60 31").unwrap();
        let text = |knowledge, language| {
            let terms = EvalTerms::of(knowledge, &Network::built_in(), &Rules::default(), &position);
            evaluation(&terms, Color::Black, language)
        };
        let medium = text(Knowledge::Medium, Language::English);
        for line in [
            "phase                0 / 32 (start position)\n",
            "damping            180 / 240 towards the move limit\n",
            "red has no attacking pieces and cannot win\n",
            "rook mobility        0      0\n",
            "\nfor black: ",
        ] {
            assert!(medium.contains(line), "{line}{medium}");
        }
        assert!(!medium.contains("network"), "{medium}");
        assert!(text(Knowledge::Large, Language::English).contains("\nnetwork  "));
        let none = text(Knowledge::None, Language::English);
        assert!(none.contains("phase                0 / 32 (start position)\npieces, each"), "{none}");
        assert!(none.contains("\n0 .      .      B+210  A+200  K      .      .      .      p-130\n"), "{none}");
        // Only units and the letters of pieces and files are not Chinese.
        let chinese = text(Knowledge::Medium, Language::Chinese);
        let words = chinese.split(|char: char| !char.is_ascii_alphabetic()).filter(|word| word.len() > 1);
        assert_eq!(words.collect::<Vec<_>>(), ["UCCI"], "{chinese}");
    }
}
