//! The program under faults: hostile input and files, signals, kills, full disks, limits, and long lives.

#[path = "../common/mod.rs"]
mod common;
#[cfg(feature = "play")]
#[path = "../fuzz/targets/mod.rs"]
mod targets;

mod bounds;
mod false_engines;
mod fuzz_corpus;
mod hostile;
mod kills;
mod long_lived;
mod mutated_files;
mod system;
