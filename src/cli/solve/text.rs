//! Solutions as text.

use super::Found;
use crate::analysis::answer::SourcedPosition;
use crate::display::language::Language;
use crate::display::table_value::table_value;
use crate::mate::solution::{Attacking, Defence, Given, Solution};
use crate::notation::Notation;
use crate::position::Position;
use crate::types::Move;

/// Writes solutions.
pub(super) struct Writer {
    pub notation: Notation,
    pub language: Language,
    /// Whether every key and all defences are written.
    pub all: bool,
    /// The moves asked for.
    pub mate: Option<u8>,
}

impl Writer {
    /// The solution of a position, from its FEN on.
    pub(super) fn text(&self, asked: &SourcedPosition, found: &Found) -> String {
        let (position, solution) = (&asked.position, &found.solution);
        let mut text = format!("{}\n{}", position.to_fen(), self.verdict(solution, found.nodes));
        if let Some(mv) = found.by_rule {
            let mv = self.notation.write(position, mv);
            text += &self.language.pick(
                format!("\nwon by the rules of repetition, as a search says: {mv}"),
                format!("\n搜索所见，按禁止着法可胜：{mv}"),
            );
        }
        if let Some(probe) = &found.probe {
            let value = table_value(probe, position.side(), self.language);
            text += &self.language.pick(format!("\nby the endgame tables: {value}"), format!("\n残局库：{value}"));
        }
        if let (Some(mv), Some(given)) = (asked.played, solution.given) {
            let mv = self.notation.write(position, mv);
            let moves = solution.moves();
            text += &match given {
                Given::Mates(moves) => self
                    .language
                    .pick(format!("\n{mv}, as given: mate in {moves}"), format!("\n原着 {mv}：{moves}着杀")),
                Given::DoesNotMate => self
                    .language
                    .pick(format!("\n{mv}, as given: no mate in {moves}"), format!("\n原着 {mv}：{moves}着以内无杀")),
                Given::Undecided => {
                    self.language.pick(format!("\n{mv}, as given: not decided"), format!("\n原着 {mv}：未定"))
                }
            };
        }
        let shown = if self.all { &solution.keys[..] } else { &solution.keys[..solution.keys.len().min(1)] };
        for key in shown {
            text += &format!("\n {}", self.attacking(position, key, 1, 1));
        }
        let list = |moves: &mut dyn Iterator<Item = Move>| {
            moves.map(|mv| self.notation.write(position, mv)).collect::<Vec<_>>().join(" ")
        };
        if solution.keys.len() > 1 {
            let keys = list(&mut solution.keys.iter().map(|key| key.mv));
            text += &self.language.pick(format!("\ncooked: {keys}"), format!("\n多解：{keys}"));
        }
        if !solution.undecided.is_empty() {
            let moves = list(&mut solution.undecided.iter().copied());
            text += &self.language.pick(format!("\nnot decided: {moves}"), format!("\n未定：{moves}"));
        }
        text + "\n"
    }

    fn verdict(&self, solution: &Solution, nodes: u64) -> String {
        let verdict = solution.verdict;
        let (mate, no_mate) = (verdict.mate, verdict.no_mate);
        match mate {
            Some(mate) if verdict.is_shortest() => self.language.pick(format!("mate in {mate}"), format!("{mate}着杀")),
            Some(mate) => self.language.pick(
                format!("mate in {mate}; none in {no_mate}, between not decided in {nodes} nodes"),
                format!("{mate}着杀；{no_mate}着以内无杀，其间在 {nodes} 个节点内未定"),
            ),
            None if self.mate.is_some_and(|moves| no_mate >= moves) => {
                self.language.pick(format!("no mate in {no_mate}"), format!("{no_mate}着以内无杀"))
            }
            None if no_mate > 0 => self.language.pick(
                format!("no mate in {no_mate}; more moves not decided in {nodes} nodes"),
                format!("{no_mate}着以内无杀；更长的在 {nodes} 个节点内未定"),
            ),
            None => self.language.pick(format!("not decided in {nodes} nodes"), format!("{nodes} 个节点内未定")),
        }
    }

    /// An attacker's move and what follows. Where there is one reply, it goes on in the line; else those with the same answers
    /// have a line.
    fn attacking(&self, position: &Position, attacking: &Attacking, number: usize, indent: usize) -> String {
        let after = position.after(attacking.mv);
        let mut text = format!("{number}. {}", self.notation.write(position, attacking.mv));
        let replies = match self.all {
            true => &attacking.replies[..],
            false => &attacking.replies[..attacking.replies.len().min(1)],
        };
        match replies {
            [] => text.push('#'),
            [reply] => {
                let mv = self.notation.write(&after, reply.mv);
                text.push_str(&format!(" {mv}{}", self.answers(&after, reply, number + 1, indent)));
            }
            replies => {
                let mut lines: Vec<(Vec<String>, String)> = Vec::new();
                for reply in replies {
                    let mv = self.notation.write(&after, reply.mv);
                    let answers = self.answers(&after, reply, number + 1, indent + 2);
                    match lines.iter_mut().find(|(_, line)| *line == answers) {
                        Some((moves, _)) => moves.push(mv),
                        None => lines.push((vec![mv], answers)),
                    }
                }
                let indent = " ".repeat(indent + 2);
                lines.iter().for_each(|(moves, answers)| text += &format!("\n{indent}… {}{answers}", moves.join(", ")));
            }
        }
        text
    }

    /// The answers to a reply.
    fn answers(&self, position: &Position, defence: &Defence, number: usize, indent: usize) -> String {
        let after = position.after(defence.mv);
        let Some((first, duals)) = defence.answers.split_first() else { return String::new() };
        let text = format!("  {}", self.attacking(&after, first, number, indent));
        if duals.is_empty() || !self.all {
            return text;
        }
        let duals: Vec<_> = duals.iter().map(|dual| self.notation.write(&after, dual.mv)).collect();
        let duals = duals.join(" ");
        text + &self.language.pick(format!("  (dual: {duals})"), format!("  （双解：{duals}）"))
    }
}
