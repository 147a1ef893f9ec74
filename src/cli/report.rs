//! `chuhe review --report`: a player's games together, as text and JSON.

use crate::analysis::player_report::{Phase, PlayerReport, Results, ThrownAway, WorkItem};
use crate::book::ecco::Opening;
use crate::display::count::count;
use crate::display::json::json_line;
use crate::display::language::Language;
use crate::notation::Notation;
use crate::types::Color;
use serde::Serialize;

/// Openings that are named.
const MAX_OPENINGS: usize = 10;

/// The report without the positions to work on.
pub(super) fn text(name: &str, report: &PlayerReport, language: Language) -> String {
    let accuracy = |sides: &[Color], phases: &[Phase]| {
        let value = report.accuracy(sides, phases).map_or("–".to_string(), |value| format!("{value:.1} %"));
        format!("{}{value}", language.pick("accuracy ", "准确率 "))
    };
    let comma = language.pick(", ", "，");
    let mut lines = vec![format!(
        "{name}{}{}{comma}{}",
        language.colon(),
        results(report.total(), language),
        accuracy(&Color::ALL, &Phase::ALL)
    )];
    for side in Color::ALL.into_iter().filter(|side| report.sides[side.index()].games > 0) {
        let (label, own) = (language.side(side), report.sides[side.index()]);
        lines.push(format!(
            "  {label}{}{}{comma}{}",
            language.colon(),
            results(own, language),
            accuracy(&[side], &Phase::ALL)
        ));
    }
    let classes = language.pick(["inaccuracies", "mistakes", "blunders"], ["缓着", "失误", "漏着"]);
    for phase in Phase::ALL {
        let bad: Vec<String> = classes
            .iter()
            .zip(report.bad_moves)
            .map(|(class, counts)| format!("{class} {}", counts[phase as usize]))
            .collect();
        let label = phase_name(phase, language);
        lines.push(format!(
            "  {label}{}{}{comma}{}",
            language.colon(),
            accuracy(&Color::ALL, &[phase]),
            bad.join(comma)
        ));
    }
    if !report.kinds.is_empty() {
        let kinds: Vec<String> = report
            .kinds
            .iter()
            .map(|([_, english, chinese], count)| format!("{} {count}", language.pick(*english, *chinese)))
            .collect();
        lines.push(format!("{}{}", language.pick("kinds of bad moves: ", "坏着的种类："), kinds.join(comma)));
    }
    if !report.openings.is_empty() {
        lines.push(language.pick("openings:", "开局：").to_string());
    }
    for (opening, side, own) in report.openings.iter().take(MAX_OPENINGS) {
        let name = language.pick(opening.english.to_string(), opening.chinese());
        let side = language.side(*side);
        lines.push(format!("  {} {name}{comma}{side}{}{}", opening.code, language.colon(), results(*own, language)));
    }
    let kinds = language.pick(["winning", "level", "lost"], ["占优", "均势", "劣势"]);
    for (kind, own) in kinds.iter().zip(report.endings).filter(|(_, own)| own.games > 0) {
        let label = language.pick(format!("endgames that began {kind}: "), format!("以{kind}进入残局："));
        lines.push(label + &results(own, language));
    }
    for ThrownAway { source, ply } in &report.thrown_away {
        lines.push(language.pick(
            format!("  thrown away: {source}, ply {}", ply + 1),
            format!("  错失胜局：{source}，第{}步", ply + 1),
        ));
    }
    lines.join("\n") + "\n"
}

fn results(results: Results, language: Language) -> String {
    let Results { games, won, drawn, lost } = results;
    language.pick(
        format!("{}, {won} won, {drawn} drawn, {lost} lost", count(games, "game")),
        format!("{games}局，{won}胜{drawn}和{lost}负"),
    )
}

fn phase_name(phase: Phase, language: Language) -> &'static str {
    match phase {
        Phase::Opening => language.pick("opening", "开局"),
        Phase::Middlegame => language.pick("middlegame", "中局"),
        Phase::Endgame => language.pick("endgame", "残局"),
    }
}

#[derive(Serialize)]
struct JsonReport<'a> {
    player: &'a str,
    #[serde(flatten)]
    total: JsonPart,
    red: JsonPart,
    black: JsonPart,
    phases: [JsonPhase; 3],
    kinds: Vec<JsonKind>,
    openings: Vec<JsonOpening>,
    endgames: JsonEndgames,
    thrown_away: &'a [ThrownAway],
    positions: Vec<JsonItem<'a>>,
}

#[derive(Serialize)]
struct JsonPart {
    #[serde(flatten)]
    results: Results,
    accuracy: Option<f64>,
}

#[derive(Serialize)]
struct JsonPhase {
    phase: &'static str,
    accuracy: Option<f64>,
    inaccuracies: u32,
    mistakes: u32,
    blunders: u32,
}

#[derive(Serialize)]
struct JsonKind {
    kind: &'static str,
    count: u32,
}

#[derive(Serialize)]
struct JsonOpening {
    code: &'static str,
    en: &'static str,
    zh: String,
    side: String,
    #[serde(flatten)]
    results: Results,
}

/// By what the player could expect when they began.
#[derive(Serialize)]
struct JsonEndgames {
    winning: Results,
    level: Results,
    lost: Results,
}

#[derive(Serialize)]
struct JsonItem<'a> {
    source: &'a str,
    /// Plies before the move.
    ply: usize,
    fen: String,
    played: String,
    class: &'static str,
    loss: f64,
    best: Vec<String>,
}

/// The report as one line of JSON; moves in `notation`.
pub(super) fn json(name: &str, report: &PlayerReport, notation: Notation) -> String {
    let accuracy = |sides: &[Color], phases: &[Phase]| {
        report.accuracy(sides, phases).map(|accuracy| (accuracy * 10.0).round() / 10.0)
    };
    let side = |side: Color| JsonPart { results: report.sides[side.index()], accuracy: accuracy(&[side], &Phase::ALL) };
    let phase = |phase: Phase| {
        let [inaccuracies, mistakes, blunders] = report.bad_moves.map(|counts| counts[phase as usize]);
        let name = phase_name(phase, Language::English);
        JsonPhase { phase: name, accuracy: accuracy(&Color::ALL, &[phase]), inaccuracies, mistakes, blunders }
    };
    let opening = |(opening, side, results): &(Opening, Color, Results)| JsonOpening {
        code: opening.code,
        en: opening.english,
        zh: opening.chinese(),
        side: side.to_string(),
        results: *results,
    };
    let [winning, level, lost] = report.endings;
    let report = JsonReport {
        player: name,
        total: JsonPart { results: report.total(), accuracy: accuracy(&Color::ALL, &Phase::ALL) },
        red: side(Color::Red),
        black: side(Color::Black),
        phases: Phase::ALL.map(phase),
        kinds: report.kinds.iter().map(|&([kind, ..], count)| JsonKind { kind, count }).collect(),
        openings: report.openings.iter().map(opening).collect(),
        endgames: JsonEndgames { winning, level, lost },
        thrown_away: &report.thrown_away,
        positions: report.items.iter().map(|item| json_item(item, notation)).collect(),
    };
    json_line(&report)
}

fn json_item(item: &WorkItem, notation: Notation) -> JsonItem<'_> {
    let position = &item.before.position;
    JsonItem {
        source: &item.source,
        ply: item.index,
        fen: position.to_fen(),
        played: notation.write(position, item.played.mv),
        class: item.played.class.name(),
        loss: (item.played.loss * 1000.0).round() / 1000.0,
        best: notation.write_line(position, &item.before.best),
    }
}
