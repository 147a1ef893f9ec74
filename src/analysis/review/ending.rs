//! How a game ended: by the rules, or else as its record says.

use crate::display::language::Language;
use crate::display::verdict::verdict;
use crate::games::record::{GameRecord, GameResult};
use crate::games::visible::visible;
use crate::rules::game_status::GameStatus;
use crate::types::Color;

/// Parts of the tag `Termination`, in lower case, and what is shown for them in English and Chinese.
const REASONS: [(&[&str], &str, &str); 5] = [
    (&["resign", "认输", "認輸"], "resigned", "认输"),
    (&["time", "超时", "超時"], "on time", "超时"),
    (&["agree", "议和", "議和"], "agreed", "议和"),
    (&["abandon"], "abandoned", "弃局"),
    (&["adjudicat", "裁定"], "adjudicated", "裁定"),
];

/// The verdict of the rules; if they do not end the game, the result and the tag `Termination` of the record, as in
/// `1–0, resigned`; `ongoing` without a result.
pub(crate) fn ending(game: &GameRecord, status: &GameStatus, language: Language) -> String {
    let result = match game.result {
        _ if *status != GameStatus::Ongoing => return verdict(status, language),
        GameResult::Unknown => return verdict(status, language),
        GameResult::Won(Color::Red) => language.pick("1–0", "红胜"),
        GameResult::Won(Color::Black) => language.pick("0–1", "黑胜"),
        GameResult::Drawn => language.pick("½–½", "和棋"),
    };
    let Some(tag) = game.tag("Termination").filter(|tag| !tag.eq_ignore_ascii_case("normal")) else {
        return result.to_string();
    };
    let text = tag.to_lowercase();
    let known = REASONS.iter().find(|(parts, ..)| parts.iter().any(|&part| text.contains(part)));
    let reason = known.map_or_else(|| visible(tag).to_string(), |&(_, en, zh)| language.pick(en, zh).to_string());
    format!("{result}{}{reason}", language.pick(", ", "，"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::position::Position;
    use crate::rules::game_status::EndReason;

    #[test]
    fn the_record_counts_where_the_rules_say_nothing() {
        let mut game = GameRecord::new(Position::start());
        let texts = |game: &GameRecord, status: &GameStatus| {
            [Language::English, Language::Chinese].map(|language| ending(game, status, language))
        };
        assert_eq!(texts(&game, &GameStatus::Ongoing), ["ongoing", "对局未结束"]);
        game.result = GameResult::Won(Color::Red);
        assert_eq!(texts(&game, &GameStatus::Ongoing), ["1–0", "红胜"]);
        for (tag, expected) in [
            ("Black resigns", ["1–0, resigned", "红胜，认输"]),
            ("Normal", ["1–0", "红胜"]),
            ("time forfeit", ["1–0, on time", "红胜，超时"]),
            ("a \u{1b}storm", ["1–0, a storm", "红胜，a storm"]),
        ] {
            game.tags = vec![("Termination".to_string(), tag.to_string())];
            assert_eq!(texts(&game, &GameStatus::Ongoing), expected, "{tag}");
        }
        let mated = GameStatus::Won { winner: Color::Red, reason: EndReason::Checkmate };
        assert_eq!(texts(&game, &mated)[0], "red wins: checkmate");
    }
}
