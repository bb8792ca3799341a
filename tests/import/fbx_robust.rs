//! No FBX file makes import or later steps crash or hang: thousands of truncated and modified files. They are opened in
//! child processes, because the reader is written in C, and a memory error would end this process.

#![cfg(feature = "fbx")]
#![expect(
    clippy::unwrap_used,
    clippy::print_stdout,
    reason = "a failed helper is a failed test, and a test says how much it saw"
)]

use crate::common;

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::process::Command;
use std::time::{Duration, Instant};

use common::fbx_character::character;
use common::fuzz::Random;
use rigscope::import::{Imported, Job, import_bytes};
use rigscope::jobs::Progress;
use rigscope::project::findings;
use rigscope::rig::{ClipMoment, Pose, evaluate};
use rigscope::skinning::{Method, deform, palettes};

const FILES: u64 = 10_000;

/// Number of modified files that one process opens.
const PER_PROCESS: u64 = 1_250;

/// Far more than any of these files needs, but small enough to make forged counts cheap.
const MEMORY_LIMIT: u64 = 1 << 26;

/// Maximum peak memory of a process, kilobytes: the limit above for stored data, as much again for temporary data, and
/// the program itself.
const MAX_MEMORY: u64 = 400_000;

/// No file of this size takes as long as a second. A file that takes this long counts as a hang.
const HANG: Duration = Duration::from_secs(20);

/// Environment variable that gives a child process its seeds, and the path of a file to which it writes the seed that
/// it is about to try.
const SEEDS: &str = "RIGSCOPE_FBX_SEEDS";

/// Poses and skins an opened file. Import promises that this needs no further checks.
fn use_it(imported: &Imported) {
    let rig = &imported.rig;
    for clip in std::iter::once(None).chain((0..rig.clips.len().min(2)).map(|clip| Some(ClipMoment::new(clip, 0.4)))) {
        let posed = evaluate(rig, clip, &Pose::rest(&rig.hierarchy));
        for ((instance, palette), weights) in rig.instances.iter().zip(palettes(rig, &posed)).zip(&posed.morph_weights)
        {
            for primitive in rig.meshes[instance.mesh].primitives.iter().filter(|p| p.positions.len() < 2000) {
                let deformed = deform(primitive, &palette, weights, Method::Lbs);
                assert_eq!(deformed.positions.len(), primitive.positions.len());
                assert!(primitive.indices.iter().all(|&i| (i as usize) < primitive.positions.len()));
                assert!(primitive.dq_weights.iter().all(|share| (0.0..=1.0).contains(share)));
            }
        }
    }
    for finding in findings(rig, &imported.warnings, &Progress::default()).expect("not cancelled") {
        assert!(finding.message.len() < 4000);
    }
}

/// Returns the files to modify: the character built in code, as text and binary, and small samples if available.
fn originals() -> Vec<Vec<u8>> {
    let character = character();
    let mut files = vec![character.text(), character.binary()];
    if let Some(samples) = common::samples() {
        let paths = common::files_below(&samples.join("fbx"), &["fbx"]);
        files.extend(paths.iter().map(|path| std::fs::read(path).unwrap()).filter(|file| file.len() < 75_000));
    }
    files
}

/// Returns the character built in code with one to four changes that keep the file valid: to values, lists, records or
/// connections.
fn changed_tree(random: &mut Random) -> Vec<u8> {
    let mut character = character();
    for _ in 0..=random.below(4) {
        character.mutate(random);
    }
    if random.below(2) == 0 { character.text() } else { character.binary() }
}

