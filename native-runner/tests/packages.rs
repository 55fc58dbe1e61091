//! Packages as they are submitted: described by `add`, built, tested, and refused where they reach outside.

#![allow(clippy::unwrap_used, clippy::expect_used)] // Tests stop at the first surprise.

mod common;

use common::{Bench, copy_tree, files_below, texts};
use std::fs;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Runs a subcommand on the packages of a bench.
fn on_packages(bench: &Bench, subcommand: &str, more: &[&str]) -> (i32, String, String) {
    let mut command = bench.program();
    command.arg(subcommand);
    match subcommand {
        "add" => command.arg(bench.packages()),
        _ => command.arg("--packages").arg(bench.packages()),
    };
    if subcommand == "kat" {
        command.arg("--runs").arg(bench.runs());
    }
    texts(&command.args(more).output().unwrap())
}

/// The KAT status of an instance in a table of results.
fn status<'a>(table: &'a str, instance: &str) -> &'a str {
    let row = table
        .lines()
        .find(|line| line.split_whitespace().next() == Some(instance));
    let row = row.unwrap_or_else(|| panic!("{instance} is not in\n{table}"));
    row.split_whitespace().nth(1).unwrap()
}

fn kem_toml(bench: &Bench, package: &str) -> PathBuf {
    bench.packages().join(package).join("kem.toml")
}

#[test]
fn submitted_packages_are_described_built_and_tested() {
    let bench = Bench::of_packages(&["toy", "nist"]);
    let (code, said, errors) = on_packages(&bench, "add", &[]);
    // The claimed NIST category stands nowhere.
    assert_eq!(code, 1, "{said}{errors}");
    assert!(
        said.contains("NistToy-3/reference: the claimed NIST category"),
        "{said}"
    );
    assert!(said.contains("PQCgenKAT_kem.c: defines main"), "{said}");
    assert!(said.contains("rng.c: defines randombytes"), "{said}");

    let (code, said, errors) = on_packages(&bench, "build", &[]);
    assert_eq!(code, 0, "{said}{errors}");
    // TOY-128 brings all helpers, TOY-512 none.
    let supplied = |instance: &str| {
        let line = format!("toy/{instance}/reference: supplied by this runner: ");
        let found = said.lines().find_map(|l| l.strip_prefix(&line));
        found
            .unwrap_or_else(|| panic!("{instance}: {said}"))
            .to_owned()
    };
    assert_eq!(supplied("TOY-128"), "drng_algorithm");
    assert!(
        supplied("TOY-512").contains("sm3hash, pseudohash, pseudoXOF"),
        "{said}"
    );

    let (code, said, errors) = on_packages(&bench, "kat", &[]);
    assert_eq!(code, 1, "{said}{errors}");
    for (instance, expected) in [
        ("toy/TOY-128/reference", "PASS"),
        ("toy/TOY-128/optimized-asm", "PASS"),
        ("toy/TOY-128/additional-cpp", "PASS"),
        // Its digest in the manifest is wrong.
        ("toy/TOY-256/reference", "MISMATCH"),
        ("toy/TOY-512/reference", "PASS"),
        ("nist/NistToy-2/reference", "PASS"),
        // Its text has four records of a hundred.
        ("nist/NistToy-3/reference", "PARTIAL"),
    ] {
        assert_eq!(status(&said, instance), expected, "{instance}");
    }
    let kat = bench.json("kat/toy/TOY-256__reference.json");
    // Computed by an independent implementation of helpers, generator and KEM.
    let expected = "7889ecd3af60f9c693bd35688110956bb457b92a9c58cb2a1c93552bbc2c794e";
    assert_eq!(kat["result"]["canonical_sha256"], expected);
    let manifest = bench.json("manifest.json");
    let language = |variant: &str| {
        let list = manifest["instances"].as_array().unwrap();
        let found = list
            .iter()
            .find(|i| i["implementation"] == variant)
            .unwrap();
        found["language"].clone()
    };
    assert_eq!(language("optimized-asm"), "C and assembler");
    assert_eq!(language("additional-cpp"), "C++");

    // No Makefile was executed, and nothing was written into the packages but the descriptions.
    let mut fixtures = Vec::new();
    for package in ["toy", "nist"] {
        let names = files_below(&common::fixture("../packages").join(package));
        fixtures.extend(names.iter().map(|name| Path::new(package).join(name)));
        fixtures.push(Path::new(package).join("kem.toml"));
    }
    let mut present = files_below(&bench.packages());
    present.sort();
    fixtures.sort();
    assert_eq!(present, fixtures);
}

