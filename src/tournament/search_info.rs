//! What an engine reports of a search.

/// A mate in 0; one in n moves is n less.
pub(crate) const MATE_SCORE: i32 = 30_000;
/// Scores from here on are mates.
pub(crate) const MATE_BOUND: i32 = 29_000;

/// What `info` lines have said of the best line.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct SearchInfo {
    /// Depth of the last line with a score, in plies.
    pub depth: Option<u32>,
    /// Score for the side to move, in centipawns; mates as [`MATE_SCORE`].
    pub score: Option<i32>,
    /// Nodes of the search.
    pub nodes: Option<u64>,
    /// The best line as the engine wrote it.
    pub pv: Vec<String>,
}

impl SearchInfo {
    /// Reads the words after `info`. Scores are UCI's (`score cp X`, `score mate N`) or UCCI's (`score X`) and multiplied by
    /// `scale`. What cannot be read is passed over, and so are the lines of MultiPV but the first.
    pub(crate) fn read(&mut self, words: &[&str], scale: f64) {
        let mut info = SearchInfo::default();
        let mut is_first_line = true;
        let mut words = words.iter().copied();
        let scaled = |score: i32| (f64::from(score) * scale).round() as i32;
        while let Some(word) = words.next() {
            match word {
                "depth" => info.depth = number(words.next()),
                "nodes" => info.nodes = number(words.next()),
                "multipv" => is_first_line = number(words.next()) == Some(1),
                "score" => {
                    info.score = match words.next() {
                        Some("cp") => number(words.next()).map(scaled),
                        Some("mate") => number(words.next()).map(mate_score),
                        score => number(score).map(scaled),
                    }
                }
                "pv" => info.pv = words.by_ref().map(String::from).collect(),
                "string" | "message" | "currline" | "refutation" => break,
                _ => {}
            }
        }
        self.nodes = info.nodes.or(self.nodes);
        if !is_first_line {
            return;
        }
        if !info.pv.is_empty() {
            self.pv = info.pv;
        }
        if info.score.is_some() || self.score.is_none() {
            self.depth = info.depth.or(self.depth);
        }
        self.score = info.score.or(self.score);
    }
}

fn number<T: std::str::FromStr>(word: Option<&str>) -> Option<T> {
    word?.parse().ok()
}

/// The score of a mate in this number of moves, negative for the side that is mated.
pub(crate) fn mate_score(moves: i32) -> i32 {
    if moves > 0 { MATE_SCORE.saturating_sub(moves) } else { (-MATE_SCORE).saturating_sub(moves) }
}

/// A score as text: pawns, or `+M5` for a mate in five moves.
pub(crate) fn score_text(score: i32) -> String {
    if score.abs() < MATE_BOUND {
        return format!("{:+.2}", f64::from(score) / 100.0);
    }
    format!("{}M{}", if score > 0 { '+' } else { '-' }, MATE_SCORE - score.abs())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_of_both_protocols_are_read() {
        let read = |lines: &[&str]| {
            let mut info = SearchInfo::default();
            lines.iter().for_each(|line| info.read(&line.split(' ').collect::<Vec<_>>(), 2.0));
            (info.depth, info.score, info.nodes, info.pv.join(" "))
        };
        let uci = ["depth 3 score cp -11 nodes 20 pv h2e2 h9g7", "depth 9 multipv 2 score cp 4 pv a0a1", "nodes 30"];
        assert_eq!(read(&uci), (Some(3), Some(-22), Some(30), "h2e2 h9g7".into()));
        assert_eq!(read(&["depth 4 score 7 pv b2e2", "time 5 nodes 60"]), (Some(4), Some(14), Some(60), "b2e2".into()));
        assert_eq!(read(&["score mate -2"]).1.map(score_text).as_deref(), Some("-M2"));
        assert_eq!(read(&["depth 5", "depth x score y nodes", "string score 9"]), (Some(5), None, None, String::new()));
        assert_eq!([123, -5, MATE_SCORE - 1].map(score_text), ["+1.23", "-0.05", "+M1"]);
    }
}
