//! Chromium's switches, by what each is for.

use std::path::Path;

use nix::sys::statvfs::statvfs;
use umpire_model::Viewport;

use super::launch::LaunchOptions;

/// Reached over the pipe alone.
const PIPED: &str = "--remote-debugging-pipe";

/// Nothing a window would need.
const HEADLESS: [&str; 2] = ["--headless=new", "--disable-gpu"];

/// Extensions come over the pipe too; the switch of old is refused by some builds.
const EXTENSIBLE: &str = "--enable-unsafe-extension-debugging";
const NOT_EXTENSIBLE: &str = "--disable-extensions";

/// Nothing that a page or an agent did not ask for may reach the network or the evidence.
const QUIET: [&str; 15] = [
    "--no-first-run",
    "--no-default-browser-check",
    "--no-service-autorun",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-component-extensions-with-background-pages",
    "--disable-default-apps",
    "--disable-sync",
    "--disable-breakpad",
    "--disable-crash-reporter",
    "--disable-client-side-phishing-detection",
    "--disable-domain-reliability",
    "--disable-search-engine-choice-screen",
    "--metrics-recording-only",
    "--password-store=basic",
];

/// The same page behaves the same in every run and however many pages share the process.
const STEADY: [&str; 12] = [
    // The browser with a window does so by itself; the shell would put frames of other sites into their page's process.
    "--site-per-process",
    "--lang=en-US",
    "--accept-lang=en-US",
    "--force-color-profile=srgb",
    "--force-device-scale-factor=1",
    "--force-prefers-reduced-motion",
    "--mute-audio",
    "--disable-background-timer-throttling",
    "--disable-backgrounding-occluded-windows",
    "--disable-renderer-backgrounding",
    // Going back must make a request, or the evidence has a hole where a page was shown again.
    "--disable-back-forward-cache",
    // A blocked pop-up would be invisible to the agent; the seat limits their number itself.
    "--disable-popup-blocking",
];

/// All traffic goes through the seat's network gate, over HTTP, or nowhere.
const FENCED: [&str; 3] = [
    "--disable-quic",
    "--force-webrtc-ip-handling-policy=disable_non_proxied_udp",
    // A request that tried to go around the gate's proxy would find no host.
    "--host-resolver-rules=MAP * ~NOTFOUND , EXCLUDE 127.0.0.1",
];
const RESOLVER: &str = "--host-resolver-rules=";

const FEATURES_OFF: [&str; 16] = [
    "Translate",
    "OptimizationHints",
    "OptimizationGuideModelDownloading",
    "MediaRouter",
    "DialMediaRouteProvider",
    "AutofillServerCommunication",
    "CertificateTransparencyComponentUpdater",
    "InterestFeedContentSuggestions",
    // Would turn http into https behind the agent's back.
    "HttpsUpgrades",
    "HttpsFirstBalancedModeAutoEnable",
    // Loads pages nobody asked for.
    "Prerender2",
    // Every new window would start two more renderers, for the address bar that nobody sees.
    "WebUIOmniboxPopup",
    "WebUIOmniboxFullPopup",
    "WebUIOmniboxAimPopup",
    "PreloadTopChromeWebUI",
    // Every navigation to another site would start a renderer in reserve, for each context its own.
    "SpareRendererForSitePerProcess",
];

/// Below this, renderers die with "Aw, Snap" on pages of ordinary size.
const ROOMY_SHARED_MEMORY: u64 = 512 << 20;

/// The switches without which a page may behave differently, or get past the gate.
pub(crate) fn wanted_switches() -> impl Iterator<Item = &'static str> {
    [STEADY.as_slice(), &FENCED].concat().into_iter()
}

