//! `native-runner report`: pages, tables and pictures from the published JSON.

use super::data::DataArgs;
use super::export;
use crate::files;
use crate::outcome::Outcome;
use crate::output;
use crate::report::document::{Document, Picture};
use crate::report::overview::{self, Entry};
use crate::report::{family, figures, html, latex, markdown};
use crate::store::DataFolder;
use anyhow::{Context, Result, bail};
use clap::{Args, ValueEnum};
use kemscope_schema::{FamilyRecord, System, TargetGroup};
use std::path::{Component, Path, PathBuf};

/// Writes the seven-section page of a family on a system, or the table of many instances, from the published
/// JSON alone.
#[derive(Debug, Args)]
#[command(group = clap::ArgGroup::new("what").required(true).args(["family", "overview"]))]
pub struct ReportArgs {
    /// Identifier of the family whose page is written, for example kem-14
    pub family: Option<String>,
    /// Write the table of instances instead
    #[arg(long)]
    pub overview: bool,
    /// The page's system; of the table one or several, all without it
    #[arg(long, value_name = "ID")]
    pub system: Vec<String>,
    /// Table: only instances with this security target; may be given several times
    #[arg(long, value_parser = target, requires = "overview")]
    pub target: Vec<TargetGroup>,
    /// Table: only this family; may be given several times
    #[arg(
        long = "family",
        id = "families",
        value_name = "ID",
        requires = "overview"
    )]
    pub families: Vec<String>,
    /// Form of the report; csv for the table only
    #[arg(long, value_enum, default_value_t = Format::Md)]
    pub format: Format,
    /// Folder to write pictures (SVG) to, which the report then shows: size against speed, and the operations
    /// with their symmetric share
    #[arg(long, value_name = "DIR")]
    pub figures: Option<PathBuf>,
    /// File to write to instead of standard output
    #[arg(long, short)]
    pub output: Option<PathBuf>,
    /// Where the data sets are
    #[command(flatten)]
    pub data: DataArgs,
}

/// Form of a report.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Format {
    /// Markdown
    Md,
    /// One HTML file
    Html,
    /// LaTeX that compiles as it stands (booktabs, siunitx)
    Latex,
    /// Comma-separated values
    Csv,
}

/// Writes a report.
///
/// # Errors
/// If a system or family is not there, files are damaged, or nothing is left of the table.
pub fn run(args: &ReportArgs) -> Result<Outcome> {
    let data = args.data.folder();
    let text = match &args.family {
        Some(family) => page(args, &data, family)?,
        None => table(args, &data)?,
    };
    export::deliver(args.output.as_deref(), &text)?;
    Ok(Outcome::Well)
}

fn page(args: &ReportArgs, data: &DataFolder, id: &str) -> Result<String> {
    let (record, system) = find(args, data, id)?;
    let mut document = family::document(&record, &system);
    let about = format!(
        "{} {} on {}",
        record.family.id, record.family.name, record.system
    );
    let name = format!("{}-{}", record.system, record.family.id);
    add_pictures(
        args,
        &mut document,
        &overview::entries(&record, &system),
        &name,
        &about,
    )?;
    match args.format {
        Format::Csv => bail!(
            "a page has no csv form; `native-runner export --family {id} --format csv` prints its figures"
        ),
        format => Ok(write(format, &document)),
    }
}

fn table(args: &ReportArgs, data: &DataFolder) -> Result<String> {
    let mut entries = Vec::new();
    let mut systems = Vec::new();
    for entry in super::data::selected_systems(data, &args.system)? {
        let system = data.system(&entry.id)?;
        for family in &entry.families {
            if args.families.is_empty() || args.families.contains(family) {
                let record = data.published_family(&entry, family)?;
                entries.extend(overview::entries(&record, &system));
            }
        }
        systems.push(system);
    }
    entries
        .retain(|entry| args.target.is_empty() || args.target.contains(&entry.row.target_group()));
    systems.retain(|system| entries.iter().any(|entry| entry.system == system.id));
    if entries.is_empty() {
        bail!("no instance is left; `native-runner report --overview` without filters has all");
    }
    if args.format == Format::Csv {
        write_pictures(args, &overview_pictures(args, &entries, &systems)?)?;
        return overview::csv(&entries);
    }
    let mut document = overview::document(&entries, &systems);
    let pictures = overview_pictures(args, &entries, &systems)?;
    write_pictures(args, &pictures)?;
    for picture in pictures {
        document.picture(picture);
    }
    Ok(write(args.format, &document))
}

