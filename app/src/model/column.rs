//! The columns of the overview table.

use kemscope_schema::Operation;

/// Cycles or time: what speed columns and axes show.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Units {
    /// Cycles per call.
    #[default]
    Cycles,
    /// Seconds per call.
    Time,
}

/// One column of the overview table.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Column {
    /// Family, identifier and name.
    Family,
    /// Parameter set.
    Instance,
    /// System; shown when more than one is.
    System,
    /// Variant of the implementation; shown when there is more than one.
    Implementation,
    /// Security target in bits.
    Target,
    /// Known-answer test.
    Kat,
    /// Public key in bytes.
    PublicKey,
    /// Ciphertext in bytes.
    Ciphertext,
    /// Public key and ciphertext together in bytes: what one exchange sends.
    PkCt,
    /// Mean of an operation, in cycles or seconds.
    Speed(Operation),
    /// Largest symmetric share among the three operations.
    Share,
}

impl Column {
    /// All columns in table order.
    pub const ALL: [Column; 13] = [
        Column::Family,
        Column::Instance,
        Column::System,
        Column::Implementation,
        Column::Target,
        Column::Kat,
        Column::PublicKey,
        Column::Ciphertext,
        Column::PkCt,
        Column::Speed(Operation::Keygen),
        Column::Speed(Operation::Enc),
        Column::Speed(Operation::Dec),
        Column::Share,
    ];

    /// Short name in URLs.
    pub fn name(self) -> &'static str {
        match self {
            Column::Family => "family",
            Column::Instance => "instance",
            Column::System => "system",
            Column::Implementation => "impl",
            Column::Target => "bits",
            Column::Kat => "kat",
            Column::PublicKey => "pk",
            Column::Ciphertext => "ct",
            Column::PkCt => "pkct",
            Column::Speed(operation) => operation.name(),
            Column::Share => "sym",
        }
    }

    /// The column of a URL name.
    pub fn from_name(name: &str) -> Option<Column> {
        Column::ALL.into_iter().find(|c| c.name() == name)
    }

    /// Stable name in the page (`data-col`, `data-sort`): the contract's field name, with its unit.
    pub fn data_name(self, units: Units) -> &'static str {
        match (self, units) {
            (Column::Family, _) => "family",
            (Column::Instance, _) => "instance",
            (Column::System, _) => "system",
            (Column::Implementation, _) => "implementation",
            (Column::Target, _) => "target_bits",
            (Column::Kat, _) => "kat",
            (Column::PublicKey, _) => "public_key_bytes",
            (Column::Ciphertext, _) => "ciphertext_bytes",
            (Column::PkCt, _) => "pk_ct_bytes",
            (Column::Speed(Operation::Keygen), Units::Cycles) => "keygen_cycles",
            (Column::Speed(Operation::Enc), Units::Cycles) => "enc_cycles",
            (Column::Speed(Operation::Dec), Units::Cycles) => "dec_cycles",
            (Column::Speed(Operation::Keygen), Units::Time) => "keygen_seconds",
            (Column::Speed(Operation::Enc), Units::Time) => "enc_seconds",
            (Column::Speed(Operation::Dec), Units::Time) => "dec_seconds",
            (Column::Share, _) => "symmetric_share",
        }
    }

    /// Words of the column's head.
    pub fn title(self) -> &'static str {
        match self {
            Column::Family => "Family",
            Column::Instance => "Instance",
            Column::System => "System",
            Column::Implementation => "Implement.",
            Column::Target => "Bits",
            Column::Kat => "KAT",
            Column::PublicKey => "pk",
            Column::Ciphertext => "ct",
            Column::PkCt => "pk+ct",
            Column::Speed(operation) => operation.name(),
            Column::Share => "sym",
        }
    }

    /// Unit of the column's figures, shown in the head.
    pub fn unit(self, units: Units) -> &'static str {
        match (self, units) {
            (Column::Target, _) => "target",
            (Column::PublicKey | Column::Ciphertext | Column::PkCt, _) => "bytes",
            (Column::Speed(_), Units::Cycles) => "kcycles",
            (Column::Speed(_), Units::Time) => "µs",
            (Column::Share, _) => "%",
            _ => "",
        }
    }

    /// What the column is, in a sentence.
    pub fn help(self) -> &'static str {
        match self {
            Column::Family => "The scheme: identifier and name",
            Column::Instance => "The parameter set",
            Column::System => "The machine it was measured on",
            Column::Implementation => "What was compiled: reference, optimised, independent …",
            Column::Target => {
                "Security target in bits that the parameter set claims; for NIST schemes the claimed category"
            }
            Column::Kat => {
                "Known-answer test: whether the library reproduces the published vectors"
            }
            Column::PublicKey => "Public (encapsulation) key",
            Column::Ciphertext => "Ciphertext",
            Column::PkCt => "Public key and ciphertext: what one key exchange sends",
            Column::Speed(Operation::Keygen) => "Key generation, mean per call",
            Column::Speed(Operation::Enc) => "Encapsulation, mean per call",
            Column::Speed(Operation::Dec) => "Decapsulation, mean per call",
            Column::Share => {
                "Largest share among keygen, enc and dec spent in the placeholder hash functions"
            }
        }
    }

    /// Least width in pixels (the longest figure fits), and share of what is left.
    fn width(self) -> (u32, &'static str) {
        match self {
            Column::Family => (112, "1.3fr"),
            Column::Instance => (108, "1.2fr"),
            Column::System => (58, "58px"),
            Column::Implementation => (84, "1fr"),
            Column::Target => (42, "42px"),
            Column::Kat => (78, "78px"),
            Column::PublicKey | Column::Ciphertext | Column::PkCt => (74, "0.7fr"),
            Column::Speed(_) => (92, "0.9fr"),
            Column::Share => (44, "44px"),
        }
    }

    /// The columns as tracks of a grid, and their least width together in pixels.
    pub fn tracks(columns: &[Column]) -> (String, u32) {
        let mut tracks = String::new();
        let mut least = 0;
        for column in columns {
            let (width, share) = column.width();
            tracks.push_str(&format!("minmax({width}px,{share}) "));
            least += width;
        }
        (tracks, least)
    }

    /// Whether the column holds figures: right-aligned, sorted as numbers.
    pub fn is_numeric(self) -> bool {
        !matches!(
            self,
            Column::Family
                | Column::Instance
                | Column::System
                | Column::Implementation
                | Column::Kat
        )
    }

    /// Whether cells carry a bar on the column's logarithmic scale.
    pub fn has_bar(self) -> bool {
        matches!(
            self,
            Column::PublicKey | Column::Ciphertext | Column::PkCt | Column::Speed(_)
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tracks_add_up() {
        let (tracks, least) = Column::tracks(&[Column::Family, Column::Kat]);
        assert_eq!(tracks, "minmax(112px,1.3fr) minmax(78px,78px) ");
        assert_eq!(least, 190);
    }

    #[test]
    fn names_are_unique_and_read_back() {
        for column in Column::ALL {
            assert_eq!(Column::from_name(column.name()), Some(column));
        }
        assert_eq!(Column::from_name("speed"), None);
    }
}
