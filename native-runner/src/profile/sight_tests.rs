use super::*;
use std::process::Command;

/// The graph of C files, compiled as profiles look at them.
fn graph(files: &[&str]) -> Graph {
    let folder = tempfile::tempdir().unwrap();
    let mut graph = Graph::default();
    for (number, text) in files.iter().enumerate() {
        let source = folder.path().join(format!("{number}.c"));
        std::fs::write(&source, text).unwrap();
        let object = source.with_extension("o");
        let status = Command::new(std::env::var_os("CC").unwrap_or("cc".into()))
            .args([
                "-fPIC",
                "-O0",
                "-ffunction-sections",
                "-fdata-sections",
                "-c",
                "-o",
            ])
            .arg(&object)
            .arg(&source)
            .status()
            .unwrap();
        assert!(status.success());
        graph.add(&std::fs::read(&object).unwrap()).unwrap();
    }
    graph
}

const KEM: &str = "
    int sm3hash(int, const unsigned char *, unsigned long long, unsigned char *);
    int get_random_number(void *, unsigned char *, unsigned long long);
    static int helper(unsigned char *x) { return sm3hash(256, x, 8, x); }
    int kem_keygen(unsigned char *x) { return get_random_number(x, x, 8) + helper(x); }
    int kem_enc(unsigned char *x) { return helper(x); }
    int kem_dec(unsigned char *x) { return x[0]; }
";

/// The helpers in one file, as the organisers hand them out: they call one another.
const HELPERS: &str = "
    int sm3hash(int d, const unsigned char *m, unsigned long long l, unsigned char *o) { return d + m[l] + o[0]; }
    static int mac(const unsigned char *m, unsigned char *o) { return sm3hash(256, m, 8, o); }
    int pseudohash(int d, const unsigned char *m, unsigned long long l, unsigned char *o) { return mac(m + l, o) + d; }
    int get_random_number(void *s, unsigned char *o, unsigned long long n) { return sm3hash(1, s, n, o); }
";

fn iccs(files: &[&str], entry: &str) -> Vec<(PrimitiveKind, String)> {
    let found = unseen(&graph(files), entry, Primitives::Iccs);
    found.into_iter().map(|u| (u.kind, u.message)).collect()
}

#[test]
fn helpers_in_files_of_their_own_are_seen() {
    for entry in ["kem_keygen", "kem_enc", "kem_dec"] {
        assert_eq!(iccs(&[KEM, HELPERS], entry), []);
    }
    let graph = graph(&[KEM, HELPERS]);
    let wraps = wraps(&graph, Primitives::Iccs);
    let symbols: Vec<&str> = wraps.iter().map(|w| w.symbol.as_str()).collect();
    assert_eq!(symbols, ["get_random_number", "sm3hash"]);
}

#[test]
fn a_helper_in_the_file_of_its_callers_is_not() {
    let one = format!("{KEM}{HELPERS}");
    assert_eq!(iccs(&[&one], "kem_dec"), []);
    let found = iccs(&[&one], "kem_enc");
    assert_eq!(found.len(), 1, "{found:?}");
    assert_eq!(found[0].0, PrimitiveKind::Hash);
    assert_eq!(
        found[0].1,
        "`sm3hash` is defined in the file of `helper`, which calls it: such calls pass the wrappers by"
    );
    // Without the generator, its own hashing cannot be told apart either.
    let kinds: BTreeSet<PrimitiveKind> = iccs(&[&one], "kem_keygen").iter().map(|u| u.0).collect();
    assert_eq!(kinds.len(), 2);
}

#[test]
fn a_static_helper_is_not_seen() {
    let text = KEM.replacen("int sm3hash", "static int sm3hash", 1)
        + "static int sm3hash(int d, const unsigned char *m, unsigned long long l, unsigned char *o)
           { return d + m[l] + o[0]; }";
    let found = iccs(&[&text, HELPERS], "kem_enc");
    assert_eq!(found.len(), 1, "{found:?}");
    assert!(
        found[0]
            .1
            .starts_with("`sm3hash` is static in the file of `helper`")
    );
}

#[test]
fn calls_through_a_table_of_functions_are_found() {
    let kem = "
        typedef int hash(int, const unsigned char *, unsigned long long, unsigned char *);
        hash sm3hash;
        static hash *const table[] = { sm3hash, sm3hash };
        int kem_enc(unsigned char *x) { return table[x[0]](256, x, 8, x); }
    ";
    let one = format!("{kem}{HELPERS}");
    let found = iccs(&[&one], "kem_enc");
    assert!(found[0].1.contains("in the file of `table`"), "{found:?}");
    assert_eq!(iccs(&[kem, HELPERS], "kem_enc"), []);
}

#[test]
fn a_hash_function_of_another_name_is_told() {
    let kem = "
        void KeccakF1600(unsigned long long *s);
        void X_crypto_kem_enc(unsigned long long *s) { KeccakF1600(s); }
    ";
    let keccak = "void KeccakF1600(unsigned long long *s) { s[0]++; }";
    let graph = graph(&[kem, keccak]);
    let found = unseen(&graph, "X_crypto_kem_enc", Primitives::Nist);
    assert_eq!(found.len(), 1, "{found:?}");
    assert!(
        found[0]
            .message
            .starts_with("`KeccakF1600` sounds like a hash")
    );
}

#[test]
fn beyond_the_ngcc_interface_no_known_hash_is_no_zero() {
    let graph = graph(&["int crypto_kem_enc(void) { return 0; }"]);
    let found = unseen(&graph, "crypto_kem_enc", Primitives::Nist);
    assert_eq!(found[0].kind, PrimitiveKind::Hash);
    assert!(found[0].message.contains("no hash function that is known"));
}

/// Hashes behind functions of a package's own names are the usual case and no strangers.
#[test]
fn a_function_that_leads_to_a_primitive_is_no_stranger() {
    let kem = "
        void shake128_absorb(void *, const unsigned char *, unsigned long);
        void kyber_shake128_absorb(void *s, const unsigned char *x) { shake128_absorb(s, x, 32); }
        void crypto_kem_enc(void *s, const unsigned char *x) { kyber_shake128_absorb(s, x); }
    ";
    let fips = "
        static void keccak_absorb(void *s) { *(char *)s = 1; }
        void shake128_absorb(void *s, const unsigned char *x, unsigned long n) { keccak_absorb(s); (void)x; (void)n; }
    ";
    let graph = graph(&[kem, fips]);
    assert_eq!(unseen(&graph, "crypto_kem_enc", Primitives::Nist), []);
}

#[test]
fn of_a_function_that_is_not_there_nothing_is_known() {
    let kinds: Vec<PrimitiveKind> = iccs(&[HELPERS], "kem_enc").iter().map(|u| u.0).collect();
    assert_eq!(kinds, [PrimitiveKind::Hash, PrimitiveKind::Drng]);
}
