//! Packages as they are submitted, made at run time, and what is found in them.

use super::*;
use crate::package::file::KatSource;
use crate::package::{Instance, load_package};
use std::fs;
use std::os::unix::fs::symlink;
use std::path::PathBuf;
use tempfile::TempDir;

const KEM: &str = "#include \"KEM_AlgorithmInstance.h\"\nint kem_keygen(unsigned char *pk) { return core(pk); }\n";

/// A package in a folder whose path has a space and letters beyond ASCII.
struct Package(TempDir);

impl Package {
    fn new(files: &[(&str, &str)]) -> Package {
        let folder = tempfile::Builder::new().prefix("pâ ck").tempdir().unwrap();
        let package = Package(folder);
        for (name, text) in files {
            package.write(name, text);
        }
        package
    }

    fn folder(&self) -> PathBuf {
        self.0.path().join("Töy KEM")
    }

    fn write(&self, name: &str, text: &str) {
        let path = self.folder().join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }

    fn link(&self, target: &str, name: &str) {
        let path = self.folder().join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        symlink(target, path).unwrap();
    }

    /// What is detected, and the instances that the written file gives.
    fn detect(&self) -> (Detected, Vec<Instance>) {
        let detected = detect(&self.folder()).unwrap();
        if detected.file.instances.is_empty() {
            return (detected, Vec::new());
        }
        self.write("kem.toml", &kem_toml(&detected));
        let loaded = load_package(&self.folder()).unwrap();
        let instances: Vec<Instance> = loaded.into_iter().map(|(instance, _)| instance).collect();
        for instance in &instances {
            assert_eq!(instance.defect, None);
        }
        (detected, instances)
    }
}

fn header(name: &str) -> String {
    format!(
        "#define KEM_NAME \"{name}\"\nint kem_keygen(unsigned char *pk);\nint core(unsigned char *pk);\n"
    )
}

fn sources(instance: &Instance) -> Vec<String> {
    let name = |path: &PathBuf| {
        path.strip_prefix(&instance.root)
            .unwrap()
            .display()
            .to_string()
    };
    instance.sources.iter().map(name).collect()
}

fn of<'a>(instances: &'a [Instance], name: &str) -> &'a Instance {
    let full = |i: &&Instance| format!("{}/{}", i.name, i.implementation) == name;
    let names: Vec<String> = instances.iter().map(Instance::full_name).collect();
    instances
        .iter()
        .find(full)
        .unwrap_or_else(|| panic!("{name} is none of {names:?}"))
}

/// Whether there is a note of a kind that holds all the words.
fn noted(detected: &Detected, kind: NoteKind, words: &[&str]) -> bool {
    let all = |note: &Note| {
        let text = note.to_string();
        note.kind == kind && words.iter().all(|word| text.contains(word))
    };
    detected.notes.iter().any(all)
}

#[test]
fn nested_instances_share_sources_and_leave_out_drivers() {
    let (a, b) = (
        "Implementations/Reference_Implementation/T 1-128",
        "Implementations/Reference_Implementation/T-256",
    );
    let common = "Implementations/Reference_Implementation/gemeinsäm";
    let package = Package::new(&[
        (
            &format!("{a}/KEM_AlgorithmInstance.c"),
            &KEM.replace('\n', "\r\n"),
        ),
        (
            &format!("{a}/KEM_AlgorithmInstance.h"),
            &header("T1-128").replace('\n', "\r\n"),
        ),
        (
            &format!("{a}/KAT_KEM.c"),
            "int main(void) { return 0; }\r\n",
        ),
        (
            &format!("{a}/benchmark/speed.c"),
            "int time_it(void) { return 0; }\n",
        ),
        (&format!("{b}/KEM_AlgorithmInstance.c"), KEM),
        (&format!("{b}/KEM_AlgorithmInstance.h"), &header("T-256")),
        (
            &format!("{b}/core.c"),
            "int core(unsigned char *pk) { return pk[0]; }\n",
        ),
        (
            &format!("{common}/core.c"),
            "#include \"tables/t.h\"\n#include \"core.h\"\nint core(unsigned char *pk) { return inner(pk) + table[0]; }\n",
        ),
        (
            &format!("{common}/core.h"),
            "int inner(unsigned char *pk);\n",
        ),
        (
            &format!("{common}/inner.c"),
            "int inner(unsigned char *pk) { return pk[1]; }\nstatic int unused(void) { return 0; }\n",
        ),
        (
            &format!("{common}/table.c"),
            "const int table[1] = { 1 };\n",
        ),
        (
            &format!("{common}/tables/t.h"),
            "extern const int table[1];\n",
        ),
        (
            &format!("{common}/other.c"),
            "int nobody_needs_this(void) { return 0; }\n",
        ),
    ]);
    let (detected, instances) = package.detect();
    assert_eq!(instances.len(), 2);
    let first = of(&instances, "T1-128/reference");
    let names: Vec<String> = ["core.c", "inner.c", "table.c"]
        .map(|n| format!("{common}/{n}"))
        .to_vec();
    assert_eq!(
        sources(first),
        [[format!("{a}/KEM_AlgorithmInstance.c")].as_slice(), &names].concat()
    );
    assert_eq!(first.declared.target_bits, Some(128));
    assert_eq!(first.language, "C");
    // An own function comes before a shared one of the name.
    let second = of(&instances, "T-256/reference");
    assert_eq!(
        sources(second),
        [
            format!("{b}/KEM_AlgorithmInstance.c"),
            format!("{b}/core.c")
        ]
    );
    assert!(noted(
        &detected,
        NoteKind::LeftOut,
        &["KAT_KEM.c", "defines main"]
    ));
    assert!(noted(
        &detected,
        NoteKind::LeftOut,
        &["speed.c", "lies in benchmark/"]
    ));
    // Every input of the compiler is known, so that a changed header builds it again.
    assert!(first.inputs.iter().any(|path| path.ends_with("tables/t.h")));
}

