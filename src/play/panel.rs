//! What stands beside the board: players and clocks, the evaluation, the moves, the latest notices.

use super::clock::time_text;
use super::session::Session;
use crate::display::score::score_text;
use crate::eval::wdl::expected_points;
use crate::types::Color;
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::{Color as Ink, Modifier, Style};
use ratatui::text::{Line, Span, Text};
use ratatui::widgets::{Paragraph, Widget, Wrap};

/// Rows of the line of the evaluation.
const LINE_ROWS: u16 = 3;
/// Rows of the notices.
const NOTICE_ROWS: u16 = 4;

/// Draws the panel.
pub fn render(session: &Session, notices: &[String], bottom: Color, has_colors: bool, area: Rect, buffer: &mut Buffer) {
    let mut rows = Rows { area, used: 0 };
    for side in [bottom.other(), bottom] {
        let lines = player(session, side, has_colors, area.width);
        Paragraph::new(lines.clone()).render(rows.take(lines.len() as u16), buffer);
    }
    let status = session.game().status_text(session.settings().language);
    let status = Line::styled(status, Style::new().add_modifier(Modifier::BOLD));
    wrapped(status).render(narrowed(rows.take(2)), buffer);
    if session.shows_evaluation() && session.game().ending().is_none() {
        Paragraph::new(evaluation(session, has_colors, area.width)).render(rows.take(1), buffer);
        wrapped(analysis_line(session)).render(narrowed(rows.take(LINE_ROWS)), buffer);
    }
    let left = area.height.saturating_sub(rows.used);
    let notice_rows = NOTICE_ROWS.min(left / 2);
    moves(session, rows.take(left - notice_rows), buffer);
    let place = narrowed(rows.take(notice_rows));
    wrapped(latest(notices, place.width, notice_rows)).render(place, buffer);
}

/// A paragraph whose lines are broken between words. Draw it in a [`narrowed`] area.
pub fn wrapped<'a>(text: impl Into<Text<'a>>) -> Paragraph<'a> {
    Paragraph::new(text).wrap(Wrap { trim: true })
}

/// The area without its last column: broken lines of ratatui 0.30 are a column too long where that splits a wide character,
/// and in the last column of a terminal it would go to the next row.
pub fn narrowed(area: Rect) -> Rect {
    Rect { width: area.width.saturating_sub(1), ..area }
}

/// The latest notices that fit into so many rows, the last one in any case.
fn latest(notices: &[String], width: u16, rows: u16) -> Vec<Line<'_>> {
    let mut used = 0;
    let fits = |line: &Line| {
        let is_last = used == 0;
        // Lines break between words, so this many rows are the least.
        used += line.width().div_ceil(usize::from(width.max(1))).max(1);
        is_last || used <= usize::from(rows)
    };
    let mut lines: Vec<Line> = notices.iter().rev().map(|text| Line::raw(text.as_str())).take_while(fits).collect();
    lines.reverse();
    lines
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
fn player(session: &Session, side: Color, has_colors: bool, width: u16) -> Vec<Line<'static>> {
    let language = session.settings().language;
    let is_to_move = session.game().ending().is_none() && session.game().side() == side;
    let arrow = match (is_to_move, session.settings().is_ascii) {
        (false, _) => "  ",
        (true, true) => "> ",
        (true, false) => "► ",
    };
    let ink = if side == Color::Red && has_colors { Style::new().fg(Ink::Indexed(160)) } else { Style::new() };
    let name = session.player(side);
    let side_name = language.side(side);
    let text = if name == side_name { side_name.to_string() } else { format!("{side_name}{}{name}", language.colon()) };
    let thinks = Some(language.pick(" (thinks)", "（思考中）")).filter(|_| is_to_move && session.is_engine_turn());
    let clock = session.clock().map(|clock| format!("  {}", time_text(clock.left(side))));
    let more = [
        thinks.map(|text| Span::styled(text, ink)),
        clock.map(|text| Span::styled(text, Style::new().add_modifier(Modifier::BOLD))),
    ];
    let mut lines = vec![Line::from(vec![Span::raw(arrow), Span::styled(text, ink)])];
    for span in more.into_iter().flatten() {
        let line = lines.last_mut().expect("invariant: there is a line");
        match line.width() + span.width() <= usize::from(width) {
            true => line.push_span(span),
            false => lines.push(Line::from(vec![Span::raw(" "), span])),
        }
    }
    lines
}

/// Red's score, and a bar of its expected points.
fn evaluation(session: &Session, has_colors: bool, width: u16) -> Line<'static> {
    let Some(analysis) = session.analysis() else { return Line::raw("...") };
    let text = format!("{:>7} ", score_text(analysis.score, session.settings().language));
    let columns = usize::from(width).saturating_sub(text.len() + 1).min(24);
    let filled = (columns as f64 * expected_points(analysis.score)).round() as usize;
    let [full, empty] = if session.settings().is_ascii { ["#", "."] } else { ["█", "░"] };
    let style = |color| if has_colors { Style::new().fg(Ink::Indexed(color)) } else { Style::new() };
    Line::from(vec![
        Span::raw(text),
        Span::styled(full.repeat(filled), style(160)),
        Span::styled(empty.repeat(columns - filled), style(244)),
    ])
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
    for (y, (number, [red, black])) in (area.y..).zip((1..).zip(rows).skip(hidden)) {
        buffer.set_stringn(area.x, y, format!("{number:>3}."), usize::from(area.width), Style::new());
        for (column, text) in [(5, red), (16, black)] {
            if column < area.width {
                buffer.set_stringn(area.x + column, y, text, usize::from(area.width - column), Style::new());
            }
        }
    }
}
