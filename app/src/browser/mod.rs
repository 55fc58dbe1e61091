//! The browser's side: document, network, charts. Thin wrappers; no logic of the dashboard.

pub mod dom;
pub mod echarts;
pub mod fetch;
pub mod json;
