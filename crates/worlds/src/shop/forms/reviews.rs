use super::{Submission, done};
use crate::Response;
use crate::kit::calendar::TODAY;
use crate::shop::pages::Problems;
use crate::shop::pages::product::{self, ReviewDraft};
use crate::shop::state::OwnReview;

const MIN_TEXT: usize = 20;
const MAX_TEXT: usize = 2_000;

impl Submission<'_> {
    pub(super) fn write_review(&mut self, slug: &str) -> Response {
        let Some(product) = self.catalogue.by_slug(slug) else {
            return self.not_found();
        };
        if self.state.reviews.values().any(|review| review.product == product.id) {
            return Response::see_other(&product.path());
        }
        let mut problems = Problems::new();
        let draft = ReviewDraft {
            stars: self.field("stars").parse().ok().filter(|stars| (1..=5).contains(stars)),
            title: self.required("title", "The headline", &mut problems),
            text: self.field("text").to_owned(),
        };
        match draft.text.chars().count() {
            count if count < MIN_TEXT => {
                problems.insert("text", format!("Please write at least {MIN_TEXT} characters."));
            }
            count if count > MAX_TEXT => {
                problems.insert("text", format!("Please write at most {MAX_TEXT} characters."));
            }
            _ => {}
        }
        if draft.stars.is_none() {
            problems.insert("stars", "Please choose a rating.".to_owned());
        }
        let (true, Some(stars)) = (problems.is_empty(), draft.stars) else {
            return product::review_form(&self.visit(), product, &draft, &problems);
        };
        self.state.sequences.review = self.state.sequences.review.saturating_add(1);
        let review = OwnReview {
            product: product.id.clone(),
            date: TODAY,
            stars,
            title: draft.title,
            text: draft.text,
        };
        self.state.reviews.insert(format!("R{}", self.state.sequences.review), review);
        done(&format!("{}#reviews", product.path()), "review-sent")
    }

    pub(super) fn delete_review(&mut self) -> Response {
        let id = self.field("review").to_owned();
        match self.state.reviews.remove(&id) {
            Some(_) => done("/account/reviews", "review-deleted"),
            None => self.not_found(),
        }
    }
}
