//! Runs the target named by the environment variable `TARGET` under libFuzzer.

#![no_main]

mod targets;

use libfuzzer_sys::fuzz_target;
use std::sync::LazyLock;

static CHECK: LazyLock<fn(&[u8])> = LazyLock::new(|| {
    let name = std::env::var("TARGET").expect("TARGET names the target");
    let target = targets::TARGETS.iter().find(|(known, _)| *known == name);
    target.unwrap_or_else(|| panic!("unknown target {name}")).1
});

fuzz_target!(|data: &[u8]| CHECK(data));