#[test]
fn own_helpers_and_ours_give_the_same_text() {
    let bench = Bench::of_packages(&["toy"]);
    on_packages(&bench, "add", &[]);
    let path = kem_toml(&bench, "toy");
    let text = fs::read_to_string(&path).unwrap();
    let driver = "  \"Implementations/Reference_Implementation/TOY-128/KAT_KEM.c\"";
    let helpers = ["drng", "auxfunc"]
        .map(|n| format!("  \"Implementations/Reference_Implementation/TOY-128/{n}.c\",\n"))
        .concat();
    let edited = text.replacen(driver, &format!("{helpers}{driver}"), 1);
    assert_ne!(edited, text);
    fs::write(&path, edited).unwrap();
    let (_, said, errors) = on_packages(
        &bench,
        "build",
        &["TOY-128/reference".replace("TOY", "toy/TOY").as_str()],
    );
    assert!(
        said.contains("supplied by this runner: drng_algorithm, sm3hash"),
        "{said}{errors}"
    );
    let (code, said, errors) = on_packages(&bench, "kat", &["toy/TOY-128/reference"]);
    assert_eq!(
        (code, status(&said, "toy/TOY-128/reference")),
        (0, "PASS"),
        "{errors}"
    );
}

#[test]
fn an_edited_description_is_kept() {
    let bench = Bench::of_packages(&["toy"]);
    let path = kem_toml(&bench, "toy");
    let (code, said, _) = on_packages(&bench, "add", &["--dry-run"]);
    assert_eq!(code, 0, "{said}");
    assert!(said.contains("[[instance]]\nname = \"TOY-128\""), "{said}");
    assert!(!path.exists());

    on_packages(&bench, "add", &[]);
    let written = fs::read_to_string(&path).unwrap();
    let (code, said, _) = on_packages(&bench, "add", &[]);
    assert!(code == 0 && said.contains("kem.toml: up to date"), "{said}");

    // Not edited, but the package has changed: brought up to date.
    fs::remove_dir_all(
        bench
            .packages()
            .join("toy/Implementations/Additional_Implementations"),
    )
    .unwrap();
    let (_, said, _) = on_packages(&bench, "add", &[]);
    assert!(said.contains("kem.toml: written"), "{said}");
    let fresh = fs::read_to_string(&path).unwrap();
    assert!(written.contains("additional-cpp") && !fresh.contains("additional-cpp"));

    let edited = fresh.replace("name = \"toy\"", "name = \"Toy\"");
    fs::write(&path, &edited).unwrap();
    let (code, said, _) = on_packages(&bench, "add", &[]);
    assert_eq!(code, 0, "{said}");
    assert!(said.contains("kept, since it was edited"), "{said}");
    assert!(said.contains("-name = \"Toy\"\n+name = \"toy\""), "{said}");
    assert_eq!(fs::read_to_string(&path).unwrap(), edited);
    on_packages(&bench, "add", &["--force"]);
    assert_eq!(fs::read_to_string(&path).unwrap(), fresh);

    // A description that is wrong is told, not written over.
    fs::write(&path, edited.replace("abi = \"iccs\"", "abi = \"isss\"")).unwrap();
    let (code, _, errors) = on_packages(&bench, "add", &[]);
    assert_eq!(code, 2);
    assert!(
        errors.contains("kem.toml:") && errors.contains("`instance.abi`"),
        "{errors}"
    );
}

/// A package of one source, described by what `instances` says of `kem.c`.
fn described(instances: &str) -> Bench {
    let bench = Bench::of_packages(&[]);
    let folder = bench.packages().join("p");
    let toy =
        common::fixture("../packages/toy/Implementations/Additional_Implementations/cpp/TOY-128");
    copy_tree(&toy, &folder);
    let text =
        format!("[package]\nid = \"p\"\nname = \"P\"\n[defaults]\nabi = \"iccs\"\n{instances}");
    fs::write(folder.join("kem.toml"), text).unwrap();
    bench
}

