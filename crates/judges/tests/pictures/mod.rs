//! Which screenshots a judge is shown, and in what form.

mod drawn;

use bytes::Bytes;
use drawn::{
    BLACK, GREY, HEIGHT, WIDTH, fill, jpeg, page, palette_png, png, shots, switch, with, write, written,
};
use image::{DynamicImage, GrayAlphaImage, ImageBuffer, ImageFormat, RgbImage};
use proptest::prelude::*;
use umpire_judges::pictures::{
    Fingerprint, Frame, InMemory, Likeness, Memory, Picture, Policy, Prepared, collapse, likeness, prepare,
};
use umpire_model::{Digest, Media};

fn collapsed(contents: impl IntoIterator<Item = Bytes>) -> Vec<Vec<u32>> {
    let frames = collapse(&shots(contents), &InMemory::default()).expect("readable");
    frames.into_iter().map(|frame| frame.steps).collect()
}

/// Whether two pages are one frame, in all the ways they may have been written down.
fn look_the_same(a: &RgbImage, b: &RgbImage) -> bool {
    let as_png = collapsed([png(a), png(b)]).len() == 1;
    let as_jpeg: Vec<bool> =
        [60, 85].map(|quality| collapsed([jpeg(a, quality), jpeg(b, quality)]).len() == 1).into();
    assert!(as_jpeg.iter().all(|same| *same == as_png), "PNG: {as_png}, JPEG: {as_jpeg:?}");
    as_png
}

#[test]
fn a_switch_that_was_flipped_is_evidence() {
    let page = page();
    for place in [(700, 300), (703, 301), (1254, 998), (1001, 700)] {
        let blue = [40, 90, 200];
        let off = with(&page, |page| switch(page, place, false, blue));
        let on = with(&page, |page| switch(page, place, true, blue));
        assert!(!look_the_same(&off, &on), "the knob at {place:?}");
        // As bright as the other: only the colour tells.
        let [grey, green] = [[130, 130, 130], [40, 175, 100]];
        let off = with(&page, |page| fill(page, place, (20, 20), grey));
        let on = with(&page, |page| fill(page, place, (20, 20), green));
        assert!(!look_the_same(&off, &on), "the colour at {place:?}");
    }
}

#[test]
fn a_tick_and_a_highlight_are_evidence() {
    let page = page();
    let ticked = with(&page, |page| {
        for step in 0..9 {
            let y = if step < 3 { 305 + step } else { 310 - step };
            fill(page, (702 + step, y), (1, 2), BLACK);
        }
    });
    assert!(!look_the_same(&page, &ticked));
    let highlighted = with(&page, |page| fill(page, (700, 300), (300, 24), [245, 245, 245]));
    assert!(!look_the_same(&page, &highlighted));
}

/// Every digit against every other, at sizes and places that no grid of blocks was made for.
#[test]
fn a_digit_that_changed_is_evidence() {
    let page = RgbImage::from_pixel(160, 96, image::Rgb([255, 255, 255]));
    for (scale, colour) in [(1, BLACK), (1, GREY), (2, BLACK)] {
        for place in [(40, 40), (43, 45), (38, 42)] {
            let drawn: Vec<RgbImage> = ('0'..='9')
                .map(|digit| with(&page, |page| write(page, &format!("1{digit}7"), place, scale, colour)))
                .collect();
            for quality in [80, 95] {
                let seen: Vec<RgbImage> = drawn.iter().map(|page| decoded(&jpeg(page, quality))).collect();
                for (a, b) in (0..10).flat_map(|a| (0..a).map(move |b| (a, b))) {
                    let told = format!("{a} and {b}, size {scale}, at {place:?}, quality {quality}");
                    assert_eq!(likeness(&seen[a], &seen[b]), Likeness::Different, "{told}");
                }
            }
        }
    }
}

fn decoded(content: &[u8]) -> RgbImage {
    image::load_from_memory(content).expect("a picture").into_rgb8()
}

#[test]
fn what_encoders_do_is_no_evidence() {
    let page = page();
    let webp = written(&DynamicImage::ImageRgb8(page.clone()), ImageFormat::WebP);
    let all = [jpeg(&page, 75), jpeg(&page, 80), jpeg(&page, 90), jpeg(&page, 95), png(&page), webp];
    assert_eq!(collapsed(all), [[1, 2, 3, 4, 5, 6]]);
}

