//! Differences between a published value and the one computed again, field by field.

use serde::Serialize;
use serde_json::Value;

/// One line per differing field: `operations[0].timing.mean_seconds.value: 1.5 is published, 1.4 comes`.
/// The caller says where the second value comes from.
pub fn between<T: Serialize>(published: &T, computed: &T) -> Vec<String> {
    let mut lines = Vec::new();
    match (
        serde_json::to_value(published),
        serde_json::to_value(computed),
    ) {
        (Ok(a), Ok(b)) => walk("", &a, &b, &mut lines),
        (Err(e), _) | (_, Err(e)) => lines.push(e.to_string()),
    }
    lines
}

fn walk(path: &str, a: &Value, b: &Value, lines: &mut Vec<String>) {
    match (a, b) {
        (Value::Object(a), Value::Object(b)) => {
            let mut keys: Vec<&String> = a.keys().chain(b.keys()).collect();
            keys.sort();
            keys.dedup();
            for key in keys {
                let below = if path.is_empty() {
                    key.clone()
                } else {
                    format!("{path}.{key}")
                };
                walk(
                    &below,
                    a.get(key).unwrap_or(&Value::Null),
                    b.get(key).unwrap_or(&Value::Null),
                    lines,
                );
            }
        }
        (Value::Array(a), Value::Array(b)) => {
            if a.len() != b.len() {
                lines.push(format!(
                    "{path}: {} entries are published, {} come",
                    a.len(),
                    b.len()
                ));
            }
            for (i, (a, b)) in a.iter().zip(b).enumerate() {
                walk(&format!("{path}[{i}]"), a, b, lines);
            }
        }
        (a, b) if a == b => {}
        (a, b) => lines.push(format!("{path}: {a} is published, {b} comes")),
    }
}

#[cfg(test)]
mod tests {
    use super::between;
    use serde_json::json;

    #[test]
    fn differing_fields_are_named() {
        assert_eq!(
            between(
                &json!({"a": [{"b": 1.5}], "c": 1}),
                &json!({"a": [{"b": 1.4}], "c": 1})
            ),
            ["a[0].b: 1.5 is published, 1.4 comes"]
        );
        assert!(between(&json!([1]), &json!([1])).is_empty());
        assert_eq!(
            between(&json!([1]), &json!([])),
            [": 1 entries are published, 0 come"]
        );
    }
}