/// Returns a truncated file, or a file with one to four changes: to bytes, counts or digits, or with bytes removed,
/// duplicated or copied elsewhere.
fn changed_bytes(originals: &[Vec<u8>], random: &mut Random) -> Vec<u8> {
    let mut file = originals[random.below(originals.len())].clone();
    if random.below(16) == 0 {
        file.truncate(random.below(file.len()));
        return file;
    }
    for _ in 0..=random.below(4) {
        let at = random.below(file.len());
        let piece = at..(at + 1 + random.below(64)).min(file.len());
        match random.below(24) {
            0 => drop(file.drain(piece)),
            1 => {
                let copy = file[piece].to_vec();
                file.splice(at..at, copy);
            }
            2 | 3 => {
                let copy = file[piece].to_vec();
                let to = random.below(file.len() - copy.len() + 1);
                file[to..to + copy.len()].copy_from_slice(&copy);
            }
            4..10 => number(&mut file[at..], random),
            10..16 => file[at] ^= 1 << random.below(8),
            16..20 => file[at] = [0, 0xFF, 0x7F, 0x80, b'-', b'9', b'{', b'"'][random.below(8)],
            _ => digit(&mut file[at..], random),
        }
        if file.is_empty() {
            break;
        }
    }
    file
}

/// Overwrites the start of the slice with a number of four or eight bytes.
fn number(file: &mut [u8], random: &mut Random) {
    let numbers = [
        0,
        1,
        u64::MAX,
        1 << 31,
        (1 << 31) - 1,
        1 << 63,
        1 << 20,
        46_186_158_000,
        f64::NAN.to_bits(),
        1e300_f64.to_bits(),
    ];
    let bytes = numbers[random.below(numbers.len())].to_le_bytes();
    let bytes = &bytes[..if random.below(2) == 0 { 4 } else { 8 }];
    file.iter_mut().zip(bytes).for_each(|(old, new)| *old = *new);
}

/// Replaces the first digit in the slice.
fn digit(file: &mut [u8], random: &mut Random) {
    if let Some(digit) = file.iter_mut().find(|byte| byte.is_ascii_digit()) {
        *digit = b"0123456789-e."[random.below(13)];
    }
}

/// Opens the modified files of some seeds. Returns how many opened. Calls `about_to` with each seed first.
fn open_all(seeds: std::ops::Range<u64>, mut about_to: impl FnMut(u64)) -> usize {
    let originals = originals();
    let mut opened = 0;
    for seed in seeds {
        about_to(seed);
        let mut random = Random::new(seed);
        let file = if seed % 2 == 0 { changed_tree(&mut random) } else { changed_bytes(&originals, &mut random) };
        let start = Instant::now();
        let used = catch_unwind(AssertUnwindSafe(|| {
            let imported = import_bytes(&file, &Job::with_memory_limit(MEMORY_LIMIT));
            imported.inspect(use_it).is_ok()
        }));
        opened += usize::from(used.unwrap_or_else(|_| panic!("panicked for seed {seed}")));
        assert!(start.elapsed() < HANG, "{:?} for seed {seed}", start.elapsed());
    }
    opened
}

/// Peak memory of this process, kilobytes, if the system reports it.
fn max_memory() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    status.lines().find_map(|line| line.strip_prefix("VmHWM:")?.trim().strip_suffix(" kB")?.parse().ok())
}

/// Runs a child process: `told` has its seeds, and the path of the file for the current seed.
fn be_a_process(told: &str) {
    let (seeds, file) = told.split_once(' ').unwrap();
    let (start, end) = seeds.split_once('-').unwrap();
    let opened =
        open_all(start.parse().unwrap()..end.parse().unwrap(), |seed| std::fs::write(file, seed.to_string()).unwrap());
    println!("opened {opened}");
    if let Some(kilobytes) = max_memory() {
        assert!(kilobytes < MAX_MEMORY, "{kilobytes} kB");
    }
}

