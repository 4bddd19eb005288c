//! Questions to real databases and to a REST server that misbehaves on purpose.

mod https;
mod mysql;
mod postgres;
mod rest;
mod rest_server;
mod servers;
mod sqlite;
mod support;
