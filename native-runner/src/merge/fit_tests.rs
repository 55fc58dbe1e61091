use super::*;

fn entry(instance: &str, shard: u32) -> SplitInstance {
    SplitInstance {
        family: "toy".to_owned(),
        instance: instance.to_owned(),
        implementation: "clean".to_owned(),
        shard,
        expected_seconds: 1.0,
        input_sha256: vec!["a".repeat(64)],
    }
}

#[test]
fn splits_differ_by_instances_inputs_or_costs() {
    let split = [entry("x", 1), entry("y", 2)];
    assert_eq!(other_split(&split, &split), None);
    let said = |other: &[SplitInstance]| other_split(&split, other).unwrap();
    assert!(said(&split[..1]).contains("other instances"));
    let mut inputs = split.clone();
    inputs[1].input_sha256 = vec!["b".repeat(64)];
    assert!(said(&inputs).contains("for toy/y/clean, so another library"));
    let mut costs = split.clone();
    costs[0].expected_seconds = 2.0;
    assert!(said(&costs).contains("--costs"));
}

#[test]
fn missing_shards_are_named_with_their_instances() {
    let shard = Shard {
        number: 1,
        of: 3,
        split: vec![entry("x", 1), entry("y", 2), entry("z", 2)],
    };
    let lines = gaps(&shard, &[]);
    assert_eq!(lines.len(), 3);
    assert!(lines[1].starts_with("shard 2/3 is missing (toy/y/clean, toy/z/clean)"));
    assert!(lines[2].contains("(no instances)"));
}