#[test]
fn links_inside_are_followed_and_others_told() {
    let package = Package::new(&[
        (
            "shared/core.c",
            "int core(unsigned char *pk) { return pk[0]; }\n",
        ),
        (
            "T-1/kem.c",
            "int core(unsigned char *pk);\nint kem_keygen(unsigned char *pk) { return core(pk); }\n",
        ),
        (
            "T-2/kem.c",
            "int core(unsigned char *pk);\nint kem_keygen(unsigned char *pk) { return core(pk) + 1; }\n",
        ),
    ]);
    fs::write(
        package.0.path().join("outside.c"),
        "int outside(void) { return 0; }\n",
    )
    .unwrap();
    package.link("../shared/core.c", "T-1/core.c");
    package.link("../../outside.c", "T-2/outside.c");
    package.link("..", "T-2/loop");
    package.link("nowhere", "T-2/gone.c");
    let (detected, instances) = package.detect();
    assert_eq!(
        sources(of(&instances, "T-1/reference")),
        ["T-1/core.c", "T-1/kem.c"]
    );
    assert_eq!(
        sources(of(&instances, "T-2/reference")),
        ["T-2/kem.c", "shared/core.c"]
    );
    for (name, why) in [
        ("T-2/outside.c", "leads out of the package"),
        ("T-2/loop", "lies in"),
        ("T-2/gone.c", "leads nowhere"),
    ] {
        assert!(
            noted(&detected, NoteKind::LeftOut, &[name, why]),
            "{:?}",
            detected.notes
        );
    }
}

#[test]
fn variants_lie_beside_each_other() {
    let kem = "int kem_keygen(unsigned char *pk) { return pk[0]; }\n";
    let package = Package::new(&[
        ("Reference_Implementation/T-1/kem.c", kem),
        (
            "Optimized_Implementation/avx2/T-1/kem.c",
            "#include <immintrin.h>\nint kem_keygen(unsigned char *pk) { return pk[0]; }\n",
        ),
        (
            "Optimized_Implementation/avx2/T-1/Makefile",
            "CFLAGS = -O3 -mavx2 -maes -march=native\nx:\n\ttouch executed\n",
        ),
        (
            "Additional_Implementations/neon/T-1/src/kem.cpp",
            &format!("extern \"C\" {{\n{kem}}}\n"),
        ),
        (
            "Additional_Implementations/neon/T-1/src/ntt.S",
            ".globl ntt\nntt: ret\n",
        ),
        ("Additional_Implementations/neon/T-1/include/x.h", ""),
    ]);
    let (detected, instances) = package.detect();
    assert!(of(&instances, "T-1/reference").architectures.is_empty());
    let avx = of(&instances, "T-1/optimized-avx2");
    assert_eq!(avx.flags, ["-mavx2", "-maes"]);
    assert_eq!(avx.architectures, ["x86_64"]);
    assert!(noted(
        &detected,
        NoteKind::Guess,
        &["-march=native", "left out"]
    ));
    let neon = of(&instances, "T-1/additional-neon");
    assert_eq!(neon.architectures, ["aarch64"]);
    assert_eq!(neon.language, "C++ and assembler");
    assert!(
        !package
            .folder()
            .join("Optimized_Implementation/avx2/T-1/executed")
            .exists()
    );
}

