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
        for line in player(session, side, area.width) {
            set_line(buffer, area.take_rows(1), &line);
        }
    }
    let status = session.game.status_text(session.settings.language);
    buffer.set_wrapped(area.take_rows(2), [status.as_str()], ContentStyle::new().bold());
    if session.shows_evaluation && session.game.ending().is_none() {
        set_line(buffer, area.take_rows(1), &evaluation(session, area.width));
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
type Line = Vec<(String, ContentStyle)>;

/// Writes a line into the first row of an area.
fn set_line(buffer: &mut Buffer, mut area: Rect, line: &Line) {
    for (text, style) in line {
        let used = buffer.set_string(area, text, *style);
        area = area.skip_columns(used);
    }
}

/// The side, its player and its clock, in more than one line where they do not fit; an arrow marks the side to move.
fn player(session: &Session, side: Color, columns: u16) -> Vec<Line> {
    let (settings, game) = (&session.settings, &session.game);
    let language = settings.language;
    let is_to_move = game.ending().is_none() && session.position().side() == side;
    let arrow = match (is_to_move, settings.is_ascii) {
        (false, _) => "  ",
        (true, true) => "> ",
        (true, false) => "► ",
    };
    let style = if side == Color::Red { ContentStyle::new().with(RED) } else { ContentStyle::new() };
    let mut name = vec![language.side(side).to_string(), session.player(side)];
    name.dedup();
    let name = name.join(language.colon());
    let thinks = Some(language.pick(" (thinks)", "（思考中）")).filter(|_| is_to_move && game.is_engine_turn());
    let clock = game.clock.as_ref().map(|clock| format!("  {}", time_text(clock.left(side))));
    let more = [thinks.map(|text| (text.to_string(), style)), clock.map(|text| (text, ContentStyle::new().bold()))];
    let mut used = width(arrow) + width(&name);
    let mut lines = vec![vec![(arrow.to_string(), ContentStyle::new()), (name, style)]];
    for more in more.into_iter().flatten() {
        used += width(&more.0);
        if used > columns {
            used = 1 + width(&more.0);
            lines.push(vec![(" ".to_string(), ContentStyle::new())]);
        }
        lines.last_mut().expect("invariant: there is a line").push(more);
    }
    lines
}

/// Red's score, and a bar of its expected points.
fn evaluation(session: &Session, columns: u16) -> Line {
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
