//! A game in the terminal (L6): `chuhe play`.
//!
//! | module | content |
//! |---|---|
//! | [`session`] | a game being played: people, the engine and the clock, without a user interface |
//! | [`settings`] | how a game is played and shown |
//! | [`game`] | a game and how it ended |
//! | [`clock`] | the clock |
//! | [`command`] | what a player types |
//! | [`engine_player`] | an engine on a thread of its own |
//! | [`game_files`] | saving and loading games |
//! | [`saved_game`] | the game kept for the next start of the program |
//! | [`help`] | the help text |
//! | [`event`] | what a player does at a terminal |
//! | [`input`] | the events of a terminal |
//! | `key_decoder` | what a terminal sends, decoded |
//! | [`plain`] | the user interface in lines |
//! | [`terminal`] | the terminal: its modes and what it shows |
//! | [`buffer`] | what is to be on the screen |
//! | [`screen`] | the user interface on the full screen |
//! | [`board_view`] | the board on the screen |
//! | [`panel`] | what stands beside the board |

pub mod board_view;
pub mod buffer;
pub mod clock;
pub mod command;
pub mod engine_player;
pub mod event;
pub mod game;
pub mod game_files;
pub mod help;
pub mod input;
#[cfg(unix)]
mod key_decoder;
pub mod panel;
pub mod plain;
pub mod saved_game;
pub mod screen;
pub mod session;
pub mod settings;
pub mod terminal;
