//! The full record of a family on a system: everything that a report page shows.

use crate::SCHEMA_VERSION;
use crate::environment::Environment;
use crate::instance::InstanceRecord;
use crate::provenance::{Provenance, Source};
use serde::{Deserialize, Serialize};

/// Mathematical basis of a family.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "json-schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum Category {
    /// Lattices.
    Lattice,
    /// Error-correcting codes.
    Code,
    /// Isogenies.
    Isogeny,
    /// Not meant to resist quantum computers (yardsticks).
    PreQuantum,
}

impl Category {
    /// All categories.
    pub const ALL: [Category; 4] = [
        Category::Lattice,
        Category::Code,
        Category::Isogeny,
        Category::PreQuantum,
    ];

    /// The word in files, URLs and tables.
    pub fn name(self) -> &'static str {
        match self {
            Category::Lattice => "lattice",
            Category::Code => "code",
            Category::Isogeny => "isogeny",
            Category::PreQuantum => "pre-quantum",
        }
    }

    /// The category of a word, or `None` if there is no such category.
    pub fn from_name(name: &str) -> Option<Category> {
        Category::ALL.into_iter().find(|c| c.name() == name)
    }
}

/// Which family a record is about.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "json-schema", derive(schemars::JsonSchema))]
pub struct Family {
    /// Identifier, for example `kem-14` or `ml-kem`.
    pub id: String,
    /// Name of the scheme, for example `DTRU`.
    pub name: String,
    /// Mathematical basis, where it is known.
    #[serde(default)]
    pub category: Option<Category>,
}

/// File `data/<system>/<family>.json`: a family on a system.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "json-schema", derive(schemars::JsonSchema))]
pub struct FamilyRecord {
    /// Major version of the contract, see [`crate::SCHEMA_VERSION`].
    pub schema_version: u32,
    /// Identifier of the system.
    pub system: String,
    /// The family.
    pub family: Family,
    /// Measured here or imported.
    pub provenance: Provenance,
    /// What the record was made from.
    pub source: Source,
    /// Section 1; `None` where the page's section is empty or there is no page.
    #[serde(default)]
    pub basic: Option<BasicInformation>,
    /// Section 2; `None` where the record's source says nothing (the system's file does then).
    #[serde(default)]
    pub environment: Option<Environment>,
    /// The sentences that stand in the sections.
    #[serde(default)]
    pub notes: SectionNotes,
    /// The survey's verdict on symmetric primitives, for example `ICCS-only`.
    #[serde(default)]
    pub survey_verdict: Option<String>,
    /// The instances in page order.
    pub instances: Vec<InstanceRecord>,
}

impl FamilyRecord {
    /// A record without instances of which nothing but family and source is known.
    pub fn empty(
        system: &str,
        family: Family,
        provenance: Provenance,
        source: Source,
    ) -> FamilyRecord {
        FamilyRecord {
            schema_version: SCHEMA_VERSION,
            system: system.to_owned(),
            family,
            provenance,
            source,
            basic: None,
            environment: None,
            notes: SectionNotes::default(),
            survey_verdict: None,
            instances: Vec::new(),
        }
    }
}

/// Section 1 of a report page.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "json-schema", derive(schemars::JsonSchema))]
pub struct BasicInformation {
    /// `public-key algorithm; function: key encapsulation`.
    #[serde(default)]
    pub category: Option<LinkedText>,
    /// The algorithm's name.
    #[serde(default)]
    pub algorithm: Option<LinkedText>,
    /// Implementation versions measured.
    #[serde(default)]
    pub implementation_versions: Option<LinkedText>,
    /// Parameter sets, in page order.
    #[serde(default)]
    pub parameter_sets: Vec<String>,
    /// Where the security evaluation is.
    #[serde(default)]
    pub security_evaluation: Option<LinkedText>,
    /// Where the measurement method is.
    #[serde(default)]
    pub measurement_method: Option<LinkedText>,
    /// Where the submission is.
    #[serde(default)]
    pub submission: Option<LinkedText>,
}

/// A text that may be a link.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "json-schema", derive(schemars::JsonSchema))]
pub struct LinkedText {
    /// The words.
    pub text: String,
    /// Address that the words link to, where the source keeps it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub href: Option<String>,
}

/// The sentences of a report page that stand beside its tables, as printed.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "json-schema", derive(schemars::JsonSchema))]
pub struct SectionNotes {
    /// Below the title: what kind of measurement it is.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub introduction: Option<String>,
    /// Section 2: beside the environment.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub environment: Option<String>,
    /// Section 3: what the libraries were checked against.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub kat: Option<String>,
    /// Section 4: beside the cycles and times.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub performance: Option<String>,
    /// Section 5: what the memory figures mean.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub memory: Option<String>,
    /// Section 6: where the sizes come from.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sizes: Option<String>,
    /// Symmetric primitives: how the shares were measured.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub profile: Option<String>,
    /// Section 7: what the paths are relative to.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub evidence: Option<String>,
    /// At the end: the scripts that produced the page.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub scripts: Option<String>,
}
