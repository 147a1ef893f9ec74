//! Matches and tournaments between engines under one arbiter (L6): programs that speak UCCI or UCI, and players inside this
//! process.

pub(crate) mod adjudication;
pub(crate) mod announced_option;
pub(crate) mod engine_client;
pub(crate) mod engine_config;
pub(crate) mod engine_error;
pub(crate) mod internal_engine;
pub(crate) mod journal;
pub(crate) mod limit;
pub(crate) mod match_clock;
pub(crate) mod match_engine;
pub(crate) mod opening_suite;
pub(crate) mod pentanomial;
pub(crate) mod played_game;
pub(crate) mod player;
pub(crate) mod process;
pub(crate) mod random_opening;
pub(crate) mod referee;
pub(crate) mod report;
pub(crate) mod runner;
pub(crate) mod schedule;
pub(crate) mod search_info;
pub(crate) mod sprt;
pub(crate) mod standings;
pub(crate) mod termination;
pub(crate) mod traffic_log;
