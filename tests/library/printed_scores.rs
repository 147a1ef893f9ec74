//! What is printed is true: mates and wins by the rules of repetition, by a proof search that knows only the rules and the
//! arbiter, and drawn endings, by the endgame tables. Long, so ignored: the counts are in docs/reliability.md.

use chuhe::egtb::tables::Tables;
use chuhe::egtb::value::EndgameValue;
use chuhe::engine;
use chuhe::engine::go::Go;
use chuhe::engine::options::Setting;
use chuhe::games::setup::GameSetup;
use chuhe::position::{Position, PositionBuilder};
use chuhe::rules::Rules;
use chuhe::rules::game_status::{GameStatus, OCCURRENCES, judge};
use chuhe::search::Searcher;
use chuhe::search::limits::Limits;
use chuhe::search::report::Report;
use chuhe::search::signals::Signals;
use chuhe::search::transposition::TranspositionTable;
use chuhe::types::score::{DRAW, WON_BY_RULE, is_by_rule, is_decided, mate_in, mated_in, plies_to_mate};
use chuhe::types::{Color, Move, Piece, Score};
use rand::rngs::SmallRng;
use rand::{RngExt, SeedableRng};
use std::collections::HashMap;
use std::fmt::Write as _;

/// Positions that may be visited to prove a score.
const PROOF_NODES: u64 = 5_000;
/// Plies by which mates may take longer than a win by rule of which they are other lines.
const MATE_PLIES: u32 = 20;
/// Nodes of the search that says which move to try first.
const HINT_NODES: u64 = 1_000;

/// An engine that searches each position by itself.
struct Engine {
    searcher: Searcher,
    table: TranspositionTable,
}

impl Engine {
    fn new() -> Engine {
        Engine { searcher: Searcher::new(), table: TranspositionTable::new(4).unwrap() }
    }

    /// The best move, and the decided scores that were reported, each once.
    fn search(&mut self, position: &Position, nodes: u64) -> (Option<Move>, Vec<Score>) {
        let limits = Limits { nodes: Some(nodes), ..Limits::default() };
        let mut scores = Vec::new();
        let result = self.searcher.search(position, &limits, &Signals::new(), &self.table, &mut |report| {
            let Report::Iteration(iteration) = report else { return };
            scores.extend(iteration.lines.first().map(|line| line.score).filter(|&score| is_decided(score)));
        });
        scores.sort_unstable();
        scores.dedup();
        (result.best, scores)
    }

    /// The same without what earlier searches found.
    fn search_anew(&mut self, position: &Position, nodes: u64) -> (Option<Move>, Vec<Score>) {
        self.table.clear();
        self.searcher.clear();
        self.search(position, nodes)
    }
}

/// A search for a proof that a side wins.
struct Proof<'a> {
    rules: &'a Rules,
    winner: Color,
    nodes: u64,
    hints: &'a mut Engine,
    /// Whether a position is won within a number of plies; `None` where that depends on the moves before it.
    known: Option<HashMap<(u64, u32), bool>>,
}

impl Proof<'_> {
    /// Whether the winner wins within `plies` plies against every reply; `None` where the nodes are used up.
    fn wins(&mut self, position: &mut Position, plies: u32) -> Option<bool> {
        match judge(position, self.rules, OCCURRENCES) {
            GameStatus::Won { winner, .. } => return Some(winner == self.winner),
            GameStatus::Drawn(_) => return Some(false),
            GameStatus::Ongoing if plies == 0 => return Some(false),
            GameStatus::Ongoing => {}
        }
        let key = (position.key(), plies);
        if let Some(&known) = self.known.as_ref().and_then(|known| known.get(&key)) {
            return Some(known);
        }
        self.nodes = self.nodes.checked_sub(1)?;
        let is_winner = position.side() == self.winner;
        let mut moves: Vec<Move> = position.legal_moves().iter().collect();
        if is_winner && plies > 1 {
            moves.sort_by_cached_key(|&mv| {
                position.make(mv);
                let order = (!position.in_check(), position.legal_moves().len());
                position.undo();
                order
            });
            if let Some(hint) = self.hints.search_anew(position, HINT_NODES).0 {
                moves.retain(|&mv| mv != hint);
                moves.insert(0, hint);
            }
        }
        let mut is_won = !is_winner;
        for mv in moves {
            position.make(mv);
            let wins = self.wins(position, plies - 1);
            position.undo();
            if wins? == is_winner {
                is_won = is_winner;
                break;
            }
        }
        if let Some(known) = &mut self.known {
            known.insert(key, is_won);
        }
        Some(is_won)
    }
}

/// Counts of the checked scores.
#[derive(Default)]
struct Counts {
    mates: [usize; 3],
    by_rule: [usize; 3],
    faults: String,
}

impl Counts {
    /// Checks the decided scores that a search of `position` printed, the greatest first: if it is true, so are those of the
    /// same kind below it.
    fn check(&mut self, position: &Position, scores: &[Score], hints: &mut Engine) {
        let mut scores = scores.to_vec();
        scores.sort_by_key(|score| std::cmp::Reverse(score.abs()));
        let mut is_proven = [false; 2];
        for score in scores {
            if is_proven[is_by_rule(score) as usize] {
                continue;
            }
            let plies = match plies_to_mate(score) {
                Some(plies) => plies,
                // The loser may choose a mate instead, which may take longer.
                None if is_by_rule(score) => (WON_BY_RULE - score.abs()) as u32 + MATE_PLIES,
                None => continue,
            };
            let winner = if score > 0 { position.side() } else { !position.side() };
            let rules = &Rules::default();
            let known = (!is_by_rule(score)).then(HashMap::new);
            let mut proof = Proof { rules, winner, nodes: PROOF_NODES, hints, known };
            let proven = proof.wins(&mut position.clone(), plies);
            let counts = if is_by_rule(score) { &mut self.by_rule } else { &mut self.mates };
            counts[proven.map_or(2, |proven| !proven as usize)] += 1;
            is_proven[is_by_rule(score) as usize] |= proven == Some(true);
            if proven == Some(false) {
                let moves: Vec<String> =
                    position.history().filter_map(|past| past.mv).map(|mv| mv.to_string()).collect();
                let _ = write!(self.faults, "\n{score} {} after {moves:?}, last first", position.to_fen());
            }
        }
    }

