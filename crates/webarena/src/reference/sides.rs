//! The two sides of a comparison: what is expected is read strictly, what is recorded leniently.

use std::sync::Arc;

use jiff::civil::Date;

use super::values::{Context, Rewrite, Unreadable};
use crate::config::{SiteUrls, Strictness};

/// How each side of a task's comparisons is read.
#[derive(Debug, Clone)]
pub struct Sides {
    pub expected: Context,
    pub actual: Context,
}

impl Sides {
    pub fn new(sites: SiteUrls, today: Date) -> Self {
        let sites = Arc::new(sites);
        let render: Rewrite = {
            let sites = Arc::clone(&sites);
            Arc::new(move |text, strictness| {
                sites
                    .render(text, strictness)
                    .map_err(|_| Unreadable("no site of the task has this placeholder"))
            })
        };
        let derender: Rewrite = Arc::new(move |text, strictness| {
            sites.derender(text, strictness).map_err(|_| Unreadable("it is at none of the task's sites"))
        });
        let side = |strictness| Context {
            strictness,
            today,
            derender: Some(Arc::clone(&derender)),
            render: Some(Arc::clone(&render)),
        };
        Self { expected: side(Strictness::Strict), actual: side(Strictness::Lenient) }
    }
}
