//! A game in the terminal (L6): `chuhe play`.

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
