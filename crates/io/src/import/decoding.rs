//! Decodes images on worker threads while meshes are read.

use std::collections::{BTreeMap, HashMap};
use std::hash::{DefaultHasher, Hasher as _};
use std::io::{self, BufRead, Cursor, Read, Seek, SeekFrom};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::{Builder, Scope, available_parallelism};

use image::{ImageDecoder as _, ImageError, ImageFormat, ImageReader, Limits};

use super::budget::MemoryBudget;
use super::bytes::Bytes;
use super::images::TextureFault;
use super::pixels::DownscalePlan;
use super::sniff::{describe, is_tga};
use super::uri::UriData;
use super::warning::{exceeds_memory, short, unread};
use super::{Job, Stage, ktx2};
use rigscope_core::jobs::lock;
use rigscope_core::rig::Image;

pub(super) enum EncodedImage<'a> {
    View(Bytes<'a>),
    Other(UriData),
}

impl EncodedImage<'_> {
    pub(super) fn bytes(&self) -> Bytes<'_> {
        match self {
            Self::View(bytes) => *bytes,
            Self::Other(opened) => opened.bytes(),
        }
    }
}

#[derive(Clone)]
pub(super) struct DecodedImage {
    pub image: Image,
    /// Width and height of the encoded image in pixels. [`Self::image`] may be smaller.
    pub size: [u32; 2],
    /// Encoded bytes if the image was downscaled; an empty slice if they exceed the memory budget.
    pub full: Option<Arc<[u8]>>,
}

impl DownscalePlan {
    pub(super) fn decoded(&self, image: Image, bytes: &[u8], budget: &MemoryBudget) -> DecodedImage {
        let keep = || if budget.charge(bytes.len() as u64) { bytes.into() } else { Arc::default() };
        DecodedImage { image, size: self.size, full: (self.kept != self.size).then(keep) }
    }
}

pub(super) type DecodedImages = BTreeMap<usize, Result<DecodedImage, TextureFault>>;

pub(super) struct Decoding<'a> {
    tasks: Vec<(usize, EncodedImage<'a>)>,
    results: Mutex<DecodedImages>,
    next: AtomicUsize,
    is_abandoned: AtomicBool,
    limits: DecodingLimits<'a>,
}

#[derive(Clone, Copy)]
pub(super) struct DecodingLimits<'a> {
    pub budget: &'a MemoryBudget,
    pub job: &'a Job,
    pub formats: &'a [ImageFormat],
    pub known: &'a DecodedImageCache,
}

/// Decoded images by length and hash of the encoded bytes, so that duplicates are decoded and stored once.
#[derive(Default)]
pub(super) struct DecodedImageCache(Mutex<HashMap<(usize, u64), CachedImage>>);

type CachedImage = Arc<Mutex<Option<DecodedImage>>>;

impl DecodedImageCache {
    /// Decodes each image at most once across all threads. Does not cache failures, because more memory may be
    /// available to a later call.
    fn get_or_decode(
        &self,
        bytes: &[u8],
        decode: impl FnOnce() -> Result<DecodedImage, TextureFault>,
    ) -> Result<DecodedImage, TextureFault> {
        let mut hasher = DefaultHasher::new();
        hasher.write(bytes);
        let key = (bytes.len(), hasher.finish());
        let place = Arc::clone(lock(&self.0).entry(key).or_default());
        let mut known = lock(&place);
        if let Some(decoded) = &*known {
            return Ok(decoded.clone());
        }
        let decoded = decode()?;
        *known = Some(decoded.clone());
        Ok(decoded)
    }
}

/// Texture formats, besides KTX2, that are supported in every model format.
pub(super) const USUAL_FORMATS: [ImageFormat; 3] = [ImageFormat::Png, ImageFormat::Jpeg, ImageFormat::WebP];

