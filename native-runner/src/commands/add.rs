//! `native-runner add`: describe unpacked packages.

use crate::detect::{self, Detected, Note, NoteKind, pqclean};
use crate::files;
use crate::outcome::Outcome;
use crate::package::file::{PACKAGE_FILE, Settings};
use crate::package::{CATALOGUE_FILE, Instance, load_package};
use crate::{output, terminal};
use anyhow::{Context, Result, ensure};
use clap::Args;
use similar::TextDiff;
use std::path::{Path, PathBuf};

/// Look at unpacked packages and write a kem.toml for each
///
/// Finds the instances of a package, their interface (NGCC, NIST, PQClean), variant, sources, include folders,
/// macros, flags, security targets and known-answer tests, and leaves out the submitter's drivers,
/// benchmarks and tests. Only reads: nothing that a package ships is executed. What was guessed stands as comments
/// in the file, what could not be told is printed. A kem.toml that was edited is never written over without
/// --force: what would be different is shown instead.
/// Exit code 0: all was told; 1: something needs a person; 2: bad input.
#[derive(Args, Clone, Debug)]
#[command(after_help = "Examples:
  native-runner add submissions/             describe every package in this folder
  native-runner add --dry-run kem-14         show what would be written
  native-runner build --packages submissions build what was described")]
pub struct AddArgs {
    /// Folders: packages, or folders of packages
    #[arg(value_name = "DIR", required = true)]
    pub folders: Vec<PathBuf>,

    /// Take each DIR for one package, whatever it looks like
    #[arg(long)]
    pub one: bool,

    /// Print what would be written, and write nothing
    #[arg(long)]
    pub dry_run: bool,

    /// Write over descriptions that were edited
    #[arg(long)]
    pub force: bool,
}

/// Runs the command.
///
/// # Errors
/// If a folder or file cannot be read or written, or a kem.toml that is there is wrong.
pub fn run(args: &AddArgs) -> Result<Outcome> {
    let mut folders: Vec<PathBuf> = Vec::new();
    for folder in &args.folders {
        ensure!(folder.is_dir(), "{} is no folder", folder.display());
        let packages = match args.one {
            true => vec![folder.clone()],
            false => detect::packages(folder)?,
        };
        for package in packages {
            if !folders.contains(&package) {
                folders.push(package);
            }
        }
    }
    let mut well = true;
    for folder in &folders {
        let described = folder.join(PACKAGE_FILE).is_file();
        well &= match !described && pqclean::is_tree(folder) {
            true => add_tree(folder, args)?,
            false => add_package(folder, args)?,
        };
    }
    Ok(Outcome::well_if(well))
}

/// Describes one package; whether nothing needs a person.
fn add_package(folder: &Path, args: &AddArgs) -> Result<bool> {
    let detected = detect::detect(folder)?;
    output::line(&heading(folder, &detected))?;
    if !detected.file.instances.is_empty() {
        output::print(&terminal::list(&rows(&detected)))?;
    }
    let path = folder.join(PACKAGE_FILE);
    let written = if detected.file.instances.is_empty() {
        output::line(&format!("{}: nothing to write", path.display()))?;
        path.is_file()
    } else {
        let text = detect::kem_toml(&detected);
        write(&path, &text, args)?
    };
    let well = notes(&detected.notes)?;
    // What was written is read as every other command will; a description that was kept is, too.
    let mut sound = true;
    if path.is_file() && !args.dry_run {
        for (instance, line) in load_package(folder)? {
            if let Some(defect) = &instance.defect {
                sound = false;
                output::line(&defective(&path, line, &instance, defect))?;
            }
        }
    }
    output::line("")?;
    Ok(match written {
        // A person has settled it.
        true => sound,
        false => sound && well,
    })
}

fn heading(folder: &Path, detected: &Detected) -> String {
    let file = &detected.file;
    let count = match file.instances.len() {
        1 => "1 instance".to_owned(),
        count => format!("{count} instances"),
    };
    format!("{}: {} ({}), {count}", folder.display(), file.name, file.id)
}

fn defective(path: &Path, line: usize, instance: &Instance, defect: &str) -> String {
    format!(
        "{}:{line}: {} cannot be built: {defect}",
        path.display(),
        instance.full_name()
    )
}

