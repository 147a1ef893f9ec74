//! What stands beside the board: players and clocks, the evaluation, the moves, the latest notices.

use super::buffer::{Text, width, wrapped};
use super::clock::time_text;
use super::session::Session;
use crate::display::score::score_text;
use crate::eval::wdl::expected_points;
use crate::types::Color;
use crossterm::style::Color as Ink;
use crossterm::style::{ContentStyle, Stylize};

/// Rows of the line of the evaluation.
const LINE_ROWS: usize = 3;
/// Rows of the notices.
const NOTICE_ROWS: usize = 4;

const RED: Ink = Ink::AnsiValue(160);
const GREY: Ink = Ink::AnsiValue(244);

/// The rows of the panel.
pub(super) fn rows(session: &Session, notices: &[String], columns: u16, height: u16) -> Vec<Vec<Text>> {
    let bottom = session.settings.bottom;
    let mut rows: Vec<_> = [!bottom, bottom].into_iter().flat_map(|side| fit(player(session, side), columns)).collect();
    let status = session.game.status_text(session.settings.language);
    rows.extend(block(&status, columns, ContentStyle::new().bold(), 2));
    if session.shows_evaluation && session.game.ending().is_none() {
        rows.push(evaluation(session, columns));
        rows.extend(block(&analysis_line(session), columns, ContentStyle::new(), LINE_ROWS));
    }
    let left = usize::from(height).saturating_sub(rows.len());
    let notice_rows = NOTICE_ROWS.min(left / 2);
    let moves = moves(session);
    let hidden = moves.len().saturating_sub(left - notice_rows);
    rows.extend(moves.into_iter().skip(hidden));
    rows.resize(usize::from(height).saturating_sub(notice_rows), Vec::new());
    let notices = latest(notices, columns, notice_rows);
    rows.extend(notices.iter().flat_map(|notice| wrapped(notice, columns, ContentStyle::new())));
    rows
}

/// A text in so many rows.
fn block(text: &str, columns: u16, style: ContentStyle, rows: usize) -> Vec<Vec<Text>> {
    let mut lines = wrapped(text, columns, style);
    lines.resize(rows, Vec::new());
    lines
}

/// The latest notices that fit into so many rows, the last one in any case.
fn latest(notices: &[String], columns: u16, rows: usize) -> &[String] {
    let mut used = 0;
    let fits = |text: &&String| {
        let is_last = used == 0;
        used += wrapped(text, columns, ContentStyle::new()).len();
        is_last || used <= rows
    };
    &notices[notices.len() - notices.iter().rev().take_while(fits).count()..]
}

/// Texts in rows: one that does not fit behind the others begins another row.
fn fit(texts: Vec<Text>, columns: u16) -> Vec<Vec<Text>> {
    let (mut rows, mut row, mut used) = (Vec::new(), Vec::new(), 0);
    for (text, style) in texts {
        if used + width(&text) > columns {
            rows.push(std::mem::replace(&mut row, vec![(" ".to_string(), style)]));
            used = 1;
        }
        used += width(&text);
        row.push((text, style));
    }
    rows.push(row);
    rows
}

/// The side, its player and its clock; an arrow marks the side to move.
fn player(session: &Session, side: Color) -> Vec<Text> {
    let (settings, game) = (&session.settings, &session.game);
    let is_to_move = game.ending().is_none() && session.position().side() == side;
    let arrow = match (is_to_move, settings.is_ascii) {
        (false, _) => "  ",
        (true, true) => "> ",
        (true, false) => "► ",
    };
    let style = if side == Color::Red { ContentStyle::new().with(RED) } else { ContentStyle::new() };
    let mut name = vec![settings.language.side(side).to_string(), session.player(side)];
    name.dedup();
    let mut texts = vec![(arrow.to_string(), ContentStyle::new()), (name.join(settings.language.colon()), style)];
    if is_to_move && game.is_engine_turn() {
        texts.push((settings.language.pick(" (thinks)", "（思考中）").to_string(), style));
    }
    if let Some(clock) = &game.clock {
        texts.push((format!("  {}", time_text(clock.left(side))), ContentStyle::new().bold()));
    }
    texts
}

/// Red's score, and a bar of its expected points.
fn evaluation(session: &Session, columns: u16) -> Vec<Text> {
    let Some(analysis) = session.analysis() else { return vec![("...".to_string(), ContentStyle::new())] };
    let text = format!("{:>7} ", score_text(analysis.score, session.settings.language));
    let columns = usize::from(columns).saturating_sub(text.len() + 1).min(24);
    let filled = (columns as f64 * expected_points(analysis.score)).round() as usize;
    let [full, empty] = if session.settings.is_ascii { ["#", "."] } else { ["█", "░"] };
    vec![
        (text, ContentStyle::new()),
        (full.repeat(filled), ContentStyle::new().with(RED)),
        (empty.repeat(columns - filled), ContentStyle::new().with(GREY)),
    ]
}

/// The depth and the moves of the engine's line.
fn analysis_line(session: &Session) -> String {
    let position = session.position();
    // A line that was found for the position before is not one of this.
    let analysis = session.analysis().filter(|line| line.pv.first().is_some_and(|&mv| position.is_legal(mv)));
    analysis.map_or(String::new(), |line| {
        let moves = session.settings.notation.write_line(position, &line.pv);
        format!("{}: {}", line.depth, moves.join(" "))
    })
}

/// The moves, those of Red and Black in a column each.
fn moves(session: &Session) -> Vec<Vec<Text>> {
    let record = session.game.record();
    let mut texts = session.settings.notation.write_line(&record.start, &record.moves());
    if record.start.side() == Color::Black && !texts.is_empty() {
        texts.insert(0, "...".to_string());
    }
    let row = |(number, pair): (usize, &[String])| {
        let (red, black) = (&pair[0], pair.get(1).map_or("", String::as_str));
        // Four Chinese characters and a blank.
        let blanks = " ".repeat(9_usize.saturating_sub(width(red).into()));
        vec![(format!("{number:>3}. {red}{blanks}{black}"), ContentStyle::new())]
    };
    (1..).zip(texts.chunks(2)).map(row).collect()
}
