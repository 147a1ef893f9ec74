//! Positions that endgame tables have as lost by perpetual check, against a solution of the whole game by another method,
//! and played out under the rules of repetition.

use crate::tables::{class, tables};

use chuhe::egtb::tables::Tables;
use chuhe::egtb::value::EndgameValue;
use chuhe::internals::egtb::{Indexer, Statistics, check_positions, position_of};
use chuhe::rules::Rules;
use chuhe::rules::game_status::{EndReason, GameStatus, judge};
use chuhe::{Color, Position};
use rand::rngs::StdRng;
use rand::seq::IndexedRandom;
use rand::{RngExt, SeedableRng};

/// A move of the game graph.
#[derive(Clone, Copy)]
enum Edge {
    /// To the node of this number; whether it gives check.
    Node(u32, bool),
    /// A capture after which this side wins, or neither.
    End(Option<Color>),
}

/// All positions of a class with the engine's own moves.
struct Graph {
    /// Two nodes for each number of the indexer: Red and Black to move. `None`: impossible.
    nodes: Vec<Option<Vec<Edge>>>,
}

impl Graph {
    fn new(indexer: &Indexer, tables: &Tables) -> Graph {
        let edges = |index: usize, side: Color| {
            let mut position = position_of(indexer, index, side)?;
            let mut edges = Vec::new();
            for mv in position.legal_moves().iter() {
                let is_capture = position.is_capture(mv);
                position.make(mv);
                edges.push(if is_capture {
                    let value = tables.probe(&position).map_or(EndgameValue::Draw, |probe| probe.value);
                    Edge::End(match value {
                        EndgameValue::Win(_) | EndgameValue::WinByRule(_) => Some(position.side()),
                        EndgameValue::Loss(_) | EndgameValue::LossByRule(_) => Some(!position.side()),
                        EndgameValue::Draw => None,
                    })
                } else {
                    let index = indexer.index(&indexer.squares_of(&position, false, None).unwrap());
                    Edge::Node((2 * index + position.side().index()) as u32, position.in_check())
                });
                position.undo();
            }
            Some(edges)
        };
        let numbers = (0..indexer.size()).flat_map(|index| Color::ALL.map(|side| (index, side)));
        Graph { nodes: numbers.map(|(index, side)| edges(index, side)).collect() }
    }

    /// The nodes that `winner` wins: by mate, or because the other side's moves are checks from some move on and his own are
    /// not. A parity game: moves of the other side that are no checks have priority 3, his own that are none 2, checks 1; he
    /// wins if the greatest priority that occurs for ever is even. By definition (E. Emerson and C. Jutla, 1991) the winning
    /// nodes are μX νY μZ of the nodes from which he gets, by a move of priority 3, into X, 2 into Y, 1 into Z.
    fn won_by(&self, winner: Color) -> Vec<bool> {
        let leads = |sets: [&[bool]; 3], edge: Edge, is_winner: bool| match edge {
            Edge::End(color) => color == Some(winner),
            Edge::Node(node, true) => sets[2][node as usize],
            Edge::Node(node, false) => sets[if is_winner { 1 } else { 0 }][node as usize],
        };
        let mut x = vec![false; self.nodes.len()];
        loop {
            let mut y = vec![true; self.nodes.len()];
            loop {
                let mut z = vec![false; self.nodes.len()];
                loop {
                    let mut has_changed = false;
                    for number in 0..self.nodes.len() {
                        let Some(edges) = &self.nodes[number] else { continue };
                        let is_winner = number % 2 == winner.index();
                        let mut edges = edges.iter();
                        let sets = [&x[..], &y, &z];
                        let is_won = if is_winner {
                            edges.any(|&edge| leads(sets, edge, true))
                        } else {
                            edges.all(|&edge| leads(sets, edge, false))
                        };
                        has_changed |= is_won && !z[number];
                        z[number] |= is_won;
                    }
                    if !has_changed {
                        break;
                    }
                }
                if z == y {
                    break;
                }
                y = z;
            }
            if y == x {
                return x;
            }
            x = y;
        }
    }
}

/// Compares a class with the solution of its graph; returns the number of positions that are decided by rule.
fn compare(name: &str) -> usize {
    let tables = tables(&[name]);
    let table = tables.get(&class(name)).unwrap();
    let graph = Graph::new(table.indexer(), &tables);
    let [red, black] = Color::ALL.map(|color| graph.won_by(color));
    let mut by_rule = 0;
    for (number, edges) in graph.nodes.iter().enumerate() {
        let side = Color::ALL[number % 2];
        if edges.is_none() {
            continue;
        }
        let value = table.value(number / 2, side).unwrap();
        let winner = match value {
            EndgameValue::Win(_) | EndgameValue::WinByRule(_) => Some(side),
            EndgameValue::Loss(_) | EndgameValue::LossByRule(_) => Some(!side),
            EndgameValue::Draw => None,
        };
        by_rule += usize::from(matches!(value, EndgameValue::WinByRule(_) | EndgameValue::LossByRule(_)));
        let expected = if red[number] { Some(Color::Red) } else { black[number].then_some(Color::Black) };
        let fen = || position_of(table.indexer(), number / 2, side).unwrap().to_fen();
        assert_eq!(winner, expected, "{}", fen());
        assert!(!(red[number] && black[number]));
    }
    by_rule
}

