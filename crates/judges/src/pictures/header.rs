//! What a picture says about itself in its first bytes, without decoding it.

use umpire_model::Media;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Header {
    pub media: Media,
    pub width: u32,
    pub height: u32,
    /// Whether every provider takes these pixels: 8 bits a channel, grey or colour. Palettes, grey with alpha, 16 bits and
    /// CMYK are known to be refused here and there.
    pub plain: bool,
}

/// Of a PNG or a JPEG; `None` for everything else, which then has to be decoded.
pub(super) fn header(content: &[u8]) -> Option<Header> {
    png(content).or_else(|| jpeg(content))
}

fn png(content: &[u8]) -> Option<Header> {
    let rest = content.strip_prefix(b"\x89PNG\r\n\x1a\n")?;
    let fields = rest.get(4..).and_then(|rest| rest.strip_prefix(b"IHDR"))?;
    let number = |at: usize| Some(u32::from_be_bytes(fields.get(at..at + 4)?.try_into().ok()?));
    let (bits, colours) = (*fields.get(8)?, *fields.get(9)?);
    let plain = bits == 8 && matches!(colours, 0 | 2 | 6);
    Some(Header { media: Media::Png, width: number(0)?, height: number(4)?, plain })
}

fn jpeg(content: &[u8]) -> Option<Header> {
    let mut rest = content.strip_prefix(b"\xff\xd8")?;
    loop {
        let start = rest.iter().position(|byte| *byte != 0xff)?;
        let marker = *rest.get(start).filter(|_| start > 0)?;
        rest = &rest[start + 1..];
        let length = usize::from(u16::from_be_bytes(rest.get(..2)?.try_into().ok()?));
        let fields = rest.get(2..length)?;
        match marker {
            // Frames of all kinds; between them lie tables (C4, CC) and a reserved one (C8).
            0xc0..=0xcf if !matches!(marker, 0xc4 | 0xc8 | 0xcc) => {
                let number =
                    |at: usize| Some(u32::from(u16::from_be_bytes(fields.get(at..at + 2)?.try_into().ok()?)));
                let plain = *fields.first()? == 8 && matches!(fields.get(5)?, 1 | 3);
                return Some(Header { media: Media::Jpeg, width: number(3)?, height: number(1)?, plain });
            }
            // Pixels before a frame.
            0xda | 0xd9 => return None,
            _ => rest = &rest[length..],
        }
    }
}
