//! File `data/<system>/summary.json`: one compact row per instance, enough for the overview.

use crate::SCHEMA_VERSION;
use crate::family::{Category, FamilyRecord};
use crate::figure::Figure;
use crate::instance::{InstanceRecord, OperationRecord, Sizes};
use crate::kat::KatStatus;
use crate::operation::Operation;
use crate::provenance::{CycleSource, PlanKind, Provenance};
use crate::security::TargetGroup;
use crate::system::System;
use serde::{Deserialize, Serialize};

/// All instances of a system in compact form.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "json-schema", derive(schemars::JsonSchema))]
pub struct Summary {
    /// Major version of the contract.
    pub schema_version: u32,
    /// Identifier of the system.
    pub system: String,
    /// The fixed clock in hertz, where there is one: times may be derived from cycles by it.
    #[serde(default)]
    pub fixed_clock_hz: Option<Figure>,
    /// The families, in order.
    pub families: Vec<FamilySummary>,
    /// One row per instance and implementation, families and instances in their order.
    pub rows: Vec<SummaryRow>,
}

/// A family of a summary.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "json-schema", derive(schemars::JsonSchema))]
pub struct FamilySummary {
    /// Identifier.
    pub id: String,
    /// Name of the scheme.
    pub name: String,
    /// Mathematical basis.
    #[serde(default)]
    pub category: Option<Category>,
    /// Measured here or imported.
    pub provenance: Provenance,
}

/// One instance of a summary.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "json-schema", derive(schemars::JsonSchema))]
pub struct SummaryRow {
    /// Identifier of the family.
    pub family: String,
    /// Name of the instance.
    pub instance: String,
    /// Variant of the implementation.
    pub implementation: String,
    /// Claimed security target in bits.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub target_bits: Option<u16>,
    /// Claimed NIST category.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub nist_category: Option<u8>,
    /// Outcome of the known-answer test.
    pub kat: KatStatus,
    /// Public key in bytes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub public_key_bytes: Option<u64>,
    /// Secret key in bytes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub secret_key_bytes: Option<u64>,
    /// Ciphertext in bytes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ciphertext_bytes: Option<u64>,
    /// Shared secret in bytes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub shared_secret_bytes: Option<u64>,
    /// Key generation.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub keygen: Option<SummaryOperation>,
    /// Encapsulation.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub enc: Option<SummaryOperation>,
    /// Decapsulation.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub dec: Option<SummaryOperation>,
    /// A remark of the source.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub note: Option<String>,
}

/// One operation of a summary row.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "json-schema", derive(schemars::JsonSchema))]
pub struct SummaryOperation {
    /// Mean cycles per call.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub mean_cycles: Option<Figure>,
    /// What counted the cycles.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cycle_source: Option<CycleSource>,
    /// Mean seconds per call, as measured or printed; never derived.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub mean_seconds: Option<Figure>,
    /// Calls in all.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub calls: Option<u64>,
    /// Lower bound of the calls where the number is not given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub calls_at_least: Option<u64>,
    /// Symmetric share as a fraction.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub hash_share: Option<Figure>,
    /// How thoroughly it was measured, for figures of this runner.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub plan: Option<PlanKind>,
}

impl Summary {
    /// The summary of a system from its full records, in the order given.
    pub fn of(system: &System, records: &[FamilyRecord]) -> Summary {
        Summary {
            schema_version: SCHEMA_VERSION,
            system: system.id.clone(),
            fixed_clock_hz: system.environment.fixed_clock_hz,
            families: records
                .iter()
                .map(|record| FamilySummary {
                    id: record.family.id.clone(),
                    name: record.family.name.clone(),
                    category: record.family.category,
                    provenance: record.provenance,
                })
                .collect(),
            rows: records
                .iter()
                .flat_map(|record| {
                    record
                        .instances
                        .iter()
                        .map(|instance| SummaryRow::of(&record.family.id, instance))
                })
                .collect(),
        }
    }
}

impl SummaryRow {
    /// The compact row of an instance.
    pub fn of(family: &str, instance: &InstanceRecord) -> SummaryRow {
        let Sizes {
            public_key_bytes,
            secret_key_bytes,
            ciphertext_bytes,
            shared_secret_bytes,
        } = instance.sizes;
        let operation = |op| instance.operation(op).map(SummaryOperation::of);
        SummaryRow {
            family: family.to_owned(),
            instance: instance.name.clone(),
            implementation: instance.implementation.variant.clone(),
            target_bits: instance.target_bits,
            nist_category: instance.nist_category,
            kat: instance.kat.status,
            public_key_bytes,
            secret_key_bytes,
            ciphertext_bytes,
            shared_secret_bytes,
            keygen: operation(Operation::Keygen),
            enc: operation(Operation::Enc),
            dec: operation(Operation::Dec),
            note: instance.note.clone(),
        }
    }

    /// The summary of an operation, if it has figures.
    pub fn operation(&self, operation: Operation) -> Option<&SummaryOperation> {
        match operation {
            Operation::Keygen => self.keygen.as_ref(),
            Operation::Enc => self.enc.as_ref(),
            Operation::Dec => self.dec.as_ref(),
        }
    }

    /// The group of the security target.
    pub fn target_group(&self) -> TargetGroup {
        TargetGroup::of(self.target_bits, self.nist_category)
    }
}

impl SummaryOperation {
    /// The compact form of an operation's record.
    pub fn of(record: &OperationRecord) -> SummaryOperation {
        let timing = record.timing.unwrap_or_default();
        SummaryOperation {
            mean_cycles: timing.mean_cycles,
            cycle_source: timing.cycle_source,
            mean_seconds: timing.mean_seconds,
            calls: timing.calls,
            calls_at_least: timing.calls_at_least,
            hash_share: record.profile.as_ref().and_then(|p| p.hash_share),
            plan: timing.plan,
        }
    }
}
