//! What an attempt stands on: its world, and what is done to it on purpose.

use std::sync::Arc;
use std::time::Duration;

use umpire_agents::Detours;
use umpire_browser::{ConnectionDropped, Handler, HeldBack, NetworkPolicy, SeatOptions};
use umpire_model::{EventBody, Evidence as _, Instance, PerturbationKind, Unrecorded, Viewport};
use umpire_perturb::{FAULT_TITLE, Perturber, way_out_buttons};
use umpire_store::JournalWriter;
use umpire_worlds::{World, WorldError, miniwob};

use crate::attempt::Setting;
use crate::guard::IrreversibleGuard;

/// The built-in search engine.
const SEARCH: &str = "search";
/// The window of a telephone.
const MOBILE: Viewport = Viewport { width: 390, height: 844 };

pub(crate) struct Ground {
    /// None if the suite's sites are elsewhere.
    pub world: Option<Arc<World>>,
    perturber: Option<Arc<Perturber>>,
    viewport: Viewport,
    dark: bool,
}

impl Ground {
    pub fn create(setting: &Setting, instance: &Instance) -> Result<Self, WorldError> {
        let world = match setting.world_seed {
            Some(seed) => {
                let mut sites = instance.sites.clone();
                // Anybody may search, whatever the task is about.
                if !sites.iter().any(|site| site == SEARCH) {
                    sites.push(SEARCH.to_owned());
                }
                Some(Arc::new(World::create(&sites, seed, &instance.world)?))
            }
            None => None,
        };
        let does = |kind| instance.perturbation.as_ref().is_some_and(|perturbed| perturbed.by.has(kind));
        let start_pages = instance.start_urls.len() as u32;
        let limit = Duration::from_secs(setting.limits.seconds);
        let perturber = instance.perturbation.as_ref();
        Ok(Self {
            world,
            perturber: perturber.map(|perturbed| Arc::new(Perturber::new(perturbed, start_pages, limit))),
            viewport: viewport(setting, instance),
            dark: does(PerturbationKind::Dark),
        })
    }

    /// The attempt's network and window: its own world in-process, the suite's folder, and the suite's hosts.
    pub fn seat_options(&self, setting: &Setting, journal: &Arc<JournalWriter>) -> SeatOptions {
        let guard = IrreversibleGuard::new(&setting.stage.options.guard, journal);
        let mut network = NetworkPolicy {
            origins: Vec::new(),
            allowed_hosts: setting.hosts.clone(),
            sentry: Some(Arc::new(guard)),
        };
        network.origins.extend(self.origins(|world| self.handler(world)));
        if let Some(folder) = &setting.folder {
            let folder = Arc::clone(folder);
            network.origins.push((miniwob::HOST.to_owned(), Arc::new(move |request| folder.serve(request))));
        }
        let mut options = SeatOptions::new(Arc::clone(journal) as _, network);
        options.notes_script = setting.folder.is_some();
        options.viewport = self.viewport;
        options.dark = self.dark;
        options
    }

    /// The same world as nobody's attempt: nothing is recorded, held back or done to it on purpose.
    pub fn bare_seat_options(&self, setting: &Setting) -> SeatOptions {
        let network = NetworkPolicy {
            origins: self.origins(|world| {
                let world = Arc::clone(world);
                Arc::new(move |request| world.serve(request))
            }),
            allowed_hosts: setting.hosts.clone(),
            sentry: None,
        };
        SeatOptions::new(Arc::new(Unrecorded), network)
    }

    fn origins(&self, handler: impl Fn(&Arc<World>) -> Handler) -> Vec<(String, Handler)> {
        let Some(world) = &self.world else { return Vec::new() };
        world.hosts().into_iter().map(|host| (host.to_owned(), handler(world))).collect()
    }

    fn handler(&self, world: &Arc<World>) -> Handler {
        let world = Arc::clone(world);
        let Some(perturber) = self.perturber.clone() else {
            return Arc::new(move |request| world.serve(request));
        };
        Arc::new(move |request| {
            let answer = perturber.answer(request, |request| world.serve(request));
            let is_dropped = answer.response.is_none();
            let mut response = answer.response.unwrap_or_default();
            response.extensions_mut().insert(HeldBack(answer.delay));
            if is_dropped {
                response.extensions_mut().insert(ConnectionDropped);
            }
            response
        })
    }

    /// How the oracle gets around the perturbation.
    pub fn detours(&self) -> Detours {
        let Some(perturber) = self.perturber.clone() else { return Detours::default() };
        Detours {
            names_of: Arc::new(move |role, name| perturber.names_of(role, name)),
            way_out: way_out_buttons().into_iter().map(str::to_owned).collect(),
            fault_title: Some(FAULT_TITLE.to_owned()),
        }
    }

    /// Writes what the perturbation did, once the attempt is over.
    pub fn write_record(&self, journal: &JournalWriter) {
        if let Some(perturber) = &self.perturber {
            journal.event(EventBody::Perturbed(Box::new(perturber.record())));
        }
    }
}

/// The window an instance is shown in.
pub(crate) fn viewport(setting: &Setting, instance: &Instance) -> Viewport {
    match &instance.perturbation {
        Some(perturbed) if perturbed.by.has(PerturbationKind::Mobile) => MOBILE,
        _ => setting.stage.options.viewport,
    }
}
