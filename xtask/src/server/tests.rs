//! The server, asked over a real connection.

use super::{Fault, Server, Site};
use std::fs;
use std::io::{Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::path::Path;

const ANY: SocketAddr = SocketAddr::new(std::net::IpAddr::V4(std::net::Ipv4Addr::LOCALHOST), 0);

fn site(root: &Path) -> Site {
    fs::create_dir_all(root.join("family/kem-14")).unwrap();
    fs::create_dir_all(root.join("data")).unwrap();
    fs::write(root.join("index.html"), "<p>first</p>").unwrap();
    fs::write(root.join("404.html"), "<p>nothing here</p>").unwrap();
    fs::write(root.join("family/kem-14/index.html"), "<p>DTRU</p>").unwrap();
    fs::write(root.join("app.wasm"), "plain").unwrap();
    fs::write(root.join("app.wasm.br"), "small").unwrap();
    fs::write(root.join("data/index.json"), "{}").unwrap();
    fs::write(root.join(".hidden"), "hidden").unwrap();
    Site::new(root)
}

/// Sends a request as it stands and returns the whole answer, header names in lower case.
async fn ask(server: &Server, request: &str) -> String {
    let address = server.address;
    let request = format!("{request}\r\nHost: test\r\nConnection: close\r\n\r\n");
    tokio::task::spawn_blocking(move || {
        let mut stream = TcpStream::connect(address).unwrap();
        stream.write_all(request.as_bytes()).unwrap();
        let mut answer = String::new();
        stream.read_to_string(&mut answer).unwrap();
        answer
    })
    .await
    .unwrap()
}

#[tokio::test]
async fn files_pages_and_headers() {
    let dir = tempfile::tempdir().unwrap();
    let server = Server::start(ANY, site(dir.path())).await.unwrap();
    let first = ask(&server, "GET / HTTP/1.1").await;
    assert!(
        first.starts_with("HTTP/1.1 200") && first.ends_with("<p>first</p>"),
        "{first}"
    );
    for field in [
        "content-security-policy: default-src 'none'",
        "frame-ancestors 'self'",
        "nosniff",
        "etag: \"",
        "text/html",
    ] {
        assert!(first.contains(field), "{field} in {first}");
    }
    assert!(
        ask(&server, "GET /family/kem-14/?sys=x HTTP/1.1")
            .await
            .ends_with("<p>DTRU</p>")
    );
    let moved = ask(&server, "GET /family/kem-14?sys=x HTTP/1.1").await;
    assert!(
        moved.starts_with("HTTP/1.1 301") && moved.contains("location: /family/kem-14/?sys=x"),
        "{moved}"
    );
    let missing = ask(&server, "GET /nothing HTTP/1.1").await;
    assert!(
        missing.starts_with("HTTP/1.1 404") && missing.ends_with("<p>nothing here</p>"),
        "{missing}"
    );
    assert!(
        ask(&server, "POST / HTTP/1.1")
            .await
            .starts_with("HTTP/1.1 405")
    );
    let head = ask(&server, "HEAD / HTTP/1.1").await;
    assert!(
        head.contains("content-length: 12") && !head.contains("first"),
        "{head}"
    );
}

#[tokio::test]
async fn brotli_and_tags() {
    let dir = tempfile::tempdir().unwrap();
    let server = Server::start(ANY, site(dir.path())).await.unwrap();
    let small = ask(
        &server,
        "GET /app.wasm HTTP/1.1\r\nAccept-Encoding: gzip, br",
    )
    .await;
    assert!(
        small.contains("content-encoding: br")
            && small.contains("application/wasm")
            && small.ends_with("small"),
        "{small}"
    );
    let plain = ask(&server, "GET /app.wasm HTTP/1.1\r\nAccept-Encoding: br;q=0").await;
    assert!(
        !plain.contains("content-encoding") && plain.ends_with("plain"),
        "{plain}"
    );
    let tag = plain
        .lines()
        .find_map(|line| line.strip_prefix("etag: "))
        .unwrap();
    let same = ask(
        &server,
        &format!("GET /app.wasm HTTP/1.1\r\nIf-None-Match: \"other\", {tag}"),
    )
    .await;
    assert!(
        same.starts_with("HTTP/1.1 304") && !same.contains("plain"),
        "{same}"
    );
}

#[tokio::test]
async fn nothing_outside_the_folder() {
    let dir = tempfile::tempdir().unwrap();
    fs::write(dir.path().join("secret"), "secret").unwrap();
    let root = dir.path().join("site");
    let site = site(&root);
    std::os::unix::fs::symlink(dir.path().join("secret"), root.join("link")).unwrap();
    let server = Server::start(ANY, site).await.unwrap();
    for path in [
        "/../secret",
        "/%2e%2e/secret",
        "/..%2fsecret",
        "/data/..%2f..%2fsecret",
        "/link",
        "/.hidden",
        "//secret",
        "/%00",
        "/%ff",
        "/..%5csecret",
        "/data/%2e%2e/%2e%2e/secret",
    ] {
        let answer = ask(&server, &format!("GET {path} HTTP/1.1")).await;
        assert!(answer.starts_with("HTTP/1.1 404"), "{path}: {answer}");
    }
    let moved = ask(&server, "GET //data HTTP/1.1").await;
    assert!(!moved.contains("location: //"), "{moved}");
}

#[tokio::test]
async fn below_a_base() {
    let dir = tempfile::tempdir().unwrap();
    let server = Server::start(ANY, site(dir.path()).under("some/path"))
        .await
        .unwrap();
    assert!(server.url().ends_with("/some/path/"));
    assert!(
        ask(&server, "GET /some/path/data/index.json HTTP/1.1")
            .await
            .ends_with("{}")
    );
    assert!(
        ask(&server, "GET /some/path HTTP/1.1")
            .await
            .contains("location: /some/path/")
    );
    assert!(
        ask(&server, "GET /data/index.json HTTP/1.1")
            .await
            .starts_with("HTTP/1.1 404")
    );
}

#[tokio::test]
async fn faults_come_and_go() {
    let dir = tempfile::tempdir().unwrap();
    let site = site(dir.path());
    let faults = site.faults.clone();
    let server = Server::start(ANY, site).await.unwrap();
    let get = "GET /data/index.json HTTP/1.1";
    faults.set("data/index.json", Fault::body("{broken"));
    assert!(ask(&server, get).await.ends_with("{broken"));
    faults.set("data/index.json", Fault::status(503));
    assert!(ask(&server, get).await.starts_with("HTTP/1.1 503"));
    let (held, gate) = Fault::held();
    faults.set("data/index.json", held);
    let mut waiting = Box::pin(ask(&server, get));
    // Polled once, the request is on its way; it must not be answered before the gate opens.
    tokio::select! {
        biased;
        answer = &mut waiting => panic!("answered before the gate opened: {answer}"),
        _ = ask(&server, "GET / HTTP/1.1") => {}
    }
    gate.open();
    assert!(waiting.await.ends_with("{}"));
    faults.clear("data/index.json");
    assert!(ask(&server, get).await.ends_with("{}"));
}
