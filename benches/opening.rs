//! Times opening a file with a million vertices, compared with just reading its bytes and decoding its image.
//!
//! The table at the end gives ratios of minimum times over alternating runs, because other load on the machine affects these least.

#![expect(clippy::unwrap_used, clippy::print_stdout, reason = "a bench that cannot run should say so")]

use std::alloc::{GlobalAlloc, Layout, System};
use std::hint::black_box;
use std::io::Cursor;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::time::{Duration, Instant};

use criterion::{Criterion, criterion_group, criterion_main};
use rigscope::import::{Imported, Job, import_file};
use serde_json::{Value, json};

/// Allocator that counts allocated bytes.
struct Counting;

static HELD: AtomicUsize = AtomicUsize::new(0);
static PEAK: AtomicUsize = AtomicUsize::new(0);

#[global_allocator]
static COUNTING: Counting = Counting;

#[expect(unsafe_code, reason = "an allocator cannot be counted otherwise")]
// SAFETY: the system's allocator does all the work.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        count(layout.size());
        // SAFETY: the caller upholds the contract of `alloc`.
        unsafe { System.alloc(layout) }
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        count(layout.size());
        // SAFETY: the caller upholds the contract of `alloc_zeroed`.
        unsafe { System.alloc_zeroed(layout) }
    }

    unsafe fn dealloc(&self, at: *mut u8, layout: Layout) {
        HELD.fetch_sub(layout.size(), Relaxed);
        // SAFETY: the caller upholds the contract of `dealloc`.
        unsafe { System.dealloc(at, layout) };
    }
}

fn count(bytes: usize) {
    let held = HELD.fetch_add(bytes, Relaxed) + bytes;
    PEAK.fetch_max(held, Relaxed);
}

/// Returns the peak number of bytes that an action holds, in addition to the bytes held before it.
fn peak<T>(action: impl FnOnce() -> T) -> usize {
    let before = HELD.load(Relaxed);
    PEAK.store(before, Relaxed);
    black_box(action());
    PEAK.load(Relaxed) - before
}

/// Vertices along a side of the plain sheet, which has a million vertices.
const PLAIN: usize = 1000;
/// Vertices along a side of the textured sheet, which has 100,000 vertices like a detailed character.
const TEXTURED: usize = 316;
const JOINTS: usize = 200;
const PICTURE: u32 = 2048;

/// A `.glb` file under construction.
#[derive(Default)]
struct Glb {
    bin: Vec<u8>,
    views: Vec<Value>,
    accessors: Vec<Value>,
}

impl Glb {
    fn view(&mut self, bytes: impl IntoIterator<Item = u8>) -> usize {
        self.bin.resize(self.bin.len().next_multiple_of(4), 0);
        let start = self.bin.len();
        self.bin.extend(bytes);
        self.views.push(json!({"buffer": 0, "byteOffset": start, "byteLength": self.bin.len() - start}));
        self.views.len() - 1
    }

    fn accessor(&mut self, bytes: impl IntoIterator<Item = u8>, component: u32, shape: &str, count: usize) -> usize {
        let view = self.view(bytes);
        self.accessors.push(json!({"bufferView": view, "componentType": component, "type": shape, "count": count}));
        self.accessors.len() - 1
    }

    fn floats(&mut self, shape: &str, count: usize, values: impl IntoIterator<Item = f32>) -> usize {
        self.accessor(values.into_iter().flat_map(f32::to_le_bytes), 5126, shape, count)
    }

    fn write(mut self, mut document: Value, path: &Path) {
        self.bin.resize(self.bin.len().next_multiple_of(4), 0);
        document["accessors"] = self.accessors.into();
        document["bufferViews"] = self.views.into();
        document["buffers"] = json!([{"byteLength": self.bin.len()}]);
        let mut json = document.to_string().into_bytes();
        json.resize(json.len().next_multiple_of(4), b' ');
        let length = |bytes: usize| u32::try_from(bytes).unwrap().to_le_bytes();
        let head = [b"glTF", &length(2)[..], &length(28 + json.len() + self.bin.len())].concat();
        let chunks = [&length(json.len())[..], b"JSON", &json, &length(self.bin.len()), b"BIN\0", &self.bin].concat();
        std::fs::write(path, [head, chunks].concat()).unwrap();
    }
}

