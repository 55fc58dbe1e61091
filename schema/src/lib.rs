//! The data contract.
