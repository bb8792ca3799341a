//! Times and sizes, as a table and as JSON.

use std::time::{Duration, Instant};

use serde::Serialize;
use serde_json::json;

use super::super::console::{BOLD, Line};
use crate::files::byte_count;
use crate::render::{Card, SkinningDevice};
use crate::rig::Rig;

#[derive(Clone, Copy, Debug, PartialEq, PartialOrd, Serialize)]
#[serde(transparent)]
pub(super) struct Millis(f64);

impl From<Duration> for Millis {
    fn from(time: Duration) -> Self {
        Self(time.as_secs_f64() * 1e3)
    }
}

impl Millis {
    pub(super) fn since(start: Instant) -> Self {
        start.elapsed().into()
    }

    /// Text with one or two decimals, as many as are significant.
    fn text(self) -> String {
        if self.0 < 9.95 { format!("{:.2}", self.0) } else { format!("{:.1}", self.0) }
    }
}

/// Durations of the frames of one row.
#[derive(Debug, Serialize)]
pub(super) struct FrameTimes {
    name: String,
    frames: usize,
    min_ms: Millis,
    median_ms: Millis,
    p95_ms: Millis,
    first_ms: Millis,
    /// Median of the times that the graphics card took, of those frames for which it is known.
    #[serde(skip_serializing_if = "Option::is_none")]
    card_ms: Option<Millis>,
}

impl FrameTimes {
    pub(super) fn new(name: String, first: Option<Millis>, times: Vec<Millis>, on_card: Vec<Millis>) -> Self {
        let (frames, times) = (times.len(), Sorted::new(times));
        let at = |share: f64| times.at(share).unwrap_or(Millis(f64::NAN));
        let first_ms = first.unwrap_or(Millis(f64::NAN));
        let card_ms = Sorted::new(on_card).at(0.5);
        Self { name, frames, min_ms: at(0.0), median_ms: at(0.5), p95_ms: at(0.95), first_ms, card_ms }
    }
}

/// Times, shortest first.
struct Sorted(Vec<Millis>);

impl Sorted {
    fn new(mut times: Vec<Millis>) -> Self {
        times.sort_by(|a, b| a.0.total_cmp(&b.0));
        Self(times)
    }

    /// The time than which a share of the others is shorter; `None` of none.
    fn at(&self, share: f64) -> Option<Millis> {
        let index = self.0.len().saturating_sub(1) as f64 * share;
        self.0.get(index.round() as usize).copied()
    }
}

/// Memory used on the graphics card.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub(super) struct Bytes {
    palettes: usize,
    vertices: usize,
    textures: usize,
}

/// Bytes per joint in a palette: matrix, motion and stretch.
const PALETTE_BYTES_PER_JOINT: usize = 160;

impl Bytes {
    pub(super) fn of(rig: &Rig) -> Self {
        let joints = rig.instances.iter().map(|i| i.skin.map_or(1, |skin| rig.skins[skin].joints.len()));
        let vertex = |bytes: usize, is_there: bool| if is_there { bytes } else { 0 };
        let vertices = rig.meshes.iter().flat_map(|mesh| &mesh.primitives).map(|p| {
            let bytes = 12
                + vertex(12, p.normals.is_some())
                + vertex(8, p.tex_coords.is_some())
                + vertex(16, p.colors.is_some())
                + vertex(24, p.influences.is_some());
            p.positions.len() * bytes + p.indices.len() * size_of::<u32>()
        });
        // Including all mipmaps.
        let textures = rig.images.iter().map(|image| image.rgba.len() / 3 * 4);
        Self {
            palettes: joints.sum::<usize>() * PALETTE_BYTES_PER_JOINT,
            vertices: vertices.sum(),
            textures: textures.sum(),
        }
    }
}

/// Results of the benchmark.
pub(super) struct Report<'a> {
    pub file: String,
    pub renderer: String,
    pub skinned_on: SkinningDevice,
    pub size: [u32; 2],
    pub samples: u32,
    pub rig: &'a Rig,
    pub bytes: Bytes,
    pub load: Millis,
    pub context: Millis,
    pub first_picture: Millis,
    /// Time from the start of the process to the first picture.
    pub start_to_picture: Millis,
    pub frames: Vec<FrameTimes>,
    pub left_out: Vec<(String, String)>,
    /// The graphics card, where it was asked for.
    pub card: Option<CardReport>,
}