#[test]
fn a_caret_that_blinks_is_no_evidence() {
    let page = page();
    for (left, size) in [(700, (1, 16)), (703, (2, 20)), (711, (1, 18)), (708, (2, 32))] {
        // After what was typed, on white and in a field.
        for field in [[255, 255, 255], [240, 244, 248]] {
            let typed = with(&page, |page| {
                fill(page, (600, 296), (300, 40), field);
                write(page, "Springfield", (left - 91, 304), 1, BLACK);
            });
            let blinking = with(&typed, |page| fill(page, (left, 300), size, BLACK));
            assert!(look_the_same(&typed, &blinking), "{left} {size:?} {field:?}");
        }
    }
    // Wider, shorter, two of them, or a letter: no caret.
    for change in [
        |page: &mut RgbImage| fill(page, (700, 300), (5, 16), BLACK),
        |page: &mut RgbImage| fill(page, (700, 300), (2, 8), BLACK),
        |page: &mut RgbImage| [700, 720].iter().for_each(|left| fill(page, (*left, 300), (1, 16), BLACK)),
        |page: &mut RgbImage| write(page, "1", (700, 300), 2, BLACK),
        |page: &mut RgbImage| write(page, "l", (700, 300), 2, BLACK),
    ] {
        assert!(!look_the_same(&page, &with(&page, change)));
    }
}

#[test]
fn frames_keep_their_steps_and_the_last_screenshot() {
    let (first, second) = (page(), with(&page(), |page| fill(page, (0, 300), (900, 300), GREY)));
    let contents =
        [jpeg(&first, 80), jpeg(&first, 80), jpeg(&first, 90), jpeg(&second, 80), jpeg(&first, 80)];
    let shots = shots(contents);
    let frames = collapse(&shots, &InMemory::default()).expect("readable");
    let steps: Vec<&[u32]> = frames.iter().map(|frame| &*frame.steps).collect();
    assert_eq!(steps, [&[1, 2, 3][..], &[4], &[5]], "a page that comes back is a frame of its own");
    assert_eq!(frames[0].digest, shots[2].digest);
    assert_eq!(frames[2].content, shots[4].content);
    assert!(collapse(&[], &InMemory::default()).expect("nothing").is_empty());
}

/// Each step is like the one before it, but the last is not like the first.
#[test]
fn a_slow_change_is_not_lost() {
    let steps = (0..12).map(|step| {
        let grey = 250 - step * 2;
        png(&with(&page(), |page| fill(page, (700, 300), (200, 40), [grey, grey, grey])))
    });
    let frames = collapsed(steps);
    assert!((4..12).contains(&frames.len()), "{frames:?}");
    assert_eq!(frames.concat(), (1..=12).collect::<Vec<u32>>());
}

/// A memory that fails the test when it is asked to keep something.
struct KnowsAll(InMemory);

impl Memory for KnowsAll {
    fn fingerprint(&self, picture: &Digest) -> Option<Fingerprint> {
        let known = self.0.fingerprint(picture)?;
        Fingerprint::from_bytes(&known.to_bytes())
    }
    fn keep_fingerprint(&self, picture: &Digest, _: &Fingerprint) {
        panic!("{picture} was known");
    }
    fn same(&self, a: &Digest, b: &Digest) -> Option<bool> {
        self.0.same(a, b)
    }
    fn keep_same(&self, a: &Digest, b: &Digest, _: bool) {
        panic!("{a} and {b} were known");
    }
}

#[test]
fn what_is_known_is_not_decoded_again() {
    let page = page();
    let mut shots = shots([jpeg(&page, 80), jpeg(&page, 90), png(&page)]);
    let memory = InMemory::default();
    let steps = |frames: Vec<Frame>| frames.into_iter().map(|frame| frame.steps).collect::<Vec<_>>();
    let before = steps(collapse(&shots, &memory).expect("readable"));
    // Bytes that cannot be decoded: nobody looks at them.
    for shot in &mut shots {
        shot.content = Bytes::from_static(b"none");
    }
    assert_eq!(steps(collapse(&shots, &KnowsAll(memory)).expect("known")), before);
}

