use std::collections::BTreeMap;
use std::time::Duration;

use super::super::console::{BOLD, Line};
use crate::files::byte_count;
use crate::render::Card;
use crate::rig::Rig;
use crate::rows::rows;
use crate::text::counted;

rows! {
    /// Frame times of a rig on this machine, in milliseconds.
    pub(super) struct BenchJson {
        /// Version of the JSON, 1.
        pub version: u32,
        /// Path of the file.
        pub file: String,
        /// Name of the OpenGL renderer.
        pub renderer: String,
        /// Where vertices are skinned: compute, feedback or cpu.
        pub skinned_on: String,
        /// Width and height of the image, pixels.
        pub size: [u32; 2],
        /// Samples per pixel.
        pub samples: u32,
        /// Number of drawn vertices.
        pub vertices: usize,
        /// Number of drawn triangles.
        pub triangles: usize,
        /// Number of joints.
        pub joints: usize,
        /// Graphics memory.
        pub bytes: GraphicsBytes,
        /// Time to open the file, milliseconds.
        pub load_ms: f64,
        /// Time to start OpenGL and compile the first shaders.
        pub context_ms: f64,
        /// Time to upload the rig and draw the first image.
        pub first_image_ms: f64,
        /// Time from the start of the process to the first image, to a hundredth of a second.
        pub start_to_image_ms: f64,
        /// Measured rows.
        pub frames: Vec<RowTimesJson>,
        /// Rows that were not measured.
        pub left_out: Vec<LeftOutRow>,
        /// The graphics card, with --card.
        #[serde(skip_serializing_if = "Option::is_none")]
        pub card: Option<CardJson>,
    }

    /// Memory on the graphics card, bytes.
    #[derive(Copy)]
    pub(super) struct GraphicsBytes {
        /// Joint palettes of one frame.
        pub palettes: usize,
        /// Vertices and indices.
        pub vertices: usize,
        /// Textures with mipmaps.
        pub textures: usize,
    }

    /// Frame times of a row; only `first_ms` includes the first frame.
    pub(super) struct RowTimesJson {
        /// Name of the row.
        pub name: String,
        /// Number of frames.
        pub frames: usize,
        /// Shortest frame time.
        pub min_ms: f64,
        /// Median frame time.
        pub median_ms: f64,
        /// 95th percentile.
        pub p95_ms: f64,
        /// Time of the first frame, which includes shader compilation.
        pub first_ms: f64,
        /// Median time on the graphics card; needs --card and OpenGL 4.5.
        #[serde(skip_serializing_if = "Option::is_none")]
        pub card_ms: Option<f64>,
    }

    /// A row that was not measured.
    pub(super) struct LeftOutRow {
        /// Name of the row.
        pub name: String,
        /// Why it was not measured.
        pub reason: String,
    }

    /// Graphics card and driver, as reported by OpenGL.
    pub(super) struct CardJson {
        /// Vendor of the driver.
        pub vendor: String,
        /// Name of the device.
        pub renderer: String,
        /// Version of OpenGL and of the driver.
        pub version: String,
        /// Version of GLSL.
        pub shaders: String,
        /// True for a software rasteriser.
        pub is_software: bool,
        /// Limits by their names in OpenGL, in lower case and without GL_.
        pub limits: BTreeMap<String, i64>,
        /// Total and free memory, bytes.
        pub memory_bytes: [Option<u64>; 2],
        /// Names of the extensions.
        pub extensions: Vec<String>,
        /// Peak memory of the process, bytes.
        pub max_memory_bytes: Option<u64>,
    }
}

impl RowTimesJson {
    /// Creates a row from times in milliseconds: first frame, other frames, and GPU times of the other frames.
    pub(super) fn new(name: String, first_ms: f64, mut times: Vec<f64>, mut on_card: Vec<f64>) -> Self {
        times.sort_by(f64::total_cmp);
        on_card.sort_by(f64::total_cmp);
        let at = |fraction| percentile(&times, fraction).unwrap_or(f64::NAN);
        let card_ms = percentile(&on_card, 0.5);
        Self { name, frames: times.len(), min_ms: at(0.0), median_ms: at(0.5), p95_ms: at(0.95), first_ms, card_ms }
    }
}

