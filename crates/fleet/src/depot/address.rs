//! From an address, and what its provider's own tools are told by variables, to a store.

use std::str::FromStr;
use std::sync::Arc;

use object_store::aws::AmazonS3Builder;
use object_store::azure::MicrosoftAzureBuilder;
use object_store::gcp::GoogleCloudStorageBuilder;
use object_store::local::LocalFileSystem;
use object_store::memory::InMemory;
use object_store::path::Path;
use object_store::{ObjectStore, ObjectStoreScheme, RetryConfig};
use url::Url;

use super::http::OwnClient;
use crate::FleetError;

/// Keys, regions and endpoints, under the names that the tools of each provider use (`AWS_ENDPOINT`, …). What is none of
/// these is passed over.
#[derive(Clone, Debug, Default)]
pub struct StoreSettings(Vec<(String, String)>);

impl StoreSettings {
    pub fn from_environment() -> Self {
        let is_text = |(name, value): (std::ffi::OsString, std::ffi::OsString)| {
            Some((name.into_string().ok()?, value.into_string().ok()?))
        };
        std::env::vars_os().filter_map(is_text).collect()
    }

    /// Those of one provider that its builder knows, by the beginning of their names or by a name that stands alone.
    fn of<'a, K: FromStr>(
        &'a self,
        prefix: &'a str,
        lone: &'a str,
    ) -> impl Iterator<Item = (K, &'a str)> + 'a {
        let theirs = self.0.iter().filter(move |(name, _)| name.starts_with(prefix) || name == lone);
        theirs.filter_map(|(name, value)| Some((name.to_ascii_lowercase().parse().ok()?, value.as_str())))
    }
}

impl FromIterator<(String, String)> for StoreSettings {
    fn from_iter<I: IntoIterator<Item = (String, String)>>(settings: I) -> Self {
        Self(settings.into_iter().collect())
    }
}

/// The store, and the path in it that everything of ours is below.
pub(super) fn store_at(
    address: &str,
    settings: &StoreSettings,
) -> Result<(Arc<dyn ObjectStore>, Path), FleetError> {
    let bad = |problem: String| FleetError::Address { what: "a store", address: address.to_owned(), problem };
    let url = Url::parse(address).map_err(|error| bad(error.to_string()))?;
    let (scheme, root) = ObjectStoreScheme::parse(&url).map_err(|error| bad(error.to_string()))?;
    // Waiting for the store is our own business: it is told to a person, and has the attempt's deadline.
    let retry = RetryConfig { max_retries: 2, ..RetryConfig::default() };
    let store: Arc<dyn ObjectStore> = match scheme {
        ObjectStoreScheme::Local => {
            let folder = url.to_file_path().map_err(|()| bad("it is no path of this machine".to_owned()))?;
            std::fs::create_dir_all(&folder).map_err(|error| bad(error.to_string()))?;
            Arc::new(LocalFileSystem::new().with_fsync(true))
        }
        ObjectStoreScheme::Memory => Arc::new(InMemory::new()),
        ObjectStoreScheme::AmazonS3 => {
            let known = settings.of("AWS_", "");
            let builder =
                known.fold(AmazonS3Builder::new(), |builder, (key, value)| builder.with_config(key, value));
            let builder = builder.with_url(address).with_allow_http(true);
            Arc::new(builder.with_retry(retry).with_http_connector(OwnClient::new()).build()?)
        }
        ObjectStoreScheme::GoogleCloudStorage => {
            let known = settings.of("GOOGLE_", "SERVICE_ACCOUNT");
            let builder = known.fold(GoogleCloudStorageBuilder::new(), |builder, (key, value)| {
                builder.with_config(key, value)
            });
            let builder = builder.with_url(address);
            Arc::new(builder.with_retry(retry).with_http_connector(OwnClient::new()).build()?)
        }
        ObjectStoreScheme::MicrosoftAzure => {
            let known = settings.of("AZURE_", "IDENTITY_ENDPOINT");
            let builder = known
                .fold(MicrosoftAzureBuilder::new(), |builder, (key, value)| builder.with_config(key, value));
            let builder = builder.with_url(address).with_allow_http(true);
            Arc::new(builder.with_retry(retry).with_http_connector(OwnClient::new()).build()?)
        }
        _ => return Err(bad("use s3://, gs://, az:// or file:///".to_owned())),
    };
    Ok((store, root))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_that_is_no_store_is_told() {
        let told =
            |address: &str| store_at(address, &StoreSettings::default()).expect_err("no store").to_string();
        assert!(
            told("ftp://example.org/x").contains("ftp://example.org/x"),
            "{}",
            told("ftp://example.org/x")
        );
        assert!(told("/mnt/shared").contains("no address of a store"), "{}", told("/mnt/shared"));
    }
}
