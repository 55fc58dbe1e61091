//! Puts a page's title, sentences and tables together into a family record.

use super::Page;
use super::environment;
use super::instances::Instances;
use super::outline::{CLOSING, Outline, SURVEY};
use super::table::{Row, Tables};
use crate::catalog;
use crate::import::error::ImportError;
use crate::page::Section;
use kemscope_schema::{
    BasicInformation, CycleSource, Environment, Family, FamilyRecord, LinkedText, Provenance,
    SCHEMA_VERSION, SectionNotes, Source, SourceKind,
};

/// Takes a row of a section into the instances.
type ReadRow = fn(&mut Instances, &Row) -> Result<(), String>;

/// Makes the record of a page.
///
/// # Errors
/// Names the line, section and cell that is not of its column's form.
pub fn page(file: &str, outline: &Outline, tables: &Tables) -> Result<Page, ImportError> {
    let title = &outline.title;
    let category = catalog::family(&title.family)
        .map_err(|e| ImportError {
            file: file.to_owned(),
            line: None,
            section: None,
            message: e.to_string(),
        })?
        .and_then(|family| family.category);
    let mut instances = Instances::default();
    let sections: [(Section, ReadRow); 6] = [
        (Section::Kat, Instances::kat),
        (Section::Performance, Instances::performance),
        (Section::Memory, Instances::memory),
        (Section::Sizes, Instances::sizes),
        (Section::Symmetric, Instances::symmetric),
        (Section::Evidence, Instances::evidence),
    ];
    let fail = |row: &Row, section: Section, message: String| ImportError {
        file: file.to_owned(),
        line: Some(row.line),
        section: Some(section.heading().to_owned()),
        message,
    };
    for (section, read) in sections {
        for row in tables.rows(section) {
            read(&mut instances, row).map_err(|message| fail(row, section, message))?;
        }
    }
    let mut environment = Environment::default();
    for row in tables.rows(Section::Environment) {
        environment::item(&mut environment, &row.cells[0], &row.cells[1])
            .map_err(|message| fail(row, Section::Environment, message))?;
    }
    let has_environment = !tables.rows(Section::Environment).is_empty();
    if has_environment {
        environment.cycle_source = Some(CycleSource::Perf);
    }
    let record = FamilyRecord {
        schema_version: SCHEMA_VERSION,
        system: title.system.clone(),
        family: Family {
            id: title.family.clone(),
            name: title.algorithm.clone(),
            category,
        },
        provenance: Provenance::Imported,
        source: Source {
            kind: SourceKind::ReportPage,
            title: title.text.clone(),
            sha256: None,
        },
        basic: basic(outline).map_err(|(line, message)| ImportError {
            file: file.to_owned(),
            line: Some(line),
            section: Some(Section::Basic.heading().to_owned()),
            message,
        })?,
        environment: has_environment.then_some(environment),
        notes: notes(outline),
        survey_verdict: survey_verdict(outline),
        instances: instances.into_records(),
    };
    Ok(Page {
        record,
        architecture: title.architecture.clone(),
    })
}

/// The lines of a section before its table.
fn before_table(outline: &Outline, section: Section) -> Option<String> {
    let lines = outline.section(section);
    let end = section.head_position(lines).unwrap_or(lines.len());
    let text: Vec<&str> = lines[..end]
        .iter()
        .map(|line| line.text.as_str())
        .filter(|text| !text.starts_with(SURVEY) && !text.starts_with(CLOSING))
        .collect();
    (!text.is_empty()).then(|| text.join("\n"))
}

fn survey_verdict(outline: &Outline) -> Option<String> {
    outline
        .section(Section::Symmetric)
        .iter()
        .find_map(|line| line.text.strip_prefix(SURVEY))
        .map(|verdict| verdict.trim().to_owned())
}

fn notes(outline: &Outline) -> SectionNotes {
    let introduction: Vec<&str> = outline
        .introduction
        .iter()
        .map(|line| line.text.as_str())
        .collect();
    SectionNotes {
        introduction: (!introduction.is_empty()).then(|| introduction.join("\n")),
        environment: before_table(outline, Section::Environment),
        kat: before_table(outline, Section::Kat),
        performance: before_table(outline, Section::Performance),
        memory: before_table(outline, Section::Memory),
        sizes: before_table(outline, Section::Sizes),
        profile: before_table(outline, Section::Symmetric),
        evidence: before_table(outline, Section::Evidence),
        scripts: outline
            .section(Section::Evidence)
            .last()
            .map(|line| line.text.clone()),
    }
}

/// Section 1, one line per item.
fn basic(outline: &Outline) -> Result<Option<BasicInformation>, (usize, String)> {
    let lines = outline.section(Section::Basic);
    if lines.is_empty() {
        return Ok(None);
    }
    let mut basic = BasicInformation::default();
    for line in lines {
        let (label, text) = line.text.split_once(':').unwrap_or((&line.text, ""));
        let value = LinkedText {
            text: text.trim().to_owned(),
            href: line.href.clone(),
        };
        let item = match label {
            "Category" => &mut basic.category,
            "Algorithm" => &mut basic.algorithm,
            "Implementation versions measured" => &mut basic.implementation_versions,
            "Security evaluation" => &mut basic.security_evaluation,
            "Measurement method" => &mut basic.measurement_method,
            "Submission" => &mut basic.submission,
            "Parameter sets" => {
                basic.parameter_sets = value.text.split(", ").map(str::to_owned).collect();
                continue;
            }
            _ => {
                return Err((
                    line.number,
                    format!(
                        "“{}” where one of Category, Algorithm, Implementation versions measured, Parameter sets, Security evaluation, Measurement method, Submission was expected",
                        line.text
                    ),
                ));
            }
        };
        if item.replace(value).is_some() {
            return Err((line.number, format!("“{label}” appears twice")));
        }
    }
    Ok(Some(basic))
}