impl<'a> Decoding<'a> {
    pub(super) fn new(tasks: Vec<(usize, EncodedImage<'a>)>, limits: DecodingLimits<'a>) -> Self {
        Self {
            tasks,
            results: Mutex::default(),
            next: AtomicUsize::new(0),
            is_abandoned: AtomicBool::new(false),
            limits,
        }
    }

    /// Starts worker threads. Without them, [`Self::finish`] decodes everything.
    pub(super) fn start<'scope>(&'scope self, scope: &'scope Scope<'scope, '_>) {
        if self.tasks.is_empty() {
            // Avoids `available_parallelism`, which opens system files.
            return;
        }
        let threads = available_parallelism().map_or(1, usize::from).min(self.tasks.len());
        for _ in 0..threads {
            let started = Builder::new().name("image".to_owned()).spawn_scoped(scope, || self.work(|_done| {}));
            if started.is_err() {
                return;
            }
        }
    }

    /// Decodes the remaining images, or abandons them if they are no longer wanted.
    pub(super) fn finish(&self, is_wanted: bool) {
        if !is_wanted {
            return self.abandon();
        }
        self.work(|done| _ = self.limits.job.advance(Stage::Textures, done, self.tasks.len()));
    }

    fn abandon(&self) {
        self.is_abandoned.store(true, Ordering::Relaxed);
    }

    pub(super) fn into_results(self) -> DecodedImages {
        self.results.into_inner().unwrap_or_else(PoisonError::into_inner)
    }

    fn work(&self, mut begin: impl FnMut(usize)) {
        while !self.is_abandoned.load(Ordering::Relaxed) && !self.limits.job.progress.is_cancelled() {
            let task = self.next.fetch_add(1, Ordering::Relaxed);
            let Some((image, encoded)) = self.tasks.get(task) else { return };
            begin(task);
            let decoded = self.limits.decode(*image, encoded);
            lock(&self.results).insert(*image, decoded);
        }
    }
}

impl DecodingLimits<'_> {
    pub(super) fn decode(self, image: usize, encoded: &EncodedImage<'_>) -> Result<DecodedImage, TextureFault> {
        let bytes = encoded.bytes();
        // Each image is charged, since images that share bytes still read them separately.
        let size = bytes.len() as u64;
        self.job.progress.add_bytes(bytes.len());
        if !self.budget.charge(size) {
            return Err(TextureFault::source(image, &exceeds_memory(size)));
        }
        let bytes = bytes.read().map_err(|e| TextureFault::source(image, &unread(e)))?;
        self.known.get_or_decode(&bytes, || self.decode_bytes(image, &bytes))
    }

    fn decode_bytes(self, image: usize, bytes: &[u8]) -> Result<DecodedImage, TextureFault> {
        if bytes.starts_with(ktx2::KTX2_MAGIC) {
            return ktx2::decode(image, bytes, self.budget);
        }
        let reader = || {
            let mut reader = image_reader(bytes, self.job)?;
            let mut limits = Limits::default();
            limits.max_alloc = Some(self.budget.left());
            reader.limits(limits);
            reader.format().filter(|f| self.formats.contains(f)).map(|_| reader)
        };
        let decode_fault = |e: ImageError| TextureFault::undecodable(image, &short(&e.to_string()));
        let format_fault = || {
            let read = "and only PNG, JPEG, WebP and KTX2 are read: export the textures in one of these";
            TextureFault::unusable(format!("image {image} is {}, {read}", describe(bytes)))
        };
        let decoder = reader().ok_or_else(format_fault)?.into_decoder().map_err(decode_fault)?;
        let (width, height) = decoder.dimensions();
        let plan = DownscalePlan::new([width, height]);
        let pixels = u64::from(width).saturating_mul(height.into());
        let beside = pixels.saturating_mul(decoder_bytes(bytes));
        let meanwhile = plan.bytes_meanwhile(decoder.color_type()).saturating_add(beside);
        let is_modest = meanwhile <= self.job.memory_limit().div_euclid(2);
        self.budget.with_reserved(plan.kept_bytes(), meanwhile, |is_enough| {
            if !(is_enough && is_modest) {
                return Err(TextureFault::too_large(image, width, height));
            }
            let image = plan.decode(decoder).map_err(decode_fault)?;
            Ok(plan.decoded(image, bytes, self.budget))
        })
    }
}

