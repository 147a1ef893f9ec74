//! Long checks, and those that need another program or a quiet machine. All are ignored by default: docs/contributing.md.

#[path = "../common/browser.rs"]
mod browser;
#[path = "../common/mod.rs"]
mod common;

mod audits;
mod page;
mod soak;
mod timing;
