//! Values of endgame tables in words.

use super::count::count;
use super::language::Language;
use crate::egtb::tables::Probe;
use crate::egtb::value::EndgameValue;
use crate::types::Color;

/// What the endgame tables say of a position with `side` to move, as in `red wins in 49 plies`.
pub(crate) fn table_value(probe: &Probe, side: Color, language: Language) -> String {
    let wins = |winner: Color| format!("{}{}", language.side(winner), language.pick(" wins", "胜"));
    let in_plies = |plies: u32| {
        let plies_text = count(plies as usize, "ply");
        language.pick(format!(" in {plies_text}"), format!("，{plies}个半回合"))
    };
    let by_rule = language.pick(": the other side has only perpetual check", "：对方只能长将");
    match probe.value {
        EndgameValue::Win(plies) => wins(side) + &in_plies(plies),
        EndgameValue::Loss(plies) => wins(!side) + &in_plies(plies),
        EndgameValue::WinByRule(_) => wins(side) + by_rule,
        EndgameValue::LossByRule(_) => wins(!side) + by_rule,
        EndgameValue::Draw if probe.is_exact => language.pick("draw", "和棋").to_string(),
        EndgameValue::Draw => {
            language.pick("draw, unless it is held only by perpetual chase", "和棋，除非只能以长捉求和").to_string()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_said_of_the_winner() {
        let text = |value, is_exact, language| table_value(&Probe { value, is_exact }, Color::Black, language);
        let english = |value| text(value, true, Language::English);
        assert_eq!(english(EndgameValue::Win(1)), "black wins in 1 ply");
        assert_eq!(english(EndgameValue::Loss(48)), "red wins in 48 plies");
        assert_eq!(english(EndgameValue::LossByRule(2)), "red wins: the other side has only perpetual check");
        assert_eq!(english(EndgameValue::Draw), "draw");
        assert!(text(EndgameValue::Draw, false, Language::English).contains("chase"));
        assert_eq!(text(EndgameValue::Loss(48), true, Language::Chinese), "红方胜，48个半回合");
    }
}