#[test]
fn a_damaged_picture_is_named_by_its_step() {
    let whole = jpeg(&page(), 80);
    let bomb = {
        let mut bytes = palette_png(64, 64).to_vec();
        bytes[16..24].copy_from_slice(&[0, 0, 0xff, 0xff, 0, 0, 0xff, 0xff]);
        Bytes::from(bytes)
    };
    let png = png(&page());
    for (damaged, why) in [
        (Bytes::new(), "no picture"),
        (Bytes::from_static(b"<html>"), "no picture"),
        (whole.slice(..whole.len() / 2), "ends early"),
        (png.slice(..png.len() / 2), "damaged"),
        (bomb.clone(), "65535 × 65535 are more pixels"),
    ] {
        let bad = collapse(&shots([whole.clone(), damaged.clone(), damaged]), &InMemory::default());
        let bad = bad.expect_err(why).to_string();
        assert!(bad.contains("step 2 ") && bad.contains(why), "{bad}");
    }
    assert!(prepare(&bomb, &Policy::default()).expect_err("a bomb").contains("more pixels"));
}

fn check(pictures: &[Picture], policy: &Policy) {
    for picture in pictures {
        let format = image::guess_format(&picture.content).expect("a picture");
        assert_eq!(format.to_mime_type(), picture.media.mime());
        let pixels = decoded(&picture.content);
        assert_eq!(pixels.dimensions(), (picture.width, picture.height));
        assert!(picture.width.max(picture.height) <= policy.longest_side);
    }
}

#[test]
fn what_is_fine_is_passed_on_untouched() {
    let policy = Policy::default();
    for (content, media) in [(jpeg(&page(), 80), Media::Jpeg), (png(&page()), Media::Png)] {
        let pictures = prepare(&content, &policy).expect("a picture");
        check(&pictures, &policy);
        assert_eq!((pictures.len(), pictures[0].media), (1, media));
        assert_eq!(pictures[0].content.as_ptr(), content.as_ptr(), "not even copied");
    }
}

#[test]
fn every_kind_of_pixels_is_accepted() {
    let policy = Policy::default();
    let grey_alpha = GrayAlphaImage::from_fn(60, 40, |x, _| image::LumaA([0, if x < 30 { 0 } else { 255 }]));
    let deep: ImageBuffer<image::Rgb<u16>, Vec<u16>> =
        ImageBuffer::from_pixel(60, 40, image::Rgb([65535, 0, 300]));
    let mut inks = Vec::new();
    let encoder = jpeg_encoder::Encoder::new(&mut inks, 95);
    encoder
        .encode(&[0, 255, 255, 0].repeat(60 * 40), 60, 40, jpeg_encoder::ColorType::Cmyk)
        .expect("encoded");
    let half_clear = image::RgbaImage::from_pixel(60, 40, image::Rgba([0, 0, 0, 128]));
    for (name, content, wanted) in [
        ("palette", palette_png(64, 40), [255, 255, 255]),
        (
            "grey with alpha",
            written(&DynamicImage::ImageLumaA8(grey_alpha), ImageFormat::Png),
            [255, 255, 255],
        ),
        ("16 bits", written(&DynamicImage::ImageRgb16(deep), ImageFormat::Png), [255, 0, 1]),
        ("CMYK", inks.into(), [255, 0, 0]),
        ("WebP", written(&DynamicImage::ImageRgba8(half_clear), ImageFormat::WebP), [127, 127, 127]),
    ] {
        let pictures = prepare(&content, &policy).unwrap_or_else(|problem| panic!("{name}: {problem}"));
        check(&pictures, &policy);
        assert_eq!(pictures[0].media, Media::Jpeg, "{name}");
        let seen = decoded(&pictures[0].content).get_pixel(0, 0).0;
        let close = seen.iter().zip(wanted).all(|(a, b)| a.abs_diff(b) <= 6);
        assert!(close, "{name}: {seen:?} instead of {wanted:?}");
        assert!(Fingerprint::of(&content).is_ok(), "{name}");
    }
    let grey = written(&DynamicImage::ImageLuma8(image::GrayImage::new(60, 40)), ImageFormat::Png);
    assert_eq!(prepare(&grey, &policy).expect("a picture")[0].media, Media::Png);
}

