//! Sheets for paper: diagrams in two columns, numbered, with a line below each, and the answers at the end.

use super::error::Failure;
use super::save::Output;
use crate::diagram::Diagram;
use crate::display::language::Language;

const STYLE: &str = "@page{size:A4;margin:14mm}*{box-sizing:border-box}\
    body{font:11pt/1.4 serif;max-width:182mm;margin:1em auto;padding:0 1em;color:#000;background:#fff}\
    figure{display:inline-block;vertical-align:top;width:calc(50% - 3mm);margin:0 0 4mm;padding:0 4mm;break-inside:avoid}\
    svg{display:block;width:100%;max-width:60mm;height:auto}figcaption{margin-top:1mm;overflow-wrap:anywhere}\
    h2{font-size:13pt;break-before:page;break-after:avoid}dl{margin:0}dt{float:left;clear:left;font-weight:bold}\
    .text{white-space:pre-wrap;overflow-wrap:anywhere}dd{margin:0 0 3mm 2.5em;break-inside:avoid;overflow-wrap:anywhere;white-space:pre-line}\
    @media print{body{max-width:none;margin:0;padding:0}}@media screen and (max-width:34em){figure{width:100%;padding:0}}";

/// A sheet that is being written.
pub(super) struct Sheet<'a> {
    output: Output<'a>,
    language: Language,
    /// Number of diagrams so far.
    count: usize,
    answers: String,
}

impl Sheet<'_> {
    /// An empty sheet.
    ///
    /// # Errors
    /// When it cannot be written.
    pub(super) fn new(mut output: Output, language: Language) -> Result<Sheet, Failure> {
        let (tag, title) = language.pick(("en", "Diagrams"), ("zh", "棋图"));
        output.write(&format!(
            "<!doctype html>\n<html lang=\"{tag}\">\n<meta charset=\"utf-8\">\n<meta name=\"viewport\" \
             content=\"width=device-width, initial-scale=1\">\n<title>{title}</title>\n<style>{STYLE}</style>\n"
        ))?;
        Ok(Sheet { output, language, count: 0, answers: String::new() })
    }

    /// Writes lines of text above the diagrams.
    ///
    /// # Errors
    /// When they cannot be written.
    pub(super) fn write_text(&mut self, text: &str) -> Result<(), Failure> {
        self.output.write(&format!("<p class=\"text\">{}</p>\n", escaped(text)))
    }

    /// Adds a diagram with what is said below it, and the answer for the end of the sheet, if something is asked.
    ///
    /// # Errors
    /// When it cannot be written.
    pub(super) fn add(&mut self, diagram: &Diagram, caption: &str, answer: Option<&str>) -> Result<(), Failure> {
        self.count += 1;
        let number = self.count;
        if let Some(answer) = answer {
            self.answers += &format!("<dt>{number}.</dt><dd>{}</dd>\n", escaped(answer));
        }
        let (svg, caption) = (diagram.svg(), escaped(caption));
        self.output.write(&format!("<figure>\n{svg}<figcaption><b>{number}.</b> {caption}</figcaption>\n</figure>\n"))
    }

    /// Writes the answers.
    ///
    /// # Errors
    /// When they cannot be written.
    pub(super) fn finish(mut self) -> Result<(), Failure> {
        if self.count == 0 {
            return self.write_text(self.language.pick("There is no position.", "没有局面。"));
        }
        if self.answers.is_empty() {
            return Ok(());
        }
        let title = self.language.pick("Answers", "答案");
        self.output.write(&format!("<h2>{title}</h2>\n<dl>\n{}</dl>\n", self.answers))
    }
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;")
}