fn percentile(sorted: &[f64], fraction: f64) -> Option<f64> {
    let index = sorted.len().saturating_sub(1) as f64 * fraction;
    sorted.get(index.round() as usize).copied()
}

impl CardJson {
    pub(super) fn new(card: Card, max_memory_bytes: Option<u64>) -> Self {
        let Card { vendor, renderer, version, shaders, is_software, limits, memory_bytes, extensions } = card;
        let limits = limits.into_iter().map(|(name, limit)| (name.to_owned(), limit)).collect();
        let extensions = extensions.into_iter().collect();
        Self { vendor, renderer, version, shaders, is_software, limits, memory_bytes, extensions, max_memory_bytes }
    }
}

/// Palette bytes per joint: matrix, rigid motion and stretch.
const PALETTE_BYTES_PER_JOINT: usize = 160;

impl GraphicsBytes {
    pub(super) fn new(rig: &Rig) -> Self {
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
        // Mipmaps add a third to the size.
        let textures = rig.images.iter().map(|image| image.rgba.len() / 3 * 4);
        Self {
            palettes: joints.sum::<usize>() * PALETTE_BYTES_PER_JOINT,
            vertices: vertices.sum(),
            textures: textures.sum(),
        }
    }
}

impl BenchJson {
    pub(super) fn lines(&self) -> Vec<Line> {
        let Self { vertices, triangles, joints, size: [width, height], .. } = self;
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
                "  {width} x {height} pixels, {} each, by {}; vertices are skinned on the {}",
                counted(self.samples as usize, "sample", "samples"),
                self.renderer,
                self.skinned_on
            )),
            Line::plain(&format!(
                "  {} of vertices, {} of textures, {} of palettes a frame",
                bytes(self.bytes.vertices),
                bytes(self.bytes.textures),
                bytes(self.bytes.palettes)
            )),
            Line::default(),
            row("milliseconds", &[]),
            row("load", &[milliseconds(self.load_ms)]),
            row("OpenGL and its programs", &[milliseconds(self.context_ms)]),
            row("upload and first image", &[milliseconds(self.first_image_ms)]),
            row("all from the process's start", &[milliseconds(self.start_to_image_ms)]),
            Line::default(),
            row("frames", &["shortest", "median", "95 %", "first", "frames"].map(str::to_owned)),
        ];
        lines.extend(self.frames.iter().map(|f| {
            let times = [f.min_ms, f.median_ms, f.p95_ms, f.first_ms].map(milliseconds);
            row(&f.name, &[&times[..], &[f.frames.to_string()]].concat())
        }));
        let left_out = self.left_out.iter();
        lines.extend(left_out.map(|row| Line::plain(&format!("  {:<26}left out: {}", row.name, row.reason))));
        lines
    }
}

pub(super) fn to_ms(time: Duration) -> f64 {
    time.as_secs_f64() * 1e3
}

fn milliseconds(ms: f64) -> String {
    if ms < 9.95 { format!("{ms:.2}") } else { format!("{ms:.1}") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn frame_times_are_percentiles_without_the_first_frame() {
        let times = (1..=21).rev().map(f64::from).collect();
        let row = RowTimesJson::new("lbs".to_owned(), 99.0, times, vec![2.0]);
        assert_eq!((row.min_ms, row.median_ms, row.p95_ms, row.first_ms, row.frames), (1.0, 11.0, 20.0, 99.0, 21));
        assert_eq!(row.card_ms, Some(2.0));
    }

    #[test]
    fn times_have_about_three_digits() {
        assert_eq!([0.126, 9.949, 9.96, 1234.56].map(milliseconds), ["0.13", "9.95", "10.0", "1234.6"]);
    }
}