const PARAMS: &str = "#ifndef TOY_K\n#define TOY_K 3\n#endif\n#if TOY_K == 2\n#define CRYPTO_ALGNAME \"Toy-512\"\n#elif TOY_K == 3\n\
    #define CRYPTO_ALGNAME \"Toy-768\"\n#else\n#error no such set\n#endif\n#if TOY_K == 4\n#endif\n#define CRYPTO_SECRETKEYBYTES (TOY_K * 32)\n";
const NIST: &str = "#include \"api.h\"\n#include \"rng.h\"\nint crypto_kem_keypair(unsigned char *pk) { randombytes(pk, 1); return 0; }\n";

#[test]
fn a_flat_folder_has_the_sets_that_its_conditions_choose() {
    let package = Package::new(&[
        (
            "api.h",
            "#include \"params.h\"\nint crypto_kem_keypair(unsigned char *pk);\n",
        ),
        ("params.h", PARAMS),
        ("kem.c", NIST),
        (
            "rng.c",
            "#include \"rng.h\"\nint randombytes(unsigned char *x, unsigned long long n) { return 0; }\n",
        ),
        ("KAT/PQCkemKAT_64.rsp", "# other\n\ncount = 0\n"),
        ("KAT/PQCkemKAT_96.rsp", "# other\n\ncount = 0\n"),
    ]);
    let (detected, instances) = package.detect();
    let names: Vec<&str> = instances.iter().map(|i| i.name.as_str()).collect();
    // TOY_K=4 would stop at the #error.
    assert_eq!(names, ["Toy-512", "Toy-768"]);
    assert_eq!(instances[0].defines, ["TOY_K=2"]);
    assert_eq!(sources(&instances[0]), ["kem.c"]);
    assert!(noted(
        &detected,
        NoteKind::LeftOut,
        &["rng.c", "randombytes"]
    ));
    let kat = |number: usize| {
        detected.file.instances[number]
            .settings
            .kat
            .expected
            .clone()
    };
    assert_eq!(
        kat(0),
        Some(KatSource::File("KAT/PQCkemKAT_64.rsp".to_owned().into()))
    );
    assert_eq!(
        kat(1),
        Some(KatSource::File("KAT/PQCkemKAT_96.rsp".to_owned().into()))
    );
    // A Makefile that builds one set knows better.
    package.write(
        "Makefile",
        "all:\n\t$(CC) -DTOY_K=2 kem.c\n\ttouch executed\n",
    );
    let (_, instances) = package.detect();
    assert_eq!(instances.len(), 1);
    assert_eq!(
        (instances[0].name.as_str(), instances[0].defines.as_slice()),
        ("Toy-512", ["TOY_K=2".to_owned()].as_slice())
    );
    assert!(!package.folder().join("executed").exists());
}

#[test]
fn choices_that_are_not_clear_are_told() {
    let package = Package::new(&[
        (
            "api.h",
            "#include \"params.h\"\n#define CRYPTO_SECRETKEYBYTES 1\n",
        ),
        (
            "params.h",
            "#if SET == 1\n#define N 1\n#elif SET == 2\n#define N 2\n#endif\n#if defined(SMALL)\n#define M 1\n#elif defined(LARGE)\n#define M 2\n#endif\n",
        ),
        ("kem.c", NIST),
    ]);
    let (detected, instances) = package.detect();
    assert_eq!(instances.len(), 1);
    assert!(noted(
        &detected,
        NoteKind::Unknown,
        &["which macros choose", "SET=1, SET=2", "SMALL, LARGE"]
    ));
}

