//! Compiler flag sets.

/// A named set of compiler flags.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FlagSet {
    /// Its name in records.
    pub name: &'static str,
    /// Flags that every compiler in question knows.
    pub fixed: &'static [&'static str],
    /// Flags that are left out where the compiler does not know them.
    pub probed: &'static [&'static str],
}

/// Added to a set's name where the user's `CC` or `CFLAGS` brought further flags.
const WITH_OWN: &str = "+CFLAGS";

impl FlagSet {
    /// The set's name in records: `guide`, or `guide+CFLAGS` where the environment adds flags.
    pub fn label(&self, with_own: bool) -> String {
        format!("{}{}", self.name, if with_own { WITH_OWN } else { "" })
    }

    /// Whether a label is of this set, with or without further flags.
    pub fn is_labelled(&self, label: &str) -> bool {
        label.strip_suffix(WITH_OWN).unwrap_or(label) == self.name
    }
}

/// GCC 14 made errors of these habits of pre-C99 code; they become warnings again.
const STILL_WARNINGS: &[&str] = &[
    "-Wno-error=implicit-function-declaration",
    "-Wno-error=incompatible-pointer-types",
    "-Wno-error=int-conversion",
    "-Wno-error=implicit-int",
];

/// The flags of the self-assessment guide, and what a shared library and POSIX functions need.
pub const GUIDE: FlagSet = FlagSet {
    name: "guide",
    fixed: &[
        "-std=c99",
        "-Wpedantic",
        "-Wall",
        "-Wextra",
        "-O2",
        "-fPIC",
        "-D_GNU_SOURCE",
    ],
    probed: STILL_WARNINGS,
};

/// The public harness's own flags, for code that does not build with the guide's.
pub const HARNESS_DEFAULT: FlagSet = FlagSet {
    name: "harness-default",
    fixed: &[
        "-O2",
        "-fPIC",
        "-std=gnu11",
        "-Wall",
        "-fno-strict-aliasing",
        "-fwrapv",
        "-fno-omit-frame-pointer",
        "-D_GNU_SOURCE",
    ],
    probed: STILL_WARNINGS,
};

/// The sets in the order in which they are tried.
pub const ATTEMPTS: [FlagSet; 2] = [GUIDE, HARNESS_DEFAULT];

/// The set that a label is of, with or without further flags.
pub fn labelled(label: &str) -> Option<FlagSet> {
    ATTEMPTS.into_iter().find(|set| set.is_labelled(label))
}
