//! Images are decoded on other threads while the meshes are read.

use std::collections::BTreeMap;
use std::io::{self, BufRead, Cursor, Read, Seek, SeekFrom};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::thread::{Builder, Scope, available_parallelism};

use image::{ImageDecoder as _, ImageError, ImageFormat, ImageReader, Limits};

use super::budget::MemoryBudget;
use super::bytes::Bytes;
use super::pixels::Plan;
use super::sniff::{describe, is_tga};
use super::uri::Opened;
use super::warning::short;
use super::{AccessorFault, Job, SourceFault, Stage, TextureFault, ktx2};
use crate::rig::Image;

/// An image as the file has it.
pub(super) enum Encoded<'a> {
    View(Bytes<'a>),
    Other(Opened),
}

impl Encoded<'_> {
    pub fn bytes(&self) -> Bytes<'_> {
        match self {
            Self::View(bytes) => *bytes,
            Self::Other(opened) => opened.bytes(),
        }
    }
}

/// An image, which may be smaller than the file has it.
pub(super) struct Decoded {
    pub image: Image,
    /// As the file has it.
    pub size: [u32; 2],
}

/// Decoded images by their number in the file, or why there is none.
pub(super) type DecodedImages = BTreeMap<usize, Result<Decoded, TextureFault>>;

/// The images that the file's meshes will probably need.
pub(super) struct Decoding<'a> {
    tasks: Vec<(usize, Encoded<'a>)>,
    results: Mutex<DecodedImages>,
    next: AtomicUsize,
    is_abandoned: AtomicBool,
    limits: DecodingLimits<'a>,
}

/// What every decoder must heed.
#[derive(Clone, Copy)]
pub(super) struct DecodingLimits<'a> {
    pub budget: &'a MemoryBudget,
    pub job: &'a Job,
    /// Those that the format of the model has.
    pub formats: &'a [ImageFormat],
}

/// Formats of images in any model, beside KTX2.
pub(super) const USUAL_FORMATS: [ImageFormat; 3] = [ImageFormat::Png, ImageFormat::Jpeg, ImageFormat::WebP];

impl<'a> Decoding<'a> {
    /// Images and their numbers in the file.
    pub fn new(tasks: Vec<(usize, Encoded<'a>)>, limits: DecodingLimits<'a>) -> Self {
        Self {
            tasks,
            results: Mutex::default(),
            next: AtomicUsize::new(0),
            is_abandoned: AtomicBool::new(false),
            limits,
        }
    }

    /// Begins on other threads; without any, [`Self::finish`] does it all.
    pub fn start<'scope>(&'scope self, scope: &'scope Scope<'scope, '_>) {
        let threads = available_parallelism().map_or(1, usize::from).min(self.tasks.len());
        for _ in 0..threads {
            let started = Builder::new().name("image".to_owned()).spawn_scoped(scope, || self.work(|_done| {}));
            if started.is_err() {
                return;
            }
        }
    }

    /// Helps with what nobody has begun.
    pub fn finish(&self) {
        // Told below where it was cancelled.
        self.work(|done| _ = self.limits.job.advance(Stage::Textures, done, self.tasks.len()));
    }

    /// Begins with nothing any more.
    pub fn abandon(&self) {
        self.is_abandoned.store(true, Ordering::Relaxed);
    }

    pub fn into_results(self) -> DecodedImages {
        self.results.into_inner().unwrap_or_else(PoisonError::into_inner)
    }

    fn work(&self, mut begin: impl FnMut(usize)) {
        while !self.is_abandoned.load(Ordering::Relaxed) && !self.limits.job.progress.is_cancelled() {
            let task = self.next.fetch_add(1, Ordering::Relaxed);
            let Some((image, encoded)) = self.tasks.get(task) else { return };
            begin(task);
            let decoded = self.limits.decode(*image, encoded);
            self.results.lock().unwrap_or_else(PoisonError::into_inner).insert(*image, decoded);
        }
    }
}

