//! Images are decoded on other threads while the meshes are read.

use std::collections::{BTreeMap, BTreeSet};
use std::io::{self, BufRead, Cursor, Read, Seek, SeekFrom};
use std::iter::repeat_n;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::{Builder, Scope, available_parallelism};

use image::{ColorType, DynamicImage, ImageDecoder, ImageError, ImageFormat, ImageReader, Limits};

use super::budget::Budget;
use super::bytes::Bytes;
use super::loader::Loader;
use super::materials::Surface;
use super::schema::{Lenient, valid};
use super::sniff::describe;
use super::source::Opened;
use super::textures::sources;
use super::warning::short;
use super::{Job, SourceFault, Stage, TextureFault, ktx2};
use crate::rig::Image;

/// An image as the file has it.
pub(super) enum Encoded<'a> {
    View(Bytes<'a>),
    Other(Opened),
}

impl Encoded<'_> {
    fn bytes(&self) -> Bytes<'_> {
        match self {
            Self::View(bytes) => *bytes,
            Self::Other(opened) => opened.bytes(),
        }
    }
}

/// Decoded images by their number in the file, or why there is none.
pub(super) type Decoded = BTreeMap<usize, Result<Image, TextureFault>>;

/// The images that the file's meshes will probably need.
pub(super) struct Decoding<'a> {
    tasks: Vec<(usize, Encoded<'a>)>,
    results: Mutex<Decoded>,
    next: AtomicUsize,
    is_abandoned: AtomicBool,
    limits: DecodingLimits<'a>,
}

/// What every decoder must heed.
#[derive(Clone, Copy)]
pub(super) struct DecodingLimits<'a> {
    pub budget: &'a Budget,
    pub job: &'a Job,
}

impl<'a> Decoding<'a> {
    /// Looks for the first image of the texture of each material that some primitive has.
    pub fn new(loader: &'a Loader<'_>, surfaces: &[Surface]) -> Self {
        let primitives = loader.document.meshes.iter().filter_map(Lenient::valid).flat_map(|m| &m.primitives);
        let materials: BTreeSet<usize> = primitives.filter_map(|p| p.valid()?.material).collect();
        let textures = materials.iter().filter_map(|&m| surfaces.get(m)?.texture);
        let first = |texture| {
            let texture = valid(&loader.document.textures, texture)?;
            sources(texture.source.value(), texture.extensions.as_ref().map(|e| &e.others)).next()
        };
        let images: BTreeSet<usize> = textures.filter_map(first).collect();
        Self {
            // What cannot be found is told when the texture is asked for.
            tasks: images.into_iter().filter_map(|i| Some((i, loader.encoded(i).ok()?))).collect(),
            results: Mutex::default(),
            next: AtomicUsize::new(0),
            is_abandoned: AtomicBool::new(false),
            limits: loader.decoding_limits(),
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

    pub fn into_results(self) -> Decoded {
        self.results.into_inner().unwrap_or_else(PoisonError::into_inner)
    }

    fn work(&self, mut begin: impl FnMut(usize)) {
        while !self.is_abandoned.load(Ordering::Relaxed) && !self.limits.job.is_cancelled() {
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
    pub fn decode(self, image: usize, encoded: &Encoded<'_>) -> Result<Image, TextureFault> {
        let bytes = encoded.bytes();
        let source_fault = |fault| TextureFault::Source { image, fault };
        // Many images may share one source, which is then looked at many times.
        let size = bytes.len() as u64;
        if !self.budget.charge(size) {
            return Err(source_fault(SourceFault::TooLarge { bytes: size }));
        }
        let unread = |e: io::Error| source_fault(SourceFault::View(super::accessor::unread(&e)));
        self.decode_bytes(image, &bytes.read().map_err(unread)?)
    }

    fn decode_bytes(self, image: usize, bytes: &[u8]) -> Result<Image, TextureFault> {
        if bytes.starts_with(ktx2::SIGN) {
            return ktx2::decode(image, bytes, self.budget);
        }
        let reader = || {
            let bytes = Cancellable { bytes: Cursor::new(bytes), job: self.job };
            let mut reader = ImageReader::new(bytes).with_guessed_format().ok()?;
            let mut limits = Limits::default();
            limits.max_alloc = Some(self.budget.left());
            reader.limits(limits);
            reader
                .format()
                .filter(|f| matches!(f, ImageFormat::Png | ImageFormat::Jpeg | ImageFormat::WebP))
                .map(|_| reader)
        };
        let decode_fault = |e: ImageError| TextureFault::Decode { image, reason: short(&e.to_string()) };
        let format_fault = || TextureFault::Format { image, found: describe(bytes) };
        let (width, height) = reader().ok_or_else(format_fault)?.into_dimensions().map_err(decode_fault)?;
        // Known before anything of that size is allocated.
        if !self.budget.charge(u64::from(width).saturating_mul(height.into()).saturating_mul(4)) {
            return Err(TextureFault::TooLarge { image, width, height });
        }
        let decoder = reader().ok_or_else(format_fault)?.into_decoder().map_err(decode_fault)?;
        pixels(decoder).map_err(decode_fault)
    }
}

/// Decodes into the place where the pixels stay, with no copy where the file has alpha and one where it has not.
fn pixels(decoder: impl ImageDecoder) -> Result<Image, ImageError> {
    let (width, height) = decoder.dimensions();
    let size = (width as usize).saturating_mul(height as usize).saturating_mul(4);
    let rgba: Arc<[u8]> = match decoder.color_type() {
        ColorType::Rgba8 => {
            let mut rgba: Arc<[u8]> = repeat_n(0, size).collect();
            decoder.read_image(Arc::get_mut(&mut rgba).unwrap_or_default())?;
            rgba
        }
        ColorType::Rgb8 => {
            let mut rgb = vec![0; usize::try_from(decoder.total_bytes()).unwrap_or(0)];
            decoder.read_image(&mut rgb)?;
            let mut rgba: Arc<[u8]> = repeat_n(u8::MAX, size).collect();
            let to = Arc::get_mut(&mut rgba).unwrap_or_default().as_chunks_mut::<4>().0;
            for ([r, g, b, _], from) in to.iter_mut().zip(rgb.as_chunks::<3>().0) {
                [*r, *g, *b] = *from;
            }
            rgba
        }
        _ => DynamicImage::from_decoder(decoder)?.into_rgba8().into_raw().into(),
    };
    Ok(Image { width, height, rgba })
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
        if self.job.is_cancelled() {
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
