//! The program under faults: hostile input, signals, kills, full disks, limits, and long lives.

#[path = "../common/mod.rs"]
mod common;

mod bounds;
mod hostile;
mod kills;
mod long_lived;
mod system;
