//! Which function refers to which, from relocatable objects.
//!
//! Objects are expected to be compiled without optimisation and with each function in a section of its own, so that
//! every reference from one function to another is a relocation. Where one cannot be told exactly, more is taken
//! than there is.

use object::{
    Object, ObjectSection, ObjectSymbol, RelocationTarget, SectionIndex, SymbolIndex, SymbolKind,
};
use std::collections::HashMap;

/// A function, or an object that holds references (a table of functions), by file and number in it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct NodeId {
    file: usize,
    node: usize,
}

/// Where a reference leads.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Reference {
    /// To something that the same file defines.
    Within(NodeId),
    /// To a name that another file or a library defines.
    Outside(String),
}

/// All functions of a library and their references.
#[derive(Debug, Default)]
pub struct Graph {
    files: Vec<Vec<Node>>,
    globals: HashMap<String, Vec<NodeId>>,
}

#[derive(Debug)]
struct Node {
    /// The symbol; empty for what has none.
    name: String,
    /// Whether other files can refer to it.
    global: bool,
    /// Whether it is code.
    function: bool,
    references: Vec<Reference>,
}

impl Graph {
    /// Adds an object file.
    ///
    /// # Errors
    /// If it is no relocatable ELF file.
    pub fn add(&mut self, bytes: &[u8]) -> Result<(), String> {
        let file = object::File::parse(bytes).map_err(|e| format!("no object file: {e}"))?;
        let number = self.files.len();
        let nodes = FileNodes::read(&file, number)?.nodes;
        for (index, node) in nodes.iter().enumerate().filter(|(_, node)| node.global) {
            let id = NodeId {
                file: number,
                node: index,
            };
            self.globals.entry(node.name.clone()).or_default().push(id);
        }
        self.files.push(nodes);
        Ok(())
    }

    /// What files define under a name.
    pub fn definitions(&self, name: &str) -> &[NodeId] {
        self.globals.get(name).map_or(&[], Vec::as_slice)
    }

    /// The symbol of a node; empty for what has none.
    pub fn name(&self, id: NodeId) -> &str {
        self.node(id).map_or("", |node| &node.name)
    }

    /// Whether other files can refer to a node.
    pub fn is_global(&self, id: NodeId) -> bool {
        self.node(id).is_some_and(|node| node.global)
    }

    /// Whether a node is code, not data.
    pub fn is_function(&self, id: NodeId) -> bool {
        self.node(id).is_some_and(|node| node.function)
    }

    /// The references of a node.
    pub fn references(&self, id: NodeId) -> &[Reference] {
        self.node(id).map_or(&[], |node| &node.references)
    }

    /// All names that files refer to and do not define themselves.
    pub fn outside_names(&self) -> impl Iterator<Item = &str> {
        let references = self
            .files
            .iter()
            .flatten()
            .flat_map(|node| &node.references);
        references.filter_map(|reference| match reference {
            Reference::Outside(name) => Some(name.as_str()),
            Reference::Within(_) => None,
        })
    }

    fn node(&self, id: NodeId) -> Option<&Node> {
        self.files.get(id.file)?.get(id.node)
    }
}

/// A symbol's place in a section.
struct Range {
    begin: u64,
    end: u64,
    node: usize,
}

/// The nodes of one file, being read.
struct FileNodes {
    number: usize,
    nodes: Vec<Node>,
    by_symbol: HashMap<SymbolIndex, usize>,
    sections: HashMap<SectionIndex, Section>,
}

#[derive(Default)]
struct Section {
    ranges: Vec<Range>,
    /// What lies in the section outside all symbols.
    rest: usize,
}

