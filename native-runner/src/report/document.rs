//! A report before it is written in a format: title, sections, tables, pictures.

/// A whole report.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Document {
    /// The title.
    pub title: String,
    /// Whether its tables need the long side of the paper.
    pub landscape: bool,
    /// What follows it.
    pub blocks: Vec<Block>,
}

/// A part of a report.
#[derive(Clone, Debug, PartialEq)]
pub enum Block {
    /// A heading.
    Section(String),
    /// A paragraph.
    Paragraph(String),
    /// What the reader must know before quoting a figure, one line each.
    Warnings(Vec<String>),
    /// A list of labelled facts.
    Facts(Vec<Fact>),
    /// A table.
    Table(Table),
    /// A picture.
    Picture(Picture),
}

/// A labelled fact.
#[derive(Clone, Debug, PartialEq)]
pub struct Fact {
    /// What it is.
    pub label: String,
    /// What it says.
    pub text: String,
    /// Address that the words link to.
    pub href: Option<String>,
}

/// A table.
#[derive(Clone, Debug, PartialEq)]
pub struct Table {
    /// What it shows, with the units that the cells do not carry.
    pub caption: String,
    /// Its columns.
    pub columns: Vec<Column>,
    /// Its rows, as many cells as there are columns.
    pub rows: Vec<Vec<String>>,
}

/// A column of a table.
#[derive(Clone, Debug, PartialEq)]
pub struct Column {
    /// Its head.
    pub head: String,
    /// What stands in its cells.
    pub kind: Kind,
}

/// What stands in a column.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Names of instances and the like; they head their row.
    Name,
    /// Words.
    Text,
    /// Paths of files.
    Path,
    /// Numbers with their unit: cycles, times, rates, shares, calls.
    Figure,
    /// Whole bytes without unit.
    Bytes,
}

impl Kind {
    /// Whether cells are set to the right.
    pub fn is_number(self) -> bool {
        matches!(self, Kind::Figure | Kind::Bytes)
    }
}

/// A picture.
#[derive(Clone, Debug, PartialEq)]
pub struct Picture {
    /// Name of the file without extension.
    pub name: String,
    /// Path of the SVG file from where the report is.
    pub path: String,
    /// The picture itself.
    pub svg: String,
    /// What it shows.
    pub caption: String,
}

impl Document {
    /// Adds a heading.
    pub fn section(&mut self, heading: impl Into<String>) {
        self.blocks.push(Block::Section(heading.into()));
    }

    /// Adds a paragraph, unless it is empty.
    pub fn paragraph(&mut self, text: impl Into<String>) {
        let text = text.into();
        if !text.is_empty() {
            self.blocks.push(Block::Paragraph(text));
        }
    }

    /// Adds facts, unless there are none.
    pub fn facts(&mut self, facts: Vec<Fact>) {
        if !facts.is_empty() {
            self.blocks.push(Block::Facts(facts));
        }
    }

    /// Adds warnings, unless there are none.
    pub fn warnings(&mut self, lines: Vec<String>) {
        if !lines.is_empty() {
            self.blocks.push(Block::Warnings(lines));
        }
    }

    /// Adds a table, unless it has no rows.
    pub fn table(&mut self, table: Table) {
        if !table.rows.is_empty() {
            self.blocks.push(Block::Table(table));
        }
    }

    /// Adds a picture.
    pub fn picture(&mut self, picture: Picture) {
        self.blocks.push(Block::Picture(picture));
    }
}

impl Fact {
    /// A fact without a link.
    pub fn new(label: impl Into<String>, text: impl Into<String>) -> Fact {
        Fact {
            label: label.into(),
            text: text.into(),
            href: None,
        }
    }
}

impl Fact {
    /// The address, if it can be followed without harm. Addresses come from foreign pages: only those that can do
    /// nothing but lead somewhere become links.
    pub fn web_address(&self) -> Option<&str> {
        let safe = |c: char| c.is_ascii_alphanumeric() || "-._~:/?#@!$&*+,;=%".contains(c);
        self.href.as_deref().filter(|href| {
            (href.starts_with("https://") || href.starts_with("http://")) && href.chars().all(safe)
        })
    }
}

impl Column {
    /// A column.
    pub fn new(head: impl Into<String>, kind: Kind) -> Column {
        Column {
            head: head.into(),
            kind,
        }
    }
}
