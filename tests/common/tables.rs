//! Endgame tables built by tests.

#![allow(dead_code, reason = "each test file uses part of it")]

use chuhe::egtb::file::{self, TableFile};
use chuhe::egtb::generate::{Values, generate};
use chuhe::egtb::material::Material;
use chuhe::egtb::tables::Tables;
use std::collections::HashMap;
use std::fs;
use std::path::Path;
use std::sync::Arc;

/// Tables built so far.
#[derive(Default)]
pub struct Built(HashMap<Material, Arc<Values>>);

impl Built {
    /// The values of a class; builds those that it needs.
    pub fn get(&mut self, material: &Material) -> Arc<Values> {
        for material in material.subclasses().iter().chain([material]) {
            if !self.0.contains_key(material) {
                let smaller = |class: &Material| self.0.get(class).cloned();
                let values = generate(material, &smaller, 2, &mut |_| ()).unwrap();
                self.0.insert(*material, Arc::new(values));
            }
        }
        Arc::clone(&self.0[material])
    }

    /// Writes everything that is built to a folder, and opens it.
    pub fn save(&self, folder: &Path) -> Tables {
        for (material, values) in &self.0 {
            fs::write(folder.join(format!("{material}.egtb")), file::write(values)).unwrap();
        }
        let (tables, bad) = Tables::open(&[folder.to_path_buf()]);
        assert!(bad.is_empty() && tables.len() == self.0.len(), "{bad:?}");
        tables
    }
}

/// The tables of these classes and those that they need.
pub fn tables(names: &[&str]) -> Tables {
    let mut built = Built::default();
    for name in names {
        built.get(&Material::read(name).unwrap());
    }
    let mut tables = Tables::default();
    built.0.values().for_each(|values| tables.add(TableFile::from_bytes(&file::write(values)).unwrap()));
    tables
}
