//! What stands beside the board: players and clocks, the evaluation, the moves, the latest notices.

use super::buffer::{Buffer, Rect, width, wrap};
use super::clock::time_text;
use super::session::Session;
use crate::display::score::score_text;
use crate::eval::wdl::expected_points;
use crate::types::Color;
use crossterm::style::Color as Ink;
use crossterm::style::{ContentStyle, Stylize};

/// Rows of the line of the evaluation.
const LINE_ROWS: u16 = 3;
/// Rows of the notices.
const NOTICE_ROWS: u16 = 4;

const RED: Ink = Ink::AnsiValue(160);
const GREY: Ink = Ink::AnsiValue(244);

/// Draws the panel.
pub fn render(session: &Session, notices: &[String], mut area: Rect, buffer: &mut Buffer) {
    let bottom = session.settings.bottom;
    for side in [!bottom, bottom] {
        write_texts(player(session, side), &mut area, buffer);
    }
    let status = session.game.status_text(session.settings.language);
    buffer.set_wrapped(area.take_rows(2), [status.as_str()], ContentStyle::new().bold());
    if session.shows_evaluation && session.game.ending().is_none() {
        write_texts(evaluation(session, area.width), &mut area, buffer);
        buffer.set_wrapped(area.take_rows(LINE_ROWS), [analysis_line(session).as_str()], ContentStyle::new());
    }
    let notice_rows = NOTICE_ROWS.min(area.height / 2);
    moves(session, area.take_rows(area.height - notice_rows), buffer);
    let notices = latest(notices, area.width, notice_rows);
    buffer.set_wrapped(area, notices.iter().map(String::as_str), ContentStyle::new());
}

/// The latest notices that fit into so many rows, the last one in any case.
fn latest(notices: &[String], width: u16, rows: u16) -> &[String] {
    let mut used = 0;
    let fits = |text: &&String| {
        let is_last = used == 0;
        used += wrap(text, width).len();
        is_last || used <= usize::from(rows)
    };
    &notices[notices.len() - notices.iter().rev().take_while(fits).count()..]
}

/// Texts that stand one after the other, each in its style.
type Texts = Vec<(String, ContentStyle)>;

/// Writes texts into the first rows of an area: one that does not fit behind the others begins another row.
fn write_texts(texts: Texts, area: &mut Rect, buffer: &mut Buffer) {
    let mut row = area.take_rows(1);
    for (text, style) in texts {
        if width(&text) > row.width {
            row = area.take_rows(1).skip_columns(1);
        }
        let used = buffer.set_string(row, &text, style);
        row = row.skip_columns(used);
    }
}

/// The side, its player and its clock; an arrow marks the side to move.
fn player(session: &Session, side: Color) -> Texts {
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
fn evaluation(session: &Session, columns: u16) -> Texts {
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

/// The last moves, those of Red and Black in a column each.
fn moves(session: &Session, area: Rect, buffer: &mut Buffer) {
    let record = session.game.record();
    let mut texts = session.settings.notation.write_line(&record.start, &record.moves());
    if record.start.side() == Color::Black && !texts.is_empty() {
        texts.insert(0, "...".to_string());
    }
    let hidden = texts.len().div_ceil(2).saturating_sub(area.height.into());
    for (y, (number, pair)) in (0..).zip((1..).zip(texts.chunks(2)).skip(hidden)) {
        let row = area.row(y);
        buffer.set_string(row, &format!("{number:>3}."), ContentStyle::new());
        for (column, text) in [5, 16].into_iter().zip(pair) {
            buffer.set_string(row.skip_columns(column), text, ContentStyle::new());
        }
    }
}
