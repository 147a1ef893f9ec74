//! Endgame tables, each built once for all tests of a process.

use chuhe::egtb::file::{self, TableFile};
use chuhe::egtb::generate::{Values, generate};
use chuhe::egtb::material::Material;
use chuhe::egtb::tables::Tables;
use std::collections::{BTreeSet, HashMap};
use std::fs;
use std::path::Path;
use std::sync::{Arc, LazyLock, Mutex, OnceLock};

/// Each class is built by the first test that needs it; others wait.
type Built = HashMap<Material, Arc<OnceLock<Arc<Values>>>>;

/// A class by its name.
pub fn class(name: &str) -> Material {
    Material::read(name).unwrap()
}

/// The values of a class, built at the first call.
pub fn values(material: &Material) -> Arc<Values> {
    static BUILT: LazyLock<Mutex<Built>> = LazyLock::new(Mutex::default);
    let built = Arc::clone(BUILT.lock().unwrap().entry(*material).or_default());
    let build = || Arc::new(generate(material, &|smaller| Some(values(smaller)), 2, &mut |_| ()).unwrap());
    Arc::clone(built.get_or_init(build))
}

/// These classes and those that they need, as the bytes of files.
fn files(names: &[&str]) -> impl Iterator<Item = (Material, Vec<u8>)> {
    let needed = |name: &&str| class(name).subclasses().into_iter().chain([class(name)]);
    let classes: BTreeSet<String> = names.iter().flat_map(needed).map(|material| material.to_string()).collect();
    classes.into_iter().map(|name| (class(&name), file::write(&values(&class(&name)))))
}

/// The tables of these classes and those that they need.
pub fn tables(names: &[&str]) -> Tables {
    let mut tables = Tables::default();
    files(names).for_each(|(_, bytes)| tables.add(TableFile::from_bytes(&bytes).unwrap()));
    tables
}

/// Writes the tables of these classes and those that they need to a folder, and opens it.
pub fn saved(names: &[&str], folder: &Path) -> Tables {
    files(names).for_each(|(material, bytes)| fs::write(folder.join(format!("{material}.egtb")), bytes).unwrap());
    let (tables, bad) = Tables::open(&[folder.to_path_buf()]);
    assert!(bad.is_empty(), "{bad:?}");
    tables
}