impl DecodingLimits<'_> {
    /// *Errors*: an image that cannot be read or decoded, or that needs more memory than is left.
    pub fn decode(self, image: usize, encoded: &Encoded<'_>) -> Result<Decoded, TextureFault> {
        let bytes = encoded.bytes();
        let source_fault = |fault| TextureFault::Source { image, fault };
        // Many images may share one source, which is then looked at many times.
        let size = bytes.len() as u64;
        self.job.progress.add_bytes(bytes.len());
        if !self.budget.charge(size) {
            return Err(source_fault(SourceFault::TooLarge { bytes: size }));
        }
        let unread = |e: io::Error| source_fault(SourceFault::View(AccessorFault::unread(&e)));
        self.decode_bytes(image, &bytes.read().map_err(unread)?)
    }

    fn decode_bytes(self, image: usize, bytes: &[u8]) -> Result<Decoded, TextureFault> {
        if bytes.starts_with(ktx2::SIGN) {
            return ktx2::decode(image, bytes, self.budget);
        }
        let is_tga = is_tga(bytes);
        let reader = || {
            let bytes = Cancellable { bytes: Cursor::new(bytes), job: self.job };
            let mut reader = ImageReader::new(bytes).with_guessed_format().ok()?;
            if reader.format().is_none() && is_tga {
                reader.set_format(ImageFormat::Tga);
            }
            let mut limits = Limits::default();
            limits.max_alloc = Some(self.budget.left());
            reader.limits(limits);
            reader.format().filter(|f| self.formats.contains(f)).map(|_| reader)
        };
        let decode_fault = |e: ImageError| TextureFault::Decode { image, reason: short(&e.to_string()) };
        let format_fault = || TextureFault::Format { image, found: describe(bytes) };
        let decoder = reader().ok_or_else(format_fault)?.into_decoder().map_err(decode_fault)?;
        let (width, height) = decoder.dimensions();
        let plan = Plan::new([width, height]);
        let meanwhile = plan.bytes_meanwhile(decoder.color_type()).saturating_add(coefficients(bytes, plan.size));
        // Known before anything of that size is allocated.
        if !self.budget.charge(plan.kept_bytes().saturating_add(meanwhile)) {
            return Err(TextureFault::TooLarge { image, width, height });
        }
        plan.decode(decoder).map(|image| Decoded { image, size: plan.size }).map_err(decode_fault)
    }
}

/// Bytes that a decoder keeps of the whole of a progressive JPEG: the coefficients of three colours, two bytes each.
fn coefficients(bytes: &[u8], size: [u32; 2]) -> u64 {
    const PROGRESSIVE: &[u8] = b"\xFF\xC2";
    let is_progressive = bytes.starts_with(b"\xFF\xD8") && bytes.windows(2).any(|mark| mark == PROGRESSIVE);
    let pixels = size.map(u64::from).into_iter().fold(1, u64::saturating_mul);
    if is_progressive { pixels.saturating_mul(6) } else { 0 }
}

/// Bytes that end with an error where the import was cancelled.
struct Cancellable<'a> {
    bytes: Cursor<&'a [u8]>,
    job: &'a Job,
}

impl Read for Cancellable<'_> {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        let read = self.fill_buf()?.read(out)?;
        self.consume(read);
        Ok(read)
    }
}

impl BufRead for Cancellable<'_> {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        const PIECE: usize = 1 << 16;
        if self.job.progress.is_cancelled() {
            return Err(io::Error::other("the import was cancelled"));
        }
        let bytes = self.bytes.fill_buf()?;
        Ok(bytes.get(..PIECE).unwrap_or(bytes))
    }

    fn consume(&mut self, count: usize) {
        self.bytes.consume(count);
    }
}

impl Seek for Cancellable<'_> {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        self.bytes.seek(to)
    }
}

#[cfg(test)]
mod tests {
    use image::DynamicImage;

    use super::*;

    #[test]
    fn once_cancelled_or_abandoned_no_further_image_is_begun() {
        let begun = |each: fn(usize, &Decoding<'_>)| {
            let (job, budget) = (Job::default(), MemoryBudget::new(1 << 20));
            let images = (0..100).map(|image| (image, Encoded::View(Bytes::Memory(b"no picture"))));
            let decoding =
                Decoding::new(images.collect(), DecodingLimits { budget: &budget, job: &job, formats: &USUAL_FORMATS });
            decoding.work(|number| each(number, &decoding));
            decoding.into_results().len()
        };
        assert_eq!(begun(|_, _| {}), 100);
        assert_eq!(
            begun(|number, decoding| if number == 3 {
                decoding.limits.job.progress.cancel();
            }),
            4
        );
        assert_eq!(
            begun(|number, decoding| if number == 3 {
                decoding.abandon();
            }),
            4
        );
    }

    #[test]
    fn every_kind_of_picture_keeps_its_pixels() {
        let limits = |job: &Job, budget: &MemoryBudget, png: &[u8]| {
            DecodingLimits { budget, job, formats: &USUAL_FORMATS }.decode(0, &Encoded::View(Bytes::Memory(png)))
        };
        let rgba = image::RgbaImage::from_fn(3, 2, |x, y| image::Rgba([x as u8 * 80, y as u8 * 90, 7, 255 - x as u8]));
        let pictures = [DynamicImage::from(rgba.clone()), DynamicImage::from(rgba).into_rgb8().into()];
        for picture in pictures.iter().flat_map(|p| [p.clone(), p.to_luma8().into(), p.to_rgb16().into()]) {
            let mut png = Cursor::new(Vec::new());
            picture.write_to(&mut png, ImageFormat::Png).unwrap();
            let (job, budget) = (Job::default(), MemoryBudget::new(1 << 20));
            let Decoded { image, .. } = limits(&job, &budget, png.get_ref()).unwrap();
            assert_eq!((image.width, image.height, image.rgba.to_vec()), (3, 2, picture.into_rgba8().into_raw()));
            job.progress.cancel();
            assert!(limits(&job, &budget, png.get_ref()).is_err(), "cancelling stops the decoder");
        }
    }
}
