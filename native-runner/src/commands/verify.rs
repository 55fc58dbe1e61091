//! `native-runner verify`: recomputes what is published.

use super::data::{DataArgs, selected_systems};
use crate::outcome::Outcome;
use crate::output;
use crate::verify;
use anyhow::Result;
use clap::Args;
use kemscope_schema::Provenance;

/// Computes every digest from the files and every published statistic from the raw trials again.
#[derive(Debug, Args)]
pub struct VerifyArgs {
    /// System to verify; may be given several times, all systems without it
    #[arg(long)]
    pub system: Vec<String>,
    /// Where the data sets are
    #[command(flatten)]
    pub data: DataArgs,
}

/// Verifies.
///
/// # Errors
/// If a system is not there or an index cannot be read. What is wrong with the data is printed.
pub fn run(args: &VerifyArgs) -> Result<Outcome> {
    let data = args.data.folder();
    let mut well = true;
    for entry in selected_systems(&data, &args.system)? {
        let report = verify::verify(&data, &entry)?;
        let what = match entry.provenance {
            Provenance::Measured => format!(
                "{} instances with {} operations computed again from their raw trials",
                report.instances, report.operations
            ),
            Provenance::Imported => "imported figures, digests only".to_owned(),
        };
        output::line(&format!("{}: {} files, {what}", entry.id, report.files))?;
        for failure in &report.failures {
            output::line(&format!("FAILED {failure}"))?;
        }
        well &= report.failures.is_empty();
    }
    output::line(if well {
        "verified"
    } else {
        "verification failed"
    })?;
    Ok(Outcome::well_if(well))
}
