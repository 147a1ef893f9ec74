//! The evaluation of a position as a table of its terms, and a board with the values of the pieces.

use crate::eval::EvalTerms;
use crate::eval::tapered::{FULL_PHASE, Tapered};
use crate::types::Square;
use std::fmt::Write;

/// The terms, one a line, and the board; every line ends with a newline.
pub fn evaluation(terms: &EvalTerms) -> String {
    let mut text = String::from("                 early   late   (red - black, engine units)\n");
    let mut row = |name: &str, score: Tapered| {
        let _ = writeln!(text, "{name:15} {:6} {:6}", score.early(), score.late());
    };
    for (kind, score) in terms.piece_types {
        row(&format!("{kind:?}").to_lowercase(), score);
    }
    for &(name, score) in &terms.classical {
        row(name, score);
    }
    let _ = writeln!(text, "phase           {:6} of {FULL_PHASE} (start position)", terms.phase);
    if let Some(score) = terms.network {
        let _ = writeln!(text, "network         {score:6}");
    }
    if let Some((numerator, denominator)) = terms.damping {
        let _ = writeln!(text, "damping         {numerator:6} of {denominator}, towards the move limit");
    }
    for color in &terms.cannot_win {
        let _ = writeln!(text, "{color} has no attacking pieces and cannot win");
    }
    text.push_str("pieces, each with what the evaluation loses without it (red - black, engine units):\n");
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
    text
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
        let text =
            |knowledge| evaluation(&EvalTerms::of(knowledge, &Network::built_in(), &Rules::default(), &position));
        let medium = text(Knowledge::Medium);
        for line in [
            "phase                0 of 32 (start position)\n",
            "damping            180 of 240, towards the move limit\n",
            "red has no attacking pieces and cannot win\n",
            "rook mobility        0      0\n",
        ] {
            assert!(medium.contains(line), "{line}{medium}");
        }
        assert!(!medium.contains("network"), "{medium}");
        assert!(text(Knowledge::Large).contains("\nnetwork  "));
        let none = text(Knowledge::None);
        assert!(none.contains("phase                0 of 32 (start position)\npieces, each"), "{none}");
        assert!(none.contains("\n0 .      .      B+210  A+200  K      .      .      .      p-130\n"), "{none}");
    }
}