/// The switches for a browser that a WebDriver server starts for us. What belongs to its machine is its own to say: where
/// the profile is, how the debugger is reached, whether there is a sandbox.
pub(crate) fn remote_switches(viewport: Viewport, proxy: Option<&str>, gate_host: &str) -> Vec<String> {
    let general = [HEADLESS.as_slice(), &QUIET, &STEADY, &FENCED, &[NOT_EXTENSIBLE]].concat();
    let mut switches: Vec<String> = general.into_iter().map(str::to_owned).collect();
    for switch in &mut switches {
        // The gate may have a name there.
        if switch.starts_with(RESOLVER) {
            *switch = format!("{switch} , EXCLUDE {gate_host}");
        }
    }
    switches.extend(of_window(viewport));
    switches.extend(proxy.into_iter().flat_map(through));
    switches
}

fn of_window(viewport: Viewport) -> [String; 2] {
    [
        format!("--disable-features={}", FEATURES_OFF.join(",")),
        format!("--window-size={},{}", viewport.width, viewport.height),
    ]
}

fn through(proxy: &str) -> [String; 2] {
    // Without the second, Chromium never sends loopback hosts, `*.localhost` included, to a proxy.
    [format!("--proxy-server=http://{proxy}"), "--proxy-bypass-list=<-loopback>".to_owned()]
}

pub(super) fn switches(profile: &Path, options: &LaunchOptions) -> Vec<String> {
    let LaunchOptions { viewport, proxy, window, extensions, .. } = *options;
    let front: &[&str] = if window { &[] } else { &HEADLESS };
    let extension_switch = if extensions { EXTENSIBLE } else { NOT_EXTENSIBLE };
    let mut switches: Vec<String> = [front, &QUIET, &STEADY, &FENCED, &[PIPED, extension_switch]]
        .concat()
        .into_iter()
        .map(str::to_owned)
        .collect();
    switches.extend(of_window(viewport));
    switches.push(format!("--user-data-dir={}", profile.display()));
    if let Some(proxy) = proxy {
        switches.extend(through(&proxy.to_string()));
    }
    if nix::unistd::geteuid().is_root() {
        // Chromium refuses to run its sandbox as root.
        switches.push("--no-sandbox".to_owned());
    }
    if shared_memory().is_none_or(|bytes| bytes < ROOMY_SHARED_MEMORY) {
        switches.push("--disable-dev-shm-usage".to_owned());
    }
    switches.push("about:blank".to_owned());
    switches
}

fn shared_memory() -> Option<u64> {
    let space = statvfs("/dev/shm").ok()?;
    Some(space.blocks_available().saturating_mul(space.fragment_size()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn with(options: &LaunchOptions) -> Vec<String> {
        switches(Path::new("/tmp/p"), options)
    }

    fn has(switches: &[String], wanted: &str) -> bool {
        switches.iter().any(|switch| switch == wanted)
    }

    #[test]
    fn a_proxy_also_covers_loopback_and_there_is_never_a_debugging_port() {
        let proxy = std::net::SocketAddr::from(([127, 0, 0, 1], 4000));
        let proxied = with(&LaunchOptions { proxy: Some(proxy), ..LaunchOptions::default() });
        assert!(has(&proxied, "--proxy-server=http://127.0.0.1:4000"));
        assert!(has(&proxied, "--proxy-bypass-list=<-loopback>"));
        let direct = with(&LaunchOptions::default());
        assert!(!direct.iter().any(|switch| switch.contains("proxy")));
        assert!(!proxied.iter().any(|switch| switch.contains("debugging-port")));
    }

    #[test]
    fn a_window_and_extensions_are_there_only_if_asked_for() {
        let usual = with(&LaunchOptions::default());
        assert!(has(&usual, "--headless=new") && has(&usual, "--disable-extensions"));
        assert!(!has(&usual, EXTENSIBLE));
        let for_a_person =
            with(&LaunchOptions { window: true, extensions: true, ..LaunchOptions::default() });
        assert!(!for_a_person.iter().any(|switch| switch.contains("headless")));
        assert!(has(&for_a_person, EXTENSIBLE) && !has(&for_a_person, "--disable-extensions"));
        assert!(has(&for_a_person, PIPED));
    }
}
