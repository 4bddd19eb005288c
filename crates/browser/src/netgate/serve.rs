//! The proxy's front: reads a request, decides, and answers.

use std::net::IpAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use bytes::Bytes;
use http::{Method, Request, Response, StatusCode, header};
use http_body_util::combinators::BoxBody;
use http_body_util::{BodyExt as _, Full, Limited};
use hyper::body::Incoming;
use hyper::service::service_fn;
use hyper_util::rt::{TokioIo, TokioTimer};
use tokio::net::{TcpListener, TcpStream};
use tokio::task::JoinSet;
use url::Url;

use super::forward::{self, ForwardError};
use super::{ConnectionDropped, HANDLER_LIMIT, Handler, HeldBack, Inside, REQUEST_LIMIT};
use crate::hosts::Place;

pub(super) type Body = BoxBody<Bytes, Box<dyn std::error::Error + Send + Sync>>;

/// Why a connection is closed without an answer.
#[derive(Debug, thiserror::Error)]
enum Unanswered {
    #[error(transparent)]
    Forward(#[from] ForwardError),
    #[error("the site drops the connection")]
    Dropped,
}

/// Takes connections until aborted; they end with it.
pub(super) async fn accept(listener: TcpListener, inside: Arc<Inside>) {
    let mut connections = JoinSet::new();
    loop {
        tokio::select! {
            accepted = listener.accept() => match accepted {
                Ok((stream, peer)) => {
                    let peer = peer.ip().to_canonical();
                    drop(connections.spawn(serve(stream, peer, Arc::clone(&inside))));
                }
                // Out of file descriptors: the next one may fare better when some connection ended.
                Err(_) => tokio::task::yield_now().await,
            },
            Some(_) = connections.join_next() => {}
        }
    }
}

async fn serve(stream: TcpStream, peer: IpAddr, inside: Arc<Inside>) {
    let _ = stream.set_nodelay(true);
    let served = AtomicBool::new(false);
    let service = service_fn(move |request| {
        let inside = Arc::clone(&inside);
        let is_reused = served.swap(true, Ordering::Relaxed);
        async move {
            match turn_away(&request, peer, &inside) {
                Some(response) => Ok(response),
                None => answer(request, &inside, is_reused).await,
            }
        }
    });
    let connection = hyper::server::conn::http1::Builder::new()
        .timer(TokioTimer::new())
        .preserve_header_case(true)
        .serve_connection(TokioIo::new(stream), service)
        .with_upgrades();
    let _ = connection.await;
}

/// The answer to whoever is not the gate's own browser, and to that browser when it proves that it is.
fn turn_away(request: &Request<Incoming>, peer: IpAddr, inside: &Inside) -> Option<Response<Body>> {
    let proof = inside.proof.as_ref()?;
    let host = place_of(request).map(|place| place.host);
    if host.is_some_and(|host| proof.is_given_by(&host, peer)) {
        return Some(plain(StatusCode::OK, "This is Umpire's network gate."));
    }
    if proof.admits(peer) {
        return None;
    }
    let asked = format!("{} {}", request.method(), request.uri());
    inside.note(asked, "refused", format!("it came from {peer}, which is not the browser"), true);
    Some(plain(StatusCode::FORBIDDEN, "Umpire's network gate answers its browser only."))
}

/// `Err` closes the connection, which the browser reports as the network error it would have seen without us.
async fn answer(
    request: Request<Incoming>,
    inside: &Arc<Inside>,
    is_reused: bool,
) -> Result<Response<Body>, Unanswered> {
    let asked = format!("{} {}", request.method(), request.uri());
    let Some(place) = place_of(&request) else {
        // Not a proxy request: somebody found the port and speaks to it as to a website.
        inside.note(asked, "refused", "a request to the network gate itself".to_owned(), true);
        return Ok(plain(StatusCode::FORBIDDEN, "Umpire's network gate answers the browser only."));
    };
    let Some(attempt) = inside.attempt() else {
        return Ok(plain(StatusCode::FORBIDDEN, "No attempt is using this browser."));
    };
    if request.method() == Method::CONNECT {
        return Ok(match attempt.policy.pattern(&place) {
            Some(pattern) => tunnel(request, &place, pattern.clone(), inside, asked).await,
            None => refuse(inside, asked, &place),
        });
    }
    if let Some(sentry) = &attempt.policy.sentry
        && attempt.policy.allows(&place)
        && let Some(reason) = sentry.hold_back(request.method().as_str(), &request.uri().to_string()).await
    {
        return Ok(plain(StatusCode::FORBIDDEN, &reason));
    }
    if let Some(handler) = attempt.policy.handler(&place) {
        let handler = Arc::clone(handler);
        let response = if inside.is_dropped_again(&asked) {
            None
        } else {
            Some(ask_site(request, handler, inside, asked.clone()).await)
        };
        let response = response.filter(|response| response.extensions().get::<ConnectionDropped>().is_none());
        if response.is_none() {
            inside.drop_again(&asked, is_reused);
        }
        return response.ok_or(Unanswered::Dropped);
    }
    match attempt.policy.pattern(&place) {
        Some(pattern) => forward::request(request, &place, pattern)
            .await
            .inspect_err(|error| inside.note(asked, "noted", error.to_string(), false))
            .map_err(Unanswered::from),
        None => Ok(refuse(inside, asked, &place)),
    }
}

fn place_of(request: &Request<Incoming>) -> Option<Place> {
    if request.method() == Method::CONNECT {
        let authority = request.uri().authority()?;
        let host = authority.host().trim_end_matches('.').to_ascii_lowercase();
        return Some(Place { host, port: authority.port_u16()? });
    }
    request.uri().scheme()?;
    Place::of(&Url::parse(&request.uri().to_string()).ok()?)
}

async fn ask_site(
    request: Request<Incoming>,
    handler: Handler,
    inside: &Inside,
    asked: String,
) -> Response<Body> {
    let (parts, body) = request.into_parts();
    let Ok(body) = Limited::new(body, REQUEST_LIMIT).collect().await else {
        inside.note(asked, "refused", "the request's body is too large or broke off".to_owned(), false);
        return plain(StatusCode::PAYLOAD_TOO_LARGE, "The request's body is too large.");
    };
    let request = Request::from_parts(parts, body.to_bytes());
    let answering = tokio::task::spawn_blocking(move || handler(request));
    match tokio::time::timeout(HANDLER_LIMIT, answering).await {
        Ok(Ok(response)) => {
            if let Some(HeldBack(delay)) = response.extensions().get() {
                tokio::time::sleep((*delay).min(HANDLER_LIMIT)).await;
            }
            response.map(full)
        }
        Ok(Err(_)) => {
            inside.note(asked, "noted", "the site's own code panicked".to_owned(), false);
            plain(StatusCode::INTERNAL_SERVER_ERROR, "The site broke down.")
        }
        Err(_) => {
            inside.note(asked, "noted", "the site did not answer in time".to_owned(), false);
            plain(StatusCode::GATEWAY_TIMEOUT, "The site did not answer in time.")
        }
    }
}

async fn tunnel(
    request: Request<Incoming>,
    place: &Place,
    pattern: crate::hosts::HostPattern,
    inside: &Inside,
    asked: String,
) -> Response<Body> {
    match forward::connect(place, &pattern).await {
        Ok(stream) => {
            tokio::spawn(forward::tunnel(hyper::upgrade::on(request), stream));
            Response::new(full(Bytes::new()))
        }
        Err(error) => {
            inside.note(asked, "noted", error.to_string(), false);
            plain(StatusCode::BAD_GATEWAY, &error.to_string())
        }
    }
}

fn refuse(inside: &Inside, asked: String, place: &Place) -> Response<Body> {
    let reason = format!("{place} is outside the attempt's hosts");
    // Pages ask for foreign hosts all the time; only this machine's own ports hold something worth stealing.
    inside.note(asked, "refused", reason, place.is_private());
    plain(StatusCode::FORBIDDEN, "This host is outside the attempt's network.")
}

fn plain(status: StatusCode, text: &str) -> Response<Body> {
    let mut response = Response::new(full(Bytes::from(text.to_owned())));
    *response.status_mut() = status;
    let plain = header::HeaderValue::from_static("text/plain; charset=utf-8");
    response.headers_mut().insert(header::CONTENT_TYPE, plain);
    response
}

pub(super) fn full(bytes: Bytes) -> Body {
    Full::new(bytes).map_err(|never| match never {}).boxed()
}
