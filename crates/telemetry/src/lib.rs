//! What happens inside, told to those who watch: logs for a person or a log store, traces and metrics by OTLP, metrics
//! for Prometheus.
//!
//! The rooms say what they do by `tracing` alone: spans `run`, `attempt`, `step`, `cdp` and `model`, and events of the
//! target [`METRICS`] whose fields name a metric (`monotonic_counter.…`, `counter.…`, `histogram.…`, `gauge.…`). Where
//! nobody asked to be told, nothing is installed, and each of these costs one comparison.

mod client;
mod page;

use std::net::SocketAddr;
use std::time::Duration;

use opentelemetry::KeyValue;
use opentelemetry::trace::TracerProvider as _;
use opentelemetry_otlp::{
    MetricExporter, Protocol, SpanExporter, WithExportConfig as _, WithHttpConfig as _,
};
use opentelemetry_sdk::Resource;
use opentelemetry_sdk::metrics::{PeriodicReader, SdkMeterProvider};
use opentelemetry_sdk::trace::SdkTracerProvider;
use tracing::Metadata;
use tracing_opentelemetry::MetricsLayer;
use tracing_subscriber::filter::{EnvFilter, filter_fn};
use tracing_subscriber::layer::SubscriberExt as _;
use tracing_subscriber::util::SubscriberInitExt as _;
use tracing_subscriber::{Layer as _, Registry};

use client::Client;
use page::Page;

/// Target of events that are only there to be counted; no log shows them.
pub const METRICS: &str = "umpire::metrics";
/// How long what was not sent yet may take at the end.
const LAST_WORDS: Duration = Duration::from_secs(5);
const EXPORT_LIMIT: Duration = Duration::from_secs(10);

/// What is wanted.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// What is logged to standard error: a level, or directives such as `umpire_runner=debug,warn`.
    pub log: Option<String>,
    /// One JSON object a line instead of words.
    pub log_as_json: bool,
    /// Base address of a collector that speaks OTLP over HTTP.
    pub otlp: Option<String>,
    /// How often metrics are sent there.
    pub every: Option<Duration>,
    /// Where Prometheus may ask.
    pub metrics: Option<SocketAddr>,
}

#[derive(Debug, thiserror::Error)]
pub enum TelemetryError {
    #[error("`{filter}` says not what to log: {problem}")]
    Filter { filter: String, problem: String },
    #[error("traces cannot be sent to {endpoint}: {problem}")]
    Otlp { endpoint: String, problem: String },
    #[error("metrics cannot be shown at {address}: {problem}")]
    Metrics { address: SocketAddr, problem: String },
    #[error("something else in this process listens already: {0}")]
    Taken(String),
}

/// Tells until it is ended.
#[derive(Debug)]
pub struct Telemetry {
    tracer: Option<SdkTracerProvider>,
    meter: Option<SdkMeterProvider>,
    page: Option<Page>,
}

