//! The axes of the plot: which size stands against which speed.

use super::column::Units;
use super::mark::Mark;
use super::row::Row;
use kemscope_schema::{Operation, derive};

/// Size axis of the plot, in bytes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum SizeAxis {
    /// Public key and ciphertext.
    #[default]
    PkCt,
    /// Public key.
    PublicKey,
    /// Ciphertext.
    Ciphertext,
    /// Secret key.
    SecretKey,
}

/// Speed axis of the plot, in cycles or seconds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SpeedAxis {
    /// One operation.
    One(Operation),
    /// Keygen, enc and dec together.
    Sum,
}

/// The plot's axes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Axes {
    /// Horizontal: a size.
    pub size: SizeAxis,
    /// Vertical: a speed.
    pub speed: SpeedAxis,
    /// Logarithmic (the usual) or linear, both axes.
    pub log: bool,
    /// One small plot per family instead of one for all.
    pub multiples: bool,
}

impl Default for Axes {
    fn default() -> Self {
        Axes {
            size: SizeAxis::default(),
            speed: SpeedAxis::One(Operation::Dec),
            log: true,
            multiples: false,
        }
    }
}

impl SizeAxis {
    /// All choices.
    pub const ALL: [SizeAxis; 4] = [
        SizeAxis::PkCt,
        SizeAxis::PublicKey,
        SizeAxis::Ciphertext,
        SizeAxis::SecretKey,
    ];

    /// Short name in URLs.
    pub fn name(self) -> &'static str {
        match self {
            SizeAxis::PkCt => "pkct",
            SizeAxis::PublicKey => "pk",
            SizeAxis::Ciphertext => "ct",
            SizeAxis::SecretKey => "sk",
        }
    }

    /// Words on the axis.
    pub fn label(self) -> &'static str {
        match self {
            SizeAxis::PkCt => "public key + ciphertext",
            SizeAxis::PublicKey => "public key",
            SizeAxis::Ciphertext => "ciphertext",
            SizeAxis::SecretKey => "secret key",
        }
    }

    /// Words in the list of choices.
    pub fn short(self) -> &'static str {
        match self {
            SizeAxis::PkCt => "pk + ct",
            other => other.label(),
        }
    }

    /// The size of a row in bytes.
    pub fn of(self, row: &Row) -> Option<u64> {
        match self {
            SizeAxis::PkCt => derive::wire_bytes(&row.data),
            SizeAxis::PublicKey => row.data.public_key_bytes,
            SizeAxis::Ciphertext => row.data.ciphertext_bytes,
            SizeAxis::SecretKey => row.data.secret_key_bytes,
        }
    }
}

impl SpeedAxis {
    /// All choices.
    pub const ALL: [SpeedAxis; 4] = [
        SpeedAxis::One(Operation::Keygen),
        SpeedAxis::One(Operation::Enc),
        SpeedAxis::One(Operation::Dec),
        SpeedAxis::Sum,
    ];

    /// Short name in URLs.
    pub fn name(self) -> &'static str {
        match self {
            SpeedAxis::One(operation) => operation.name(),
            SpeedAxis::Sum => "sum",
        }
    }

    /// Words on the axis.
    pub fn label(self) -> &'static str {
        match self {
            SpeedAxis::One(operation) => operation.name(),
            SpeedAxis::Sum => "keygen + enc + dec",
        }
    }

    /// Words in the list of choices.
    pub fn short(self) -> &'static str {
        match self {
            SpeedAxis::Sum => "sum of three",
            other => other.label(),
        }
    }

    /// The mark of that speed; of a sum the first of its parts.
    pub fn mark(self, row: &Row, units: Units) -> Option<Mark> {
        match self {
            SpeedAxis::One(operation) => row.mark(operation, units),
            SpeedAxis::Sum => Operation::ALL
                .into_iter()
                .find_map(|operation| row.mark(operation, units)),
        }
    }

    /// The speed of a row in cycles or seconds.
    pub fn of(self, row: &Row, units: Units) -> Option<f64> {
        match (self, units) {
            (SpeedAxis::One(operation), _) => row.speed(operation, units),
            (SpeedAxis::Sum, Units::Cycles) => derive::total_cycles(&row.data),
            (SpeedAxis::Sum, Units::Time) => {
                derive::total_seconds(&row.data, row.clock).map(|(time, _)| time)
            }
        }
    }
}
