//! Exercises from games: the positions after a bad move in which one line of moves alone takes advantage of it.

use super::positions::{AnalysisSettings, best_lines, hash_kilobytes};
use super::review::class::MoveClass;
use super::review::mate_pattern::{MatePattern, mate_pattern};
use super::review::motif::{MIN_MATERIAL, Motif, motif};
use super::review::reason::settled_material;
use super::review::{GameReview, ReviewedMove, review, reviewed_moves};
use crate::engine::level::LEVELS;
use crate::eval::wdl::expected_points;
use crate::mate::MateSolver;
use crate::mate::solution::{Solution, SolutionLimits};
use crate::position::Position;
use crate::search::Searcher;
use crate::search::limits::Limits;
use crate::search::report::Iteration;
use crate::search::transposition::TranspositionTable;
use crate::types::score::{is_decided, is_mate, plies_to_mate};
use crate::types::{Move, Score};

/// The expected points that every other move loses against the solution.
const MARGIN: f64 = 0.20;
/// Greatest number of moves of a solution that is not a mate.
const MAX_MOVES: usize = 6;
/// How many times the nodes of the search of a game a solution is searched with, at first and to be sure.
const VERIFICATION: [u64; 2] = [2, 20];
/// Greatest number of moves of a mate of which all defences are given.
const MAX_TREE_MOVES: u32 = 5;
/// Memory for the proofs of mates, in megabytes.
const PROOF_MEGABYTES: usize = 16;
const TREE_LIMITS: SolutionLimits =
    SolutionLimits { moves: None, nodes: 1_000_000, move_nodes: 100_000, all: true, answers: 300 };

/// An exercise.
#[derive(Clone)]
pub(crate) struct Puzzle {
    /// Plies of the game before the mistake.
    pub ply: usize,
    /// The position before the mistake, without the moves before it.
    pub before: Position,
    /// The mistake.
    pub mistake: Move,
    /// Its class: an inaccuracy or worse.
    pub class: MoveClass,
    /// Moves of the solver and replies; the last one is the solver's.
    pub solution: Vec<Move>,
    /// What it wins.
    pub kind: Kind,
    /// The score of the solution, for the solver.
    pub score: Score,
    /// Nodes after which the search had the first move and kept it.
    pub nodes: u64,
    /// The weakest level whose search, without the level's errors, finds the first move; `None`: none below full strength.
    pub level: Option<usize>,
    /// Of a mate in few moves, all defences.
    pub defences: Option<Solution>,
}

impl Puzzle {
    /// The position to be solved, without the moves before it.
    pub(crate) fn position(&self) -> Position {
        self.before.after(self.mistake).without_history()
    }

    /// The board and the side to move, alike for exercises that are the same.
    pub(crate) fn key(&self) -> String {
        key(&self.position().to_fen())
    }
}

/// As [`Puzzle::key`], of the position as a FEN.
pub(crate) fn key(fen: &str) -> String {
    fen.split(' ').take(2).collect::<Vec<_>>().join(" ")
}

/// What an exercise is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// A mate, which may have a name.
    Mate(Option<MatePattern>),
    /// Material, won by a motif or by several captures.
    Material(Option<Motif>),
    /// A win by the rules of repetition.
    Rule,
}

impl Kind {
    /// The names that [`Kind::is`] knows.
    pub(crate) fn known() -> impl Iterator<Item = &'static str> {
        let named = Motif::ALL.map(Motif::names).into_iter().chain(MatePattern::ALL.map(MatePattern::names));
        ["mate", "material", "rule"].into_iter().chain(named.map(|[name, ..]| name))
    }

    /// Its name in JSON and in arguments, in English and in Chinese.
    pub(crate) fn names(self) -> [&'static str; 3] {
        match self {
            Kind::Mate(pattern) => pattern.map_or(["mate", "mate", "杀法"], MatePattern::names),
            Kind::Material(motif) => motif.map_or(["material", "material", "得子"], Motif::names),
            Kind::Rule => ["rule", "win by the rules", "规则取胜"],
        }
    }

    /// Whether it is of this kind: `mate` and `material` mean all mates and all wins of material.
    pub(crate) fn is(self, name: &str) -> bool {
        let is_any = matches!((self, name), (Kind::Mate(_), "mate") | (Kind::Material(_), "material"));
        is_any || self.names()[0] == name
    }
}

/// Finds exercises. The limit is the nodes for each position of a game.
pub(crate) struct PuzzleMaker {
    settings: AnalysisSettings,
    nodes: u64,
    searcher: Searcher,
    table: TranspositionTable,
    solver: MateSolver,
}

impl PuzzleMaker {
    /// # Errors
    /// When there is not enough memory: the size of the tables in megabytes.
    pub(crate) fn new(limits: &Limits, nodes: u64) -> Result<PuzzleMaker, usize> {
        let limits = Limits { nodes: Some(nodes), ..limits.clone() };
        let kilobytes = hash_kilobytes(Some(nodes.saturating_mul(VERIFICATION[1])));
        let no_memory = PROOF_MEGABYTES + (kilobytes >> 10);
        let table = TranspositionTable::of_kilobytes(kilobytes).ok_or(no_memory)?;
        let settings = AnalysisSettings { limits, threads: 1, hash_kilobytes: hash_kilobytes(Some(nodes)) };
        let solver = MateSolver::new(PROOF_MEGABYTES).ok_or(no_memory)?;
        Ok(PuzzleMaker { settings, nodes, searcher: Searcher::new(), table, solver })
    }

