mod process;
mod report;
mod rows;

use std::process::ExitCode;
use std::sync::Arc;
use std::time::Instant;

use clap::Args;

use super::files::source;
use super::opening::{ExtraClipArgs, open_document};
use super::render::parse_size;
use super::{Console, DeviceArgs, MemoryArgs, numbers};
use crate::jobs::Progress;
use crate::render::Headless;
use crate::rig::Rig;
use crate::rows::{Described as _, JsonDocument};
use crate::skinning::Centers;
use crate::stage::{Source, Stage};
use report::{BenchJson, CardJson, GraphicsBytes, LeftOutRow, to_ms};
use rows::{Bench, BenchRow};

#[derive(Args, Debug)]
#[command(after_long_help = HELP)]
pub struct BenchArgs {
    /// A glTF, GLB, VRM or FBX file, builtin:NAME, or - for standard input
    #[arg(value_parser = source())]
    file: Source,

    /// Frames per row; a row stops early once it has taken five seconds
    #[arg(long, value_name = "N", default_value_t = 60, value_parser = clap::value_parser!(u32).range(3..=100_000))]
    frames: u32,

    /// Image size in pixels
    #[arg(long, value_name = "WxH", default_value = "1280x800", value_parser = parse_size)]
    size: [u32; 2],

    /// Samples per pixel (MSAA), or as many as the driver supports
    #[arg(long, value_name = "N", default_value = "4", value_parser = numbers::samples)]
    samples: u32,

    #[command(flatten)]
    device: DeviceArgs,

    #[command(flatten)]
    memory: MemoryArgs,

    /// Measure only the row with this name, or the rows whose names contain TEXT
    #[arg(long, value_name = "TEXT")]
    only: Option<String>,

    /// Print one JSON object
    #[arg(long)]
    json: bool,

    /// Like --json, plus details of the graphics card and GPU times
    #[arg(long)]
    card: bool,
}

const HELP: &str = "\
A posed frame evaluates the first clip, or turns all joints if there is none, skins, draws offscreen
and waits for the image. Orbiting moves only the camera. Rows with two sides compare the method
with its counterpart. The first frame of a row, which compiles what it needs, is listed apart.
rigscope explain json lists the keys of the JSON.

Examples:
  rigscope bench builtin:figure
  rigscope bench hero.glb --only wipe --size 1920x1080";

pub(super) const JSON: [JsonDocument; 1] =
    [JsonDocument { command: "bench", key: "", python: None, shape: BenchJson::shape }];

/// Centres of rotation are computed only for rigs with at most this many vertices. Larger rigs would take minutes.
const MAX_VERTICES_FOR_CENTERS: usize = 200_000;

impl BenchArgs {
    pub fn run(self, console: &Console) -> Result<ExitCode, String> {
        self.timed(console).map(|()| ExitCode::SUCCESS)
    }

    fn timed(self, console: &Console) -> Result<(), String> {
        let begin = Instant::now();
        let document = open_document((&self.file, None), &ExtraClipArgs::default(), self.memory.job(), console)?;
        let stage = Stage::new(document);
        let load_ms = to_ms(begin.elapsed());
        let rig = Arc::clone(stage.rig());

        let start = Instant::now();
        let headless = Headless::new().map_err(|e| e.to_string())?;
        let mut scene = headless.scene().map_err(|e| e.to_string())?;
        self.device.apply_to(&mut scene);
        scene.set_samples(self.samples);
        let context_ms = to_ms(start.elapsed());

        let mut bench = Bench::new(&stage, &mut scene, self.size, self.frames);
        let start = Instant::now();
        bench.first_image()?;
        let first_image_ms = to_ms(start.elapsed());
        let start_to_image_ms = to_ms(process::age().unwrap_or_else(|| begin.elapsed()));
        bench.centers = centers(&rig);
        bench.times_card = self.card;
        let (mut frames, mut left_out, mut has_time) = (Vec::new(), Vec::new(), true);
        for row in rows(self.only.as_deref()) {
            has_time = has_time && !console.is_time_over();
            let no_time = (!has_time).then(|| "there was no time for it".to_owned());
            match no_time.or_else(|| bench.reason_against(&row)) {
                Some(reason) => left_out.push(LeftOutRow { name: row.name(), reason }),
                None => frames.push(bench.measure(&row)?),
            }
        }
        let report = BenchJson {
            version: 1,
            file: stage.document.source.full_name(),
            renderer: headless.renderer(),
            skinned_on: scene.skins_on().to_string(),
            size: self.size,
            samples: scene.samples(),
            vertices: rig.vertex_count(),
            triangles: rig.primitives().map(|(_, primitive)| primitive.indices.len() / 3).sum(),
            joints: rig.joint_count(),
            bytes: GraphicsBytes::new(&rig),
            load_ms,
            context_ms,
            first_image_ms,
            start_to_image_ms,
            frames,
            left_out,
            card: self.card.then(|| CardJson::new(scene.card(), process::peak_memory())),
        };
        if self.json || self.card { console.print_row(&report) } else { console.print_table(report.lines()) }?;
        if has_time { Ok(()) } else { Err(console.timeout_message("the last rows")) }
    }
}

/// Returns the row with this name or, if there is none, all rows whose names contain the text.
fn rows(only: Option<&str>) -> Vec<BenchRow> {
    let (all, text) = (BenchRow::all(), only.unwrap_or_default());
    let is_name = all.iter().any(|row| row.name() == text);
    all.into_iter().filter(|row| if is_name { row.name() == text } else { row.name().contains(text) }).collect()
}

fn centers(rig: &Arc<Rig>) -> Option<Arc<Centers>> {
    let is_small = rig.vertex_count() <= MAX_VERTICES_FOR_CENTERS;
    is_small.then(|| Centers::new(rig, &Progress::default())).flatten().map(Arc::new)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_are_selected_by_name_or_part_of_it() {
        let names = |only| rows(only).iter().map(BenchRow::name).collect::<Vec<_>>();
        assert_eq!(names(Some("lbs")), ["lbs"]);
        assert_eq!(names(Some("lbs, ")).len(), 4);
        assert_eq!(names(None).len(), BenchRow::all().len());
        assert!(names(Some("no such row")).is_empty());
    }
}
