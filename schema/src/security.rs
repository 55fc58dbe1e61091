//! Security targets and how they group in filters and symbols.

use serde::{Deserialize, Serialize};

/// Group of security targets that filters and plot symbols use.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum TargetGroup {
    /// 128 bits, or NIST category 1.
    #[serde(rename = "128")]
    Bits128,
    /// 256 bits, or NIST category 5.
    #[serde(rename = "256")]
    Bits256,
    /// 512 bits.
    #[serde(rename = "512")]
    Bits512,
    /// No target assigned, or one between the three.
    Other,
}

impl TargetGroup {
    /// All groups in ascending order.
    pub const ALL: [TargetGroup; 4] = [
        TargetGroup::Bits128,
        TargetGroup::Bits256,
        TargetGroup::Bits512,
        TargetGroup::Other,
    ];

    /// The group of an instance. A claimed target in bits counts first; a NIST category (1–5)
    /// stands in where a scheme claims no bits: 1 with 128, 5 with 256, the rest with the others.
    pub fn of(target_bits: Option<u16>, nist_category: Option<u8>) -> TargetGroup {
        match (target_bits, nist_category) {
            (Some(128), _) | (None, Some(1)) => TargetGroup::Bits128,
            (Some(256), _) | (None, Some(5)) => TargetGroup::Bits256,
            (Some(512), _) => TargetGroup::Bits512,
            _ => TargetGroup::Other,
        }
    }

    /// The name in URLs, test hooks and labels: `128`, `256`, `512`, `other`.
    pub fn name(self) -> &'static str {
        match self {
            TargetGroup::Bits128 => "128",
            TargetGroup::Bits256 => "256",
            TargetGroup::Bits512 => "512",
            TargetGroup::Other => "other",
        }
    }

    /// The group of a name, or `None` if there is no such group.
    pub fn from_name(name: &str) -> Option<TargetGroup> {
        TargetGroup::ALL
            .into_iter()
            .find(|group| group.name() == name)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nist_categories_filter_with_their_bits() {
        assert_eq!(TargetGroup::of(None, Some(1)), TargetGroup::Bits128);
        assert_eq!(TargetGroup::of(None, Some(3)), TargetGroup::Other);
        assert_eq!(TargetGroup::of(None, Some(5)), TargetGroup::Bits256);
        assert_eq!(TargetGroup::of(Some(512), None), TargetGroup::Bits512);
        assert_eq!(TargetGroup::of(Some(192), Some(1)), TargetGroup::Other);
        assert_eq!(TargetGroup::of(None, None), TargetGroup::Other);
    }
}
