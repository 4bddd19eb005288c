//! What can go wrong while a page is made, and the page that says so.

use axum::response::{IntoResponse, Response};
use http::StatusCode;
use maud::html;
use umpire_report::ReportError;
use umpire_store::StoreError;

use crate::database::DatabaseError;
use crate::frame::plain_page;
use crate::index::IndexError;

#[derive(Debug, thiserror::Error)]
pub(crate) enum PageError {
    #[error("There is nothing at this address.")]
    NotFound,
    /// What is wrong with what was asked, in words for whoever asked.
    #[error("{0}")]
    BadRequest(String),
    #[error(
        "There is no such battle, or it is somebody else's. Without an account you are somebody else to a server that was started anew."
    )]
    NoSuchBattle,
    #[error("Sign in to see this.")]
    SignIn,
    #[error("{0}")]
    Forbidden(String),
    #[error("Too many requests; wait a little and try again.")]
    TooMany,
    #[error("It took too long.")]
    TooSlow,
    #[error(transparent)]
    Database(#[from] DatabaseError),
    #[error(transparent)]
    Index(#[from] IndexError),
    #[error(transparent)]
    Store(#[from] StoreError),
    #[error(transparent)]
    Report(#[from] ReportError),
    #[error("{0}")]
    Broken(String),
}

impl From<sqlx::Error> for PageError {
    fn from(error: sqlx::Error) -> Self {
        Self::Database(error.into())
    }
}

impl From<tokio::task::JoinError> for PageError {
    fn from(error: tokio::task::JoinError) -> Self {
        Self::Broken(error.to_string())
    }
}

impl PageError {
    fn status(&self) -> StatusCode {
        match self {
            Self::NotFound | Self::NoSuchBattle | Self::Index(IndexError::NoSuchRun) => StatusCode::NOT_FOUND,
            Self::BadRequest(_) => StatusCode::BAD_REQUEST,
            Self::SignIn => StatusCode::UNAUTHORIZED,
            Self::Forbidden(_) => StatusCode::FORBIDDEN,
            Self::TooMany => StatusCode::TOO_MANY_REQUESTS,
            Self::TooSlow => StatusCode::SERVICE_UNAVAILABLE,
            _ => StatusCode::INTERNAL_SERVER_ERROR,
        }
    }
}

impl IntoResponse for PageError {
    fn into_response(self) -> Response {
        let status = self.status();
        // What broke inside is for the operator's terminal: it may name files and addresses.
        let told = if status == StatusCode::INTERNAL_SERVER_ERROR {
            eprintln!("umpire serve: {self}");
            "Something broke here; the server's output says what.".to_owned()
        } else {
            self.to_string()
        };
        let page = plain_page(
            status.canonical_reason().unwrap_or("Error"),
            &html! {
                h1 { (status.as_u16()) " " (status.canonical_reason().unwrap_or("Error")) }
                p.said { (told) }
                @if status == StatusCode::UNAUTHORIZED { p { a href="/sign-in" { "Sign in" } } }
                p { a href="/" { "All runs" } }
            },
        );
        (status, page).into_response()
    }
}
