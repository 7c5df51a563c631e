//! The JSON Schema of the report, which the documents have as a file.

use std::{env, fs, path::Path};

use schemars::generate::SchemaSettings;
use schemars::transform::{RecursiveTransform, Transform};
use schemars::{Schema, SchemaGenerator, json_schema};
use serde_json::{Map, Value, json};
use turnkeeper_agents::sessions::Format;

use super::report::{AuditReport, UsageReport};

/// The names of the formats.
pub(super) fn formats(_: &mut SchemaGenerator) -> Schema {
    let names: Vec<&str> = Format::ALL.iter().map(|format| format.name()).collect();
    json_schema!({ "type": "string", "enum": names })
}

/// The schema as it is read: the width of a number says nothing to whoever reads JSON.
fn schema() -> Value {
    let mut generator = SchemaSettings::draft07().for_serialize().into_generator();
    generator.subschema_for::<AuditReport>();
    generator.subschema_for::<UsageReport>();
    let mut definitions: Map<String, Value> = generator.take_definitions(true);
    for definition in definitions.values_mut() {
        if let Ok(schema) = <&mut Schema>::try_from(definition) {
            RecursiveTransform(|schema: &mut Schema| drop(schema.remove("format")))
                .transform(schema);
        }
    }
    json!({
        "$schema": "http://json-schema.org/draft-07/schema#",
        "title": "turnkeeper audit --json",
        "description": "A line of `--jsonl` is a SessionReport. With `--usage` the object is a UsageReport, and a line a SessionUsage.",
        "$ref": "#/definitions/AuditReport",
        "definitions": definitions,
    })
}

/// `TURNKEEPER_WRITE=1 cargo test -p turnkeeper-analysis schema` writes the file.
#[test]
fn the_schema_of_the_documents_is_that_of_the_types() {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/audit.schema.json");
    let schema = schema();
    if env::var_os("TURNKEEPER_WRITE").is_some() {
        let text = serde_json::to_string_pretty(&schema).expect("a schema is JSON");
        fs::write(&file, text + "\n").expect("the documents can be written");
    }
    let there = fs::read_to_string(&file).expect("the documents are there");
    let there: Value = serde_json::from_str(&there).expect("it is JSON");
    assert_eq!(there, schema, "{}", file.display());
}
