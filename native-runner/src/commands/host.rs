//! The host that a command runs on.

use crate::child::overhead;
use crate::host::{HostFacts, Probes, Root, allowed_cpus, choose_cpu, environment};
use anyhow::{Result, bail};
use kemscope_schema::Finding;

/// A host as a command needs it.
pub struct Host {
    /// What can be read of it.
    pub facts: HostFacts,
    /// What was tried out on it.
    pub probes: Probes,
}

impl Host {
    /// What makes it unfit to measure; empty if nothing.
    pub fn findings(&self) -> Vec<Finding> {
        environment(&self.facts, &self.probes, None).findings
    }

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
        let facts = HostFacts::read(root, cpu, std::env::consts::ARCH);
        let mut probes = Probes::try_out(cpu);
        let emulated = facts.emulated.known() == Some(true);
        let source = probes.cycle_source(facts.constant_tsc, emulated);
        probes.overhead = Some(overhead::measure(source, cpu));
        Ok(Host { facts, probes })
    }
}
