//! The page that trunk leaves behind, made fit for the policy of the site.

use crate::digest;
use anyhow::{Context, Result, bail};
use std::fs;
use std::path::Path;

/// Finishes `index.html` of a fresh build: no inline script, the name of the chart bundle.
///
/// # Errors
/// When the page cannot be read or written, or has an inline script of another kind.
pub(super) fn finish(out: &Path, charts: &str) -> Result<()> {
    let path = out.join("index.html");
    let html = fs::read_to_string(&path).context("trunk left no index.html")?;
    let (html, script) = take_inline_module(&html)?;
    let hash = digest::of_bytes(script.as_bytes());
    let name = format!("start-{}.js", hash.get(..16).unwrap_or(&hash));
    let html = html.replacen(PLACE, &name, 1);
    let meta = format!("<meta name=\"kemscope-charts\" content=\"{charts}\" />\n  </head>");
    let html = html.replacen("</head>", &meta, 1);
    fs::write(out.join(&name), script).with_context(|| format!("cannot write {name}"))?;
    fs::write(&path, html).context("cannot write index.html")
}

/// Stands for the script's name until its content is known.
const PLACE: &str = "start-script-name";

/// Takes the one inline module script out of a page: the page that refers to a file instead, and the script.
fn take_inline_module(html: &str) -> Result<(String, String)> {
    let mut rest = html;
    let mut page = String::with_capacity(html.len());
    let mut script = None;
    while let Some(at) = rest.find("<script") {
        let (before, tag_on) = rest.split_at(at);
        let (Some(open), Some(close)) = (tag_on.find('>'), tag_on.find("</script>")) else {
            bail!("index.html: a script element does not end");
        };
        let (tag, body, after) = (&tag_on[..=open], &tag_on[open + 1..close], &tag_on[close..]);
        page.push_str(before);
        if body.trim().is_empty() {
            page.push_str(tag);
        } else if tag.contains("type=\"module\"") && script.is_none() {
            page.push_str(&format!("<script type=\"module\" src=\"{PLACE}\">"));
            script = Some(body.trim().to_owned() + "\n");
        } else {
            bail!("index.html: an inline script that the policy of the page forbids: {tag}");
        }
        page.push_str("</script>");
        rest = &after["</script>".len()..];
    }
    page.push_str(rest);
    Ok((
        page,
        script.context("index.html: trunk's start script is missing")?,
    ))
}

/// The page of a route that lies `depth` folders below the first page: the same, with a base that leads back.
///
/// # Errors
/// When the page has no `<base href="./" />`.
pub(super) fn at_depth(html: &str, depth: usize) -> Result<String> {
    let base = [
        "<base href=\"./\" />",
        "<base href=\"./\"/>",
        "<base href=\"./\">",
    ]
    .into_iter()
    .find(|base| html.contains(base))
    .context("index.html: no <base href=\"./\" />")?;
    Ok(html.replacen(
        base,
        &format!("<base href=\"{}\" />", "../".repeat(depth)),
        1,
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    const PAGE: &str = "<head><base href=\"./\" /><script src=\"boot.js\"></script>\n<script type=\"module\">\nimport init \
                        from './app.js';\n</script></head><body></body>";

    #[test]
    fn the_start_script_leaves_the_page() {
        let (page, script) = take_inline_module(PAGE).unwrap();
        assert_eq!(script, "import init from './app.js';\n");
        assert!(
            page.contains("<script type=\"module\" src=\"start-script-name\"></script></head>"),
            "{page}"
        );
        assert!(page.contains("<script src=\"boot.js\"></script>"));
    }

    #[test]
    fn other_inline_scripts_are_refused() {
        assert!(take_inline_module("<script>alert(1)</script>").is_err());
        assert!(
            take_inline_module(&format!("{PAGE}<script type=\"module\">more()</script>")).is_err()
        );
        assert!(take_inline_module("<p>no script</p>").is_err());
    }

    #[test]
    fn deeper_pages_lead_back() {
        assert!(
            at_depth(PAGE, 2)
                .unwrap()
                .contains("<base href=\"../../\" />")
        );
        assert!(at_depth("<head></head>", 1).is_err());
    }
}