/// Starts a child process for some seeds. Returns how many of their files opened, or a description of the failure.
fn process(seeds: std::ops::Range<u64>, folder: &Path) -> Result<usize, String> {
    let file = folder.join(seeds.start.to_string());
    let told = format!("{}-{} {}", seeds.start, seeds.end, file.display());
    let program = std::env::current_exe().unwrap();
    let output = Command::new(program)
        .args(["--exact", "fbx_robust::changed_files_end_no_process", "--nocapture"])
        .env(SEEDS, told)
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&output.stdout).into_owned();
    let at = || std::fs::read_to_string(&file).unwrap_or_default();
    if !output.status.success() {
        return Err(format!("{} at seed {}: {said}{}", output.status, at(), String::from_utf8_lossy(&output.stderr)));
    }
    let opened = said.lines().find_map(|line| line.split_once("opened ")?.1.trim().parse().ok());
    opened.ok_or_else(|| format!("said nothing at seed {}", at()))
}

#[test]
fn changed_files_end_no_process() {
    if let Ok(told) = std::env::var(SEEDS) {
        return be_a_process(&told);
    }
    let folder = tempfile::tempdir().unwrap();
    let next = std::sync::atomic::AtomicU64::new(0);
    let opened = std::sync::atomic::AtomicUsize::new(0);
    std::thread::scope(|scope| {
        for _ in 0..std::thread::available_parallelism().map_or(2, usize::from).min(8) {
            std::thread::Builder::new()
                .spawn_scoped(scope, || {
                    loop {
                        let start = next.fetch_add(PER_PROCESS, std::sync::atomic::Ordering::Relaxed);
                        if start >= FILES {
                            return;
                        }
                        let result = process(start..(start + PER_PROCESS).min(FILES), folder.path());
                        opened
                            .fetch_add(result.unwrap_or_else(|e| panic!("{e}")), std::sync::atomic::Ordering::Relaxed);
                    }
                })
                .unwrap();
        }
    });
    let opened = opened.into_inner() as u64;
    println!("{opened} of {FILES} opened");
    assert!(opened > FILES / 10 && opened < FILES * 9 / 10, "{opened} of {FILES} opened");
}

/// Opens a file and asserts that this doesn't take long. Returns the error message, or the number of nodes.
fn said(file: &[u8]) -> String {
    let start = Instant::now();
    let result = import_bytes(file, &Job::default());
    assert!(start.elapsed() < Duration::from_secs(20), "{:?}", start.elapsed());
    result
        .inspect(use_it)
        .map_or_else(|error| error.to_string(), |imported| format!("{} nodes", imported.rig.hierarchy.len()))
}

#[test]
fn files_that_mean_harm_are_refused_or_harmless() {
    use common::fbx::{Fbx, Record, Value, ints, reals};
    use common::fbx_character::{BODY, MESH, ROOT, TIP, model};

    let mut circle = character();
    circle.connect(ROOT, TIP);
    circle.connect(ROOT, ROOT);
    assert!(!said(&circle.text()).is_empty() && !said(&circle.binary()).is_empty());

    let mut deep = Fbx::default();
    (1..=20_000).for_each(|node| model(&mut deep, node, ("N", "Null"), node - 1, &[]));
    assert_eq!(said(&deep.binary()), "20000 nodes");

    let text = [b"; FBX 7.4.0 project file\n".to_vec(), b"R: {\n".repeat(100_000)].concat();
    assert!(said(&text).contains("broken"), "{}", said(&text));

    let mut polygon = character();
    let mut corners: Vec<i32> = (0..200_000).map(|i| i % 6).collect();
    corners.push(-1);
    polygon.disconnect(MESH);
    polygon.object(
        700,
        "Geometry",
        ("Large", "Mesh"),
        BODY,
        vec![reals("Vertices", &[0.0; 18]), ints("PolygonVertexIndex", &corners)],
    );
    assert_eq!(said(&polygon.binary()), "3 nodes");

    let mut counts = character().text();
    let at = counts.windows(2).position(|w| w == b"*1").unwrap();
    counts.splice(at..at + 2, *b"*1999999999");
    assert!(!said(&counts).is_empty());

    let mut keys = character();
    let times = Record::new("KeyTime", [Value::Longs(vec![i64::MIN, 0, i64::MAX])]);
    keys.extend(203, [times]);
    assert_eq!(said(&keys.binary()), "3 nodes");
}
