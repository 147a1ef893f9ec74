//! Who plays whom: round robin, gauntlet, Swiss.

use std::collections::HashSet;

/// The form of a tournament.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum TournamentForm {
    /// In a round each engine meets each other one.
    RoundRobin,
    /// In a round the first engine meets each other one.
    Gauntlet,
    /// In a round each engine meets one with about as many points that it has not met.
    Swiss,
}

/// A game to be played.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct ScheduledGame {
    /// Its number, from 0.
    pub number: usize,
    /// Its round, from 0.
    pub round: usize,
    /// The number of the pair of games that it belongs to, in the match. The second has the first's opening, with colors
    /// exchanged.
    pub pair: usize,
    /// The engines that play Red and Black.
    pub players: [usize; 2],
    /// The number of its opening.
    pub opening: usize,
}

/// Which games a tournament has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Schedule {
    /// Its form.
    pub form: TournamentForm,
    /// Number of engines.
    pub engines: usize,
    /// Number of rounds.
    pub rounds: usize,
    /// Games of two engines that meet: pairs from one opening with colors exchanged.
    pub games: usize,
}

/// How the Swiss system pairs a round.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct SwissRound {
    /// Engines that meet.
    pub meetings: Vec<[usize; 2]>,
    /// The engine without an opponent, if their number is odd.
    pub bye: Option<usize>,
}

impl Schedule {
    /// The games of all rounds, unless the form is Swiss.
    pub(crate) fn all_games(self) -> impl Iterator<Item = ScheduledGame> + Send + 'static {
        let firsts = if self.form == TournamentForm::Gauntlet { 0..1 } else { 0..self.engines };
        let meetings: Vec<[usize; 2]> =
            firsts.flat_map(|first| (first + 1..self.engines).map(move |second| [first, second])).collect();
        let round_games = meetings.len() * self.games;
        (0..self.rounds).flat_map(move |round| self.round(round, round * round_games, meetings.clone()))
    }

    /// The games of a round, of which the first is number `first_game` of the match. All meetings have the same openings.
    pub(crate) fn round(
        self,
        round: usize,
        first_game: usize,
        meetings: Vec<[usize; 2]>,
    ) -> impl Iterator<Item = ScheduledGame> + Send + 'static {
        let pairs = self.games.div_ceil(2);
        let first_pair = first_game / self.games * pairs;
        meetings.into_iter().enumerate().flat_map(move |(meeting, [first, second])| {
            (0..self.games).map(move |game| ScheduledGame {
                number: first_game + meeting * self.games + game,
                round,
                pair: first_pair + meeting * pairs + game / 2,
                // An odd number of games gives the other color to each in the next round.
                players: match (game + self.games % 2 * round) % 2 {
                    0 => [first, second],
                    _ => [second, first],
                },
                opening: round * pairs + game / 2,
            })
        })
    }
}

/// Pairs a round: engines are ranked by their `points`, and then by their number; the bye is for the last who had none; each
/// meets the next in the ranking that it has not met (Monrad system). Where that is impossible, engines meet again.
pub(crate) fn pair_swiss(points: &[f64], has_met: &HashSet<[usize; 2]>, had_bye: &HashSet<usize>) -> SwissRound {
    let mut ranking: Vec<usize> = (0..points.len()).collect();
    ranking.sort_by(|&one, &other| points[other].total_cmp(&points[one]).then(one.cmp(&other)));
    let bye = (points.len() % 2 == 1).then(|| {
        let place = ranking.iter().rposition(|engine| !had_bye.contains(engine)).unwrap_or(ranking.len() - 1);
        ranking.remove(place)
    });
    let meetings = pair_all(&ranking, has_met, &mut MAX_STEPS.clone());
    let again = || ranking.chunks_exact(2).map(|pair| [pair[0], pair[1]]).collect();
    SwissRound { meetings: meetings.unwrap_or_else(again), bye }
}

/// Attempts to pair a round without a second meeting.
const MAX_STEPS: u32 = 100_000;

fn pair_all(ranking: &[usize], has_met: &HashSet<[usize; 2]>, steps: &mut u32) -> Option<Vec<[usize; 2]>> {
    let Some((&first, others)) = ranking.split_first() else { return Some(Vec::new()) };
    for (index, &second) in others.iter().enumerate() {
        if has_met.contains(&[first.min(second), first.max(second)]) {
            continue;
        }
        *steps = steps.checked_sub(1)?;
        let rest: Vec<usize> = [&others[..index], &others[index + 1..]].concat();
        if let Some(mut meetings) = pair_all(&rest, has_met, steps) {
            meetings.insert(0, [first, second]);
            return Some(meetings);
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    fn schedule(form: TournamentForm, engines: usize, rounds: usize, games: usize) -> Schedule {
        Schedule { form, engines, rounds, games }
    }

    #[test]
    fn pairs_have_one_opening_and_both_colors() {
        let games = schedule(TournamentForm::RoundRobin, 2, 2, 4).all_games().collect::<Vec<_>>();
        let facts: Vec<_> = games.iter().map(|game| (game.number, game.pair, game.opening, game.players)).collect();
        let expected = (0..8).map(|number| (number, number / 2, number / 2, [number % 2, 1 - number % 2]));
        assert_eq!(facts, expected.collect::<Vec<_>>());
        let odd: Vec<_> = schedule(TournamentForm::RoundRobin, 2, 2, 1).all_games().collect();
        assert_eq!([odd[0].players, odd[1].players], [[0, 1], [1, 0]]);
    }

    #[test]
    fn all_meet_or_one_meets_all() {
        let meetings = |form| {
            let games: Vec<_> = schedule(form, 4, 2, 2).all_games().collect();
            assert!(games.iter().enumerate().all(|(number, game)| game.number == number && game.pair == number / 2));
            games.iter().map(|game| game.players).collect::<HashSet<_>>().len()
        };
        assert_eq!((meetings(TournamentForm::RoundRobin), meetings(TournamentForm::Gauntlet)), (12, 6));
    }

    #[test]
    fn swiss_rounds_have_no_second_meeting_while_that_is_possible() {
        for engines in [4, 7, 8] {
            let (mut has_met, mut had_bye) = (HashSet::new(), HashSet::new());
            let mut points = vec![0.0; engines];
            for round in 0..(engines - 1) / 2 * 2 - 1 {
                let SwissRound { meetings, bye } = pair_swiss(&points, &has_met, &had_bye);
                assert_eq!((meetings.len(), bye.is_some()), (engines / 2, engines % 2 == 1));
                for [one, other] in meetings {
                    assert!(has_met.insert([one.min(other), one.max(other)]), "round {round} of {engines}");
                    points[one.min(other)] += 1.0;
                }
                assert!(bye.is_none_or(|bye| had_bye.insert(bye)));
            }
        }
        let all = HashSet::from([[0, 1], [0, 2], [0, 3], [1, 2], [1, 3], [2, 3]]);
        let round = pair_swiss(&[0.0, 3.0, 1.0, 3.0], &all, &HashSet::new());
        assert_eq!(round.meetings, [[1, 3], [2, 0]]);
    }
}
