//! The sections of a report page.

/// The sections of a report page, in their order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Section {
    /// 1. Basic information.
    Basic,
    /// 2. Assessment environment.
    Environment,
    /// 3. Functional testing.
    Kat,
    /// 4. Performance.
    Performance,
    /// 5. Resource consumption.
    Memory,
    /// 6. Transmission and storage overhead.
    Sizes,
    /// Symmetric primitives (without a number on the pages).
    Symmetric,
    /// 7. Raw evidence index.
    Evidence,
}

impl Section {
    /// All sections in page order.
    pub const ALL: [Section; 8] = [
        Section::Basic,
        Section::Environment,
        Section::Kat,
        Section::Performance,
        Section::Memory,
        Section::Sizes,
        Section::Symmetric,
        Section::Evidence,
    ];

    /// The heading as printed.
    pub fn heading(self) -> &'static str {
        match self {
            Section::Basic => "1. Basic information",
            Section::Environment => "2. Assessment environment",
            Section::Kat => "3. Functional testing (KAT)",
            Section::Performance => "4. Performance",
            Section::Memory => "5. Resource consumption",
            Section::Sizes => "6. Transmission and storage overhead",
            Section::Symmetric => "Symmetric primitives",
            Section::Evidence => "7. Raw evidence index",
        }
    }
}