#[test]
fn long_pages_become_tiles_that_can_be_read() {
    let long = RgbImage::from_fn(1280, 9000, |_, y| image::Rgb([(y / 40) as u8, 0, 0]));
    let policy = Policy::default();
    let tiles = prepare(&jpeg(&long, 80), &policy).expect("tiles");
    check(&tiles, &policy);
    assert_eq!(tiles.len(), 5);
    assert!(tiles.iter().all(|tile| tile.width == 1280), "nothing is shrunk");
    assert_eq!(tiles[4].tile, Some((5, 5)));
    assert_eq!(tiles.iter().map(|tile| tile.height).sum::<u32>(), 9000 + 4 * policy.overlap);
    let (first, last) = (decoded(&tiles[0].content), decoded(&tiles[4].content));
    assert!(first.get_pixel(0, 0).0[0] <= 2 && last.get_pixel(0, last.height() - 1).0[0] >= 222);

    let endless = prepare(&jpeg(&RgbImage::new(640, 40_000), 50), &policy).expect("tiles");
    check(&endless, &policy);
    assert_eq!(endless.len() as u32, policy.most_tiles);

    let narrow = prepare(&jpeg(&RgbImage::new(60, 900), 50), &policy).expect("a picture");
    assert_eq!((narrow.len(), narrow[0].height, narrow[0].tile), (1, 900, None), "it fits");
    let whole = Policy { most_tiles: 1, ..Policy::default() };
    let shrunk = prepare(&jpeg(&RgbImage::new(640, 4000), 50), &whole).expect("a picture");
    assert_eq!((shrunk.len(), shrunk[0].height, shrunk[0].tile), (1, 2048, None));

    let wide = prepare(&jpeg(&RgbImage::new(9000, 600), 50), &policy).expect("shrunk");
    assert_eq!((wide.len(), wide[0].width, wide[0].tile), (1, 2048, None));
    let small = Policy { longest_side: 512, ..Policy::default() };
    let shrunk = prepare(&jpeg(&page(), 80), &small).expect("shrunk");
    check(&shrunk, &small);
    assert_eq!((shrunk[0].width, shrunk[0].height), (512, 512 * HEIGHT / WIDTH));
}

#[test]
fn work_is_done_once() {
    let prepared = Prepared::default();
    let (content, policy) = (jpeg(&page(), 80), Policy { longest_side: 640, ..Policy::default() });
    let digest = Digest::of(&content);
    let first = prepared.pictures(&digest, &content, &policy).expect("a picture");
    let again = prepared.pictures(&digest, &Bytes::new(), &policy).expect("known");
    assert_eq!(first[0].content.as_ptr(), again[0].content.as_ptr());
    let other = prepared.pictures(&digest, &content, &Policy::default()).expect("a picture");
    assert_ne!(first[0].width, other[0].width, "another policy is another picture");
    assert!(prepared.pictures(&Digest::of(b""), &Bytes::new(), &policy).is_err());
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn no_bytes_upset_it(start in 0..4usize, rest in prop::collection::vec(any::<u8>(), 0..300)) {
        let start: &[u8] = [&b""[..], b"\xff\xd8\xff", b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR", b"RIFF\x20\0\0\0WEBPVP8L"][start];
        let content = Bytes::from([start, &rest].concat());
        let _ = prepare(&content, &Policy::default());
        let _ = Fingerprint::of(&content);
        let _ = Fingerprint::from_bytes(&content);
    }

    #[test]
    fn no_damage_upsets_it(flips in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..12), kind in 0..3u8) {
        let picture = RgbImage::from_fn(50, 30, |x, y| image::Rgb([(x * 5) as u8, (y * 8) as u8, 9]));
        let content = match kind {
            0 => jpeg(&picture, 80),
            1 => png(&picture),
            _ => written(&DynamicImage::ImageRgb8(picture), ImageFormat::WebP),
        };
        let mut content = content.to_vec();
        for (place, value) in flips {
            let place = place.index(content.len());
            content[place] = value;
        }
        let content = Bytes::from(content);
        let _ = prepare(&content, &Policy { longest_side: 40, ..Policy::default() });
        let _ = Fingerprint::of(&content);
    }
}