impl Telemetry {
    /// Begins to tell what is wanted; nothing, if nothing is. Once in a process, within its runtime.
    pub async fn begin(options: &Options) -> Result<Option<Self>, TelemetryError> {
        let Options { log, log_as_json, otlp, every, metrics } = options;
        if log.is_none() && otlp.is_none() && metrics.is_none() {
            return Ok(None);
        }
        let resource = Resource::builder()
            .with_service_name("umpire")
            .with_attribute(KeyValue::new("service.version", env!("CARGO_PKG_VERSION")))
            .with_attribute(KeyValue::new("process.pid", i64::from(std::process::id())))
            .build();
        let mut meters = SdkMeterProvider::builder().with_resource(resource.clone());
        let mut tracer = None;
        if let Some(endpoint) = otlp {
            let (spans, readings) = exporters(endpoint)?;
            let reader =
                PeriodicReader::builder(readings).with_interval(every.unwrap_or(EXPORT_LIMIT)).build();
            meters = meters.with_reader(reader);
            let provider = SdkTracerProvider::builder().with_resource(resource).with_batch_exporter(spans);
            tracer = Some(provider.build());
        }
        let mut page = None;
        if let Some(address) = metrics {
            let shown = Page::open(*address).await?;
            meters = meters.with_reader(shown.reader(*address)?);
            page = Some(shown);
        }
        let meter = (otlp.is_some() || metrics.is_some()).then(|| meters.build());
        let counting = meter.clone().map(|meter| MetricsLayer::new(meter).with_filter(filter_fn(is_metric)));
        let tracing = tracer.as_ref().map(|provider| {
            tracing_opentelemetry::layer()
                .with_tracer(provider.tracer("umpire"))
                .with_filter(filter_fn(|about| is_ours(about) && !is_metric(about)))
        });
        let logging = log.as_deref().map(|filter| logging(filter, *log_as_json)).transpose()?;
        Registry::default()
            .with(logging)
            .with(tracing)
            .with(counting)
            .try_init()
            .map_err(|error| TelemetryError::Taken(error.to_string()))?;
        Ok(Some(Self { tracer, meter, page }))
    }

    /// Where the metrics are shown.
    pub fn metrics_address(&self) -> Option<SocketAddr> {
        self.page.as_ref().map(Page::address)
    }

    /// Sends what was not sent yet, as far as somebody takes it in time.
    pub async fn end(self) {
        let Self { tracer, meter, page } = self;
        let sent = tokio::task::spawn_blocking(move || {
            if let Some(tracer) = tracer {
                // What cannot be delivered at the end has nobody to be told to.
                let _ = tracer.shutdown_with_timeout(LAST_WORDS);
            }
            if let Some(meter) = meter {
                let _ = meter.shutdown_with_timeout(LAST_WORDS);
            }
        });
        let _ = tokio::time::timeout(2 * LAST_WORDS, sent).await;
        if let Some(page) = page {
            page.close();
        }
    }
}

fn is_ours(about: &Metadata<'_>) -> bool {
    about.target().starts_with("umpire")
}

fn is_metric(about: &Metadata<'_>) -> bool {
    about.target() == METRICS
}

fn logging(
    filter: &str,
    as_json: bool,
) -> Result<Box<dyn tracing_subscriber::Layer<Registry> + Send + Sync>, TelemetryError> {
    let wrong = |problem: String| TelemetryError::Filter { filter: filter.to_owned(), problem };
    let wanted = EnvFilter::builder().parse(filter).map_err(|error| wrong(error.to_string()))?;
    let shown = tracing_subscriber::fmt::layer().with_writer(std::io::stderr);
    let is_shown = filter_fn(|about| !is_metric(about));
    Ok(if as_json {
        shown.json().flatten_event(true).with_filter(is_shown).with_filter(wanted).boxed()
    } else {
        shown.with_ansi(false).with_filter(is_shown).with_filter(wanted).boxed()
    })
}

fn exporters(endpoint: &str) -> Result<(SpanExporter, MetricExporter), TelemetryError> {
    let wrong = |problem: String| TelemetryError::Otlp { endpoint: endpoint.to_owned(), problem };
    let base = endpoint.trim_end_matches('/');
    let client = Client::new(EXPORT_LIMIT).map_err(&wrong)?;
    let spans = SpanExporter::builder()
        .with_http()
        .with_http_client(client.clone())
        .with_protocol(Protocol::HttpBinary)
        .with_endpoint(format!("{base}/v1/traces"))
        .with_timeout(EXPORT_LIMIT)
        .build()
        .map_err(|error| wrong(error.to_string()))?;
    let readings = MetricExporter::builder()
        .with_http()
        .with_http_client(client)
        .with_protocol(Protocol::HttpBinary)
        .with_endpoint(format!("{base}/v1/metrics"))
        .with_timeout(EXPORT_LIMIT)
        .build()
        .map_err(|error| wrong(error.to_string()))?;
    Ok((spans, readings))
}
