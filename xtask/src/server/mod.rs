//! A static file server for `dist/`: what any static host does, with the headers that one should set.

mod faults;
mod files;
mod headers;
#[cfg(test)]
mod tests;

pub use faults::{Fault, Faults, Gate};
pub use headers::POLICY;

use axum::Router;
use axum::extract::{Request, State};
use axum::http::request::Parts;
use axum::http::{HeaderMap, Method, StatusCode, header};
use axum::response::{IntoResponse, Response};
use files::Found;
use std::io;
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use tokio::net::TcpListener;
use tokio::sync::oneshot;

/// What is served, and where.
#[derive(Clone, Debug)]
pub struct Site {
    /// The folder.
    pub root: PathBuf,
    /// Path below which it is served, with a slash at both ends: `/` or `/some/path/`.
    pub base: String,
    /// Faults that tests inject; none otherwise.
    pub faults: Faults,
}

impl Site {
    /// A folder served below `/`.
    pub fn new(root: &Path) -> Site {
        Site {
            root: root.to_owned(),
            base: "/".to_owned(),
            faults: Faults::default(),
        }
    }

    /// The same below another path; slashes at its ends are supplied.
    #[must_use]
    pub fn under(mut self, base: &str) -> Site {
        let inner = base.trim_matches('/');
        self.base = if inner.is_empty() {
            "/".to_owned()
        } else {
            format!("/{inner}/")
        };
        self
    }
}

/// A server that runs until it is dropped.
#[derive(Debug)]
pub struct Server {
    address: SocketAddr,
    base: String,
    stop: Option<oneshot::Sender<()>>,
}

impl Server {
    /// Binds an address (port 0: any free one) and serves from then on.
    ///
    /// # Errors
    /// When the address cannot be bound, or the folder does not exist.
    pub async fn start(address: SocketAddr, site: Site) -> io::Result<Server> {
        let root = site.root.canonicalize()?;
        let base = site.base.clone();
        let listener = TcpListener::bind(address).await?;
        let address = listener.local_addr()?;
        let app = Router::new()
            .fallback(answer)
            .with_state(Arc::new(Site { root, ..site }));
        let (stop, stopped) = oneshot::channel::<()>();
        // Requests that wait at a gate are cut off with the runtime; nobody waits for them.
        tokio::spawn(async move {
            let serve = axum::serve(listener, app);
            tokio::select! {
                outcome = serve.into_future() => if let Err(error) = outcome {
                    eprintln!("error: the server stopped: {error}");
                },
                _ = stopped => {}
            }
        });
        Ok(Server {
            address,
            base,
            stop: Some(stop),
        })
    }

    /// Address of the first page.
    pub fn url(&self) -> String {
        format!("http://{}{}", self.address, self.base)
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        if let Some(stop) = self.stop.take() {
            // A server that has already stopped does not listen any more.
            let _ = stop.send(());
        }
    }
}

async fn answer(State(site): State<Arc<Site>>, request: Request) -> Response {
    // The body of a request is of no interest, and keeps the request from being shared between threads.
    let (request, _) = request.into_parts();
    let mut response = respond(&site, &request).await;
    headers::add(response.headers_mut());
    response
}

async fn respond(site: &Site, request: &Parts) -> Response {
    if !matches!(request.method, Method::GET | Method::HEAD) {
        return (
            StatusCode::METHOD_NOT_ALLOWED,
            [(header::ALLOW, "GET, HEAD")],
        )
            .into_response();
    }
    let path = request.uri.path();
    let Some(below) = path.strip_prefix(site.base.as_str()) else {
        return if format!("{path}/") == site.base {
            redirect(request)
        } else {
            not_found(site).await
        };
    };
    if let Some(fault) = site.faults.get(below) {
        fault.pass().await;
        if let Some((status, body)) = fault.answer() {
            return (
                status,
                [(header::CONTENT_TYPE, files::mime(Path::new(below)))],
                body,
            )
                .into_response();
        }
    }
    match files::find(&site.root, below) {
        Some(Found::File(file)) => send(&file, &request.headers).await,
        Some(Found::Folder) => redirect(request),
        None => not_found(site).await,
    }
}

/// To the same address with a slash at its end.
fn redirect(request: &Parts) -> Response {
    let query = request
        .uri
        .query()
        .map(|query| format!("?{query}"))
        .unwrap_or_default();
    // Two slashes in front would name another host.
    let path = request.uri.path().trim_start_matches('/');
    let place = format!("/{path}/{query}");
    (StatusCode::MOVED_PERMANENTLY, [(header::LOCATION, place)]).into_response()
}

async fn not_found(site: &Site) -> Response {
    let page = tokio::fs::read_to_string(site.root.join("404.html")).await;
    let page = page.unwrap_or_else(|_| "There is no such page.\n".to_owned());
    (
        StatusCode::NOT_FOUND,
        [(header::CONTENT_TYPE, "text/html; charset=utf-8")],
        page,
    )
        .into_response()
}

/// Sends a file, in brotli form where the client takes it and it is there.
async fn send(file: &Path, wishes: &HeaderMap) -> Response {
    let mut small = file.as_os_str().to_owned();
    small.push(".br");
    let small = if headers::accepts_brotli(wishes) {
        tokio::fs::read(PathBuf::from(small)).await.ok()
    } else {
        None
    };
    let encoded = small.is_some();
    let content = match small {
        Some(content) => content,
        None => match tokio::fs::read(file).await {
            Ok(content) => content,
            Err(error) => {
                eprintln!("error: {}: {error}", file.display());
                return StatusCode::INTERNAL_SERVER_ERROR.into_response();
            }
        },
    };
    let tag = headers::tag(&content);
    let mut response = if headers::has_tag(wishes, &tag) {
        StatusCode::NOT_MODIFIED.into_response()
    } else {
        ([(header::CONTENT_TYPE, files::mime(file))], content).into_response()
    };
    headers::describe(response.headers_mut(), &tag, encoded);
    response
}
