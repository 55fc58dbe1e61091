//! Tests of the built dashboard in Chromium: one program, so that it is linked once.

mod accessibility;
mod address;
mod family;
mod faults;
mod filters;
mod hosting;
mod names;
mod plot;
mod sorting;
