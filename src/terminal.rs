//! A game in the terminal (L6): `chuhe play`.
//!
//! | module | content |
//! |---|---|
//! | [`session`] | a game being played: people, the engine and the clock, without a user interface |
//! | [`game`] | a game, how it ended, and who plays it |
//! | [`clock`] | the clock |
//! | `command` | what a player types: names, keys and help of the commands |
//! | `engine_player` | an engine on a thread of its own |
//! | [`game_file`] | saving and loading games, and the game kept for the next start of the program |
//! | [`plain`] | the user interface in lines |
//! | [`screen`] | the user interface on the full screen |
//! | `board_view`, `panel` | the board on the screen, and what stands beside it |
//! | `buffer` | what is to be on the screen |
//! | `tty` | the terminal: its modes, what it shows, and what the player does at it |

mod board_view;
mod buffer;
pub mod clock;
mod command;
mod engine_player;
pub mod game;
pub mod game_file;
mod panel;
pub(crate) mod plain;
pub(crate) mod screen;
pub(crate) mod session;
mod tty;
