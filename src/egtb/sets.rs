//! Sets of classes that are built together.

use super::material::Material;

/// All defences without attacking pieces: up to two advisors and two bishops.
const DEFENCES: [&str; 9] = ["k", "ka", "kb", "kaa", "kab", "kbb", "kaab", "kabb", "kaabb"];
/// One attacking piece. A cannon alone wins nothing: it needs a screen.
const ONE: [&str; 4] = ["KR", "KN", "KP", "KCA"];
/// A cannon with more of its own defenders.
const CANNON: [&str; 2] = ["KCAA", "KCAB"];
/// Two attacking pieces.
const TWO: [&str; 10] = ["KRR", "KRN", "KRC", "KRP", "KNN", "KNC", "KNP", "KCC", "KCP", "KPP"];
/// One attacking piece on each side.
const DUELS: [&str; 10] = ["KRkr", "KRkn", "KRkc", "KRkp", "KNkn", "KNkc", "KNkp", "KCkc", "KCkp", "KPkp"];

/// A set of classes. Each contains the ones before it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum TableSet {
    /// One attacking piece against any defence. These tables are built in.
    Small,
    /// Also a cannon with two defenders, two attacking pieces against any defence, and one against one.
    Medium,
    /// One against one with any defence on the weaker side.
    Large,
}

impl TableSet {
    /// All sets with their names.
    pub const NAMES: [(&'static str, TableSet); 3] =
        [("small", TableSet::Small), ("medium", TableSet::Medium), ("large", TableSet::Large)];

    /// Its classes, in an order in which they can be built.
    pub fn classes(self) -> Vec<Material> {
        let mut names: Vec<String> = Vec::new();
        let mut add = |attackers: &[&str], defences: &[&str]| {
            names.extend(attackers.iter().flat_map(|one| defences.iter().map(move |other| format!("{one}{other}"))));
        };
        add(&ONE, &DEFENCES);
        if self >= TableSet::Medium {
            add(&CANNON, &DEFENCES);
            add(&TWO, &DEFENCES);
            add(&DUELS, &[""]);
        }
        if self >= TableSet::Large {
            add(&DUELS, &DEFENCES.map(|defence| &defence[1..]));
        }
        let classes = names.iter().map(|name| Material::read(name).expect("invariant: the names are classes"));
        with_subclasses(&classes.map(|class| class.normalised().0).collect::<Vec<_>>())
    }
}

/// The classes and those that follow from them by captures, each after those that it needs.
pub fn with_subclasses(classes: &[Material]) -> Vec<Material> {
    let mut all: Vec<Material> = Vec::new();
    for class in classes {
        for class in class.subclasses().into_iter().chain([*class]) {
            if !all.contains(&class) {
                all.push(class);
            }
        }
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn classes_come_after_those_that_they_need() {
        for (_, set) in TableSet::NAMES {
            let classes = set.classes();
            for (index, class) in classes.iter().enumerate() {
                assert!(class.subclasses().iter().all(|smaller| classes[..index].contains(smaller)), "{class}");
            }
        }
        assert!(TableSet::Small.classes().len() < TableSet::Medium.classes().len());
    }
}
