//! Deep labels: single positions of self-play games, scored anew by long searches.

use super::datagen::evaluation_name;
use super::samples::target_score;
use super::selfplay::soft_limits;
use super::training_games::{ScoredMove, TrainingGame};
use super::unbalanced_openings::NODES_PER_MEGABYTE;
use crate::parallel::map_in_order;
use crate::position::Position;
use crate::rng::seeded_rng;
use crate::search::settings::SearchSettings;
use crate::tournament::player::Player;
use rand::RngExt;
use std::ops::ControlFlow;

/// Which positions are labelled, and how: the same settings give the same labels, for any number of threads.
#[derive(Clone, Debug)]
pub(crate) struct Labelling {
    /// Search settings.
    pub settings: SearchSettings,
    /// Nodes of each search; the iteration in which they are reached is finished.
    pub nodes: u64,
    /// One of this many training samples is labelled, at random; at least 1.
    pub every: u32,
    /// Seed of the random numbers.
    pub seed: u64,
}

impl Labelling {
    /// The settings as text, for the header of a file of games.
    pub(crate) fn description(&self) -> String {
        let Labelling { settings, nodes, every, seed } = self;
        let version = env!("CARGO_PKG_VERSION");
        let evaluation = evaluation_name(settings);
        format!(
            "ChuHe {version}, {evaluation}, one position in {every} labelled with {nodes} nodes and the rest of the iteration, seed {seed}"
        )
    }

    /// Labels some training samples of games, and calls `on_label` with each until it breaks: as a game of one move, the
    /// best, with its score and the outcome of the real game. Positions that are no training samples by the new score and
    /// move are left out, and so is what follows an illegal move.
    pub(crate) fn label(
        &self,
        games: impl Iterator<Item = TrainingGame> + Send + 'static,
        threads: usize,
        on_label: &mut dyn FnMut(TrainingGame) -> ControlFlow<()>,
    ) {
        let (every, seed) = (self.every, self.seed);
        let chosen = (0..).zip(games).flat_map(move |(number, game)| {
            let (mut rng, mut chosen) = (seeded_rng(seed, number), Vec::new());
            // What was visited before an illegal move is good.
            let _ = game.replay(&mut |position, ply| {
                if target_score(position, ply).is_some() && rng.random_ratio(1, every) {
                    chosen.push((position.to_fen(), game.outcome));
                }
            });
            chosen
        });
        let limits = soft_limits(self.nodes, self.settings.clone());
        let worker = || {
            let mut player = Player::new(limits.clone(), (self.nodes / NODES_PER_MEGABYTE).max(1) as usize);
            move |(start, outcome): (String, _)| {
                let position = Position::from_fen(&start).expect("invariant: the FEN of a position");
                if position.has_no_moves() {
                    return None;
                }
                player.new_game();
                let (mv, score) = player.search(&position);
                let ply = ScoredMove { mv, score: Some(score as i16) };
                target_score(&position, ply).map(|_| TrainingGame { start, outcome, plies: vec![ply] })
            }
        };
        map_in_order(chosen, threads, worker, &mut |label| label.map_or(ControlFlow::Continue(()), &mut *on_label));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::training::datagen::DatagenSettings;

    #[test]
    fn labels_are_long_searches_of_samples_and_do_not_depend_on_threads() {
        let settings = SearchSettings::default();
        let datagen = DatagenSettings { settings: settings.clone(), nodes: 30, seed: 5, endgames: false };
        let mut games = Vec::new();
        datagen.generate(0..4, 2, &mut |game| {
            games.push(game);
            ControlFlow::Continue(())
        });
        let labelling = Labelling { settings, nodes: 500, every: 10, seed: 3 };
        let labels = |threads| {
            let mut labels = Vec::new();
            labelling.label(games.clone().into_iter(), threads, &mut |label| {
                labels.push(label);
                ControlFlow::Continue(())
            });
            labels
        };
        let found = labels(1);
        assert_eq!(found, labels(3));
        let samples: usize = games.iter().map(|game| game.plies.len()).sum();
        assert!((samples / 40..samples / 6).contains(&found.len()), "{} of {samples}", found.len());
        for label in &found {
            assert_eq!(label.plies.len(), 1);
            let mut all = Vec::new();
            for game in &games {
                game.replay(&mut |position, _| all.push(position.to_fen())).unwrap();
            }
            assert!(all.contains(&label.start), "{}", label.start);
            let mut player = Player::new(soft_limits(500, SearchSettings::default()), 1);
            let position = Position::from_fen(&label.start).unwrap();
            assert_eq!(player.search(&position).1, i32::from(label.plies[0].score.unwrap()));
        }
    }
}
