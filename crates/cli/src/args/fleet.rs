//! One run on many machines: where the fleet's servers are, and what a worker brings.

use std::time::Duration;

use clap::Args;
use umpire_fleet::Addresses;

use super::HistoryArgs;
use crate::failure::Failure;

/// Where a fleet is. Addresses may hold passwords, which are better kept in the variables than on the command line.
#[derive(Clone, Debug, Default, Args)]
#[command(next_help_heading = "Fleet")]
pub struct FleetArgs {
    /// NATS server with JetStream that hands out attempts: nats://…
    #[arg(long, env = "UMPIRE_FLEET", value_name = "URL", hide_env_values = true)]
    pub fleet: Option<String>,
    /// Object store for what is recorded: s3://…, gs://…, az://… or file:///…
    #[arg(long, env = "UMPIRE_STORE", value_name = "URL", hide_env_values = true)]
    pub store: Option<String>,
    /// PostgreSQL database that knows what has ended: postgres://…
    #[arg(long, env = "UMPIRE_INDEX", value_name = "URL", hide_env_values = true)]
    pub index: Option<String>,
}

impl FleetArgs {
    /// All three, or what is missing; nothing, if no fleet is wanted.
    pub fn addresses(&self) -> Result<Option<Addresses>, Failure> {
        let Some(queue) = self.fleet.clone() else { return Ok(None) };
        let missing = |flag: &str| {
            Failure::new(format!("a fleet needs {flag} as well"))
                .help("--fleet nats://… --store s3://… --index postgres://…, or their UMPIRE_ variables")
        };
        let store = self.store.clone().ok_or_else(|| missing("--store"))?;
        let index = self.index.clone().ok_or_else(|| missing("--index"))?;
        Ok(Some(Addresses { queue, index, store }))
    }

    /// The same for commands that are nothing without a fleet.
    pub fn required(&self) -> Result<Addresses, Failure> {
        self.addresses()?.ok_or_else(|| {
            Failure::new("no fleet was named")
                .help("--fleet nats://… --store s3://… --index postgres://…, or their UMPIRE_ variables")
        })
    }
}

/// What a run asks of a fleet.
#[derive(Clone, Debug, Default, Args)]
#[command(next_help_heading = "Fleet")]
pub struct FleetRunArgs {
    #[command(flatten)]
    pub servers: FleetArgs,
    /// Attempts at one site at a time, in the whole fleet
    #[arg(long, env = "UMPIRE_PER_SITE", value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pub per_site: Option<u32>,
    /// Label that workers of this run must have; may be repeated
    #[arg(long = "needs", env = "UMPIRE_NEEDS", value_delimiter = ',', value_name = "LABEL")]
    pub needs: Vec<String>,
    /// Stop this run in the whole fleet, for good
    #[arg(long)]
    pub cancel: bool,
}

#[derive(Clone, Debug, Args)]
pub struct WorkerArgs {
    #[command(flatten)]
    pub servers: FleetArgs,
    /// Attempts at a time [default: cores]
    #[arg(short, long, env = "UMPIRE_JOBS")]
    pub jobs: Option<usize>,
    /// What the others call this machine [default: its host name]
    #[arg(long, env = "UMPIRE_WORKER_NAME", value_name = "NAME")]
    pub name: Option<String>,
    /// Label that runs may ask for; may be repeated
    #[arg(long = "label", env = "UMPIRE_LABELS", value_delimiter = ',', value_name = "LABEL")]
    pub labels: Vec<String>,
    /// What is in hand so long after SIGTERM is given back, or kept if it has ended
    #[arg(long, env = "UMPIRE_DRAIN_WITHIN", value_name = "DURATION", default_value = "12m", value_parser = duration)]
    pub drain_within: Duration,
    #[command(flatten)]
    pub history: HistoryArgs,
}

#[derive(Clone, Debug, Args)]
pub struct TopArgs {
    #[command(flatten)]
    pub servers: FleetArgs,
    /// Look once, print, and stop
    #[arg(long)]
    pub once: bool,
}

/// `90s`, `12m`, `1h 30m`.
fn duration(text: &str) -> Result<Duration, String> {
    let parsed: jiff::SignedDuration =
        text.parse().map_err(|_| "a duration is written as 90s, 12m or 1h 30m".to_owned())?;
    Duration::try_from(parsed).map_err(|_| "a duration is not negative".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn durations_are_written_as_people_do() {
        assert_eq!(duration("90s"), Ok(Duration::from_secs(90)));
        assert_eq!(duration("12m"), Ok(Duration::from_mins(12)));
        assert_eq!(duration("1h 30m"), Ok(Duration::from_mins(90)));
        for wrong in ["", "12", "soon", "-5s"] {
            assert!(duration(wrong).is_err(), "{wrong}");
        }
    }
}