    /// The exercise as a game, looked over: the mistake and the solution.
    ///
    /// # Errors
    /// As [`PuzzleMaker::puzzles`].
    pub(crate) fn reviewed(&self, puzzle: &Puzzle) -> Result<GameReview, usize> {
        let moves: Vec<Move> = [puzzle.mistake].into_iter().chain(puzzle.solution.iter().copied()).collect();
        let mut reviewed = review(&puzzle.before, &moves, &self.settings, &mut |_| {})?;
        // The longer searches know better.
        for (ply, position) in reviewed.positions.iter_mut().enumerate().skip(1) {
            position.best = moves[ply..].to_vec();
            position.played =
                position.played.map(|played| ReviewedMove { loss: 0.0, class: MoveClass::Best, ..played });
            (position.alternatives, position.reason) = (Vec::new(), None);
        }
        Ok(reviewed)
    }

    /// The exercises of the game that led to this position.
    ///
    /// # Errors
    /// When there is not enough memory for the hash table: its size in megabytes.
    pub(crate) fn puzzles(&mut self, end: &Position) -> Result<Vec<Puzzle>, usize> {
        let (start, moves) = (end.before(end.plies()), end.last_moves(end.plies()));
        let reviewed = reviewed_moves(&start, &moves, &self.settings)?;
        let mistakes = reviewed.into_iter().enumerate().filter(|(_, played)| played.class.mark().is_some());
        let found = mistakes.filter_map(|(ply, played)| self.puzzle(&end.before(end.plies() - ply), ply, played));
        Ok(found.collect())
    }

    /// The exercise that begins after a move played in `position`.
    fn puzzle(&mut self, position: &Position, ply: usize, played: ReviewedMove) -> Option<Puzzle> {
        let ReviewedMove { mv: mistake, class, .. } = played;
        let start = position.after(mistake);
        if start.legal_moves().len() == 1 {
            return None;
        }
        let [quick, long] = VERIFICATION;
        let first = self.only_move(&start, quick)?;
        let (solution, score) = self.solution(&start, long).filter(|(solution, _)| solution[0] == first.0)?;
        let kind = kind(&start.without_history(), &solution, score);
        let (nodes, level) = self.difficulty(&start, solution[0]);
        let is_short = plies_to_mate(score).is_some_and(|plies| plies.div_ceil(2) <= MAX_TREE_MOVES);
        let defences = is_short.then(|| self.solver.solution(&start, None, &TREE_LIMITS, &|| false));
        let before = position.without_history();
        Some(Puzzle { ply, before, mistake, class, solution, kind, score, nodes, level, defences })
    }

    /// The move without which [`MARGIN`] is lost, its score, and what follows.
    fn only_move(&mut self, position: &Position, factor: u64) -> Option<(Move, Score, Vec<Move>)> {
        let lines = self.search(position, self.nodes.saturating_mul(factor), None, 2, &mut |_| {})?.lines;
        let best = lines.first()?;
        let others = lines.get(1).map_or(0.0, |line| expected_points(line.score));
        let is_only =
            lines.len() == position.legal_moves().len().min(2) && expected_points(best.score) - others >= MARGIN;
        Some((*best.pv.first()?, best.score, best.pv.clone())).filter(|_| is_only || position.legal_moves().len() == 1)
    }

    /// Moves of the solver, each the only one, and replies, until mate or material is clear; and the score.
    fn solution(&mut self, start: &Position, factor: u64) -> Option<(Vec<Move>, Score)> {
        let mut position = start.clone();
        let mut line: Vec<Move> = Vec::new();
        let mut score = None;
        while let Some((mv, found, rest)) = self.only_move(&position, factor) {
            let score = *score.get_or_insert(found);
            line.push(mv);
            position.make(mv);
            let is_material = || settled_material(start, &line, &rest[1..]) >= MIN_MATERIAL;
            if position.has_no_moves() || !is_decided(score) && is_material() {
                return Some((line, score));
            }
            let Some(&reply) = rest.get(1).filter(|_| is_mate(score) || line.len() < 2 * MAX_MOVES) else { break };
            line.push(reply);
            position.make(reply);
        }
        // Of a decided game the rest may be won in several ways.
        line.truncate(line.len().saturating_sub(1) | 1);
        score.filter(|&score| is_decided(score) && score > 0 && line.len() % 2 == 1).map(|score| (line, score))
    }

    /// The nodes after which the search has the move and keeps it, and the weakest level whose search finds it.
    fn difficulty(&mut self, position: &Position, mv: Move) -> (u64, Option<usize>) {
        let has = |iteration: &Iteration| iteration.lines.first().and_then(|line| line.pv.first()) == Some(&mv);
        let (mut nodes, mut had) = (0, false);
        self.search(position, self.nodes.saturating_mul(VERIFICATION[1]), None, 1, &mut |iteration| {
            if has(iteration) && !had {
                nodes = iteration.nodes;
            }
            had = has(iteration);
        });
        let mut finds = |level: usize| {
            let level = &LEVELS[level];
            self.search(position, level.nodes, Some(level.depth), 1, &mut |_| {}).is_some_and(|found| has(&found))
        };
        (nodes, (0..LEVELS.len()).find(|&level| finds(level)))
    }

    fn search(
        &mut self,
        position: &Position,
        nodes: u64,
        depth: Option<u32>,
        lines: usize,
        seen: &mut dyn FnMut(&Iteration),
    ) -> Option<Iteration> {
        let mut limits = Limits { nodes: Some(nodes), depth, ..self.settings.limits.clone() };
        limits.settings.lines = lines;
        best_lines(position, &limits, &mut self.searcher, &self.table, seen)
    }
}

/// The kind of an exercise.
fn kind(start: &Position, solution: &[Move], score: Score) -> Kind {
    if is_mate(score) {
        return Kind::Mate(mate_pattern(start, solution));
    }
    if is_decided(score) {
        return Kind::Rule;
    }
    Kind::Material(motif(start, solution, solution.len() - 1).map(|(motif, _)| motif))
}