/// Writes a sheet of `side` by `side` vertices over a chain of joints, with four influences per vertex and optionally an image.
fn write_sheet(path: &Path, side: usize, png: Option<&[u8]>) {
    let mut glb = Glb::default();
    let count = side * side;
    let at = |i: usize| i as f32 / (side - 1) as f32;
    let grid = || (0..count).map(|i| (at(i % side), at(i / side)));
    let joint = |v: f32| ((v * (JOINTS - 1) as f32) as usize).min(JOINTS - 4);
    let weights = |v: f32| {
        let place = v * (JOINTS - 1) as f32 - joint(v) as f32;
        let raw = [0.0, 1.0, 2.0, 3.0].map(|slot: f32| (-(place - slot).powi(2)).exp());
        raw.map(|w| w / raw.iter().sum::<f32>())
    };
    let attributes = json!({
        "POSITION": glb.floats("VEC3", count, grid().flat_map(|(u, v)| [u, v, (9.0 * u).sin() * 0.1])),
        "NORMAL": glb.floats("VEC3", count, grid().flat_map(|_| [0.0, 0.0, 1.0])),
        "TEXCOORD_0": glb.floats("VEC2", count, grid().flat_map(|(u, v)| [u, v])),
        "JOINTS_0": glb.accessor(grid().flat_map(|(_, v)| [0, 1, 2, 3].map(|i| (joint(v) + i) as u8)), 5121, "VEC4", count),
        "WEIGHTS_0": glb.floats("VEC4", count, grid().flat_map(|(_, v)| weights(v))),
    });
    let cell = |i: usize| [i, i + 1, i + side, i + side, i + 1, i + side + 1].map(|v| v as u32);
    let cells = (0..side - 1).flat_map(|y| (0..side - 1).map(move |x| y * side + x));
    let indices =
        glb.accessor(cells.flat_map(cell).flat_map(u32::to_le_bytes), 5125, "SCALAR", (side - 1) * (side - 1) * 6);
    let binds = glb.floats("MAT4", JOINTS, (0..JOINTS).flat_map(|_| glam::Mat4::IDENTITY.to_cols_array()));
    let nodes = (0..=JOINTS).map(|i| match i {
        0 => json!({"mesh": 0, "skin": 0}),
        JOINTS => json!({"name": format!("joint {i}")}),
        _ => json!({"name": format!("joint {i}"), "children": [i + 1]}),
    });
    let mut document = json!({
        "asset": {"version": "2.0"}, "scene": 0, "scenes": [{"nodes": [0, 1]}], "nodes": nodes.collect::<Vec<_>>(),
        "meshes": [{"primitives": [{"attributes": attributes, "indices": indices, "material": 0}]}],
        "skins": [{"joints": (1..=JOINTS).collect::<Vec<_>>(), "inverseBindMatrices": binds}], "materials": [{}],
    });
    if let Some(png) = png {
        document["images"] = json!([{"bufferView": glb.view(png.iter().copied())}]);
        document["textures"] = json!([{"source": 0}]);
        document["materials"][0]["pbrMetallicRoughness"] = json!({"baseColorTexture": {"index": 0}});
    }
    glb.write(document, path);
}

/// Creates a PNG of a smooth image with some noise, like a painted skin texture.
fn picture() -> Vec<u8> {
    let pixel = |x: u32, y: u32| {
        let noise = |seed: u32| {
            let mixed = (x.wrapping_mul(2_654_435_761) ^ y.wrapping_mul(40_503) ^ seed).wrapping_mul(2_246_822_519);
            (mixed ^ mixed >> 15).wrapping_mul(3_266_489_917) >> 29
        };
        [x / 10, y / 10, (x + y) / 20].map(|c| (c + noise(c)) as u8)
    };
    let picture = image::RgbImage::from_fn(PICTURE, PICTURE, |x, y| image::Rgb(pixel(x, y)));
    let mut png = Cursor::new(Vec::new());
    picture.write_to(&mut png, image::ImageFormat::Png).unwrap();
    png.into_inner()
}

