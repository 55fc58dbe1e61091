//! `cargo xtask serve`: the built dashboard at an address of this machine.

use crate::process;
use crate::server::{Server, Site};
use anyhow::{Context, Result, anyhow, bail};
use std::io::ErrorKind;
use std::net::{IpAddr, Ipv4Addr, SocketAddr, TcpListener};
use std::path::Path;
use std::process::Command;

/// Serves a folder until Ctrl-C.
///
/// # Errors
/// When there is no dashboard in the folder or the port is taken.
pub fn run(dist: &Path, base: &str, port: u16, open: bool) -> Result<()> {
    if !dist.join("index.html").is_file() {
        bail!(
            "there is no dashboard in {}: build it with `cargo xtask build`",
            dist.display()
        );
    }
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(2)
        .enable_all()
        .build()?;
    runtime.block_on(async {
        let address = SocketAddr::new(IpAddr::V4(Ipv4Addr::LOCALHOST), port);
        let server = match Server::start(address, Site::new(dist).under(base)).await {
            Ok(server) => server,
            Err(error) if error.kind() == ErrorKind::AddrInUse => {
                return Err(taken(port));
            }
            Err(error) => {
                return Err(error).with_context(|| format!("cannot serve on port {port}"));
            }
        };
        println!("The dashboard is at {} (Ctrl-C ends it)", server.url());
        if open {
            open_browser(&server.url());
        }
        tokio::signal::ctrl_c()
            .await
            .context("cannot wait for Ctrl-C")
    })
}

/// Refuses a port on which another program listens.
///
/// # Errors
/// When it is taken.
pub fn refuse_taken(port: u16) -> Result<()> {
    match TcpListener::bind((Ipv4Addr::LOCALHOST, port)) {
        Err(error) if error.kind() == ErrorKind::AddrInUse => Err(taken(port)),
        _ => Ok(()),
    }
}

fn taken(port: u16) -> anyhow::Error {
    anyhow!(
        "port {port} is taken by another program: choose one with `--port`, for example `--port {}`",
        other(port)
    )
}

fn other(port: u16) -> u16 {
    if port < u16::MAX { port + 1 } else { 8080 }
}

/// Opens the user's browser; says so where there is none.
fn open_browser(url: &str) {
    let opener = if cfg!(target_os = "macos") {
        "open"
    } else {
        "xdg-open"
    };
    if process::output(Command::new(opener).arg(url)).is_err() {
        println!("No browser could be opened (`{opener}` did not work): open the address by hand.");
    }
}
