//! The Chinese Xiangqi Association's rules of repetition (edition of 2020).
//!
//! Each move of a cycle has one class, the heaviest that fits: check, kill, chase, idle ([`Class`]). The verdict follows
//! from the classes of the whole cycle ([`Reason`]). A move is judged by what its side could do from its next move on if
//! nothing were done against it:
//!
//! - *Kill*: it could mate by unbroken checks. Taking a piece that could take back like by like is no kill.
//! - *Chase*: it could win material, and could not, or not as much, before the move ([`Chase`]): by a capture and
//!   the exchange on its square, by unbroken checks that end in a capture, or by exchanges on several squares. What is
//!   left in the end, when both sides have captured and checked as they like, must not be less than if the side had
//!   passed. A capture after which it is mated does not count.
//! - A king's move out of check is idle, and so are the attacks of pawns and the king alone, offers to exchange like
//!   for like, and attacks that only the opponent's own last move brought about.
//! - An attack that was there before counts again if the move made it possible, for instance by saving another piece.
//!
//! All searches are bounded (`search`): kills up to 8 checks, gains by up to 4 checks, checks among the captures in the
//! first 6 plies, 5,000 positions for each capture or check looked into. What needs more is not seen.

mod class;
mod gain;
mod material;
mod search;
mod verdict;

pub use class::{Chase, Class, Idle, Manner};
pub use verdict::{ChineseVerdict, ClassifiedMove, Reason, classify_moves, judge_cycle};