fn open(path: &Path, side: usize) -> Imported {
    let imported = import_file(path, &Job::default()).unwrap();
    assert_eq!((imported.warnings.as_slice(), imported.rig.vertex_count()), (&[][..], side * side));
    imported
}

/// Decodes an image to the pixels that a rig stores.
fn decode(png: &[u8]) -> image::RgbaImage {
    image::load_from_memory_with_format(png, image::ImageFormat::Png).unwrap().into_rgba8()
}

struct Files {
    _folder: tempfile::TempDir,
    plain: PathBuf,
    textured: PathBuf,
    png: Vec<u8>,
}

fn files() -> Files {
    let folder = tempfile::tempdir().unwrap();
    let png = picture();
    let [plain, textured] = ["plain.glb", "textured.glb"].map(|name| folder.path().join(name));
    write_sheet(&plain, PLAIN, None);
    write_sheet(&textured, TEXTURED, Some(&png));
    Files { _folder: folder, plain, textured, png }
}

/// Returns the shortest of many alternating runs of each action.
fn minima(actions: &mut [&mut dyn FnMut()]) -> Vec<Duration> {
    let mut best = vec![Duration::MAX; actions.len()];
    for _ in 0..40 {
        for (best, action) in best.iter_mut().zip(actions.iter_mut()) {
            let start = Instant::now();
            action();
            *best = (*best).min(start.elapsed());
        }
    }
    best
}

fn table(files: &Files) {
    let best = minima(&mut [
        &mut || _ = black_box(std::fs::read(&files.plain).unwrap()),
        &mut || _ = black_box(open(&files.plain, PLAIN)),
        &mut || _ = black_box(decode(&files.png)),
        &mut || _ = black_box(open(&files.textured, TEXTURED)),
    ]);
    let ratio = |a: Duration, b: Duration| a.as_secs_f64() / b.as_secs_f64();
    let length = |path: &Path| std::fs::metadata(path).unwrap().len() as usize;
    let pixels = 4 * (PICTURE * PICTURE) as usize;
    println!("\nminima of 40 runs taken in turns");
    println!("| what | ms | beside | ms | ratio | aim |\n| --- | ---: | --- | ---: | ---: | ---: |");
    for (what, beside, pair, aim) in [
        ("1,000,000 vertices", "plain read", [best[1], best[0]], 1.3),
        ("100,000 with a 2048 PNG", "its decode", [best[3], best[2]], 1.15),
    ] {
        let [a, b] = pair.map(|d| d.as_secs_f64() * 1e3);
        println!("| {what} | {a:.1} | {beside} | {b:.1} | {:.2} | {aim} |", ratio(pair[0], pair[1]));
    }
    println!("\n| what | peak memory, MiB | file and pixels, MiB | ratio | aim |\n| --- | ---: | ---: | ---: | ---: |");
    for (what, held, least) in [
        ("1,000,000 vertices", peak(|| open(&files.plain, PLAIN)), length(&files.plain)),
        ("100,000 with a 2048 PNG", peak(|| open(&files.textured, TEXTURED)), length(&files.textured) + pixels),
    ] {
        let mib = |bytes: usize| bytes as f64 / f64::from(1 << 20);
        println!("| {what} | {:.0} | {:.0} | {:.2} | 1.3 |", mib(held), mib(least), held as f64 / least as f64);
    }
}

fn opening(criterion: &mut Criterion) {
    let files = files();
    let mut group = criterion.benchmark_group("opening");
    group.sample_size(10).measurement_time(Duration::from_secs(3));
    group.bench_function("plain read", |b| b.iter(|| std::fs::read(&files.plain).unwrap()));
    group.bench_function("no texture", |b| b.iter(|| open(&files.plain, PLAIN)));
    group.bench_function("PNG alone", |b| b.iter(|| decode(&files.png)));
    group.bench_function("with PNG", |b| b.iter(|| open(&files.textured, TEXTURED)));
    group.finish();
    table(&files);
}

criterion_group!(benches, opening);
criterion_main!(benches);
