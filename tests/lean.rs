//! The library without default features: it builds, and needs no packages of the engine or the command line.

use std::process::Command;

/// Runs cargo in the repository; its standard output.
fn cargo(arguments: &[&str]) -> String {
    let output = Command::new(env!("CARGO"))
        .args(arguments)
        .args(["--no-default-features", "--locked", "--offline"])
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .output()
        .unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

#[test]
fn library_without_features_builds() {
    cargo(&["check", "--lib", "--target-dir", concat!(env!("CARGO_TARGET_TMPDIR"), "/lean")]);
}

#[test]
fn library_without_features_needs_neither_command_line_nor_network_packages() {
    let tree = cargo(&["tree", "--edges", "normal", "--prefix", "none", "--format", "{p}"]);
    let packages: Vec<&str> = tree.lines().filter_map(|line| line.split(' ').next()).collect();
    assert!(packages.contains(&"chuhe") && packages.contains(&"thiserror"), "{tree}");
    for absent in ["clap", "env_logger", "indicatif", "ureq", "serde", "rand", "log"] {
        assert!(!packages.contains(&absent), "{absent} in\n{tree}");
    }
}