/// Returns a decoder's working memory in bytes per pixel. *Source*: the code of `zune-jpeg` and `image-webp`.
fn decoder_bytes(bytes: &[u8]) -> u64 {
    /// Four components, two bytes each.
    const MAX_COEFFICIENTS: u64 = 8;
    match bytes {
        [0xFF, 0xD8, ..] => coefficients(bytes).unwrap_or(MAX_COEFFICIENTS),
        [b'R', b'I', b'F', b'F', _, _, _, _, b'W', b'E', b'B', b'P', kind @ ..] => match kind {
            // One byte of luma per pixel and two bytes of chroma per four pixels, rounded up.
            [b'V', b'P', b'8', b' ', ..] => 2,
            [b'V', b'P', b'8', b'L', ..] => 4,
            // An animation needs a canvas and a frame; a still image needs at most a lossy image and its alpha.
            [b'V', b'P', b'8', b'X', _, _, _, _, flags, ..] if flags & 2 != 0 => 10,
            _ => 8,
        },
        _ => 0,
    }
}

/// Returns the size of a JPEG decoder's stored coefficients in bytes per pixel: two per component if the image is
/// progressive or its components have separate scans, otherwise 0. Returns `None` for a broken header. *Source*: ITU
/// T.81, B.1 and B.2.
fn coefficients(jpeg: &[u8]) -> Option<u64> {
    const BASELINE: u8 = 0xC0;
    const EXTENDED: u8 = 0xC1;
    const PROGRESSIVE: u8 = 0xC2;
    const SCAN: u8 = 0xDA;
    let (mut rest, mut frame) = (jpeg.get(2..)?, None);
    loop {
        let [0xFF, marker, high, low, content @ ..] = rest else { return None };
        match *marker {
            BASELINE | EXTENDED | PROGRESSIVE => frame = Some((*marker, *content.get(5)?)),
            SCAN => {
                let ((kind, colors), of_scan) = (frame?, *content.first()?);
                let is_kept = kind == PROGRESSIVE || of_scan < colors;
                return Some(if is_kept { u64::from(colors).saturating_mul(2) } else { 0 });
            }
            _ => {}
        }
        rest = rest.get(usize::from(u16::from_be_bytes([*high, *low])).saturating_add(2)..)?;
    }
}

/// Returns a reader that knows the format if the bytes show it.
pub(super) fn image_reader<'a>(bytes: &'a [u8], job: &'a Job) -> Option<ImageReader<Cancellable<'a>>> {
    let cancellable = Cancellable { bytes: Cursor::new(bytes), job };
    let mut reader = ImageReader::new(cancellable).with_guessed_format().ok()?;
    if reader.format().is_none() && is_tga(bytes) {
        reader.set_format(ImageFormat::Tga);
    }
    Some(reader)
}

