//! The board as PNG.

use super::shape::{Element, Outline, Shape, Style};
use super::{Diagram, view_box};
use miniz_oxide::deflate::compress_to_vec_zlib;
use std::slice;
use thiserror::Error;
use tiny_skia::{FillRule, Paint, Path, PathBuilder, Pixmap, Rect, Stroke, Transform};

/// The picture has no area, or there is not enough memory for its pixels.
#[derive(Debug, Error)]
#[error("no memory for {0} by {1} pixels")]
pub(crate) struct PngError(u32, u32);

/// Draws a picture, `width` pixels wide, and returns the bytes of a PNG file.
///
/// # Errors
/// [`PngError`].
pub(crate) fn png(diagram: &Diagram, width: u32) -> Result<Vec<u8>, PngError> {
    let (left, top, units_wide, units_high) = view_box(diagram.coordinates);
    let scale = width as f32 / units_wide as f32;
    let height = (units_high as f32 * scale).round() as u32;
    let mut pixels = Pixmap::new(width, height).ok_or(PngError(width, height))?;
    let view = Transform::from_scale(scale, scale).pre_translate(-left as f32, -top as f32);
    for element in &diagram.elements() {
        let (shapes, (x, y)) = match element {
            Element::Shape(shape) => (slice::from_ref(shape), (0, 0)),
            Element::Group(group) => (&group.shapes[..], (0, 0)),
            Element::Use(group, point) => (&group.shapes[..], *point),
        };
        let transform = view.pre_translate(x as f32, y as f32);
        shapes.iter().for_each(|shape| draw(shape, transform, &mut pixels));
    }
    Ok(encode(pixels))
}

fn draw(shape: &Shape, transform: Transform, pixels: &mut Pixmap) {
    let at = |&(x, y): &(i32, i32)| transform.pre_translate(x as f32, y as f32);
    let (path, transform) = match &shape.outline {
        Outline::Circle(center, radius) => (circle(*radius as f32), at(&center.unwrap_or_default())),
        &Outline::Rectangle(x, y, width, height) => {
            let rectangle = Rect::from_xywh(x as f32, y as f32, width as f32, height as f32);
            (rectangle.map(PathBuilder::from_rect), transform)
        }
        Outline::Path(data) => (path(data), transform),
        Outline::Scaled(data, scale, origin) => (path(data), at(origin).pre_scale(*scale as f32, *scale as f32)),
        Outline::Turned(data, degrees, origin) => {
            (path(data), at(origin).pre_concat(Transform::from_rotate(*degrees as f32)))
        }
    };
    let Some(path) = path else { return };
    let Style { fill, stroke, opacity } = shape.style;
    let paint = |color: u32| {
        let [_, red, green, blue] = color.to_be_bytes();
        let mut paint = Paint::default();
        paint.set_color_rgba8(red, green, blue, (opacity * 255.0).round() as u8);
        paint
    };
    if let Some(color) = fill {
        pixels.fill_path(&path, &paint(color), FillRule::Winding, transform, None);
    }
    if let Some((color, width)) = stroke {
        pixels.stroke_path(&path, &paint(color), &Stroke { width, ..Stroke::default() }, transform, None);
    }
}

/// A circle around the origin, of four cubic curves: the quadratic ones of [`PathBuilder::from_circle`] are drawn
/// less exactly.
fn circle(radius: f32) -> Option<Path> {
    // Distance of the control points from the ends of a quarter, in radii: 4/3 tan(π/8).
    const ARM: f32 = 0.552_284_8;
    let mut builder = PathBuilder::new();
    let (mut x, mut y) = (radius, 0.0);
    builder.move_to(x, y);
    for _ in 0..4 {
        builder.cubic_to(x - ARM * y, y + ARM * x, ARM * x - y, x + ARM * y, -y, x);
        (x, y) = (-y, x);
    }
    builder.close();
    builder.finish()
}

/// The path of SVG path data with the commands that occur in diagrams: `m`, `l`, `h`, `v` and `z` of both cases, and `c`.
fn path(data: &str) -> Option<Path> {
    let mut builder = PathBuilder::new();
    let (mut x, mut y, mut start) = (0.0, 0.0, (0.0, 0.0));
    let mut commands = data.match_indices(|c: char| c.is_ascii_alphabetic()).peekable();
    while let Some((index, command)) = commands.next() {
        let end = commands.peek().map_or(data.len(), |next| next.0);
        let numbers = data[index + 1..end].replace('-', " -");
        let numbers: Vec<f32> = numbers.split_whitespace().filter_map(|number| number.parse().ok()).collect();
        let size = match command {
            "h" | "v" | "H" | "V" => 1,
            "c" => 6,
            "z" => {
                builder.close();
                (x, y) = start;
                continue;
            }
            _ => 2,
        };
        let is_relative = command == command.to_ascii_lowercase();
        for numbers in numbers.chunks_exact(size) {
            let (from_x, from_y) = if is_relative { (x, y) } else { (0.0, 0.0) };
            (x, y) = match numbers {
                [number] if command.eq_ignore_ascii_case("h") => (from_x + number, y),
                [number] => (x, from_y + number),
                [.., dx, dy] => (from_x + dx, from_y + dy),
                [] => continue,
            };
            match numbers {
                [x1, y1, x2, y2, ..] => builder.cubic_to(from_x + x1, from_y + y1, from_x + x2, from_y + y2, x, y),
                _ if command.eq_ignore_ascii_case("m") => {
                    builder.move_to(x, y);
                    start = (x, y);
                }
                _ => builder.line_to(x, y),
            }
        }
    }
    builder.finish()
}

