//! KEM building blocks in portable Rust, for native targets and for WebAssembly.
//!
//! [`iccs`] is the support layer that every candidate of the NGCC competition uses: hash, extendable
//! output, random generator and the text of known-answer tests. The crate does no I/O and has no
//! `unsafe` code.

#![forbid(unsafe_code)]

pub mod iccs;