    fn report(&self, what: &str) {
        for (kind, [true_ones, false_ones, unknown]) in [("mates", self.mates), ("by rule", self.by_rule)] {
            println!("{what}: {kind}: {true_ones} true, {false_ones} false, {unknown} not decided");
        }
    }
}

fn number(name: &str, default: u64) -> u64 {
    std::env::var(name).map_or(default, |text| text.parse().unwrap())
}

#[test]
#[ignore = "long: about ten minutes in release mode"]
fn printed_mates_and_wins_by_rule_are_true() {
    let (mut engine, mut hints, mut problems) = (Engine::new(), Engine::new(), Counts::default());
    for fen in include_str!("../data/problems.txt").lines().filter(|line| !line.starts_with('#')) {
        let position = Position::from_fen(fen).unwrap();
        let (_, scores) = engine.search_anew(&position, number("PROBLEM_NODES", 100_000));
        problems.check(&position, &scores, &mut hints);
    }
    problems.report("problems");
    // Positions of games, with the moves before them, and with what earlier searches left in the table.
    let (wanted, mut positions, mut games) = (number("GAME_POSITIONS", 10_000), 0, Counts::default());
    let mut rng = SmallRng::seed_from_u64(70);
    while positions < wanted {
        engine.table.clear();
        engine.searcher.clear();
        let mut position = Position::start();
        for _ in 0..8 {
            let moves = position.legal_moves();
            position.make(moves.iter().nth(rng.random_range(0..moves.len())).unwrap());
        }
        while judge(&position, &Rules::default(), OCCURRENCES) == GameStatus::Ongoing && position.plies() < 300 {
            let (best, scores) = engine.search(&position, number("GAME_NODES", 3_000));
            games.check(&position, &scores, &mut hints);
            positions += 1;
            // Now and then a random move, so that won games are not won at once.
            let moves = position.legal_moves();
            let random = moves.iter().nth(rng.random_range(0..moves.len()));
            position.make(best.filter(|_| rng.random_ratio(3, 4)).or(random).unwrap());
        }
    }
    games.report("games");
    assert!(problems.faults.is_empty() && games.faults.is_empty(), "{}{}", problems.faults, games.faults);
}

/// A random position of the classes of the tables.
fn random_endgame(tables: &Tables, rng: &mut SmallRng) -> Position {
    loop {
        let table = tables.iter().nth(rng.random_range(0..tables.len())).unwrap();
        let (mut builder, indexer) = (PositionBuilder::new(), table.indexer());
        let squares = indexer.squares(rng.random_range(0..indexer.size()));
        for ((color, kind), &square) in indexer.kinds().zip(&squares) {
            builder.set(square, Some(Piece::new(color, kind)));
        }
        builder.side_to_move(if rng.random() { Color::Red } else { Color::Black });
        // Pieces on one square, kings that face each other, a king that could be captured: no position.
        if let Ok(position) = builder.build()
            && position.pieces().count() == indexer.pieces()
            && !position.has_no_moves()
        {
            return position;
        }
    }
}

#[test]
#[ignore = "long: about ten minutes in release mode"]
fn scores_of_endgames_are_those_of_the_tables() {
    let (tables, mut rng) = (Tables::built_in(), SmallRng::seed_from_u64(702));
    let mut engine = engine::Engine::new();
    for (name, value) in [("hashsize", "1"), ("usebook", "false")] {
        engine.set(&Setting::read(name, value).unwrap()).unwrap();
    }
    let (mut counts, mut faults) = ([0; 5], Vec::new());
    for _ in 0..number("ENDGAMES", 100_000) {
        let position = random_endgame(&tables, &mut rng);
        let fen = position.to_fen();
        engine.set_up(&GameSetup::read(&format!("fen {fen}")).unwrap()).unwrap();
        let (plan, _) = engine.plan(&Go { depth: Some(8), ..Go::default() });
        let (_, result) = engine.go(&plan, &Signals::new(), &mut |_| ());
        let (score, value) = (result.unwrap().score, tables.probe(&position).unwrap().value);
        let (kind, is_true) = match value {
            EndgameValue::Win(plies) => (0, score == mate_in(plies as usize)),
            EndgameValue::WinByRule(_) => (1, is_by_rule(score) && score > 0),
            EndgameValue::Draw => (2, score == DRAW),
            EndgameValue::LossByRule(_) => (3, is_by_rule(score) && score < 0),
            EndgameValue::Loss(plies) => (4, score == mated_in(plies as usize)),
        };
        counts[kind] += 1;
        if !is_true {
            faults.push(format!("{fen}: {score}, {value:?}"));
        }
    }
    println!("won, won by rule, drawn, lost by rule, lost: {counts:?}; {} wrong", faults.len());
    assert!(faults.is_empty(), "{:#?}", &faults[..faults.len().min(20)]);
}