/// Reads from memory, and fails once the import is cancelled.
pub(super) struct Cancellable<'a> {
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
    use image::{ColorType, DynamicImage};

    use super::*;

    #[test]
    fn once_cancelled_or_abandoned_no_further_image_is_begun() {
        let begun = |each: fn(usize, &Decoding<'_>)| {
            let (job, budget, known) = (Job::default(), MemoryBudget::new(1 << 20), DecodedImageCache::default());
            let images = (0..100).map(|image| (image, EncodedImage::View(Bytes::Memory(b"no picture"))));
            let decoding = Decoding::new(
                images.collect(),
                DecodingLimits { budget: &budget, job: &job, formats: &USUAL_FORMATS, known: &known },
            );
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
            let known = &DecodedImageCache::default();
            DecodingLimits { budget, job, formats: &USUAL_FORMATS, known }
                .decode(0, &EncodedImage::View(Bytes::Memory(png)))
        };
        let rgba = image::RgbaImage::from_fn(3, 2, |x, y| image::Rgba([x as u8 * 80, y as u8 * 90, 7, 255 - x as u8]));
        let pictures = [DynamicImage::from(rgba.clone()), DynamicImage::from(rgba).into_rgb8().into()];
        for picture in pictures.iter().flat_map(|p| [p.clone(), p.to_luma8().into(), p.to_rgb16().into()]) {
            let mut png = Cursor::new(Vec::new());
            picture.write_to(&mut png, ImageFormat::Png).unwrap();
            let (job, budget) = (Job::default(), MemoryBudget::new(1 << 20));
            let DecodedImage { image, .. } = limits(&job, &budget, png.get_ref()).unwrap();
            assert_eq!((image.width, image.height, image.rgba.to_vec()), (3, 2, picture.into_rgba8().into_raw()));
            job.progress.cancel();
            assert!(limits(&job, &budget, png.get_ref()).is_err(), "cancelling stops the decoder");
        }
    }

    #[test]
    fn memory_kept_by_a_decoder_is_counted() {
        let jpeg = |frame: u8, colors: u8, of_scan: u8| {
            let preview = [0xFF, 0xE1, 0, 6, 0xFF, 0xDA, 0xFF, 0xC2];
            let frame = [0xFF, frame, 0, 11, 8, 0, 16, 0, 16, colors, 0, 0, 0];
            [&[0xFF, 0xD8][..], &preview, &frame, &[0xFF, 0xDA, 0, 8, of_scan, 0, 0, 0, 0, 0]].concat()
        };
        let cases = [(0xC0, 3, 3, 0), (0xC0, 1, 1, 0), (0xC0, 3, 1, 6), (0xC2, 3, 3, 6), (0xC2, 4, 1, 8)];
        for (frame, colors, of_scan, expected) in cases {
            assert_eq!(decoder_bytes(&jpeg(frame, colors, of_scan)), expected, "{frame:X} {colors} {of_scan}");
        }
        assert_eq!(decoder_bytes(&jpeg(0xC0, 3, 3)[..20]), 8, "where it is not known it may be the most");
        let webp = |kind: &[u8]| decoder_bytes(&[b"RIFF0000WEBP", kind].concat());
        let kinds: [&[u8]; 4] = [b"VP8 ....", b"VP8L....", b"VP8X....\x10", b"VP8X....\x02"];
        assert_eq!(kinds.map(webp), [2, 4, 8, 10]);
    }

    /// Encodes an image whose header claims a larger size, so that decoding would need a lot of memory.
    fn with_size(format: ImageFormat, [width, height]: [u16; 2]) -> Vec<u8> {
        let mut file = Cursor::new(Vec::new());
        DynamicImage::new_rgb8(16, 16).write_to(&mut file, format).unwrap();
        let mut file = file.into_inner();
        if format == ImageFormat::Jpeg {
            let frame = file.windows(2).position(|marker| marker == [0xFF, 0xC0]).unwrap();
            file[frame + 5..][..4].copy_from_slice(&[height.to_be_bytes(), width.to_be_bytes()].concat());
        } else {
            let head = u32::from_le_bytes(file[21..25].try_into().unwrap());
            let sides = u32::from(width - 1) | u32::from(height - 1) << 14;
            file[21..25].copy_from_slice(&(head >> 28 << 28 | sides).to_le_bytes());
        }
        file
    }

    #[test]
    fn pictures_of_240_million_pixels_are_bounded_or_refused_by_their_stated_size() {
        let refused = |bytes: &[u8], limit| {
            let (job, budget) = (Job::with_memory_limit(limit), MemoryBudget::new(limit));
            let limits = DecodingLimits {
                budget: &budget,
                job: &job,
                formats: &USUAL_FORMATS,
                known: &DecodedImageCache::default(),
            };
            let fault = limits.decode(0, &EncodedImage::View(Bytes::Memory(bytes))).map(|_| ()).unwrap_err();
            assert_eq!(budget.left(), limit - bytes.len() as u64, "what was lent is given back");
            fault
        };
        let size = [20_000, 12_000];
        let jpeg = with_size(ImageFormat::Jpeg, size);
        let plan = DownscalePlan::new(size.map(u32::from));
        assert_eq!(plan.kept, [6667, 4000], "kept by thirds");
        // Decoding needs 0.7 GB temporarily and keeps 0.14 GB, which is within the default limit.
        assert_eq!((plan.bytes_meanwhile(ColorType::Rgb8), plan.kept_bytes()), (720_000_000, 142_229_333));
        assert!(plan.bytes_meanwhile(ColorType::Rgb8) <= Job::DEFAULT_MEMORY_LIMIT / 2 && decoder_bytes(&jpeg) == 0);
        let too_large = |[width, height]: [u16; 2]| TextureFault::too_large(0, width.into(), height.into());
        assert_eq!(refused(&jpeg, 2 * 720_000_000 - 1), too_large(size));
        // A progressive JPEG takes 1.4 GB more for its coefficients; a WebP takes 1.6 GB in total.
        let mut progressive = jpeg;
        let frame = progressive.windows(2).position(|marker| marker == [0xFF, 0xC0]).unwrap();
        progressive[frame + 1] = 0xC2;
        assert_eq!(refused(&progressive, Job::DEFAULT_MEMORY_LIMIT), too_large(size));
        let largest = [16_383, 12_000];
        let webp = with_size(ImageFormat::WebP, largest);
        assert_eq!(refused(&webp, Job::DEFAULT_MEMORY_LIMIT), too_large(largest));
    }

    #[test]
    fn a_decoder_takes_at_most_half_of_the_memory_limit() {
        let mut webp = Cursor::new(Vec::new());
        DynamicImage::new_rgb8(64, 48).write_to(&mut webp, ImageFormat::WebP).unwrap();
        let decoded = |limit| {
            let (job, budget, known) =
                (Job::with_memory_limit(limit), MemoryBudget::new(1 << 20), DecodedImageCache::default());
            let limits = DecodingLimits { budget: &budget, job: &job, formats: &USUAL_FORMATS, known: &known };
            limits.decode(0, &EncodedImage::View(Bytes::Memory(webp.get_ref()))).map(|_| ())
        };
        assert_eq!(decoded(2 * 64 * 48 * 4), Ok(()));
        assert_eq!(decoded(2 * 64 * 48 * 4 - 1), Err(TextureFault::too_large(0, 64, 48)));
    }

    #[test]
    fn one_picture_is_decoded_and_kept_once_however_many_images_have_it() {
        let mut webp = Cursor::new(Vec::new());
        DynamicImage::new_rgb8(64, 48).write_to(&mut webp, ImageFormat::WebP).unwrap();
        let (job, known) = (Job::default(), DecodedImageCache::default());
        let size = webp.get_ref().len() as u64;
        let (kept, meanwhile) = (DownscalePlan::new([64, 48]).kept_bytes(), 64 * 48 * 4);
        let budget = MemoryBudget::new(40 * size + kept + meanwhile);
        let limits = DecodingLimits { budget: &budget, job: &job, formats: &USUAL_FORMATS, known: &known };
        let decode =
            |image| limits.decode(image, &EncodedImage::View(Bytes::Memory(webp.get_ref()))).unwrap().image.rgba;
        let first = decode(0);
        assert_eq!(budget.left(), 39 * size + meanwhile, "what the decoder took is given back");
        assert!((1..40).all(|image| Arc::ptr_eq(&first, &decode(image))));
        assert_eq!(budget.left(), meanwhile);
    }
}
