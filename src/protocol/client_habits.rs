//! What the options that a client sets tell of it.

use crate::engine::options::Setting;
use crate::games::setup::GameSetup;
use crate::notation::Ranks;
use std::collections::HashSet;

/// Greatest number of unknown options that are reported.
const MAX_REPORTED: usize = 100;

/// What is known of the client.
#[derive(Debug, Default)]
pub(super) struct ClientHabits {
    /// Whether it has set an option that this engine has and Fairy-Stockfish does not.
    echoes_options: bool,
    /// Whether its options have told how it numbers ranks: from then on only its moves tell.
    has_told_ranks: bool,
    /// Unknown options it was told of, in lower case.
    reported: HashSet<String>,
}

impl ClientHabits {
    /// How a UCI client that sets this option numbers ranks, if that follows from it.
    ///
    /// Clients made for Fairy-Stockfish, which numbers them from 1, set `UCI_Variant` first, or `UCI_Chess960`, which
    /// only they know. Others (uci2wb, TChess) set `UCI_Variant` when they echo all options announced: after those that
    /// Fairy-Stockfish does not have.
    pub(super) fn ranks_told_by(&mut self, setting: &Setting) -> Option<Ranks> {
        let is_of_fairy_stockfish = setting.is("UCI_Chess960") || setting.is("UCI_Variant") && !self.echoes_options;
        self.echoes_options |= setting.is_unknown_to_fairy_stockfish();
        let is_new = is_of_fairy_stockfish && !self.has_told_ranks;
        self.has_told_ranks |= is_new;
        is_new.then_some(Ranks::FromOne)
    }

    /// How a client that sets up this game numbers ranks, if that follows from it: those that leave out the last fields of
    /// a FEN, such as uci2wb, are made for xiangqi. Those made for Fairy-Stockfish write it as that does.
    pub(super) fn ranks_told_by_fen(setup: &GameSetup) -> Option<Ranks> {
        let fields = setup.fen.as_ref()?.split_ascii_whitespace().count();
        (fields <= 2).then_some(Ranks::FromZero)
    }

    /// Whether the client is to be told that there is no option of this name: once.
    pub(super) fn must_be_told_of(&mut self, unknown: &str) -> bool {
        self.reported.len() < MAX_REPORTED && self.reported.insert(unknown.to_lowercase())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What the last of these options tells.
    fn told(options: &[(&str, &str)]) -> Option<Ranks> {
        let mut client = ClientHabits::default();
        options.iter().map(|(name, value)| client.ranks_told_by(&Setting::read(name, value).unwrap())).last().flatten()
    }

    #[test]
    fn clients_of_fairy_stockfish_are_recognised_by_their_options() {
        let variant = ("UCI_Variant", "xiangqi");
        assert_eq!(told(&[variant]), Some(Ranks::FromOne));
        assert_eq!(told(&[("Threads", "1"), ("Hash", "16"), ("newgame", ""), variant]), Some(Ranks::FromOne));
        assert_eq!(told(&[("Style", "solid"), variant]), None);
        assert_eq!(told(&[("Style", "solid"), ("UCI_Chess960", "false")]), Some(Ranks::FromOne));
        assert_eq!(told(&[("Threads", "1")]), None);
        assert_eq!(told(&[variant, variant]), None, "what moves have shown since stays");
    }

    #[test]
    fn unknown_options_are_reported_once_and_not_without_end() {
        let mut client = ClientHabits::default();
        assert!(
            client.must_be_told_of("threds") && !client.must_be_told_of("Threds") && client.must_be_told_of("hsah")
        );
        let reported = (0..1_000).filter(|number| client.must_be_told_of(&format!("x{number}"))).count();
        assert_eq!(reported, MAX_REPORTED - 2);
    }
}
