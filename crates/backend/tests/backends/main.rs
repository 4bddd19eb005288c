//! Questions to real databases and to a REST server that misbehaves on purpose.

mod https;
mod mysql;
mod postgres;
mod rest;
mod rest_server;
#[allow(dead_code, reason = "other rooms start further servers from there")]
mod servers;
mod sqlite;
mod support;
