//! Where the dashboard lives: base path and addresses of pages and data files.

/// The base path of a document: its base URI without scheme, host, query and last segment, with a
/// slash at both ends. `https://host/sub/index.html` → `/sub/`.
pub fn base_path(base_uri: &str) -> &str {
    let rest = base_uri
        .find("://")
        .map_or(base_uri, |at| &base_uri[at + 3..]);
    let path = rest.find('/').map_or("/", |at| &rest[at..]);
    let path = &path[..path.find(['?', '#']).unwrap_or(path.len())];
    &path[..path.rfind('/').map_or(0, |at| at + 1)]
}

/// The route of a path below the base, without slashes at its ends: `""`, `families`, `family/kem-14`.
/// `None` where the path is not below the base. A trailing `index.html` is the folder itself.
pub fn route<'a>(base: &str, path: &'a str) -> Option<&'a str> {
    let below = path
        .strip_prefix(base)
        // `/sub` is the folder `/sub/` as well.
        .or_else(|| (path.len() + 1 == base.len() && base.starts_with(path)).then_some(""))?;
    let folder = below.strip_suffix("index.html").unwrap_or(below);
    Some(folder.trim_matches('/'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bases() {
        assert_eq!(base_path("http://127.0.0.1:8080/"), "/");
        assert_eq!(
            base_path("https://host/sub/deep/index.html?x=/1#a/b"),
            "/sub/deep/"
        );
        assert_eq!(base_path("https://host"), "/");
    }

    #[test]
    fn routes_below_a_base() {
        assert_eq!(route("/", "/"), Some(""));
        assert_eq!(route("/sub/", "/sub"), Some(""));
        assert_eq!(route("/sub/", "/sub/family/kem-14/"), Some("family/kem-14"));
        assert_eq!(route("/sub/", "/sub/families/index.html"), Some("families"));
        assert_eq!(route("/sub/", "/other/"), None);
    }
}
