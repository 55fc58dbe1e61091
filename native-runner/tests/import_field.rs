//! Pages and summary figures of the field say the same, to the printed precision.

#![allow(clippy::unwrap_used, clippy::expect_used)]

use kemscope_schema::{Figure, KatStatus};
use native_runner::import::{field, page};

const FIELD_ARM: &str = include_str!("fixtures/field/kem_field_arm_1.csv");
const FIELD_X86: &str = include_str!("fixtures/field/kem_field_x86_1.csv");
const PAGES: [&str; 5] = [
    include_str!("fixtures/pages/kem-12.txt"),
    include_str!("fixtures/pages/kem-13.txt"),
    include_str!("fixtures/pages/kem-14.txt"),
    include_str!("fixtures/pages/kem-27.txt"),
    include_str!("fixtures/pages/kem-37.txt"),
];

#[test]
fn every_figure_of_the_table_equals_the_pages() {
    let table = field::read("arm", FIELD_ARM, "arm_1").unwrap();
    let mut compared = 0;
    for text in PAGES {
        let page = page::read("page", text).unwrap().record;
        let row = table
            .iter()
            .find(|r| r.family.id == page.family.id)
            .unwrap();
        assert_eq!(row.family, page.family);
        assert_eq!(row.instances.len(), page.instances.len());
        for (a, b) in page.instances.iter().zip(&row.instances) {
            assert_eq!(a.name, b.name);
            assert_eq!(a.kat.status, b.kat.status);
            assert_eq!(a.sizes.public_key_bytes, b.sizes.public_key_bytes);
            assert_eq!(a.sizes.ciphertext_bytes, b.sizes.ciphertext_bytes);
            for (a, b) in a.operations.iter().zip(&b.operations) {
                let cycles =
                    |o: &kemscope_schema::OperationRecord| o.timing.unwrap().mean_cycles.unwrap();
                let share = |o: &kemscope_schema::OperationRecord| {
                    o.profile.as_ref().unwrap().hash_share.unwrap()
                };
                assert_eq!(cycles(a), cycles(b));
                assert_eq!(share(a).value, share(b).value);
                compared += 1;
            }
        }
    }
    assert_eq!(compared, 75);
}

#[test]
fn both_systems_are_complete_and_keep_what_failed() {
    let arm = field::read("arm", FIELD_ARM, "arm_1").unwrap();
    let x86 = field::read("x86", FIELD_X86, "x86_1").unwrap();
    assert_eq!((arm.len(), x86.len()), (38, 41));
    let instances = |records: &[kemscope_schema::FamilyRecord]| {
        records.iter().map(|r| r.instances.len()).sum::<usize>()
    };
    // One line per instance under the head line.
    assert_eq!(instances(&arm), FIELD_ARM.lines().count() - 1);
    assert_eq!(instances(&x86), FIELD_X86.lines().count() - 1);
    let failed = &arm[0].instances[0];
    assert_eq!(failed.name, "Aigis-enc1");
    assert_eq!(failed.kat.status, KatStatus::BuildFail);
    assert!(failed.operations.is_empty());
    assert_eq!(failed.sizes.public_key_bytes, Some(656));
    assert!(arm.iter().chain(&x86).all(|r| r.family.category.is_some()));
}

#[test]
fn own_primitives_have_no_share_but_a_note() {
    let x86 = field::read("x86", FIELD_X86, "x86_1").unwrap();
    let nss = x86.iter().find(|r| r.family.id == "kem-26").unwrap();
    let hqc = nss.instances.iter().find(|i| i.name == "HQC-128").unwrap();
    assert_eq!(
        hqc.note.as_deref(),
        Some("own symmetric primitives; placeholder share unavailable")
    );
    assert!(hqc.operations.iter().all(|o| o.profile.is_none()));
    assert_eq!(
        hqc.operations[0].timing.unwrap().mean_cycles,
        Some(Figure::printed(36_600_000.0, 4))
    );
}
