//! For which machine libraries are built, and what runs them.

use crate::build::host_triple;
use crate::emulator::{Emulator, architecture_of};
use anyhow::{Result, bail};
use clap::Args;
use std::path::PathBuf;

/// For which machine is built.
#[derive(Args, Clone, Debug, Default)]
pub struct TargetArgs {
    /// Build for another machine, for example aarch64-unknown-linux-gnu
    #[arg(long, value_name = "TRIPLE")]
    pub target: Option<String>,
}

/// For which machine is built, and what runs that.
#[derive(Args, Clone, Debug, Default)]
pub struct EmulationArgs {
    /// For which machine
    #[command(flatten)]
    pub target: TargetArgs,

    /// Run what is built for another machine under an emulator (QEMU's unless one is named); figures are
    /// marked emulated and not published
    #[arg(long, value_name = "PROGRAM", num_args = 0..=1, requires = "target")]
    pub emulate: Option<Option<String>>,

    /// The native-runner for that machine (default: the one that `cargo xtask cross-runner` built)
    #[arg(long, value_name = "FILE", requires = "emulate")]
    pub runner: Option<PathBuf>,
}

impl EmulationArgs {
    /// The emulator; `None` where libraries run as they are.
    ///
    /// # Errors
    /// If there is none, or the libraries would not run without one.
    pub fn emulator(&self) -> Result<Option<Emulator>> {
        let Some(target) = &self.target.target else {
            return Ok(None);
        };
        match &self.emulate {
            Some(program) => {
                let emulator = Emulator::find(target, program.as_deref(), self.runner.as_deref())?;
                Ok(Some(emulator))
            }
            None if architecture_of(target) == std::env::consts::ARCH => Ok(None),
            None => bail!(
                "what is built for {target} does not run on this machine ({}): add --emulate to run it under an \
                 emulator, use `native-runner build` to build only, or measure on such a machine",
                host_triple()
            ),
        }
    }
}
