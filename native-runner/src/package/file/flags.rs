//! Which compiler flags a package may ask for.
//!
//! A `kem.toml` may come with the package itself, and building must not execute anything that a package ships.
//! Compilers run code that flags name (plugins, wrappers, other tools) and write where flags say, so only
//! flags that choose how code is compiled are let through.

/// Flags that are let through as they are.
const WHOLE: [&str; 11] = [
    "-pthread",
    "-ansi",
    "-pedantic",
    "-pedantic-errors",
    "-w",
    "-g",
    "-g0",
    "-g1",
    "-g2",
    "-Wa,--noexecstack",
    "-Wl,-z,noexecstack",
];

/// Beginnings of families of flags that choose language, warnings, optimisation and code generation.
const FAMILIES: [&str; 7] = ["-std=", "-O", "-f", "-m", "-W", "-D", "-U"];

/// Beginnings of flags of these families that run or load other code, read or write files, or hand something
/// on to another program.
const REFUSED: [&str; 27] = [
    "-Wl,",
    "-Wa,",
    "-Wp,",
    "-fauto-profile",
    "-fbranch-probabilities",
    "-fcallgraph-info",
    "-fcompare-debug",
    "-fcoverage",
    "-fcs-profile",
    "-fdump",
    "-fimplicit-module",
    "-finstrument",
    "-fmemory-profile",
    "-fmodule",
    "-fopt-info",
    "-fpass-plugin",
    "-fplugin",
    "-fprofile",
    "-fsanitize",
    "-fsave-optimization-record",
    "-fstack-usage",
    "-fsyntax-only",
    "-ftest-coverage",
    "-ftime-trace",
    "-fxray",
    "-mllvm",
    "-module",
];

/// Beginnings of `-f` flags that have a value and are let through: the value of others may name a file.
const WITH_VALUE: [&str; 14] = [
    "-falign-",
    "-fcf-protection=",
    "-fconstexpr-",
    "-fexcess-precision=",
    "-ffp-",
    "-finline-limit=",
    "-flax-vector-conversions=",
    "-flto=",
    "-flto-partition=",
    "-fpack-struct=",
    "-fsimd-cost-model=",
    "-ftrivial-auto-var-init=",
    "-fvect-cost-model=",
    "-fvisibility=",
];

/// Why a flag cannot be had; `None` if it can.
pub fn objection(flag: &str) -> Option<String> {
    if WHOLE.contains(&flag) || is_fine(flag) {
        return None;
    }
    let hint = match flag {
        _ if flag.starts_with("-I") => "folders go into `include`",
        _ if flag.starts_with("-l") || flag.starts_with("-L") => {
            "libraries of the system go into `libraries`, without -l; those of the package are not linked"
        }
        _ if !flag.starts_with('-') => "a flag begins with -; sources go into `sources`",
        _ if flag.contains(char::is_whitespace) => "one flag per string, without spaces",
        _ => {
            "only flags that choose how code is compiled are let through (-O…, -m…, -f…, -std=…, -W…, -D…), \
             none that load or run other code, name files or speak to other tools"
        }
    };
    Some(format!("the flag `{flag}` is refused: {hint}"))
}

fn is_fine(flag: &str) -> bool {
    let begins = |list: &[&str]| list.iter().any(|beginning| flag.starts_with(beginning));
    let plain = flag
        .chars()
        .all(|c| c.is_ascii_graphic() && !"/\\'\"`$@".contains(c));
    let value_is_fine = !flag.starts_with("-f") || !flag.contains('=') || begins(&WITH_VALUE);
    plain && begins(&FAMILIES) && !begins(&REFUSED) && value_is_fine
}

#[cfg(test)]
mod tests {
    use super::objection;

    #[test]
    fn flags_that_choose_how_code_is_compiled() {
        for flag in [
            "-O3",
            "-mavx2",
            "-march=armv8.2-a+sve",
            "-mtune=native",
            "-fomit-frame-pointer",
            "-fno-tree-vectorize",
            "-flto",
            "-std=gnu99",
            "-Wno-unused-parameter",
            "-DNAME=1",
            "-UNAME",
            "-pthread",
            "-g",
            "-Wa,--noexecstack",
            "-funroll-loops",
        ] {
            assert_eq!(objection(flag), None);
        }
    }

    #[test]
    fn flags_that_run_read_or_write_something_else() {
        for flag in [
            "",
            "-",
            "-fplugin=./evil.so",
            "-fplugin-arg-x=1",
            "-fpass-plugin=evil.so",
            "-wrapper",
            "-specs=evil.specs",
            "-B.",
            "-B",
            "@arguments",
            "-Xclang",
            "-Xlinker",
            "-Wl,--plugin,evil.so",
            "-Wl,-rpath,.",
            "-Wa,-I,/",
            "-fuse-ld=evil",
            "-mllvm",
            "-include",
            "-isystem/",
            "-o",
            "evil.o",
            "-fprofile-use=x",
            "-fdump-tree-all=x",
            "-save-temps",
            "-x",
            "-T",
            "-L.",
            "-lm",
            "-I..",
            "-O2 -O3",
            "-D\"x\"",
            "-O3\n",
            "--sysroot=.",
            "-no-pie",
            "-shared",
            "-static",
            "-###",
            "-dumpdir",
            "-MD",
            "-ffoo=x",
            "-mfoo=/x",
            "-working-directory",
            "-gsplit-dwarf",
        ] {
            assert!(objection(flag).is_some(), "{flag}");
        }
        assert!(objection("-lm").is_some_and(|why| why.contains("`libraries`")));
        assert!(objection("-I..").is_some_and(|why| why.contains("`include`")));
    }
}
