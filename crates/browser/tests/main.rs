//! One program for all of these: linking each by itself would take longer than running them.

mod act;
mod act_scroll;
mod chromium;
mod encrypted;
mod gate;
mod hostile;
mod inventory;
mod observe;
mod observe_names;
mod playwright;
mod pool;
mod record;
mod seats;
mod settle;
mod storage;
mod support;