impl FileNodes {
    fn read(file: &object::File<'_>, number: usize) -> Result<FileNodes, String> {
        let mut nodes = FileNodes {
            number,
            nodes: Vec::new(),
            by_symbol: HashMap::new(),
            sections: HashMap::new(),
        };
        for section in file.sections() {
            let rest = nodes.push("", false, false);
            nodes.sections.insert(
                section.index(),
                Section {
                    ranges: Vec::new(),
                    rest,
                },
            );
        }
        for symbol in file.symbols() {
            nodes.take_symbol(&symbol)?;
        }
        for section in file.sections() {
            for (offset, relocation) in section.relocations() {
                let to = nodes.target(file, &relocation)?;
                for from in nodes.at(section.index(), &[offset]) {
                    if let Some(node) = nodes.nodes.get_mut(from) {
                        node.references.extend(to.iter().cloned());
                    }
                }
            }
        }
        for node in &mut nodes.nodes {
            node.references.sort();
            node.references.dedup();
        }
        Ok(nodes)
    }

    fn push(&mut self, name: &str, global: bool, function: bool) -> usize {
        self.nodes.push(Node {
            name: name.to_owned(),
            global,
            function,
            references: Vec::new(),
        });
        self.nodes.len() - 1
    }

    fn take_symbol<'a>(&mut self, symbol: &impl ObjectSymbol<'a>) -> Result<(), String> {
        let named = matches!(
            symbol.kind(),
            SymbolKind::Text | SymbolKind::Data | SymbolKind::Unknown
        );
        let Some(index) = symbol.section_index().filter(|_| named) else {
            return Ok(());
        };
        let name = symbol.name().map_err(|e| e.to_string())?;
        if name.is_empty() {
            return Ok(());
        }
        // Hand-written assembler often gives its symbols no type.
        let function = symbol.kind() != SymbolKind::Data;
        let node = self.push(name, symbol.is_global(), function);
        self.by_symbol.insert(symbol.index(), node);
        if let Some(section) = self.sections.get_mut(&index) {
            section.ranges.push(Range {
                begin: symbol.address(),
                end: symbol.address().saturating_add(symbol.size()),
                node,
            });
        }
        Ok(())
    }

    /// The nodes that lie at one of the addresses of a section, all of the section's where none does.
    fn at(&self, section: SectionIndex, addresses: &[u64]) -> Vec<usize> {
        let Some(section) = self.sections.get(&section) else {
            return Vec::new();
        };
        let holds = |range: &&Range| {
            let inside = |address: &u64| (range.begin..range.end).contains(address);
            addresses.iter().any(inside)
        };
        let found: Vec<usize> = section
            .ranges
            .iter()
            .filter(holds)
            .map(|r| r.node)
            .collect();
        if !found.is_empty() {
            return found;
        }
        let all = section.ranges.iter().map(|range| range.node);
        all.chain([section.rest]).collect()
    }

    fn target(
        &self,
        file: &object::File<'_>,
        relocation: &object::Relocation,
    ) -> Result<Vec<Reference>, String> {
        let RelocationTarget::Symbol(index) = relocation.target() else {
            return Ok(Vec::new());
        };
        let symbol = file.symbol_by_index(index).map_err(|e| e.to_string())?;
        if let Some(&node) = self.by_symbol.get(&index) {
            return Ok(self.within([node]));
        }
        if let Some(section) = symbol.section_index() {
            // The assembler refers to local symbols by their section. On x86 an address is taken relative to the
            // end of the instruction, mostly four bytes further on.
            let address = symbol.address().wrapping_add_signed(relocation.addend());
            let nodes = self.at(section, &[address, address.wrapping_add(4)]);
            return Ok(self.within(nodes));
        }
        let name = symbol.name().map_err(|e| e.to_string())?;
        Ok(vec![Reference::Outside(name.to_owned())])
    }

    fn within(&self, nodes: impl IntoIterator<Item = usize>) -> Vec<Reference> {
        let id = |node| NodeId {
            file: self.number,
            node,
        };
        let nodes = nodes.into_iter();
        nodes.map(|node| Reference::Within(id(node))).collect()
    }
}
