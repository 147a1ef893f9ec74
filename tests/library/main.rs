//! The library through its public interface: rules, positions, search, tables, notations.

#[path = "../common/data.rs"]
mod data;
#[path = "../naive/mod.rs"]
mod naive;
#[path = "../common/tables.rs"]
mod tables;

mod books;
mod chinese;
mod chinese_naive;
mod egtb;
mod egtb_checks;
mod faulty_games;
mod games;
mod layers;
mod levels;
mod mates;
mod network;
mod notation;
mod perft;
mod perpetual_check;
mod position;
mod printed_scores;
mod rules;
mod search;
mod threads;
mod timing;
