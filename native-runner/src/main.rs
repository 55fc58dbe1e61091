//! native-runner.

fn main() {}
