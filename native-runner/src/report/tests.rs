//! Foreign words in every format: none may become mark-up.

use super::document::{Column, Document, Fact, Kind, Table};
use super::{html, latex, markdown};
use proptest::prelude::*;

fn hostile(words: &str) -> Document {
    let mut document = Document {
        title: words.to_owned(),
        ..Document::default()
    };
    document.section(words);
    document.paragraph(words);
    document.warnings(vec![words.to_owned()]);
    document.facts(vec![Fact {
        href: Some(format!("javascript:{words}")),
        ..Fact::new(words, words)
    }]);
    let kinds = [
        Kind::Name,
        Kind::Text,
        Kind::Path,
        Kind::Figure,
        Kind::Bytes,
    ];
    document.table(Table {
        caption: words.to_owned(),
        columns: kinds.map(|kind| Column::new(words, kind)).to_vec(),
        rows: vec![vec![words.to_owned(); kinds.len()]],
    });
    document
}

#[test]
fn foreign_words_stay_words() {
    let text = html::write(&hostile("<script>alert('x')</script> & \"q\""));
    assert!(
        !text.contains("<script>") && !text.contains("href"),
        "{text}"
    );
    assert!(text.contains("&lt;script&gt;alert(&#39;x&#39;)&lt;/script&gt; &amp; &quot;q&quot;"));
    let text = latex::write(&hostile("\\input{/etc/passwd} $x$ % \u{1b}"));
    let body = text.split_once("\\begin{document}").unwrap().1;
    assert!(
        !body.contains("\\input")
            && !body.replace("\\$", "").contains('$')
            && !body.contains('\u{1b}')
    );
    let text = markdown::write(&hostile("a | b [x](y) `c` <b>"));
    let row = text.lines().find(|line| line.starts_with("| a")).unwrap();
    let bars = row.replace("\\|", "").matches('|').count();
    assert_eq!(bars, 6, "{row}");
    assert!(!text.replace("\\<", "").contains('<'), "{text}");
}

proptest! {
    #[test]
    fn no_text_opens_or_ends_an_element(words in "[ -~µ≥\\n]{0,40}") {
        let plain = html::write(&hostile("x"));
        let text = html::write(&hostile(&words));
        // Names are code only where there is a name.
        let tags = |text: &str| text.replace("<code>", "").replace("</code>", "").matches('<').count();
        let empty = usize::from(words.is_empty());
        prop_assert!(tags(&text) == tags(&plain) || empty == 1);
    }

    #[test]
    fn braces_of_latex_match(words in "\\PC{0,40}") {
        let text = latex::write(&hostile(&words));
        let mut depth = 0i64;
        let mut before = ' ';
        for c in text.chars() {
            match c {
                '{' if before != '\\' => depth += 1,
                '}' if before != '\\' => depth -= 1,
                _ => {}
            }
            prop_assert!(depth >= 0);
            before = if before == '\\' && c == '\\' { ' ' } else { c };
        }
        prop_assert_eq!(depth, 0);
    }
}
