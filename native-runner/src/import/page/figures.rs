//! Reads the cells of a page: figures, dashes, and the odd things that stand in their place.

use super::cells::{NOT_MEASURED, WARNING};
use kemscope_schema::{Figure, KatStatus, PrimitiveCalls, Timing, UnknownShare, parse};

/// The cell, unless it says that nothing was measured.
pub fn measured(cell: &str) -> Option<&str> {
    (!NOT_MEASURED.contains(&cell)).then_some(cell)
}

/// A figure's cell: what it says, `None` for a dash, or an error that says what was expected.
pub fn figure<T>(
    cell: &str,
    expected: &str,
    read: impl Fn(&str) -> Option<T>,
) -> Result<Option<T>, String> {
    match measured(cell) {
        None => Ok(None),
        Some(cell) => read(cell)
            .map(Some)
            .ok_or_else(|| format!("“{cell}” where {expected} was expected")),
    }
}

/// `PASS`, `⚠ KAT MISMATCH`, `KAT MISMATCH`, ….
pub fn kat_status(cell: &str) -> Result<KatStatus, String> {
    let word = cell.trim_start_matches(WARNING).trim();
    let word = word.strip_prefix("KAT ").unwrap_or(word);
    match measured(word) {
        None => Ok(KatStatus::NotRun),
        Some(word) => KatStatus::from_word(word).ok_or_else(|| {
            format!("“{cell}” where a KAT status like PASS or MISMATCH was expected")
        }),
    }
}

/// `26940 (5 × 5388)`, `26940`, `n=85`, `>=100`, `≥ 100` or a dash.
pub fn calls(timing: &mut Timing, cell: &str) -> Result<(), String> {
    let expected = || format!("“{cell}” where calls like “26940 (5 × 5388)” were expected");
    let Some(text) = measured(cell) else {
        return Ok(());
    };
    let (n, plan) = match text.split_once('(') {
        None => (text.trim(), None),
        Some((n, plan)) => (n.trim(), Some(plan)),
    };
    let n = n.strip_prefix("n=").unwrap_or(n);
    if let Some(bound) = n.strip_prefix(">=").or_else(|| n.strip_prefix('≥')) {
        timing.calls_at_least = Some(parse::whole(bound.trim()).ok_or_else(expected)?);
    } else {
        timing.calls = Some(parse::whole(n).ok_or_else(expected)?);
    }
    if let Some(plan) = plan {
        let plan = plan.strip_suffix(')').ok_or_else(expected)?;
        let (trials, iterations) = plan.split_once(['×', 'x', '*']).ok_or_else(expected)?;
        timing.trials = Some(parse::whole(trials.trim()).ok_or_else(expected)?);
        timing.iterations = Some(parse::whole(iterations.trim()).ok_or_else(expected)?);
        let product = timing
            .trials
            .zip(timing.iterations)
            .and_then(|(t, i)| t.checked_mul(i));
        if timing.calls.is_some() && timing.calls != product {
            return Err(format!("“{cell}”: the calls are not trials × iterations"));
        }
    }
    Ok(())
}

/// `35%`, `??%` or a dash.
pub fn share(cell: &str) -> Result<(Option<Figure>, Option<UnknownShare>), String> {
    if cell == "??%" || cell == "??" {
        return Ok((None, Some(UnknownShare::Undetermined)));
    }
    let share = figure(cell, "a share like “35%”", parse::share)?;
    match share {
        Some(share) if share.value > 1.0 => Err(format!("“{cell}” is more than the whole")),
        share => Ok((share, None)),
    }
}

/// `drng 1, pseudoXOF 6.01, sm3hash 2`, nothing or a dash.
pub fn primitive_calls(cell: &str) -> Result<Vec<PrimitiveCalls>, String> {
    let Some(text) = measured(cell).filter(|text| !text.is_empty()) else {
        return Ok(Vec::new());
    };
    text.split(',')
        .map(|part| {
            let (primitive, number) = part.trim().rsplit_once(' ')?;
            Some(PrimitiveCalls {
                primitive: primitive.trim().to_owned(),
                calls: parse::calls_per_operation(number)?,
            })
        })
        .collect::<Option<Vec<_>>>()
        .ok_or_else(|| format!("“{cell}” where calls like “drng 1, pseudoXOF 6.01” were expected"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn odd_cells_are_read() {
        assert_eq!(figure("–", "cycles", parse::cycles), Ok(None));
        assert_eq!(share("??%"), Ok((None, Some(UnknownShare::Undetermined))));
        assert_eq!(kat_status("⚠ KAT MISMATCH"), Ok(KatStatus::Mismatch));
        assert_eq!(kat_status("–"), Ok(KatStatus::NotRun));
        let read = |cell: &str| {
            let mut timing = Timing::default();
            calls(&mut timing, cell).map(|()| timing)
        };
        assert_eq!(read("n=85").unwrap().calls, Some(85));
        assert_eq!(read("≥ 100").unwrap().calls_at_least, Some(100));
        assert_eq!(read("100 (5 × 20)").unwrap().iterations, Some(20));
        assert_eq!(read("–").unwrap(), Timing::default());
    }

    #[test]
    fn what_is_none_of_them_is_told() {
        let mut timing = Timing::default();
        assert!(
            calls(&mut timing, "100 (5 × 21)")
                .unwrap_err()
                .contains("not trials × iterations")
        );
        assert!(calls(&mut timing, "many").is_err());
        assert!(share("120%").unwrap_err().contains("more than the whole"));
        assert!(kat_status("FINE").unwrap_err().contains("PASS or MISMATCH"));
        assert!(primitive_calls("drng").is_err());
        assert!(
            figure("12 parsec", "a time", parse::seconds)
                .unwrap_err()
                .contains("a time was expected")
        );
    }
}
