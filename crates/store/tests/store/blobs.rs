use std::fs;
use std::io::ErrorKind;

use crate::fixtures::{all_files, run_in};
use proptest::prelude::*;
use serde_json::json;
use tempfile::TempDir;
use umpire_model::{BlobRef, BlobSource as _, Digest, Media};

#[test]
fn text_is_compressed_and_images_are_kept_as_they_are() {
    let root = TempDir::new().expect("temp");
    let run = run_in(root.path());
    let page = "<li>lamp</li>".repeat(1000);
    let text = run.blobs().put(page.as_bytes(), Media::Text).expect("stored");
    let image = run.blobs().put(b"\x89PNG pixels", Media::Png).expect("stored");
    let path_of = |blob: &BlobRef, suffix: &str| {
        let hex = blob.digest.as_str();
        root.path().join(format!("small-1/blobs/{}/{hex}{suffix}", &hex[..2]))
    };
    assert!(fs::metadata(path_of(&text, ".zst")).expect("stored").len() < 200);
    assert_eq!(fs::read(path_of(&image, "")).expect("stored"), b"\x89PNG pixels");
    assert_eq!(run.blobs().read(&text).expect("readable"), page.as_bytes());
}

#[test]
fn the_same_content_is_stored_once() {
    let root = TempDir::new().expect("temp");
    let run = run_in(root.path());
    let first = run.blobs().put(b"twice", Media::Text).expect("stored");
    let before = all_files(run.folder()).len();
    assert_eq!(run.blobs().put(b"twice", Media::Text).expect("stored"), first);
    assert_eq!(all_files(run.folder()).len(), before);
}

#[test]
fn a_missing_blob_is_named() {
    let root = TempDir::new().expect("temp");
    let blob = BlobRef { digest: Digest::of(b"never stored"), media: Media::Text, bytes: 12 };
    let error = run_in(root.path()).blobs().read(&blob).expect_err("missing");
    assert_eq!(error.kind(), ErrorKind::NotFound);
    assert!(error.to_string().contains(blob.digest.as_str()), "{error}");
}

#[test]
fn a_flipped_bit_never_goes_unnoticed() {
    let root = TempDir::new().expect("temp");
    let run = run_in(root.path());
    for media in [Media::Png, Media::Json] {
        let content = b"{\"cart\": [1, 2, 3, 4, 5, 6, 7, 8, 9]}";
        let blob = run.blobs().put(content, media).expect("stored");
        let path = all_files(&run.folder().join("blobs")).pop().expect("one file");
        let whole = fs::read(&path).expect("stored");
        for bit in 0..whole.len() * 8 {
            let mut flipped = whole.clone();
            flipped[bit / 8] ^= 1 << (bit % 8);
            fs::write(&path, flipped).expect("written");
            // Some header bits of a compressed file carry no meaning; what must not happen is other content.
            if let Ok(read) = run.blobs().read(&blob) {
                assert_eq!(read, content, "bit {bit} of {media:?}");
                assert_eq!(media, Media::Json, "bit {bit}");
            }
        }
        fs::remove_file(path).expect("removed");
    }
}

#[test]
fn a_file_emptied_by_a_power_cut_is_written_again() {
    let root = TempDir::new().expect("temp");
    let run = run_in(root.path());
    for media in [Media::Jpeg, Media::Text] {
        let blob = run.blobs().put(b"content", media).expect("stored");
        let path = all_files(&run.folder().join("blobs")).pop().expect("one file");
        fs::write(&path, b"").expect("emptied");
        assert!(run.blobs().read(&blob).is_err());
        run.blobs().put(b"content", media).expect("stored");
        assert_eq!(run.blobs().read(&blob).expect("readable"), b"content");
        fs::remove_file(path).expect("removed");
    }
}

#[test]
fn a_forged_digest_does_not_leave_the_folder() {
    let root = TempDir::new().expect("temp");
    let run = run_in(root.path());
    for name in ["../manifest.json", "../../../../../../etc/passwd", "", "ab", "é".repeat(32).as_str()] {
        let forged = json!({"digest": name, "media": "png", "bytes": 10});
        let blob: BlobRef = serde_json::from_value(forged).expect("the type does not check");
        assert_eq!(run.blobs().read(&blob).expect_err(name).kind(), ErrorKind::InvalidInput);
    }
}

#[test]
fn a_compression_bomb_is_not_read_to_its_end() {
    let root = TempDir::new().expect("temp");
    let run = run_in(root.path());
    let small = run.blobs().put(b"small", Media::Text).expect("stored");
    let path = all_files(&run.folder().join("blobs")).pop().expect("one file");
    let bomb = zstd::bulk::compress(&vec![0; 64 << 20], 3).expect("compressed");
    fs::write(path, bomb).expect("written");
    assert_eq!(run.blobs().read(&small).expect_err("not it").kind(), ErrorKind::InvalidData);
}

#[test]
fn an_exported_image_is_an_ordinary_file() {
    let root = TempDir::new().expect("temp");
    let run = run_in(root.path());
    let image = run.blobs().put(b"\xff\xd8\xff pixels", Media::Jpeg).expect("stored");
    let target = root.path().join("shot.jpg");
    for _ in 0..2 {
        run.blobs().export_image(&image, &target).expect("exported");
        assert_eq!(fs::read(&target).expect("there"), b"\xff\xd8\xff pixels");
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn any_content_comes_back(content in prop::collection::vec(any::<u8>(), 0..2000), image in any::<bool>()) {
        let root = TempDir::new().expect("temp");
        let run = run_in(root.path());
        let media = if image { Media::Png } else { Media::Bytes };
        let blob = run.blobs().put(&content, media).expect("stored");
        prop_assert_eq!(run.blobs().read(&blob).expect("readable"), content);
    }
}
