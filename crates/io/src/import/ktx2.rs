//! `KHR_texture_basisu`: KTX2 files with ETC1S or UASTC blocks. The transcoder does not validate the sizes in the file,
//! so they are checked against the memory limit first. If the transcoder still panics on a broken file, the texture
//! counts as unreadable.

use std::panic::catch_unwind;

use basisu::{DecodeFlags, Error, SourceFormat, TargetFormat, Transcoder};
use image::ColorType;

use super::budget::MemoryBudget;
use super::decoding::DecodedImage;
use super::images::TextureFault;
use super::pixels::DownscalePlan;

pub(super) const KTX2_MAGIC: &[u8] = b"\xABKTX 20\xBB\r\n\x1A\n";

/// Sizes from the header. *Source*: KTX 2.0, 3 "File structure".
struct Sizes {
    width: u32,
    height: u32,
    /// Size in bytes of the largest mipmap level after Zstandard decompression; 0 if the file does not use Zstandard.
    inflated: u64,
}

impl Sizes {
    fn read(bytes: &[u8]) -> Option<Self> {
        const ZSTANDARD: u32 = 2;
        let at = |offset: usize| bytes.get(offset..)?.first_chunk().map(|b| u32::from_le_bytes(*b));
        let inflated = bytes.get(96..)?.first_chunk().map(|b| u64::from_le_bytes(*b))?;
        let is_inflated = at(44)? == ZSTANDARD;
        Some(Self { width: at(20)?, height: at(24)?, inflated: if is_inflated { inflated } else { 0 } })
    }
}

pub(super) fn size(bytes: &[u8]) -> Option<[u32; 2]> {
    Sizes::read(bytes).map(|sizes| [sizes.width, sizes.height])
}

pub(super) fn decode(image: usize, bytes: &[u8], budget: &MemoryBudget) -> Result<DecodedImage, TextureFault> {
    let fault = |reason: &str| TextureFault::undecodable(image, reason);
    let Sizes { width, height, inflated } = Sizes::read(bytes).ok_or_else(|| fault("it is cut short"))?;
    let plan = DownscalePlan::new([width, height]);
    let size = u64::from(width).saturating_mul(height.into()).saturating_mul(4);
    budget.with_reserved(plan.kept_bytes(), size.saturating_add(inflated), |is_enough| {
        if !is_enough {
            return Err(TextureFault::too_large(image, width, height));
        }
        let transcoded = catch_unwind(|| transcode(bytes)).unwrap_or(Err(Error::InvalidData));
        let rgba = transcoded.map_err(|e| fault(words(&e)))?;
        if rgba.len() as u64 == size {
            Ok(plan.decoded(plan.converted(ColorType::Rgba8, &rgba), bytes, budget))
        } else {
            Err(fault("it has another size than it says"))
        }
    })
}

fn transcode(bytes: &[u8]) -> Result<Vec<u8>, Error> {
    let transcoder = Transcoder::new(bytes)?;
    // For other formats, which glTF forbids, some decoders allocate memory by sizes that are not checked here.
    match transcoder.source_format() {
        SourceFormat::Etc1s | SourceFormat::UastcLdr => {
            transcoder.transcode(0, TargetFormat::Rgba32, DecodeFlags::NONE)
        }
        source => Err(Error::Unsupported { source, target: TargetFormat::Rgba32 }),
    }
}

fn words(error: &Error) -> &'static str {
    match error {
        Error::Unsupported { .. } | Error::UnsupportedFeature(_) | Error::VideoRequiresState => {
            "it holds neither ETC1S nor UASTC blocks of one picture, which glTF wants"
        }
        Error::Truncated => "it is cut short",
        _ => "its data is broken or not of Basis Universal, which glTF wants",
    }
}
