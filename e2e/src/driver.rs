//! ChromeDriver as a child process.

use anyhow::{Context, Result, bail};
use std::io::{Read, Write};
use std::net::{Ipv4Addr, SocketAddr, TcpStream};
use std::path::Path;
use std::process::Stdio;
use std::time::Duration;
use tokio::io::{AsyncBufReadExt, BufReader};
use tokio::process::{Child, Command};

/// A ChromeDriver of our own on a free port, ended with all its browsers when dropped.
#[derive(Debug)]
pub struct Driver {
    child: Child,
    port: u16,
}

impl Driver {
    /// Starts ChromeDriver and waits until it listens.
    ///
    /// # Errors
    /// When it cannot be started or ends at once.
    pub async fn start(program: &Path) -> Result<Driver> {
        let mut child = Command::new(program)
            .arg("--port=0")
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .kill_on_drop(true)
            .spawn()
            .with_context(|| format!("{} cannot be started", program.display()))?;
        let stdout = child.stdout.take().context("ChromeDriver has no output")?;
        let mut lines = BufReader::new(stdout).lines();
        while let Some(line) = lines.next_line().await? {
            if let Some(port) = port(&line) {
                // Read to its end, so that the driver never blocks on a full pipe.
                tokio::spawn(async move { while let Ok(Some(_)) = lines.next_line().await {} });
                return Ok(Driver { child, port });
            }
        }
        bail!("{} ended before it listened", program.display())
    }

    /// Address for WebDriver clients.
    pub fn url(&self) -> String {
        format!("http://127.0.0.1:{}", self.port)
    }

    /// Asks it to end all browsers and itself.
    fn shut_down(&self) -> std::io::Result<()> {
        let address = SocketAddr::from((Ipv4Addr::LOCALHOST, self.port));
        let patience = Duration::from_secs(5);
        let mut stream = TcpStream::connect_timeout(&address, patience)?;
        stream.set_read_timeout(Some(patience))?;
        stream
            .write_all(b"GET /shutdown HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n")?;
        stream.read_to_end(&mut Vec::new()).map(drop)
    }
}

impl Drop for Driver {
    fn drop(&mut self) {
        // Killed alone it would leave its browsers behind. What goes wrong here, the kill that follows mends.
        let _ = self.shut_down();
        let _ = self.child.start_kill();
    }
}

/// The port in `ChromeDriver was started successfully on port 41234.`
fn port(line: &str) -> Option<u16> {
    line.strip_prefix("ChromeDriver was started successfully on port ")?
        .trim_end_matches('.')
        .parse()
        .ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_port_is_read() {
        assert_eq!(
            port("ChromeDriver was started successfully on port 41234."),
            Some(41234)
        );
        assert_eq!(port("Starting ChromeDriver 140.0 on port 0"), None);
    }
}
