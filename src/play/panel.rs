//! What stands beside the board: players and clocks, the evaluation, the moves, the latest notices.

use super::buffer::{Buffer, Rect, Style, width, wrap};
use super::clock::time_text;
use super::session::Session;
use crate::display::score::score_text;
use crate::eval::wdl::expected_points;
use crate::types::Color;

/// Rows of the line of the evaluation.
const LINE_ROWS: u16 = 3;
/// Rows of the notices.
const NOTICE_ROWS: u16 = 4;

/// Draws the panel.
pub fn render(session: &Session, notices: &[String], bottom: Color, has_colors: bool, area: Rect, buffer: &mut Buffer) {
    let mut rows = Rows { area, used: 0 };
    for side in [bottom.other(), bottom] {
        for line in player(session, side, has_colors, area.width) {
            set_line(buffer, rows.take(1), &line);
        }
    }
    let status = session.game().status_text(session.settings().language);
    buffer.set_wrapped(rows.take(2), [status.as_str()], Style::BOLD);
    if session.shows_evaluation() && session.game().ending().is_none() {
        set_line(buffer, rows.take(1), &evaluation(session, has_colors, area.width));
        buffer.set_wrapped(rows.take(LINE_ROWS), [analysis_line(session).as_str()], Style::default());
    }
    let left = area.height.saturating_sub(rows.used);
    let notice_rows = NOTICE_ROWS.min(left / 2);
    moves(session, rows.take(left - notice_rows), buffer);
    let notices = latest(notices, area.width, notice_rows);
    buffer.set_wrapped(rows.take(notice_rows), notices.iter().map(String::as_str), Style::default());
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
type Line = Vec<(String, Style)>;

/// Writes a line into the first row of an area.
fn set_line(buffer: &mut Buffer, mut area: Rect, line: &Line) {
    for (text, style) in line {
        let used = buffer.set_string(area, text, *style);
        area = area.skip_columns(used);
    }
}

/// The style with a color, if there are colors.
fn ink(color: u8, has_colors: bool) -> Style {
    Style { foreground: Some(color).filter(|_| has_colors), ..Style::default() }
}

/// Hands out the rows of an area from the top.
struct Rows {
    area: Rect,
    used: u16,
}

impl Rows {
    fn take(&mut self, rows: u16) -> Rect {
        let rows = rows.min(self.area.height - self.used);
        let taken = Rect { y: self.area.y + self.used, height: rows, ..self.area };
        self.used += rows;
        taken
    }
}

/// The side, its player and its clock, in more than one line where they do not fit; an arrow marks the side to move.
fn player(session: &Session, side: Color, has_colors: bool, columns: u16) -> Vec<Line> {
    let language = session.settings().language;
    let is_to_move = session.game().ending().is_none() && session.game().side() == side;
    let arrow = match (is_to_move, session.settings().is_ascii) {
        (false, _) => "  ",
        (true, true) => "> ",
        (true, false) => "► ",
    };
    let style = ink(160, has_colors && side == Color::Red);
    let name = session.player(side);
    let side_name = language.side(side);
    let text = if name == side_name { side_name.to_string() } else { format!("{side_name}{}{name}", language.colon()) };
    let thinks = Some(language.pick(" (thinks)", "（思考中）")).filter(|_| is_to_move && session.is_engine_turn());
    let clock = session.clock().map(|clock| format!("  {}", time_text(clock.left(side))));
    let more = [thinks.map(|text| (text.to_string(), style)), clock.map(|text| (text, Style::BOLD))];
    let mut used = width(arrow) + width(&text);
    let mut lines = vec![vec![(arrow.to_string(), Style::default()), (text, style)]];
    for more in more.into_iter().flatten() {
        used += width(&more.0);
        if used > usize::from(columns) {
            used = 1 + width(&more.0);
            lines.push(vec![(" ".to_string(), Style::default())]);
        }
        lines.last_mut().expect("invariant: there is a line").push(more);
    }
    lines
}

/// Red's score, and a bar of its expected points.
fn evaluation(session: &Session, has_colors: bool, columns: u16) -> Line {
    let Some(analysis) = session.analysis() else { return vec![("...".to_string(), Style::default())] };
    let text = format!("{:>7} ", score_text(analysis.score, session.settings().language));
    let columns = usize::from(columns).saturating_sub(text.len() + 1).min(24);
    let filled = (columns as f64 * expected_points(analysis.score)).round() as usize;
    let [full, empty] = if session.settings().is_ascii { ["#", "."] } else { ["█", "░"] };
    vec![
        (text, Style::default()),
        (full.repeat(filled), ink(160, has_colors)),
        (empty.repeat(columns - filled), ink(244, has_colors)),
    ]
}

/// The depth and the moves of the engine's line.
fn analysis_line(session: &Session) -> String {
    let Some(analysis) = session.analysis() else { return String::new() };
    // A line that was found for the position before is not one of this.
    let position = session.position();
    if !analysis.line.first().is_some_and(|&mv| position.is_legal(mv)) {
        return String::new();
    }
    let moves = session.settings().notation.write_line(position, &analysis.line);
    format!("{}: {}", analysis.depth, moves.join(" "))
}

/// The last moves, those of Red and Black in a column each.
fn moves(session: &Session, area: Rect, buffer: &mut Buffer) {
    let game = session.game();
    let start = game.start();
    let first = start.side().index();
    let texts = session.settings().notation.write_line(&start, &game.moves());
    let mut rows: Vec<[&str; 2]> = Vec::new();
    for (ply, text) in (first..).zip(&texts) {
        if ply % 2 == 0 || rows.is_empty() {
            rows.push(if ply % 2 == 0 { [text, ""] } else { ["...", text] });
        } else if let Some(row) = rows.last_mut() {
            row[1] = text;
        }
    }
    let hidden = rows.len().saturating_sub(usize::from(area.height));
    for (y, (number, [red, black])) in (0..).zip((1..).zip(rows).skip(hidden)) {
        for (column, text) in [(0, format!("{number:>3}.").as_str()), (5, red), (16, black)] {
            buffer.set_string(area.row(y).skip_columns(column), text, Style::default());
        }
    }
}
