//! app.

fn main() {}