#[test]
fn what_reaches_outside_costs_its_instance_alone() {
    let instance = |name: &str, what: &str| format!("[[instance]]\nname = \"{name}\"\n{what}\n");
    let text = [
        instance("good", "sources = [\"kem.cpp\"]"),
        instance("up", "sources = [\"kem.cpp\", \"../outside.c\"]"),
        instance("absolute", "sources = [\"kem.cpp\", \"/etc/outside.c\"]"),
        instance("linked", "sources = [\"kem.cpp\", \"link.c\"]"),
        instance("matched", "sources = [\"*.c*\"]"),
        instance("folder", "sources = [\"kem.cpp\"]\ninclude = [\"..\"]"),
        instance("included", "sources = [\"kem.cpp\", \"sub/includes.c\"]"),
        instance("prebuilt", "sources = [\"kem.cpp\", \"evil.o\"]"),
        instance("missing", "sources = [\"kem.cpp\", \"gone.c\"]"),
        instance(
            "test",
            "sources = [\"kem.cpp\"]\nkat.file = \"../outside.c\"",
        ),
    ];
    let bench = described(&text.concat());
    let folder = bench.packages().join("p");
    fs::write(
        bench.packages().join("outside.c"),
        "int outside(void) { return 0; }\n",
    )
    .unwrap();
    symlink("../outside.c", folder.join("link.c")).unwrap();
    fs::create_dir(folder.join("sub")).unwrap();
    fs::write(
        folder.join("sub/includes.c"),
        "#include \"../../outside.c\"\n",
    )
    .unwrap();
    fs::write(folder.join("evil.o"), "").unwrap();
    let (code, said, errors) = on_packages(&bench, "kat", &[]);
    assert_eq!(code, 1, "{said}{errors}");
    assert_eq!(status(&said, "p/good/reference"), "NOKAT");
    for (name, line, why) in [
        ("up", 11, "`../outside.c` leads out of the package"),
        ("absolute", 14, "`/etc/outside.c` is an absolute path"),
        ("linked", 17, "`link.c` leads out of the package, to "),
        (
            "matched",
            20,
            "`*.c*` matches `link.c`: a link that leads out of the package",
        ),
        ("folder", 24, "`..` leads out of the package"),
        ("included", 0, "an included file: "),
        ("prebuilt", 30, "`evil.o` was compiled by others"),
        ("missing", 33, "`gone.c`: No such file"),
        ("test", 37, "`../outside.c` leads out of the package"),
    ] {
        assert_eq!(status(&said, &format!("p/{name}/reference")), "BUILDFAIL");
        let build = bench.json(&format!("build/p/{name}__reference.json"));
        let message = build["message"].as_str().unwrap();
        assert!(message.contains(why), "{message}");
        assert!(
            line == 0 || message.contains(&format!("kem.toml:{line}: ")),
            "{message}"
        );
        // Records name no folder of this machine.
        assert!(
            !message.contains(bench.packages().to_str().unwrap()),
            "{message}"
        );
    }
}

#[test]
fn a_wrong_description_is_bad_input() {
    let good = "[[instance]]\nname = \"x\"\nsources = [\"kem.cpp\"]\n";
    for (text, expected) in [
        (
            good.replace("sources", "source"),
            "kem.toml:8:1: `instance.source`: is no key here; did you mean `sources`?",
        ),
        (
            format!("{good}flags = [\"-fplugin=./evil.so\"]\n"),
            "kem.toml:9:10: `instance.flags`: the flag `-fplugin=./evil.so` is refused",
        ),
        (
            format!("{good}{good}"),
            "variant reference of x is there already, in line 7",
        ),
        (
            format!("{good}kat.manifest = \"kat.sha256\"\n"),
            "kat.sha256: No such file",
        ),
    ] {
        let bench = described(&text);
        let (code, said, errors) = on_packages(&bench, "build", &[]);
        assert_eq!(code, 2, "{said}{errors}");
        assert!(errors.contains(expected), "{errors}");
    }
    // Two packages with one name.
    let bench = described(good);
    copy_tree(&bench.packages().join("p"), &bench.packages().join("q"));
    let (code, _, errors) = on_packages(&bench, "build", &[]);
    assert_eq!(code, 2);
    assert!(
        errors.contains("p/kem.toml:7") && errors.contains("q/kem.toml:7"),
        "{errors}"
    );
    // A manifest without the instance.
    let bench = described(&format!("{good}kat.manifest = \"kat.sha256\"\n"));
    let line = format!("{} strict other/KAT_KEM_other.txt\n", "ab".repeat(32));
    fs::write(bench.packages().join("p/kat.sha256"), line).unwrap();
    let (code, _, errors) = on_packages(&bench, "build", &[]);
    assert_eq!(code, 2);
    assert!(
        errors.contains("kem.toml:9: `kat`:") && errors.contains("KAT_KEM_x.txt"),
        "{errors}"
    );
}

