//! SVG drawn as PNG.

use resvg::tiny_skia::{Pixmap, Transform};
use resvg::usvg::{Options, Tree};
use thiserror::Error;

/// Why an SVG file cannot be drawn.
#[derive(Debug, Error)]
pub enum PngError {
    /// It is not valid.
    #[error("not a valid SVG file: {0}")]
    Svg(#[from] resvg::usvg::Error),
    /// It has no area, or there is not enough memory for its pixels.
    #[error("no memory for {0} by {1} pixels")]
    Size(u32, u32),
    /// It cannot be encoded.
    #[error("{0}")]
    Encode(String),
}

/// Draws an SVG file without texts, `width` pixels wide, and returns the bytes of a PNG file.
///
/// # Errors
/// [`PngError`].
pub fn png(svg: &str, width: u32) -> Result<Vec<u8>, PngError> {
    let tree = Tree::from_str(svg, &Options::default())?;
    let scale = width as f32 / tree.size().width();
    let height = (tree.size().height() * scale).round() as u32;
    let mut pixels = Pixmap::new(width, height).ok_or(PngError::Size(width, height))?;
    resvg::render(&tree, Transform::from_scale(scale, scale), &mut pixels.as_mut());
    pixels.encode_png().map_err(|error| PngError::Encode(error.to_string()))
}