fn rows(detected: &Detected) -> Vec<Vec<String>> {
    let header = [
        "instance",
        "variant",
        "interface",
        "target",
        "sources",
        "known-answer test",
    ];
    let mut rows = vec![header.map(str::to_owned).to_vec()];
    for (entry, remarks) in detected
        .file
        .instances
        .iter()
        .zip(&detected.remarks.instances)
    {
        let settings = &entry.settings;
        let test = remarks
            .keys
            .get("kat")
            .filter(|_| settings.kat.expected.is_some());
        let sources: Vec<&str> = settings.sources.iter().map(|s| s.text.as_str()).collect();
        rows.push(vec![
            entry.name.text.clone(),
            settings.variant().to_owned(),
            settings.abi.map_or("–", |abi| abi.name()).to_owned(),
            target(settings),
            shortened(&sources),
            test.map_or("–".to_owned(), |lines| lines.join(" ")),
        ]);
    }
    rows
}

fn target(settings: &Settings) -> String {
    match (settings.target_bits, settings.nist_category) {
        (Some(bits), _) => bits.to_string(),
        (None, Some(category)) => format!("category {category}"),
        (None, None) => "–".to_owned(),
    }
}

/// The first of a list, and how many there are beside it.
fn shortened(list: &[&str]) -> String {
    match list {
        [] => "–".to_owned(),
        [one] => (*one).to_owned(),
        [one, rest @ ..] => format!("{one} and {} more", rest.len()),
    }
}

/// Prints notes by kind; whether there is none that needs a person.
fn notes(notes: &[Note]) -> Result<bool> {
    let mut well = true;
    for (kind, title) in [
        (NoteKind::LeftOut, "left out:"),
        (NoteKind::Guess, "guessed:"),
        (
            NoteKind::Unknown,
            "could not be told, please settle it in the file:",
        ),
    ] {
        let mut of_kind = notes.iter().filter(|note| note.kind == kind).peekable();
        if of_kind.peek().is_some() {
            output::line(title)?;
            well &= kind != NoteKind::Unknown;
        }
        for note in of_kind {
            output::line(&format!("  {note}"))?;
        }
    }
    Ok(well)
}

/// Describes a tree in PQClean's layout.
fn add_tree(folder: &Path, args: &AddArgs) -> Result<bool> {
    let listed = pqclean::list(folder)?;
    output::line(&format!(
        "{}: a tree in PQClean's layout, {} portable instances",
        folder.display(),
        listed.instances
    ))?;
    write(
        &folder.join(CATALOGUE_FILE),
        &detect::sealed(&listed.text),
        args,
    )?;
    if !listed.left_out.is_empty() {
        output::line("left out:")?;
    }
    for line in &listed.left_out {
        output::line(&format!("  {line}"))?;
    }
    output::line("")?;
    Ok(listed.instances > 0)
}

/// Writes a description, unless somebody edited the one that is there. Whether that one was kept.
fn write(path: &Path, text: &str, args: &AddArgs) -> Result<bool> {
    let shown = path.display();
    let present = match path.exists() {
        true => {
            let bytes = std::fs::read(path).with_context(|| format!("cannot read {shown}"))?;
            Some(String::from_utf8_lossy(&bytes).into_owned())
        }
        false => None,
    };
    let same = present.as_deref() == Some(text);
    let edited = present
        .as_deref()
        .is_some_and(|present| !detect::is_untouched(present));
    if same {
        output::line(&format!("{shown}: up to date"))?;
    } else if edited && !args.force {
        output::line(&format!(
            "{shown}: kept, since it was edited; --force writes over it. What would change:"
        ))?;
        let present = present.unwrap_or_default();
        let diff = TextDiff::from_lines(present.as_str(), text);
        output::print(&diff.unified_diff().context_radius(1).to_string())?;
        return Ok(true);
    } else if args.dry_run {
        output::line(&format!("{shown}: would be written:"))?;
        output::print(text)?;
    } else {
        files::write_atomic(path, text.as_bytes())?;
        output::line(&format!("{shown}: written"))?;
    }
    Ok(false)
}
