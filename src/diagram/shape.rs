//! Shapes of a picture, and their SVG.

use std::fmt;

/// How a shape is painted. Colors are 0xRRGGBB.
#[derive(Clone, Copy, PartialEq)]
pub(crate) struct Style {
    pub fill: Option<u32>,
    /// Color and width.
    pub stroke: Option<(u32, f32)>,
    /// From 0 to 1, of fill and stroke together.
    pub opacity: f32,
}

impl Style {
    /// What SVG takes where nothing is said.
    pub(crate) const INITIAL: Style = Style { fill: Some(0), stroke: None, opacity: 1.0 };

    /// The attributes that differ from those of `outer`, the group around.
    fn attributes(&self, outer: &Style) -> String {
        let paint = |color: Option<u32>| color.map_or("none".to_string(), |color| format!("#{color:06x}"));
        let (stroke, outer_stroke) = (self.stroke.unzip(), outer.stroke.unzip());
        let mut attributes = String::new();
        let mut add = |name, value: &str| attributes.extend([" ", name, "=\"", value, "\""]);
        if self.fill != outer.fill {
            add("fill", &paint(self.fill));
        }
        if stroke.0 != outer_stroke.0 {
            add("stroke", &paint(stroke.0));
        }
        if let Some(width) = stroke.1.filter(|_| stroke.1 != outer_stroke.1) {
            add("stroke-width", &width.to_string());
        }
        if self.opacity != outer.opacity {
            add("opacity", self.opacity.to_string().trim_start_matches('0'));
        }
        attributes
    }
}

/// The outline of a shape.
#[derive(Clone)]
pub(crate) enum Outline {
    /// Centre (without one, the origin) and radius.
    Circle(Option<(i32, i32)>, i32),
    /// Left, top, width and height.
    Rectangle(i32, i32, i32, i32),
    /// SVG path data.
    Path(String),
    /// SVG path data, scaled, with the origin moved to a point.
    Scaled(&'static str, f64, (i32, i32)),
    /// SVG path data, turned clockwise by degrees, with the origin moved to a point.
    Turned(String, f64, (i32, i32)),
}

/// A shape.
#[derive(Clone)]
pub(crate) struct Shape {
    /// Empty for none.
    pub class: &'static str,
    pub outline: Outline,
    pub style: Style,
}

impl Shape {
    /// The SVG element, in a group of style `outer`.
    fn svg(&self, outer: &Style) -> String {
        let class = if self.class.is_empty() { String::new() } else { format!(" class=\"{}\"", self.class) };
        let style = self.style.attributes(outer);
        match &self.outline {
            Outline::Circle(center, radius) => {
                let center = center.map(|(x, y)| format!(" cx=\"{x}\" cy=\"{y}\"")).unwrap_or_default();
                format!("<circle{class}{center} r=\"{radius}\"{style}/>")
            }
            Outline::Rectangle(x, y, width, height) => {
                format!("<rect{class} x=\"{x}\" y=\"{y}\" width=\"{width}\" height=\"{height}\"{style}/>")
            }
            Outline::Path(data) => format!("<path{class}{style} d=\"{data}\"/>"),
            Outline::Scaled(data, scale, (x, y)) => {
                format!("<path{class}{style} transform=\"translate({x} {y}) scale({scale})\" d=\"{data}\"/>")
            }
            Outline::Turned(data, degrees, (x, y)) => {
                format!("<path{class}{style} transform=\"translate({x} {y}) rotate({degrees:.2})\" d=\"{data}\"/>")
            }
        }
    }
}

/// Shapes that belong together.
#[derive(Clone)]
pub(crate) struct Group {
    /// Empty for none.
    pub id: String,
    pub class: &'static str,
    /// What the shapes have in common.
    pub style: Style,
    pub shapes: Vec<Shape>,
}

impl fmt::Display for Group {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let id = if self.id.is_empty() { String::new() } else { format!(" id=\"{}\"", self.id) };
        write!(f, "<g{id} class=\"{}\"{}>", self.class, self.style.attributes(&Style::INITIAL))?;
        self.shapes.iter().try_for_each(|shape| f.write_str(&shape.svg(&self.style)))?;
        writeln!(f, "</g>")
    }
}

/// A part of a picture. As text: its SVG, a line.
pub(crate) enum Element {
    Shape(Shape),
    Group(Group),
    /// A group with an id that is defined elsewhere, moved to a point.
    Use(Group, (i32, i32)),
}

impl fmt::Display for Element {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Element::Shape(shape) => writeln!(f, "{}", shape.svg(&Style::INITIAL)),
            Element::Group(group) => group.fmt(f),
            Element::Use(group, (x, y)) => writeln!(f, "<use href=\"#{}\" x=\"{x}\" y=\"{y}\"/>", group.id),
        }
    }
}
