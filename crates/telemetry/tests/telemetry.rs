//! What is told arrives: spans within spans at a collector, metrics there and at the page for Prometheus. One process
//! has one listener, so this is one test.

use std::collections::HashMap;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use axum::Router;
use axum::body::Bytes;
use axum::routing::post;
use opentelemetry_proto::tonic::collector::metrics::v1::ExportMetricsServiceRequest;
use opentelemetry_proto::tonic::collector::trace::v1::ExportTraceServiceRequest;
use opentelemetry_proto::tonic::trace::v1::Span;
use prost::Message as _;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::{TcpListener, TcpStream};
use umpire_telemetry::{Options, Telemetry};

#[derive(Clone, Default)]
struct Collector {
    spans: Arc<Mutex<Vec<Span>>>,
    metrics: Arc<Mutex<Vec<String>>>,
}

impl Collector {
    async fn start(&self) -> String {
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
        let address = listener.local_addr().expect("its address");
        let (traces, metrics) = (self.clone(), self.clone());
        let routes = Router::new()
            .route("/v1/traces", post(async move |body: Bytes| traces.take_spans(body)))
            .route("/v1/metrics", post(async move |body: Bytes| metrics.take_metrics(body)));
        tokio::spawn(async move { axum::serve(listener, routes).await });
        format!("http://{address}/")
    }

    fn take_spans(&self, body: Bytes) {
        let sent = ExportTraceServiceRequest::decode(body).expect("protobuf");
        let spans = sent.resource_spans.into_iter().flat_map(|one| one.scope_spans);
        self.spans.lock().expect("free").extend(spans.flat_map(|scope| scope.spans));
    }

    fn take_metrics(&self, body: Bytes) {
        let sent = ExportMetricsServiceRequest::decode(body).expect("protobuf");
        let scopes = sent.resource_metrics.into_iter().flat_map(|one| one.scope_metrics);
        self.metrics.lock().expect("free").extend(scopes.flat_map(|scope| scope.metrics).map(|one| one.name));
    }
}

fn do_something() {
    let attempt = tracing::info_span!(target: "umpire_runner", "attempt", attempt = "oracle/shop/1");
    attempt.in_scope(|| {
        tracing::info_span!(target: "umpire_runner", "step", step = 1).in_scope(|| {
            drop(tracing::debug_span!(target: "umpire_browser", "cdp", method = "Page.navigate").entered());
            drop(tracing::info_span!(target: "hyper", "not ours").entered());
        });
    });
    for (outcome, times) in [("pass", 3_u64), ("fail", 1)] {
        tracing::event!(target: "umpire::metrics", tracing::Level::INFO, {
            monotonic_counter.umpire_attempts = times,
            histogram.umpire_attempt_seconds = 1.5,
            outcome = outcome
        });
    }
}

async fn page(address: std::net::SocketAddr) -> String {
    let mut stream = TcpStream::connect(address).await.expect("connected");
    stream.write_all(b"GET /metrics HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n").await.expect("asked");
    let mut answer = String::new();
    stream.read_to_string(&mut answer).await.expect("answered");
    answer
}

#[tokio::test(flavor = "multi_thread")]
async fn spans_and_metrics_arrive() {
    assert!(Telemetry::begin(&Options::default()).await.expect("nothing to do").is_none());
    let bad = Options { log: Some("umpire=loudly".to_owned()), ..Options::default() };
    assert!(Telemetry::begin(&bad).await.expect_err("no level").to_string().contains("umpire=loudly"));

    let collector = Collector::default();
    let options = Options {
        otlp: Some(collector.start().await),
        every: Some(Duration::from_millis(200)),
        metrics: Some("127.0.0.1:0".parse().expect("an address")),
        ..Options::default()
    };
    let telemetry = Telemetry::begin(&options).await.expect("begun").expect("something is wanted");
    do_something();
    let shown = page(telemetry.metrics_address().expect("a page")).await;
    assert!(shown.starts_with("HTTP/1.1 200"), "{shown}");
    for line in [
        "outcome=\"pass\"",
        "# TYPE umpire_attempts_total counter",
        "# TYPE umpire_attempt_seconds histogram",
    ] {
        assert!(shown.contains(line), "no `{line}` in\n{shown}");
    }
    let passes =
        shown.lines().find(|line| line.starts_with("umpire_attempts_total") && line.contains("pass"));
    assert!(passes.is_some_and(|line| line.ends_with(" 3")), "{passes:?}");
    telemetry.end().await;

    let spans = collector.spans.lock().expect("free").clone();
    let by_name: HashMap<&str, &Span> = spans.iter().map(|span| (span.name.as_str(), span)).collect();
    assert_eq!(by_name.len(), 3, "ours and no others: {:?}", by_name.keys());
    assert_eq!(by_name["step"].parent_span_id, by_name["attempt"].span_id);
    assert_eq!(by_name["cdp"].parent_span_id, by_name["step"].span_id);
    assert_eq!(by_name["cdp"].trace_id, by_name["attempt"].trace_id);
    let metrics = collector.metrics.lock().expect("free").clone();
    assert!(metrics.iter().any(|name| name == "umpire_attempts"), "{metrics:?}");
}
