//! The host that a command runs on.

use crate::counter::{self, PerfAvailability};
use crate::host::{HostFacts, Root, allowed_cpus, choose_cpu};
use anyhow::{Result, bail};

/// A host as a command needs it.
pub struct Host {
    /// What can be read of it.
    pub facts: HostFacts,
    /// Whether the hardware counter can be had.
    pub perf: PerfAvailability,
}

impl Host {
    /// Looks at this host for measuring on `cpu`, or on the best CPU.
    pub fn look(root: &Root, cpu: Option<u32>) -> Result<Host> {
        let allowed = allowed_cpus();
        let cpu = match cpu {
            Some(cpu) if !allowed.contains(&cpu) => {
                let list: Vec<String> = allowed.iter().map(u32::to_string).collect();
                bail!(
                    "this process may not run on CPU {cpu}; it may on {}",
                    list.join(", ")
                );
            }
            Some(cpu) => cpu,
            None => choose_cpu(root, &allowed).unwrap_or(0),
        };
        Ok(Host {
            facts: HostFacts::read(root, cpu, std::env::consts::ARCH),
            perf: counter::probe_perf(cpu),
        })
    }
}
