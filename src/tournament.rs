//! Matches and tournaments between engines under one arbiter (L6): programs that speak UCCI or UCI, and players inside this
//! process.
//!
//! | module | content |
//! |---|---|
//! | [`limit`] | what limits the thinking of an engine |
//! | [`match_clock`] | the clock of an engine |
//! | [`engine_config`] | how an engine is started and spoken to |
//! | [`traffic_log`] | the lines exchanged with engines, in a file |
//! | [`process`] | a running engine and its pipes |
//! | [`search_info`] | what an engine reports of a search |
//! | [`announced_option`] | which values an option of an engine takes |
//! | [`engine_error`] | why an engine does not answer |
//! | [`match_engine`] | an engine as the referee sees it |
//! | [`engine_client`] | the client's side of UCCI and UCI |
//! | [`player`] | a searcher with its hash table and limits |
//! | [`internal_engine`] | an engine inside this process |
//! | [`random_opening`] | level positions after random moves |
//! | [`opening_suite`] | where games begin |
//! | [`adjudication`] | the end of games by scores and endgame tables |
//! | [`termination`] | why a game ended |
//! | [`played_game`] | a game played: JSON and PGN |
//! | [`referee`] | plays a game between two engines |
//! | [`report`] | results as text and JSON |
//! | [`schedule`] | who plays whom: round robin, gauntlet, Swiss |
//! | [`pentanomial`] | results of pairs: pentanomial counts, Elo, LOS |
//! | [`sprt`] | the sequential probability ratio test: LLR |
//! | [`standings`] | points, crosstable, pairs |
//! | [`journal`] | the file of games played, and its continuation |
//! | [`runner`] | plays all games on several threads |

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
