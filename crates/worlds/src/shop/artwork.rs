//! Product pictures: one drawing a shelf, in the product's colour, so that no image file is needed.

use maud::{Markup, PreEscaped, html};

use super::catalogue::Product;

/// Number of pictures in a product's gallery.
pub const VIEWS: usize = 3;

/// A picture of `product` in its colour number `colour`, from `view` 0..[`VIEWS`].
pub fn picture(product: &Product, colour: usize, view: usize) -> Markup {
    let hex = product.colours.get(colour % product.colours.len().max(1)).map_or("#888", |colour| colour.hex);
    let frame = match view % VIEWS {
        0 => "translate(0 0)",
        1 => "translate(200 0) scale(-1 1)",
        _ => "translate(-70 -60) scale(1.6)",
    };
    let backdrop = ["#dde3df", "#d8dfe4", "#e3ddda"][view % VIEWS];
    html! {
        svg.art viewBox="0 0 200 200" style={ "color:" (hex) } aria-hidden="true" focusable="false" {
            rect width="200" height="200" fill=(backdrop) {}
            ellipse.shade cx="100" cy="176" rx="64" ry="7" {}
            g transform=(frame) { (PreEscaped(drawing(product.subcategory.slug))) }
        }
    }
}

/// Shapes on a 200 × 200 sheet. Plain shapes take the product's colour; class `d` darkens, `l` lightens,
/// `s` is a line in the product's colour.
#[rustfmt::skip]
fn drawing(shelf: &str) -> &'static str {
    match shelf {
        "desk-lamps" => r#"<path class="s" d="M72 168 62 104 112 62"/><path d="M96 44 150 66 128 108 92 76z"/><ellipse cx="74" cy="170" rx="34" ry="8"/><circle class="d" cx="62" cy="104" r="7"/><circle class="l" cx="126" cy="92" r="11"/>"#,
        "floor-lamps" => r#"<path d="M66 36h68l16 46H50z"/><path class="l" d="M58 70h84l6 12H52z"/><rect class="d" x="97" y="82" width="6" height="88"/><ellipse cx="100" cy="172" rx="32" ry="7"/>"#,
        "pendant-lights" => r#"<rect class="d" x="98" y="0" width="4" height="66"/><path d="M44 128a56 62 0 0 1 112 0z"/><ellipse class="l" cx="100" cy="128" rx="56" ry="12"/><circle class="l" cx="100" cy="136" r="14"/>"#,
        "table-lamps" => r#"<path d="M68 40h64l18 54H50z"/><path class="l" d="M56 80h88l6 14H50z"/><path d="M82 94h36c22 28 18 58 2 78H80c-16-20-20-50 2-78z" opacity=".8"/><rect class="d" x="76" y="168" width="48" height="6"/>"#,
        "string-lights" => r#"<path class="s" style="stroke-width:3" d="M10 50Q60 120 100 66T190 60"/><circle cx="34" cy="88" r="12"/><circle cx="68" cy="100" r="12"/><circle cx="100" cy="82" r="12"/><circle cx="134" cy="70" r="12"/><circle cx="168" cy="88" r="12"/><circle class="l" cx="34" cy="85" r="5"/><circle class="l" cx="68" cy="97" r="5"/><circle class="l" cx="134" cy="67" r="5"/>"#,
        "casseroles" => r#"<path d="M36 92h128v56q0 24-24 24H60q-24 0-24-24z"/><path class="d" d="M30 84h140v12H30z"/><path d="M48 84q6-28 52-28t52 28z"/><rect class="d" x="90" y="44" width="20" height="14" rx="6"/><rect x="16" y="106" width="24" height="12" rx="6"/><rect x="160" y="106" width="24" height="12" rx="6"/>"#,
        "frying-pans" => r#"<circle cx="82" cy="112" r="58"/><circle class="d" cx="82" cy="112" r="46"/><rect x="122" y="52" width="70" height="15" rx="7" transform="rotate(-36 122 60)"/><circle class="l" cx="66" cy="96" r="9"/>"#,
        "kitchen-knives" => r##"<path fill="#c9cdd1" d="M18 96h108v26q-70 4-108-26z"/><path class="l" d="M18 96h108v8H30z"/><rect x="124" y="92" width="60" height="22" rx="8"/><circle class="d" cx="142" cy="103" r="3"/><circle class="d" cx="164" cy="103" r="3"/>"##,
        "kettles" => r#"<path d="M58 82h84l16 78q0 12-12 12H54q-12 0-12-12z"/><path d="M138 112l44-34 8 7-36 60z"/><path class="s" d="M62 78q0-42 38-42t38 42"/><rect class="d" x="90" y="70" width="20" height="12" rx="5"/><path class="l" d="M62 92h12l-6 68h-14z"/>"#,
        "storage-jars" => r#"<rect class="d" x="62" y="38" width="76" height="20" rx="5"/><rect x="54" y="58" width="92" height="114" rx="16"/><rect class="l" x="66" y="92" width="68" height="40" rx="4"/>"#,
        "dining-chairs" => r#"<path class="s" d="M66 40v130M134 40v66M134 118v52M76 118v46"/><path d="M62 42q38-14 76 0v18q-38-12-76 0z"/><rect x="58" y="104" width="84" height="14" rx="5"/><path class="d" d="M64 76h72v6H64z"/>"#,
        "desks" => r#"<rect x="18" y="78" width="164" height="14" rx="3"/><path class="s" d="M34 92v80M166 92v80"/><rect class="d" x="104" y="92" width="56" height="30"/><rect class="l" x="126" y="104" width="14" height="4"/>"#,
        "bookcases" => r##"<rect x="52" y="26" width="96" height="148" rx="3"/><path class="l" d="M60 34h80v36H60zM60 78h80v40H60zM60 126h80v40H60z"/><path fill="#a8553f" d="M64 42h9v28h-9zM96 88h8v30h-8z"/><path fill="#3f6a78" d="M75 38h8v32h-8zM66 86h10v32H66z"/><path fill="#b99245" d="M86 44h10v26H86zM80 140h34v26H80z"/>"##,
        "side-tables" => r#"<ellipse cx="100" cy="80" rx="62" ry="16"/><path class="d" d="M38 80v8q62 26 124 0v-8q-62 26-124 0z"/><path class="s" d="M62 98l-10 74M138 98l10 74M100 100v66"/>"#,
        "stools" => r#"<ellipse cx="100" cy="66" rx="46" ry="14"/><path class="s" d="M68 76l-18 96M132 76l18 96M58 130h84"/><ellipse class="l" cx="100" cy="63" rx="32" ry="7"/>"#,
        "duvet-covers" => r#"<rect class="d" x="24" y="74" width="152" height="98" rx="8"/><path d="M24 96h152v66q0 10-10 10H34q-10 0-10-10z"/><rect class="l" x="34" y="70" width="58" height="32" rx="10"/><rect class="l" x="108" y="70" width="58" height="32" rx="10"/><path class="l" d="M24 118h152v10H24z"/>"#,
        "pillows" => r#"<path d="M30 72q70-26 140 0 14 34 0 74-70 24-140 0-14-40 0-74z"/><path class="l" d="M46 84q54-18 108 0-54-6-108 0z"/><path class="d" d="M44 138q56 18 112 0-56 8-112 0z"/>"#,
        "towels" => r#"<rect x="40" y="130" width="120" height="40" rx="14"/><rect x="46" y="92" width="108" height="38" rx="14" opacity=".85"/><rect x="52" y="56" width="96" height="36" rx="14" opacity=".7"/><path class="l" d="M54 146h92v5H54zM60 108h80v5H60zM64 71h72v5H64z"/>"#,
        "throws" => r#"<path d="M44 40h112v112H44z"/><path class="l" d="M44 62h112v8H44zM44 92h112v8H44zM44 122h112v8H44zM66 40h6v112h-6zM98 40h6v112h-6zM130 40h6v112h-6z"/><path class="s" stroke-dasharray="4 6" d="M48 160h106"/>"#,
        "bath-mats" => r#"<path d="M30 110h140l18 58H12z"/><path class="l" d="M38 120h124l4 10H34zM32 140h136l4 12H28z"/>"#,
        "planters" => r##"<path fill="#5d8558" d="M100 104q-54-10-50-66 40 8 50 66zm0 0q50-14 44-72-42 14-44 72zm-4 0q-4-50 4-84 14 40 2 84z"/><path d="M52 102h96l-12 70H64z"/><rect class="d" x="46" y="96" width="108" height="14" rx="3"/>"##,
        "hand-trowels" => r##"<path fill="#b9bec2" d="M82 92q-6 54 18 82 24-28 18-82z"/><rect class="d" x="96" y="74" width="8" height="22"/><rect x="86" y="22" width="28" height="58" rx="12"/><path class="l" d="M92 30h6v42h-6z"/>"##,
        "watering-cans" => r#"<path d="M56 86h76v76q0 10-10 10H66q-10 0-10-10z"/><path d="M56 150 22 78l10-6 26 44z"/><path class="d" d="M14 66l26-8 4 10-24 14z"/><path class="s" d="M132 104q40-4 34 28-4 22-34 22"/><path class="s" d="M68 84q26-36 56 0"/>"#,
        "garden-benches" => r#"<path d="M22 70h156v10H22zM22 88h156v10H22zM16 116h168v12H16z"/><path class="s" d="M32 60v112M168 60v112"/><path class="d" d="M16 128h168v4H16z"/>"#,
        "bird-feeders" => r##"<path class="s" d="M100 14v26"/><path d="M50 74l50-38 50 38z"/><rect class="l" x="72" y="74" width="56" height="66"/><path fill="#c9a86a" d="M72 100h56v40H72z"/><rect x="52" y="140" width="96" height="12" rx="4"/>"##,
        "notebooks" => r#"<rect x="50" y="30" width="104" height="140" rx="6"/><rect class="d" x="50" y="30" width="18" height="140"/><rect class="l" x="86" y="58" width="50" height="26" rx="2"/><path class="d" d="M140 30h5v140h-5z"/>"#,
        "fountain-pens" => r##"<g transform="rotate(40 100 100)"><rect x="30" y="90" width="104" height="20" rx="10"/><path class="d" d="M92 90h6v20h-6z"/><path fill="#c8a24b" d="M134 92l36 8-36 8z"/><path class="l" d="M38 94h50v4H38z"/></g>"##,
        "desk-organisers" => r##"<path fill="#a8553f" d="M60 44h8v70h-8z"/><path fill="#3f6a78" d="M76 34h8v80h-8z"/><path fill="#b99245" d="M124 54h18v60h-18z"/><path d="M40 90h56v82H40z"/><path d="M100 112h62v60h-62z" opacity=".8"/><path class="d" d="M100 138h62v4h-62z"/><path class="l" d="M124 122h14v5h-14zM124 152h14v5h-14z"/>"##,
        "monitor-stands" => r##"<rect class="d" x="38" y="34" width="124" height="78" rx="4"/><rect fill="#dfe7ea" x="44" y="40" width="112" height="66"/><path class="d" d="M92 112h16v18H92z"/><path d="M24 130h152v14H24z"/><path d="M34 144h14v28H34zM152 144h14v28h-14z"/>"##,
        "laptop-bags" => r#"<path class="s" d="M72 72q0-32 28-32t28 32"/><rect x="30" y="70" width="140" height="100" rx="12"/><path class="d" d="M30 82q0-12 12-12h116q12 0 12 12v34H30z"/><rect class="l" x="90" y="108" width="20" height="18" rx="3"/>"#,
        "headphones" => r#"<path class="s" style="stroke-width:12" d="M48 124q-6-80 52-80t52 80"/><rect x="34" y="112" width="34" height="56" rx="14"/><rect x="132" y="112" width="34" height="56" rx="14"/><rect class="d" x="60" y="116" width="12" height="48" rx="6"/><rect class="d" x="128" y="116" width="12" height="48" rx="6"/>"#,
        "speakers" => r#"<rect x="58" y="28" width="84" height="146" rx="12"/><circle class="d" cx="100" cy="126" r="30"/><circle class="l" cx="100" cy="126" r="12"/><circle class="d" cx="100" cy="66" r="16"/>"#,
        "keyboards" => r#"<rect x="14" y="78" width="172" height="76" rx="10"/><path class="l" d="M26 90h14v12H26zM46 90h14v12H46zM66 90h14v12H66zM86 90h14v12H86zM106 90h14v12h-14zM126 90h14v12h-14zM146 90h28v12h-28zM26 108h20v12H26zM52 108h14v12H52zM72 108h14v12H72zM92 108h14v12H92zM112 108h14v12h-14zM132 108h42v12h-42zM26 128h24v14H26zM56 128h80v14H56zM142 128h32v14h-32z"/>"#,
        "chargers" => r#"<rect x="58" y="60" width="76" height="80" rx="16"/><path class="d" d="M78 38h8v22h-8zM106 38h8v22h-8z"/><path class="s" d="M96 140q0 30 36 30t44-22"/><path class="l" d="M100 76 82 106h14l-6 22 22-32H98z"/>"#,
        "webcams" => r##"<rect x="44" y="52" width="112" height="64" rx="30"/><circle class="d" cx="100" cy="84" r="24"/><circle fill="#5b7f95" cx="100" cy="84" r="12"/><circle class="l" cx="95" cy="79" r="4"/><path d="M84 116h32l14 52H70z" opacity=".8"/>"##,
        "tents" => r#"<path d="M100 44 184 168H16z"/><path class="d" d="M100 44 128 168H72z"/><path class="l" d="M100 44 88 168H72z"/><path class="s" style="stroke-width:3" d="M100 44V30"/>"#,
        "sleeping-bags" => r#"<path d="M70 34q30-18 60 0 16 60 4 126-6 14-34 14t-34-14q-12-66 4-126z"/><ellipse class="d" cx="100" cy="52" rx="24" ry="18"/><path class="l" d="M66 90h68v5H66zM64 116h72v5H64zM66 142h68v5H66z"/>"#,
        "water-bottles" => r#"<rect class="d" x="84" y="22" width="32" height="24" rx="6"/><path d="M80 46h40q14 12 14 30v84q0 12-12 12H78q-12 0-12-12V76q0-18 14-30z"/><path class="l" d="M76 80h10v78H76z"/>"#,
        "daypacks" => r#"<path class="s" d="M86 40q0-16 14-16t14 16"/><rect x="52" y="38" width="96" height="134" rx="34"/><rect class="d" x="62" y="104" width="76" height="56" rx="12"/><path class="l" d="M62 116h76v5H62zM74 66h52v5H74z"/><rect x="40" y="92" width="16" height="60" rx="8"/><rect x="144" y="92" width="16" height="60" rx="8"/>"#,
        _ => r#"<path class="s" style="stroke-width:14" d="M26 108q74-62 148 0"/><rect x="70" y="66" width="60" height="50" rx="12"/><circle class="d" cx="100" cy="91" r="19"/><circle class="l" cx="100" cy="91" r="12"/><path class="l" opacity=".5" d="M88 100 60 172h80l-28-72z"/>"#,
    }
}