#[test]
fn instances_with_one_name_are_told_apart() {
    let package = Package::new(&[
        ("Reference_Implementation/T-1/KEM_AlgorithmInstance.c", KEM),
        (
            "Reference_Implementation/T-1/KEM_AlgorithmInstance.h",
            &header("T-1"),
        ),
        ("Reference_Implementation/T-2/KEM_AlgorithmInstance.c", KEM),
        // Copied and not changed.
        (
            "Reference_Implementation/T-2/KEM_AlgorithmInstance.h",
            &header("T-1"),
        ),
        (
            "Reference_Implementation/backup/T-2/KEM_AlgorithmInstance.c",
            KEM,
        ),
        (
            "Reference_Implementation/backup/T-2/KEM_AlgorithmInstance.h",
            &header("T-1"),
        ),
    ]);
    let (detected, instances) = package.detect();
    assert_eq!(instances.len(), 3);
    of(&instances, "T-1/reference");
    of(&instances, "T-2/reference");
    of(&instances, "T-2/reference-2");
    assert!(noted(
        &detected,
        NoteKind::Guess,
        &["T-2", "its header says T-1"]
    ));
    assert!(noted(
        &detected,
        NoteKind::Unknown,
        &["backup/T-2", "called reference-2"]
    ));
}

#[test]
fn what_is_defined_twice_is_settled_by_the_makefile_or_told() {
    let files = [
        (
            "kem.c",
            "int f(void);\nint kem_keygen(unsigned char *pk) { return f(); }\n",
        ),
        ("f_plain.c", "int f(void) { return 1; }\n"),
        ("f_fast.c", "int f(void) { return 1; }\n"),
        (
            "g.c",
            "#ifdef NEVER\nint f(void) { return 2; }\n#endif\nint g(void) { return 3; }\n",
        ),
    ];
    let package = Package::new(&files);
    let (detected, _) = package.detect();
    assert!(noted(
        &detected,
        NoteKind::Unknown,
        &["f_fast.c and f_plain.c both define f"]
    ));
    package.write("Makefile", "SRC = kem.c f_plain.c g.c\n");
    let (detected, instances) = package.detect();
    assert_eq!(sources(&instances[0]), ["f_plain.c", "g.c", "kem.c"]);
    assert!(noted(
        &detected,
        NoteKind::LeftOut,
        &["f_fast.c", "Makefile lists instead"]
    ));
    assert!(!noted(&detected, NoteKind::Unknown, &["both define"]));
}

#[test]
fn drivers_that_are_needed_stay() {
    let package = Package::new(&[
        ("api.h", "#define CRYPTO_SECRETKEYBYTES 1\n"),
        (
            "kem.c",
            "#include \"missing.h\"\n#include <stdio.h>\n#include <gmp.h>\nint crypto_kem_keypair(unsigned char *pk) { helper(); seedexpander(); return included(); }\n#include \"part.c\"\n",
        ),
        ("part.c", "int included(void) { return 0; }\n"),
        (
            "test_kem.c",
            "int main(void) { return 0; }\nint helper(void) { return 0; }\n",
        ),
        (
            "rng.c",
            "int randombytes(void) { return 0; }\nint seedexpander(void) { return 0; }\n",
        ),
    ]);
    let (detected, instances) = package.detect();
    assert_eq!(sources(&instances[0]), ["kem.c", "test_kem.c"]);
    assert_eq!(instances[0].libraries, ["gmp"]);
    assert!(noted(
        &detected,
        NoteKind::Guess,
        &["test_kem.c", "helper is needed"]
    ));
    assert!(noted(
        &detected,
        NoteKind::Unknown,
        &["rng.c", "seedexpander"]
    ));
    assert!(noted(
        &detected,
        NoteKind::Unknown,
        &["missing.h", "line 1"]
    ));
    assert!(noted(
        &detected,
        NoteKind::LeftOut,
        &["part.c", "included by kem.c"]
    ));
}