/// What was asked of the graphics card.
#[derive(Serialize)]
pub(super) struct CardReport {
    #[serde(flatten)]
    pub card: Card,
    /// Most memory that the process had at once, bytes.
    pub most_memory_bytes: Option<u64>,
}

impl Report<'_> {
    /// Numbers of drawn vertices, triangles and joints.
    fn counts(&self) -> [usize; 3] {
        let primitives = || self.rig.primitives().map(|(_, primitive)| primitive);
        [
            primitives().map(|p| p.positions.len()).sum(),
            primitives().map(|p| p.indices.len() / 3).sum(),
            self.rig.joint_count(),
        ]
    }

    pub(super) fn json(&self) -> String {
        let [vertices, triangles, joints] = self.counts();
        let left_out: Vec<_> =
            self.left_out.iter().map(|(name, reason)| json!({ "name": name, "reason": reason })).collect();
        let mut report = json!({
            "version": 1, "file": self.file, "renderer": self.renderer, "skinned_on": self.skinned_on.to_string(),
            "size": self.size, "samples": self.samples, "vertices": vertices, "triangles": triangles, "joints": joints,
            "bytes": self.bytes, "load_ms": self.load, "context_ms": self.context,
            "first_picture_ms": self.first_picture, "start_to_picture_ms": self.start_to_picture, "frames": self.frames, "left_out": left_out,
        });
        if let Some(card) = &self.card {
            report["card"] = json!(card);
        }
        report.to_string()
    }

    pub(super) fn text(&self) -> Vec<Line> {
        let [vertices, triangles, joints] = self.counts();
        let [width, height] = self.size;
        let Bytes { palettes, vertices: geometry, textures } = self.bytes;
        let bytes = |count: usize| byte_count(count as u64);
        let row = |name: &str, columns: &[String]| {
            let columns = columns.iter().fold(String::new(), |row, column| row + &format!("{column:>10}"));
            Line::plain(&format!("  {name:<26}{columns}"))
        };
        let mut lines = vec![
            Line::default()
                .styled(BOLD, &self.file)
                .and(&format!(": {vertices} vertices, {triangles} triangles, {joints} joints")),
            Line::plain(&format!(
                "  {width} x {height} pixels, {} sample{} each, by {}; vertices are skinned on the {}",
                self.samples,
                if self.samples == 1 { "" } else { "s" },
                self.renderer,
                self.skinned_on
            )),
            Line::plain(&format!(
                "  {} of vertices, {} of textures, {} of palettes a frame",
                bytes(geometry),
                bytes(textures),
                bytes(palettes)
            )),
            Line::default(),
            row("milliseconds", &[]),
            row("load", &[self.load.text()]),
            row("OpenGL and its programs", &[self.context.text()]),
            row("upload and first picture", &[self.first_picture.text()]),
            row("all from the process's start", &[self.start_to_picture.text()]),
            Line::default(),
            row("frames", &["shortest", "median", "95 %", "first", "frames"].map(str::to_owned)),
        ];
        lines.extend(self.frames.iter().map(|f| {
            let times = [f.min_ms, f.median_ms, f.p95_ms, f.first_ms].map(Millis::text);
            row(&f.name, &[&times[..], &[f.frames.to_string()]].concat())
        }));
        lines
            .extend(self.left_out.iter().map(|(name, reason)| Line::plain(&format!("  {name:<26}left out: {reason}"))));
        lines
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_shortest_the_median_and_nearly_the_longest_of_the_times_are_told() {
        let times = (1..=21).rev().map(|i| Millis(f64::from(i))).collect();
        let told = FrameTimes::new("lbs".to_owned(), Some(Millis(99.0)), times, vec![Millis(2.0)]);
        assert_eq!(
            (told.min_ms, told.median_ms, told.p95_ms, told.first_ms, told.frames),
            (Millis(1.0), Millis(11.0), Millis(20.0), Millis(99.0), 21)
        );
        assert_eq!(told.card_ms, Some(Millis(2.0)));
    }

    #[test]
    fn times_have_about_three_digits() {
        assert_eq!([0.126, 9.949, 9.96, 1234.56].map(|ms| Millis(ms).text()), ["0.13", "9.95", "10.0", "1234.6"]);
    }
}
