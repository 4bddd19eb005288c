//! The metrics as Prometheus asks for them: `/metrics`, in its text format.

use std::net::SocketAddr;
use std::sync::Arc;

use axum::Router;
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use opentelemetry_prometheus::PrometheusExporter;
use prometheus::{Registry, TextEncoder};
use tokio::net::TcpListener;
use tokio::task::JoinHandle;

use crate::TelemetryError;

#[derive(Debug)]
pub(crate) struct Page {
    address: SocketAddr,
    registry: Arc<Registry>,
    serving: JoinHandle<()>,
}

impl Page {
    pub(crate) async fn open(address: SocketAddr) -> Result<Self, TelemetryError> {
        let failed = |error: std::io::Error| TelemetryError::Metrics { address, problem: error.to_string() };
        let listener = TcpListener::bind(address).await.map_err(failed)?;
        let address = listener.local_addr().map_err(failed)?;
        let registry = Arc::new(Registry::new());
        let asked = Arc::clone(&registry);
        let routes = Router::new().route("/metrics", get(async move || shown(&asked)));
        let serving = tokio::spawn(async move {
            // Ends with the process; nobody waits for it.
            let _ = axum::serve(listener, routes).await;
        });
        Ok(Self { address, registry, serving })
    }

    pub(crate) fn address(&self) -> SocketAddr {
        self.address
    }

    pub(crate) fn reader(&self, address: SocketAddr) -> Result<PrometheusExporter, TelemetryError> {
        opentelemetry_prometheus::exporter()
            .with_registry(self.registry.as_ref().clone())
            .build()
            .map_err(|error| TelemetryError::Metrics { address, problem: error.to_string() })
    }

    pub(crate) fn close(self) {
        self.serving.abort();
    }
}

fn shown(registry: &Registry) -> Response {
    match TextEncoder::new().encode_to_string(&registry.gather()) {
        Ok(text) => {
            ([(header::CONTENT_TYPE, "text/plain; version=0.0.4; charset=utf-8")], text).into_response()
        }
        Err(error) => (StatusCode::INTERNAL_SERVER_ERROR, error.to_string()).into_response(),
    }
}
