//! Words as LaTeX takes them.

/// Words of more letters are no words but addresses or digests.
const LONG_WORD: usize = 20;

/// Takes the meaning from signs that LaTeX gives one, and writes signs beyond Latin so that every engine has
/// them.
pub fn escape(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 16);
    for word in text.split_inclusive(' ') {
        if word.chars().count() > LONG_WORD {
            breakable(word, &mut out);
        } else {
            word.chars().for_each(|c| sign(c, &mut out));
        }
    }
    out
}

/// A path or address: typewriter, with places where a line may break.
pub fn path(text: &str) -> String {
    let mut out = String::from("\\texttt{");
    breakable(text, &mut out);
    out.push('}');
    out
}

/// With places where a line may break, which LaTeX would not find in addresses and digests.
fn breakable(text: &str, out: &mut String) {
    let mut since = 0;
    for c in text.chars() {
        sign(c, out);
        since += 1;
        if "/_-.".contains(c) || since == 12 {
            out.push_str("\\allowbreak{}");
            since = 0;
        }
    }
}

fn sign(c: char, out: &mut String) {
    match c {
        '\\' => out.push_str("\\textbackslash{}"),
        '{' | '}' | '$' | '&' | '#' | '%' | '_' => {
            out.push('\\');
            out.push(c);
        }
        '~' => out.push_str("\\textasciitilde{}"),
        '^' => out.push_str("\\textasciicircum{}"),
        '<' => out.push_str("\\textless{}"),
        '>' => out.push_str("\\textgreater{}"),
        '|' => out.push_str("\\textbar{}"),
        '"' => out.push_str("\\textquotedbl{}"),
        '`' => out.push_str("\\textasciigrave{}"),
        '\'' => out.push_str("\\textquotesingle{}"),
        // Two or three of them would be drawn together to one dash.
        '-' => out.push_str("-{}"),
        '–' => out.push_str("\\textendash{}"),
        '—' => out.push_str("\\textemdash{}"),
        '…' => out.push_str("\\ldots{}"),
        '×' => out.push_str("\\ensuremath{\\times}"),
        '≥' => out.push_str("\\ensuremath{\\geq}"),
        '≤' => out.push_str("\\ensuremath{\\leq}"),
        '≈' => out.push_str("\\ensuremath{\\approx}"),
        '−' => out.push_str("\\ensuremath{-}"),
        '→' => out.push_str("\\ensuremath{\\rightarrow}"),
        'µ' | 'μ' => out.push_str("\\textmu{}"),
        '†' => out.push_str("\\textdagger{}"),
        '⚠' => out.push_str("\\kemwarn{}"),
        '“' => out.push_str("\\textquotedblleft{}"),
        '”' => out.push_str("\\textquotedblright{}"),
        '‘' => out.push_str("\\textquoteleft{}"),
        '’' => out.push_str("\\textquoteright{}"),
        '\u{a0}' | '\u{202f}' | '\u{2009}' => out.push('~'),
        '\n' | '\r' | '\t' => out.push(' '),
        // Latin letters with their marks are in every T1 font; § © ® ° ± · ¹ ² ³ in the companion fonts.
        c if c.is_ascii_graphic() || c == ' ' => out.push(c),
        c if ('\u{c0}'..='\u{17e}').contains(&c) && c != '÷' => out.push(c),
        '§' | '©' | '®' | '°' | '±' | '·' | '¹' | '²' | '³' => out.push(c),
        // Control signs would stop the compiler.
        c if c.is_control() => {}
        c => out.push_str(&format!("\\kemsign{{{:04X}}}{{{c}}}", u32::from(c))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_keeps_a_meaning() {
        assert_eq!(
            escape("50% of A_B & C#1 {x} ~ ^ \\ $"),
            "50\\% of A\\_B \\& C\\#1 \\{x\\} \\textasciitilde{} \\textasciicircum{} \\textbackslash{} \\$"
        );
        assert_eq!(
            escape("a -- b \u{7}≥ é 好"),
            "a -{}-{} b \\ensuremath{\\geq} é \\kemsign{597D}{好}"
        );
        assert_eq!(
            path("a_b/c"),
            "\\texttt{a\\_\\allowbreak{}b/\\allowbreak{}c}"
        );
    }
}
