//! The JSON Schema files in docs/schema are those of the types.
//!
//! `KEMSCOPE_WRITE_SCHEMA=1 cargo test -p kemscope-schema --test json_schema` writes them anew.

use kemscope_schema::{FamilyRecord, Index, Summary, System, run};
use schemars::{Schema, schema_for};
use std::path::Path;

#[test]
fn generated_schemas_are_up_to_date() {
    let schemas: [(&str, Schema); 11] = [
        ("index", schema_for!(Index)),
        ("system", schema_for!(System)),
        ("summary", schema_for!(Summary)),
        ("family", schema_for!(FamilyRecord)),
        ("run-manifest", schema_for!(run::RunManifest)),
        ("run-build", schema_for!(run::BuildResult)),
        ("run-kat", schema_for!(run::KatRun)),
        ("run-calibration", schema_for!(run::Calibration)),
        ("run-operation", schema_for!(run::OperationRun)),
        ("run-profile", schema_for!(run::ProfileRun)),
        ("run-memory", schema_for!(run::MemoryRun)),
    ];
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/schema");
    for (name, schema) in schemas {
        let path = folder.join(format!("{name}.schema.json"));
        let text = serde_json::to_string_pretty(&schema).unwrap() + "\n";
        if std::env::var_os("KEMSCOPE_WRITE_SCHEMA").is_some() {
            std::fs::create_dir_all(&folder).unwrap();
            std::fs::write(&path, &text).unwrap();
        }
        let present = std::fs::read_to_string(&path).unwrap_or_default();
        assert!(
            present == text,
            "{} is not up to date; write it with KEMSCOPE_WRITE_SCHEMA=1 cargo test -p kemscope-schema --test json_schema",
            path.display()
        );
    }
}
