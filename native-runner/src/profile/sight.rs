//! What wrappers can see of an operation's calls, and what they cannot.
//!
//! The linker's wrapping catches references to names that the referring file does not define. A primitive that is
//! static, or defined in the file of its callers, is called past the wrapper.

use super::graph::{Graph, NodeId, Reference};
use super::primitives::{Primitive, Primitives};
use kemscope_schema::run::{PrimitiveKind, Unseen, WrappedSymbol};
use std::collections::{BTreeMap, BTreeSet, HashSet};

/// A symbol to link a wrapper around.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Wrap {
    /// The symbol.
    pub symbol: String,
    /// What it is.
    pub primitive: Primitive,
}

impl Wrap {
    /// As records list it.
    pub fn record(&self) -> WrappedSymbol {
        WrappedSymbol {
            symbol: self.symbol.clone(),
            function: self.primitive.name.clone(),
            kind: self.primitive.kind,
        }
    }
}

/// The symbols of a library that wrappers belong around, in a fixed order.
pub fn wraps(graph: &Graph, primitives: Primitives) -> Vec<Wrap> {
    let names: BTreeSet<&str> = graph.outside_names().collect();
    let wrap = |symbol: &str| {
        let primitive = primitives.of_symbol(symbol)?;
        Some(Wrap {
            symbol: symbol.to_owned(),
            primitive,
        })
    };
    names.into_iter().filter_map(wrap).collect()
}

/// What wrappers do not see of the calls of the function `entry`. Empty if they see all.
pub fn unseen(graph: &Graph, entry: &str, primitives: Primitives) -> Vec<Unseen> {
    let mut walk = Walk {
        graph,
        primitives,
        seen: BTreeSet::new(),
        hidden: BTreeMap::new(),
        reached: Vec::new(),
    };
    let entries = graph.definitions(entry);
    if entries.is_empty() {
        // Of a function whose calls cannot be followed nothing is known.
        let message = format!("`{entry}` is not among the compiled functions");
        let unknown = |kind| Unseen {
            kind,
            message: message.clone(),
        };
        return vec![unknown(PrimitiveKind::Hash), unknown(PrimitiveKind::Drng)];
    }
    walk.from(entries);
    walk.findings()
}

/// A walk over everything that can be reached without passing through a primitive.
struct Walk<'a> {
    graph: &'a Graph,
    primitives: Primitives,
    /// Kinds of the primitives that are called past a file's border, where wrappers are.
    seen: BTreeSet<PrimitiveKind>,
    /// Primitives that are called within their own file: the symbol, its kind, whether it is static; and who
    /// calls it.
    hidden: BTreeMap<(String, PrimitiveKind, bool), String>,
    reached: Vec<NodeId>,
}

impl Walk<'_> {
    fn from(&mut self, entries: &[NodeId]) {
        let mut known: HashSet<NodeId> = entries.iter().copied().collect();
        let mut open: Vec<NodeId> = entries.to_vec();
        while let Some(id) = open.pop() {
            self.reached.push(id);
            for next in self.steps(id) {
                if known.insert(next) {
                    open.push(next);
                }
            }
        }
    }

    /// Where a node leads to but primitives, which are written down.
    fn steps(&mut self, id: NodeId) -> Vec<NodeId> {
        let mut next = Vec::new();
        for reference in self.graph.references(id) {
            match reference {
                Reference::Outside(name) => match self.primitives.of_symbol(name) {
                    Some(primitive) => {
                        self.seen.insert(primitive.kind);
                    }
                    None => next.extend_from_slice(self.graph.definitions(name)),
                },
                Reference::Within(target) => {
                    let name = self.graph.name(*target);
                    match self.primitives.of_symbol(name) {
                        Some(primitive) => {
                            let is_static = !self.graph.is_global(*target);
                            let key = (name.to_owned(), primitive.kind, is_static);
                            let caller = self.graph.name(id).to_owned();
                            self.hidden.entry(key).or_insert(caller);
                        }
                        None => next.push(*target),
                    }
                }
            }
        }
        next
    }

    /// Functions that sound like hashes and lead to no primitive.
    fn strangers(&self) -> BTreeSet<&str> {
        let by_name = self.reached.iter().filter(|id| {
            let name = self.graph.name(**id);
            self.graph.is_function(**id) && self.primitives.sounds_like_a_hash(name)
        });
        let strange = by_name.filter(|id| {
            let mut walk = Walk {
                graph: self.graph,
                primitives: self.primitives,
                seen: BTreeSet::new(),
                hidden: BTreeMap::new(),
                reached: Vec::new(),
            };
            walk.from(&[**id]);
            walk.seen.is_empty() && walk.hidden.is_empty()
        });
        strange.map(|id| self.graph.name(*id)).collect()
    }

    fn findings(&self) -> Vec<Unseen> {
        let mut findings = Vec::new();
        for ((symbol, kind, is_static), caller) in &self.hidden {
            let caller = if caller.is_empty() { "a table" } else { caller };
            let message = if *is_static {
                format!(
                    "`{symbol}` is static in the file of `{caller}`: its calls pass the wrappers by"
                )
            } else {
                format!(
                    "`{symbol}` is defined in the file of `{caller}`, which calls it: such calls pass the wrappers by"
                )
            };
            // Hash functions called within a generator that is not seen are taken for the operation's own.
            let kinds: &[PrimitiveKind] = match kind {
                PrimitiveKind::Hash => &[PrimitiveKind::Hash],
                PrimitiveKind::Drng => &[PrimitiveKind::Hash, PrimitiveKind::Drng],
            };
            findings.extend(kinds.iter().map(|&kind| Unseen {
                kind,
                message: message.clone(),
            }));
        }
        let strangers = self.strangers();
        if let Some(first) = strangers.first() {
            let more = match strangers.len() - 1 {
                0 => String::new(),
                more => format!(" (and {more} more)"),
            };
            findings.push(Unseen {
                kind: PrimitiveKind::Hash,
                message: format!(
                    "`{first}`{more} sounds like a hash function, and no wrapper is known for it"
                ),
            });
        }
        if findings.is_empty()
            && !self.seen.contains(&PrimitiveKind::Hash)
            && !self.primitives.are_all_there_is()
        {
            findings.push(Unseen {
                kind: PrimitiveKind::Hash,
                message: "it calls no hash function that is known by its name".to_owned(),
            });
        }
        findings
    }
}

#[cfg(test)]
#[path = "sight_tests.rs"]
mod tests;