/// The bytes of a PNG file.
fn encode(pixels: Pixmap) -> Vec<u8> {
    let (width, height) = (pixels.width(), pixels.height());
    // 8 bits of red, green, blue and opacity; compression by deflate, filters by row, not interlaced.
    let header = [&width.to_be_bytes()[..], &height.to_be_bytes(), &[8, 6, 0, 0, 0]].concat();
    let mut rows = Vec::new();
    for row in pixels.take_demultiplied().chunks_exact(4 * width as usize) {
        rows.push(0); // not filtered
        rows.extend_from_slice(row);
    }
    let mut file = b"\x89PNG\r\n\x1a\n".to_vec();
    for (kind, data) in [(b"IHDR", header), (b"IDAT", compress_to_vec_zlib(&rows, 6)), (b"IEND", Vec::new())] {
        file.extend((data.len() as u32).to_be_bytes());
        let start = file.len();
        file.extend(kind);
        file.extend(data);
        file.extend(crc32fast::hash(&file[start..]).to_be_bytes());
    }
    file
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::diagram::Coordinates;
    use crate::position::Position;
    use crate::types::Square;
    use miniz_oxide::inflate::decompress_to_vec_zlib;

    #[test]
    fn shapes_have_their_places_and_colors() {
        let mut diagram = Diagram::new(Position::from_fen("3ak4/9/9/9/9/9/9/9/9/3K5 w - - 0 1").unwrap());
        diagram.coordinates = Coordinates::None;
        let square = |text: &[u8; 2]| Square::from_ascii(text[0], text[1]).unwrap();
        diagram.arrows = vec![(square(b"a0"), square(b"a9"))];
        diagram.marks = vec![square(b"i9")];
        // A unit is a pixel.
        let file = png(&diagram, 928).unwrap();
        let length = u32::from_be_bytes(file[33..37].try_into().unwrap()) as usize;
        assert_eq!(&file[37..41], b"IDAT");
        let rows = decompress_to_vec_zlib(&file[41..41 + length]).unwrap();
        assert_eq!(rows.len(), 1_028 * (1 + 4 * 928));
        let color = |x: usize, y: usize| {
            u32::from_be_bytes(rows[(64 + y) * (1 + 4 * 928) + 1 + 4 * (64 + x)..][..4].try_into().unwrap())
        };
        for (what, x, y, expected) in [
            ("background", 250, 250, 0xefd6a5ff_u32),
            ("frame", 650, 0, 0x8a5a2bff),
            ("line", 250, 600, 0x8a5a2bff),
            ("line across", 300, 550, 0x8a5a2bff),
            ("disc", 300 + 41, 0, 0xfbf1dcff),
            ("advisor", 300, 0, 0x1d1b19ff),
            ("ring of 0.9", 800 - 35, 35, 0x2d73b6ff),
            ("arrow of 0.82", 5, 350, 0x3e8242ff),
        ] {
            let found = color(x, y);
            let near = found.to_be_bytes().iter().zip(expected.to_be_bytes()).all(|(&a, b)| a.abs_diff(b) <= 1);
            assert!(near, "{what}: {found:08x}, not {expected:08x}");
        }
    }

    #[test]
    fn path_data_is_read() {
        let mut expected = PathBuilder::new();
        expected.move_to(10.0, -20.0);
        expected.line_to(15.0, -15.0);
        expected.line_to(10.0, -10.0);
        expected.cubic_to(11.0, -8.0, 13.0, -6.0, 15.0, -4.0);
        expected.close();
        expected.move_to(11.0, -20.0);
        expected.line_to(11.0, -16.5);
        expected.line_to(-8.0, -16.5);
        expected.line_to(-8.0, 3.0);
        expected.line_to(2.0, 3.0);
        assert_eq!(path("m10-20l5 5-5 5c1 2 3 4 5 6zm1 0v3.5H-8V3h10"), expected.finish());
    }
}
