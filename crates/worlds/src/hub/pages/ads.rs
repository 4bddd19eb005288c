//! Ad settings. Nothing is kept until the button at the very end is pressed.

use http::StatusCode;
use maud::html;

use super::layout::{drop_down, page, problem, radios};
use crate::hub::state::{Ads, Personalisation, SensitiveAds};
use crate::hub::{Hub, View};
use crate::{Request, Response};

const PERSONALISATION: [(&str, &str); 3] = [
    ("activity", "Use my activity across Orrery"),
    ("page", "Use only the page I am looking at"),
    ("off", "Do not personalise ads"),
];
const SENSITIVE: [(&str, &str); 3] =
    [("allow", "No limit"), ("fewer", "Show fewer"), ("block", "Block where possible")];

pub(in crate::hub) fn show(view: &View<'_>) -> Response {
    form(view, None)
}

fn form(view: &View<'_>, error: Option<&str>) -> Response {
    let ads = &view.state.ads;
    let content = html! {
        p.lead { "Ads pay for the free storage. You decide what they may be based on." }
        (problem(error))
        form method="post" action="/ads" data-unsaved="true" {
            section.card.stack {
                h2 { "Personalisation" }
                (radios("personalisation", "What ads are based on", &PERSONALISATION, personalisation_id(ads.personalisation)))
                (drop_down("sensitive", "Alcohol, gambling and dating ads", &SENSITIVE, sensitive_id(ads.sensitive)))
            }
            section.card.stack {
                h2 { "Data from others" }
                label.choice {
                    input type="checkbox" name="partner_data" value="on" checked[ads.partner_data]
                        aria-label="Let partners add data about me";
                    span { "Let partners add data about me"
                        small { "Shops and data brokers match their customer lists with your address." } }
                }
                label.choice {
                    input type="checkbox" name="purchase_measurement" value="on" checked[ads.purchase_measurement]
                        aria-label="Measure whether ads lead to purchases";
                    span { "Measure whether ads lead to purchases" small { "Advertisers get totals, not names." } }
                }
            }
            section.card {
                h2 { "Topics we think you like" }
                p.quiet { "Remove what does not fit. Removed topics come back only if you add them." }
                ul.rows.topics {
                    @for (topic, reason) in &ads.topics {
                        li {
                            input type="hidden" name="topic" value=(topic);
                            div { b { (topic) } br; span.quiet { (reason) } }
                            button.icon type="button" aria-label=(format!("Remove topic {topic}")) data-removes-row="true" {
                                svg viewBox="0 0 16 16" width="14" height="14" aria-hidden="true" {
                                    path d="M3 3l10 10M13 3L3 13" stroke="currentColor" stroke-width="2" {}
                                }
                            }
                        }
                    }
                }
                @if ads.topics.is_empty() { p.quiet { "No topics left." } }
            }
            section.card {
                h2 { "How ads are chosen" }
                p { "Every place for an ad is offered to advertisers in the moment you open a page. They say for whom they "
                    "want it and what they pay; the highest fitting offer is shown. Advertisers never learn who saw it." }
                p { "Ads are never based on the content of your mail, your files or your photos, on health, religion or "
                    "politics, whatever you choose above." }
            }
            div.actions.card { button.primary type="submit" { "Save ad settings" } a.button href="/ads" { "Discard changes" } }
        }
        script src="/assets/settings.js" defer {}
    };
    page(view, "Ad settings", &content)
}

pub(in crate::hub) fn save(hub: &mut Hub, request: &Request) -> Response {
    match read(&hub.state.ads, request) {
        Some(ads) => {
            hub.state.ads = ads;
            Response::see_other("/ads?done=ads")
        }
        None => form(&hub.view(request), Some("Choose what ads are based on."))
            .status(StatusCode::UNPROCESSABLE_ENTITY),
    }
}

fn read(before: &Ads, request: &Request) -> Option<Ads> {
    let kept = |topic: &str| request.form.iter().any(|(name, value)| name == "topic" && value == topic);
    Some(Ads {
        personalisation: match request.form("personalisation")? {
            "activity" => Personalisation::Activity,
            "page" => Personalisation::Page,
            "off" => Personalisation::Off,
            _ => return None,
        },
        sensitive: match request.form("sensitive")? {
            "allow" => SensitiveAds::Allow,
            "fewer" => SensitiveAds::Fewer,
            "block" => SensitiveAds::Block,
            _ => return None,
        },
        partner_data: request.form("partner_data").is_some(),
        purchase_measurement: request.form("purchase_measurement").is_some(),
        topics: before
            .topics
            .iter()
            .filter(|(topic, _)| kept(topic))
            .map(|(t, r)| (t.clone(), r.clone()))
            .collect(),
    })
}

fn personalisation_id(value: Personalisation) -> &'static str {
    match value {
        Personalisation::Activity => "activity",
        Personalisation::Page => "page",
        Personalisation::Off => "off",
    }
}

fn sensitive_id(value: SensitiveAds) -> &'static str {
    match value {
        SensitiveAds::Allow => "allow",
        SensitiveAds::Fewer => "fewer",
        SensitiveAds::Block => "block",
    }
}