#[test]
fn results_are_those_of_the_parity_game() {
    let by_rule = compare("KRkn");
    assert!(by_rule > 1_000, "{by_rule}");
}

#[test]
fn results_of_pawns_are_those_of_the_parity_game() {
    assert_eq!(compare("KPkp"), 0);
}

#[test]
#[ignore = "minutes: cargo test --release --test library -- --ignored perpetual_check"]
fn results_of_larger_classes_are_those_of_the_parity_game() {
    for name in ["KRkp", "KCkp", "KNkp", "KNkc", "KRkc", "KRkr", "KNkn", "KRkna"] {
        println!("{name}: {} positions by rule", compare(name));
    }
}

/// From positions lost by rule, the loser gives check as long as he can, and the winner follows the table.
#[test]
fn perpetual_checks_lose_when_played_out() {
    let tables = tables(&["KRkn"]);
    let table = tables.get(&class("KRkn")).unwrap();
    let mut random = StdRng::seed_from_u64(29);
    let (mut by_rule, mut by_mate) = (0, 0);
    while by_rule + by_mate < 300 {
        let side = Color::ALL[random.random_range(0..2)];
        let Some(start) = position_of(table.indexer(), random.random_range(0..table.indexer().size()), side) else {
            continue;
        };
        if !matches!(tables.probe(&start).unwrap().value, EndgameValue::LossByRule(_)) {
            continue;
        }
        match play_out(&tables, &start, &mut random) {
            GameStatus::Won { winner, reason } => {
                assert_eq!(winner, !side, "{}: {reason:?}", start.to_fen());
                let is_mate = matches!(reason, EndReason::Checkmate | EndReason::Stalemate);
                if is_mate { by_mate += 1 } else { by_rule += 1 }
            }
            status => panic!("{}: {status:?}", start.to_fen()),
        }
    }
    assert!(by_rule > 50, "{by_rule} by rule, {by_mate} by mate");
}

/// The end of a game in which the side to move, lost by rule, plays one of its best moves by the table, which repeat if
/// possible; the winner plays the best.
fn play_out(tables: &Tables, start: &Position, random: &mut StdRng) -> GameStatus {
    let rules = Rules { move_limit: 1_000, ..Rules::default() };
    let mut position = start.clone();
    for ply in 0..1_000 {
        let status = judge(&position, &rules, 3);
        if status != GameStatus::Ongoing {
            return status;
        }
        let Some(moves) = tables.probe_moves(&position) else { return status };
        let best: Vec<_> = moves.iter().filter(|(_, probe)| ply % 2 == 0 && probe.value == moves[0].1.value).collect();
        let (mv, _) = best.choose(random).copied().unwrap_or(&moves[0]);
        position.make(*mv);
    }
    panic!("{} does not end", start.to_fen());
}

#[test]
fn knight_that_can_only_check_has_lost() {
    let tables = tables(&["KRkn"]);
    let value = |fen: &str| tables.probe(&Position::from_fen(fen).unwrap()).unwrap().value;
    // h2 and g4 with the king on f1 and f2, for ever.
    assert!(matches!(value("9/9/4k4/9/9/9/9/9/5K3/5R2n b"), EndgameValue::LossByRule(_)));
    assert!(matches!(value("9/9/4k4/9/9/9/9/7n1/5K3/5R3 w"), EndgameValue::WinByRule(_)));
    // The same for Black.
    assert!(matches!(value("5r2N/5k3/9/9/9/9/9/4K4/9/9 w"), EndgameValue::LossByRule(_)));
}

#[test]
fn ranks_follow_from_the_moves() {
    let tables = tables(&["KRkn"]);
    let table = tables.get(&class("KRkn")).unwrap();
    let size = table.indexer().size();
    let mut checked = 0;
    // A third of the positions.
    for start in (0..size).step_by(3_000) {
        let (count, fault) = check_positions(table, &tables, start..(start + 1_000).min(size));
        assert_eq!(fault, None);
        checked += count;
    }
    let [red, _]: &[Statistics; 2] = table.statistics();
    assert!(checked > 160_000 && red.wins_by_rule > 500, "{red:?}");
}