/// One set of pictures per system: two machines in one plot would be compared by their clocks.
fn overview_pictures(
    args: &ReportArgs,
    entries: &[Entry],
    systems: &[System],
) -> Result<Vec<Picture>> {
    let Some(folder) = &args.figures else {
        return Ok(Vec::new());
    };
    let path = path_from_report(args.output.as_deref(), folder)?;
    let of = |system: &System| {
        let own: Vec<Entry> = entries
            .iter()
            .filter(|e| e.system == system.id)
            .cloned()
            .collect();
        let name = format!("{}-overview", system.id);
        figures::pictures(
            &own,
            &name,
            &path,
            &format!("all chosen instances on {}", system.id),
        )
    };
    Ok(systems.iter().flat_map(of).collect())
}

fn add_pictures(
    args: &ReportArgs,
    document: &mut Document,
    entries: &[Entry],
    name: &str,
    about: &str,
) -> Result<()> {
    let Some(folder) = &args.figures else {
        return Ok(());
    };
    let path = path_from_report(args.output.as_deref(), folder)?;
    let pictures = figures::pictures(entries, name, &path, about);
    write_pictures(args, &pictures)?;
    if !pictures.is_empty() {
        document.section("Figures");
    }
    for picture in pictures {
        document.picture(picture);
    }
    Ok(())
}

fn write_pictures(args: &ReportArgs, pictures: &[Picture]) -> Result<()> {
    let Some(folder) = &args.figures else {
        return Ok(());
    };
    for picture in pictures {
        let path = folder.join(format!("{}.svg", picture.name));
        files::write_if_changed(&path, picture.svg.as_bytes())?;
    }
    if pictures.is_empty() {
        output::note("there is nothing to draw: no instance has both sizes and speeds");
    }
    Ok(())
}

fn write(format: Format, document: &Document) -> String {
    match format {
        Format::Html => html::write(document),
        Format::Latex => latex::write(document),
        Format::Md | Format::Csv => markdown::write(document),
    }
}

/// The record and system of a page.
fn find(args: &ReportArgs, data: &DataFolder, id: &str) -> Result<(FamilyRecord, System)> {
    let entries = super::data::selected_systems(data, &args.system)?;
    let with: Vec<_> = entries
        .iter()
        .filter(|e| e.families.iter().any(|f| f == id))
        .collect();
    match with.as_slice() {
        [] => {
            let mut known: Vec<&str> = entries
                .iter()
                .flat_map(|e| e.families.iter().map(String::as_str))
                .collect();
            known.sort_unstable();
            known.dedup();
            bail!("no family {id}; there are {}", known.join(", "))
        }
        [entry] => Ok((data.published_family(entry, id)?, data.system(&entry.id)?)),
        several => {
            let ids: Vec<&str> = several.iter().map(|e| e.id.as_str()).collect();
            bail!(
                "{id} is on several systems; name one by --system: {}",
                ids.join(", ")
            )
        }
    }
}

/// Path of the pictures from where the report is: beside the file that is written, else the working folder.
fn path_from_report(output: Option<&Path>, folder: &Path) -> Result<String> {
    let absolute = |path: &Path| {
        std::path::absolute(path).with_context(|| format!("cannot find {}", path.display()))
    };
    let to = absolute(folder)?;
    let from = match output {
        Some(file) => absolute(file)?
            .parent()
            .map(Path::to_owned)
            .unwrap_or_default(),
        None => absolute(Path::new("."))?,
    };
    let (to, from): (Vec<Component<'_>>, Vec<Component<'_>>) =
        (to.components().collect(), from.components().collect());
    let common = to.iter().zip(&from).take_while(|(a, b)| a == b).count();
    let up = from.iter().skip(common).map(|_| "..".to_owned());
    let down = to
        .iter()
        .skip(common)
        .map(|part| part.as_os_str().to_string_lossy().into_owned());
    Ok(up.chain(down).collect::<Vec<_>>().join("/"))
}

fn target(word: &str) -> Result<TargetGroup, String> {
    TargetGroup::from_name(word).ok_or_else(|| "128, 256, 512 or other was expected".to_owned())
}