#[test]
fn a_run_remembers_all_its_packages() {
    let bench = Bench::of_packages(&["toy", "nist"]);
    on_packages(&bench, "add", &[]);
    let folders = [bench.packages().join("toy"), bench.packages().join("nist")];
    let mut run = bench.program();
    run.args(["kat", "toy/TOY-128/reference", "NistToy-2", "--runs"])
        .arg(bench.runs());
    for folder in &folders {
        run.arg("--packages").arg(folder);
    }
    let (code, said, errors) = texts(&run.output().unwrap());
    assert_eq!(code, 0, "{said}{errors}");
    let manifest = bench.run_directory().join("manifest.json");
    let text = fs::read_to_string(&manifest).unwrap();
    assert!(
        text.contains("\"{packages}\"") && text.contains("\"{packages-2}\""),
        "{text}"
    );
    assert!(!text.contains(bench.packages().to_str().unwrap()), "{text}");
    // What is missing is made again, from the same packages.
    let missing = bench
        .run_directory()
        .join("kat/nist/NistToy-2__reference.json");
    fs::remove_file(&missing).unwrap();
    let unfinished = text.replace("\"complete\"", "\"running\"");
    assert_ne!(unfinished, text);
    fs::write(&manifest, unfinished).unwrap();
    let mut resume = bench.program();
    resume.args(["run", "--resume"]).arg(bench.run_directory());
    let (code, said, errors) = texts(&resume.output().unwrap());
    assert_eq!(code, 0, "{said}{errors}");
    assert_eq!(
        bench.json("kat/nist/NistToy-2__reference.json")["result"]["status"],
        "pass"
    );
}

#[test]
fn instances_of_another_machine_are_left_out_by_name() {
    let text = ["x86_64", "aarch64"].map(|architecture| {
        format!("[[instance]]\nname = \"{architecture}\"\narchitectures = [\"{architecture}\"]\nsources = [\"kem.cpp\"]\n")
    });
    let bench = described(&text.concat());
    let (here, other) = match std::env::consts::ARCH {
        "aarch64" => ("aarch64", "x86_64"),
        _ => ("x86_64", "aarch64"),
    };
    let (code, said, errors) = on_packages(&bench, "build", &[]);
    assert_eq!(code, 0, "{said}{errors}");
    assert!(said.contains(&format!("p/{here}/reference")), "{said}");
    assert!(!said.contains(&format!("p/{other}/reference")), "{said}");
    assert!(
        errors.contains(&format!("p/{other}/reference is for {other} alone")),
        "{errors}"
    );
    let (code, _, errors) = on_packages(&bench, "build", &[other]);
    assert_eq!(code, 2);
    assert!(errors.contains("no instance to work on"), "{errors}");
}

#[test]
fn assembler_is_built_for_the_other_machine() {
    let works = |name: &str| Command::new(name).arg("--version").output().is_ok();
    if !works("aarch64-linux-gnu-gcc") || !works("aarch64-linux-gnu-g++") {
        println!("skipped: needs aarch64-linux-gnu-gcc and aarch64-linux-gnu-g++");
        return;
    }
    let bench = Bench::of_packages(&["toy"]);
    on_packages(&bench, "add", &[]);
    let target = ["--target", "aarch64-unknown-linux-gnu"];
    let (code, said, errors) = on_packages(&bench, "build", &target);
    assert_eq!(code, 0, "{said}{errors}");
    assert!(said.contains("toy/TOY-128/optimized-asm"), "{said}");
}

#[test]
fn a_tree_of_pqclean_gets_a_catalogue() {
    let bench = Bench::new(&["honest", "wrong"]);
    let list = bench.packages().join("catalogue.toml");
    fs::remove_file(&list).unwrap();
    let (code, said, errors) = on_packages(&bench, "add", &[]);
    assert_eq!(code, 0, "{said}{errors}");
    let text = fs::read_to_string(&list).unwrap();
    assert!(
        text.contains("name = \"honest\", directory = \"honest\""),
        "{text}"
    );
    let (_, said, errors) = on_packages(&bench, "kat", &[]);
    assert_eq!(status(&said, "honest/honest/clean"), "PASS", "{errors}");
    assert_eq!(status(&said, "wrong/wrong/clean"), "CRYPTOFAIL", "{errors}");
    // Once edited it is kept.
    fs::write(
        &list,
        text.replace("name = \"wrong\"\ni", "name = \"Wrong\"\ni"),
    )
    .unwrap();
    let (_, said, _) = on_packages(&bench, "add", &[]);
    assert!(said.contains("kept, since it was edited"), "{said}");
}

#[test]
fn what_is_no_package_is_told() {
    let bench = Bench::of_packages(&[]);
    fs::create_dir_all(bench.packages()).unwrap();
    let (code, said, _) = on_packages(&bench, "add", &[]);
    assert_eq!(code, 1, "{said}");
    assert!(
        said.contains("no source defines kem_keygen") && said.contains("nothing to write"),
        "{said}"
    );
    let (code, _, errors) = texts(
        &bench
            .program()
            .arg("add")
            .arg(bench.packages().join("x"))
            .output()
            .unwrap(),
    );
    assert_eq!(code, 2);
    assert!(errors.contains("x is no folder"), "{errors}");
    assert!(!Path::new(&kem_toml(&bench, ".")).exists());
}
