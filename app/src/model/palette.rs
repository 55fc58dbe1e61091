//! Which families are coloured: at most eight at a time, the rest stay grey until chosen.

/// Number of colours (`--fam-1` to `--fam-8` in the style sheet).
pub const COLOURS: usize = 8;

/// The families to colour, in the order of their colours.
///
/// Chosen families come first, in the order chosen. Without a choice: all families in view if they
/// are few enough; otherwise those of `noted` (families with more than summary figures), so that the plot has landmarks.
pub fn coloured<'a>(chosen: &'a [String], in_view: &[&'a str], noted: &[&'a str]) -> Vec<&'a str> {
    let candidates: Vec<&str> = if !chosen.is_empty() {
        chosen.iter().map(String::as_str).collect()
    } else if in_view.len() <= COLOURS {
        in_view.to_vec()
    } else {
        noted.to_vec()
    };
    let mut out: Vec<&str> = Vec::with_capacity(COLOURS);
    for family in candidates {
        if out.len() < COLOURS && in_view.contains(&family) && !out.contains(&family) {
            out.push(family);
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn at_most_eight_and_only_what_is_in_view() {
        let many: Vec<String> = (0..20).map(|i| format!("kem-{i:02}")).collect();
        let view: Vec<&str> = many.iter().map(String::as_str).collect();
        assert_eq!(coloured(&[], &view, &["kem-03", "kem-99"]), ["kem-03"]);
        assert_eq!(coloured(&[], &view[..8], &[]), view[..8]);
        assert_eq!(coloured(&many, &view, &[]).len(), COLOURS);
        let chosen = ["kem-05".to_owned(), "kem-05".to_owned(), "gone".to_owned()];
        assert_eq!(coloured(&chosen, &view, &[]), ["kem-05"]);
    }
}