#[test]
fn tests_are_found_as_texts_and_in_manifests() {
    let digest = "ab".repeat(32);
    let package = Package::new(&[
        (
            "T-1/kem.c",
            "int kem_keygen(unsigned char *pk) { return 0; }\n",
        ),
        (
            "T-1/output/KAT_KEM_T-1.txt",
            "Count = 0\nSeed_Len = 64\nSeed = 00\nPK_Len = 1\nPK = 00\n",
        ),
        (
            "T-2/kem.c",
            "int kem_keygen(unsigned char *pk) { return 1; }\n",
        ),
        (
            "T-2/output/KAT_KEM_T-2.txt",
            "Count = 0\nSeed_Len = 64\nSeed = 00\nPK_Len = \nPK = 00\n",
        ),
        (
            "T-3/kem.c",
            "int kem_keygen(unsigned char *pk) { return 2; }\n",
        ),
        (
            "KAT/digests.sha256",
            &format!("{digest} strict T-3/KAT_KEM_T-3.txt\n"),
        ),
        (
            "T-4/kem.c",
            "int kem_keygen(unsigned char *pk) { return 3; }\n",
        ),
        (
            "T-5/kem.c",
            "int kem_keygen(unsigned char *pk) { return 4; }\n",
        ),
    ]);
    let above = format!("{digest} nolen:2 T-4/KAT_KEM_T-4.txt\n");
    fs::write(package.0.path().join("kat.sha256"), above).unwrap();
    let (detected, _) = package.detect();
    let expected: Vec<Option<KatSource>> = detected
        .file
        .instances
        .iter()
        .map(|i| i.settings.kat.expected.clone())
        .collect();
    assert_eq!(
        expected[0],
        Some(KatSource::File(
            "T-1/output/KAT_KEM_T-1.txt".to_owned().into()
        ))
    );
    let mode = |source: &Option<KatSource>| match source {
        Some(KatSource::Digest {
            mode: Some(crate::package::DigestMode::Canonical(mode)),
            ..
        }) => mode.to_string(),
        other => panic!("{other:?}"),
    };
    // Blank lengths: a digest without them, of the one record that is there.
    assert_eq!(mode(&expected[1]), "nolen:1");
    assert!(
        matches!(&expected[2], Some(KatSource::Manifest { file, .. }) if file.text == "KAT/digests.sha256")
    );
    // A manifest outside of the package is copied from.
    assert_eq!(mode(&expected[3]), "nolen:2");
    assert_eq!(expected[4], None);
    assert!(noted(
        &detected,
        NoteKind::Unknown,
        &["T-5", "no known-answer test"]
    ));
}

#[test]
fn known_families_are_recognised() {
    let package = Package::new(&[("kem.c", "int kem_keygen(unsigned char *pk) { return 0; }\n")]);
    let (detected, _) = package.detect();
    assert_eq!(
        (detected.file.id.as_str(), detected.file.name.as_str()),
        ("t-y-kem", "Töy KEM")
    );
    let named = package.0.path().join("KEM-14_whatever");
    fs::rename(package.folder(), &named).unwrap();
    let detected = detect(&named).unwrap();
    assert_eq!(
        (detected.file.id.as_str(), detected.file.name.as_str()),
        ("kem-14", "DTRU")
    );
    assert!(detected.file.category.is_some());
}

#[test]
fn a_folder_without_a_kem_is_told() {
    let package = Package::new(&[("readme.txt", "hello"), ("x.c", "int x;\n")]);
    let (detected, instances) = package.detect();
    assert!(instances.is_empty());
    assert!(noted(
        &detected,
        NoteKind::Unknown,
        &["no source defines kem_keygen"]
    ));
    package.write("kem.h", "int kem_keygen(unsigned char *pk);\n");
    let (detected, _) = package.detect();
    assert!(noted(&detected, NoteKind::Unknown, &["declares a KEM"]));
}

#[test]
fn folders_of_packages_are_told_from_packages() {
    let kem = "int kem_keygen(unsigned char *pk) { return 0; }\n";
    let found = |files: &[&str]| {
        let package = Package::new(&files.iter().map(|&name| (name, kem)).collect::<Vec<_>>());
        package.link("..", "loop");
        let folder = package.folder();
        let name = |path: &PathBuf| path.strip_prefix(&folder).unwrap().display().to_string();
        packages(&folder)
            .unwrap()
            .iter()
            .map(name)
            .collect::<Vec<_>>()
    };
    // Parameter sets of one family, implementations of a package, sources right here.
    assert_eq!(found(&["T-128/kem.c", "T-256/kem.c"]), [""]);
    assert_eq!(found(&["Reference_Implementation/T-1/kem.c"]), [""]);
    assert_eq!(found(&["kem.c"]), [""]);
    // Candidates, some of them in one more folder.
    assert_eq!(
        found(&[
            "kem-12/Implementations/a/kem.c",
            "kem-14/x/Implementations/a/kem.c",
            "Other/src/kem.c"
        ]),
        ["Other", "kem-12", "kem-14/x"]
    );
    assert_eq!(found(&["kem-1/kem.c", "kem-2/kem.c"]), ["kem-1", "kem-2"]);
}

#[test]
fn numbers_in_names_are_ordered_by_size() {
    let mut names = ["T-1024", "T-512", "S-9", "T-512-v2"];
    names.sort_by_key(|name| natural(name));
    assert_eq!(names, ["S-9", "T-512", "T-512-v2", "T-1024"]);
}
