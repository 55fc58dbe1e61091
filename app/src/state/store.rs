//! What has been fetched: index, summaries, family records, environments. Each file fails alone.

use crate::browser::fetch;
use crate::browser::json::load;
use kemscope_schema::{FamilyRecord, Index, LoadError, Summary, System};
use leptos::prelude::*;
use leptos::task::spawn_local;
use std::sync::Arc;

/// The kinds of files.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Index,
    Summary,
    Family,
    System,
}

/// The content of a file.
#[derive(Clone, Debug)]
enum Content {
    Index(Arc<Index>),
    Summary(Arc<Summary>),
    Family(Arc<FamilyRecord>),
    System(Arc<System>),
}

impl Content {
    /// The path at which a file of this content belongs.
    fn own_path(&self) -> String {
        match self {
            Content::Index(_) => INDEX.to_owned(),
            Content::Summary(summary) => summary_path(&summary.system),
            Content::Family(record) => family_path(&record.system, &record.family.id),
            Content::System(system) => system_path(&system.id),
        }
    }

    /// What is wrong where a file has the content of another.
    fn misplaced(&self, path: &str) -> Option<String> {
        let own = self.own_path();
        (own != path)
            .then(|| format!("it stands at {path}, but its system and family are those of {own}"))
    }
}

/// The state of one file.
#[derive(Clone, Debug)]
pub enum Load<T> {
    /// On its way.
    Loading,
    /// Read and valid.
    Ready(T),
    /// Not usable; the message names file and reason.
    Failed(String),
}

impl<T> Load<T> {
    /// The content, if it is there.
    pub fn ready(self) -> Option<T> {
        match self {
            Load::Ready(value) => Some(value),
            _ => None,
        }
    }

    /// Whether it is on its way.
    pub fn is_loading(&self) -> bool {
        matches!(self, Load::Loading)
    }
}

/// A file that is wanted.
#[derive(Clone)]
struct File {
    kind: Kind,
    path: String,
    load: Load<Content>,
}

/// All files, by their path below `data/`.
#[derive(Clone, Copy)]
pub struct Store(RwSignal<Vec<File>>);

fn parse(kind: Kind, file: &str, text: &str) -> Result<Content, LoadError> {
    Ok(match kind {
        Kind::Index => Content::Index(Arc::new(load(file, text)?)),
        Kind::Summary => Content::Summary(Arc::new(load(file, text)?)),
        Kind::Family => Content::Family(Arc::new(load(file, text)?)),
        Kind::System => Content::System(Arc::new(load(file, text)?)),
    })
}

async fn read(kind: Kind, path: &str) -> Load<Content> {
    let file = format!("data/{path}");
    match fetch::text(&file).await {
        Err(error) => Load::Failed(format!("{file}: {}", error.sentence())),
        Ok(text) => match parse(kind, &file, &text) {
            Ok(content) => match content.misplaced(path) {
                None => Load::Ready(content),
                Some(said) => Load::Failed(format!("{file}: {said}")),
            },
            Err(error) => Load::Failed(error.to_string()),
        },
    }
}

const INDEX: &str = "index.json";

impl Store {
    /// An empty store that begins to fetch the index.
    pub fn start() -> Store {
        let store = Store(RwSignal::new(Vec::new()));
        store.want(Kind::Index, INDEX.to_owned());
        store
    }

    /// Fetches a file, unless it is here or on its way.
    fn want(self, kind: Kind, path: String) {
        if self
            .0
            .with_untracked(|files| files.iter().any(|file| file.path == path))
        {
            return;
        }
        self.0.update(|files| {
            files.push(File {
                kind,
                path: path.clone(),
                load: Load::Loading,
            })
        });
        self.fetch(kind, path);
    }

    fn fetch(self, kind: Kind, path: String) {
        spawn_local(async move {
            let load = read(kind, &path).await;
            self.set(&path, load);
        });
    }

    fn set(self, path: &str, load: Load<Content>) {
        self.0.update(|files| {
            if let Some(file) = files.iter_mut().find(|file| file.path == path) {
                file.load = load;
            }
        });
    }

    /// Tries all that failed once more.
    pub fn retry(self) {
        for File { kind, path, load } in self.0.get_untracked() {
            if let Load::Failed(_) = load {
                self.set(&path, Load::Loading);
                self.fetch(kind, path);
            }
        }
    }

    fn get<T>(self, path: &str, pick: fn(&Content) -> Option<T>) -> Load<T> {
        self.0.with(|files| {
            match files
                .iter()
                .find(|file| file.path == path)
                .map(|file| &file.load)
            {
                None | Some(Load::Loading) => Load::Loading,
                Some(Load::Failed(message)) => Load::Failed(message.clone()),
                Some(Load::Ready(content)) => pick(content).map_or(Load::Loading, Load::Ready),
            }
        })
    }

    /// Whether any file that was wanted is on its way.
    pub fn is_loading(self) -> bool {
        self.0
            .with(|files| files.iter().any(|file| file.load.is_loading()))
    }

    /// The index.
    pub fn index(self) -> Load<Arc<Index>> {
        self.get(INDEX, |content| {
            if let Content::Index(index) = content {
                Some(index.clone())
            } else {
                None
            }
        })
    }

    /// A system's summary.
    pub fn summary(self, system: &str) -> Load<Arc<Summary>> {
        self.get(&summary_path(system), |content| {
            if let Content::Summary(summary) = content {
                Some(summary.clone())
            } else {
                None
            }
        })
    }

    /// A family's record on a system.
    pub fn family(self, system: &str, family: &str) -> Load<Arc<FamilyRecord>> {
        self.get(&family_path(system, family), |content| {
            if let Content::Family(record) = content {
                Some(record.clone())
            } else {
                None
            }
        })
    }

    /// A system's environment.
    pub fn system(self, system: &str) -> Load<Arc<System>> {
        self.get(&system_path(system), |content| {
            if let Content::System(system) = content {
                Some(system.clone())
            } else {
                None
            }
        })
    }

    /// Fetches a system's summary.
    pub fn want_summary(self, system: &str) {
        self.want(Kind::Summary, summary_path(system));
    }

    /// Fetches a family's record on a system.
    pub fn want_family(self, system: &str, family: &str) {
        self.want(Kind::Family, family_path(system, family));
    }

    /// Fetches a system's environment.
    pub fn want_system(self, system: &str) {
        self.want(Kind::System, system_path(system));
    }
}

fn summary_path(system: &str) -> String {
    format!("{system}/summary.json")
}

fn family_path(system: &str, family: &str) -> String {
    format!("{system}/{family}.json")
}

fn system_path(system: &str) -> String {
    format!("{system}/system.json")
}
