use std::path::Path;

use gif::{Encoder, Frame as GifFrame, Repeat};

use super::Film;
use crate::ExportError;
use crate::export::Outgoing;

/// From 1 (best colours) to 30 (quickest).
const SPEED: i32 = 20;

pub(crate) fn write(outgoing: &Outgoing<'_>, file: &Path) -> Result<(), ExportError> {
    let frames = Film::of(outgoing);
    let (width, height) = frames.size();
    let failed = |error: gif::EncodingError| ExportError::write(file)(std::io::Error::other(error));
    let mut content = Vec::new();
    {
        let mut encoder = Encoder::new(&mut content, width as u16, height as u16, &[]).map_err(failed)?;
        encoder.set_repeat(Repeat::Infinite).map_err(failed)?;
        for frame in frames {
            let mut drawn =
                GifFrame::from_rgb_speed(width as u16, height as u16, frame.picture.as_raw(), SPEED);
            // Hundredths of a second.
            drawn.delay = (frame.ms / 10) as u16;
            encoder.write_frame(&drawn).map_err(failed)?;
        }
    }
    super::finish(file, &content).map_err(ExportError::write(file))
}
