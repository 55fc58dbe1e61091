//! What has been fetched: index, summaries, family records, environments. Each file fails alone.

use crate::browser::fetch;
use kemscope_schema::{FamilyRecord, Index, Summary, System, Validate, load};
use leptos::prelude::*;
use leptos::task::spawn_local;
use serde::de::DeserializeOwned;
use std::collections::BTreeMap;
use std::sync::Arc;

/// The state of one file.
#[derive(Debug)]
pub enum Load<T> {
    /// On its way.
    Loading,
    /// Read and valid.
    Ready(Arc<T>),
    /// Not usable; the message names file and reason.
    Failed(String),
}

impl<T> Clone for Load<T> {
    fn clone(&self) -> Self {
        match self {
            Load::Loading => Load::Loading,
            Load::Ready(value) => Load::Ready(value.clone()),
            Load::Failed(message) => Load::Failed(message.clone()),
        }
    }
}

impl<T> Load<T> {
    /// The content, if it is there.
    pub fn ready(&self) -> Option<&Arc<T>> {
        match self {
            Load::Ready(value) => Some(value),
            _ => None,
        }
    }
}

/// Files of one kind by their path.
type Files<T> = RwSignal<BTreeMap<String, Load<T>>>;

/// All files.
#[derive(Clone, Copy)]
pub struct Store {
    /// `index.json`.
    pub index: RwSignal<Load<Index>>,
    /// `summary.json` by path.
    pub summaries: Files<Summary>,
    /// Family records by path.
    pub families: Files<FamilyRecord>,
    /// `system.json` by path.
    pub systems: Files<System>,
}

async fn read<T: DeserializeOwned + Validate>(path: &str) -> Load<T> {
    let file = format!("data/{path}");
    match fetch::text(&file).await {
        Err(error) => Load::Failed(format!("{file}: {}", error.sentence())),
        Ok(text) => match load(&file, &text) {
            Ok(value) => Load::Ready(Arc::new(value)),
            Err(error) => Load::Failed(error.to_string()),
        },
    }
}

fn want<T: DeserializeOwned + Validate + Send + Sync + 'static>(
    files: Files<T>,
    path: String,
    again: bool,
) {
    let known = files.with_untracked(|files| match files.get(&path) {
        None => false,
        Some(Load::Failed(_)) => !again,
        Some(_) => true,
    });
    if !known {
        files.update(|files| drop(files.insert(path.clone(), Load::Loading)));
        spawn_local(async move {
            let loaded = read(&path).await;
            files.update(|files| drop(files.insert(path, loaded)));
        });
    }
}

impl Store {
    /// An empty store that begins to fetch the index.
    pub fn start() -> Store {
        let store = Store {
            index: RwSignal::new(Load::Loading),
            summaries: RwSignal::default(),
            families: RwSignal::default(),
            systems: RwSignal::default(),
        };
        store.fetch_index();
        store
    }

    fn fetch_index(self) {
        self.index.set(Load::Loading);
        spawn_local(async move {
            let index = read("index.json").await;
            self.index.set(index);
        });
    }

    /// Fetches a system's summary, unless it is here or on its way.
    pub fn want_summary(self, system: &str) {
        want(self.summaries, summary_path(system), false);
    }

    /// Fetches a family's record on a system.
    pub fn want_family(self, system: &str, family: &str) {
        want(self.families, family_path(system, family), false);
    }

    /// Fetches a system's environment.
    pub fn want_system(self, system: &str) {
        want(self.systems, system_path(system), false);
    }

    /// Tries all that failed once more.
    pub fn retry(self) {
        if matches!(*self.index.read_untracked(), Load::Failed(_)) {
            self.fetch_index();
        }
        retry_failed(self.summaries);
        retry_failed(self.families);
        retry_failed(self.systems);
    }
}

fn retry_failed<T: DeserializeOwned + Validate + Send + Sync + 'static>(files: Files<T>) {
    let failed: Vec<String> = files.with_untracked(|files| {
        files
            .iter()
            .filter(|(_, load)| matches!(load, Load::Failed(_)))
            .map(|(path, _)| path.clone())
            .collect()
    });
    for path in failed {
        want(files, path, true);
    }
}

/// Path of a system's summary below `data/`.
pub fn summary_path(system: &str) -> String {
    format!("{system}/summary.json")
}

/// Path of a family's record below `data/`.
pub fn family_path(system: &str, family: &str) -> String {
    format!("{system}/{family}.json")
}

/// Path of a system's environment below `data/`.
pub fn system_path(system: &str) -> String {
    format!("{system}/system.json")
}
