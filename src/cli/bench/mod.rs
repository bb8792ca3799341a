//! `rigscope bench`: how long frames take on this machine.

mod process;
mod report;
mod rows;

use std::sync::Arc;
use std::time::Instant;

use clap::Args;

use super::files::source;
use super::opening::{ClipsOf, open_document};
use super::render::parse_size;
use super::{Console, DeviceArgs, MemoryArgs, numbers};
use crate::jobs::Progress;
use crate::render::Headless;
use crate::rig::Rig;
use crate::skinning::Centers;
use crate::stage::{Source, Stage};
use report::{Bytes, CardReport, Millis, Report};
use rows::{Bench, Row};

/// What to measure.
#[derive(Args, Debug)]
#[command(after_long_help = JSON_HELP)]
pub struct BenchArgs {
    /// A glTF, GLB, VRM or FBX file, builtin:NAME, or - for standard input
    #[arg(value_parser = source())]
    file: Source,

    /// Frames per row; a row stops early once it has taken five seconds
    #[arg(long, value_name = "N", default_value_t = 60, value_parser = clap::value_parser!(u32).range(3..=100_000))]
    frames: u32,

    /// Picture size in pixels
    #[arg(long, value_name = "WxH", default_value = "1280x800", value_parser = parse_size)]
    size: [u32; 2],

    /// Samples per pixel (MSAA), or as many as the driver supports
    #[arg(long, value_name = "N", default_value = "4", value_parser = numbers::samples)]
    samples: u32,

    #[command(flatten)]
    device: DeviceArgs,

    #[command(flatten)]
    memory: MemoryArgs,

    /// Only run the row of this name, or all rows whose names contain TEXT
    #[arg(long, value_name = "TEXT")]
    only: Option<String>,

    /// Print one JSON object
    #[arg(long)]
    json: bool,

    /// Print one JSON object that also has all that the graphics driver says of the card, and how long the card itself takes
    #[arg(long)]
    card: bool,
}

const JSON_HELP: &str = "\
A posed frame evaluates the file's first clip, or turns all joints where there is none, skins, draws offscreen and waits until the picture is there. Orbiting
moves the camera alone. Rows of two sides compare the method with its counterpart. The first frame of a row, which compiles what it needs, is not
among the others. The way from the start of the process to the first picture has all that comes before it, to a hundredth of a second.

JSON:
  {\"version\":1,\"file\":PATH,\"renderer\":TEXT,\"skinned_on\":\"compute\"|\"feedback\"|\"cpu\",\"size\":[W,H],\"samples\":N,
   \"vertices\":N,\"triangles\":N,\"joints\":N,\"bytes\":{\"palettes\":N,\"vertices\":N,\"textures\":N},
   \"load_ms\":X,\"context_ms\":X,\"first_picture_ms\":X,\"start_to_picture_ms\":X,
   \"frames\":[{\"name\":TEXT,\"frames\":N,\"min_ms\":X,\"median_ms\":X,\"p95_ms\":X,\"first_ms\":X},...],\"left_out\":[{\"name\":TEXT,\"reason\":TEXT},...]}
With --card, frames have \"card_ms\":X too, the median of the times that the card itself took, where its driver has OpenGL 4.5; and the object has
   \"card\":{\"vendor\":TEXT,\"renderer\":TEXT,\"version\":TEXT,\"shaders\":TEXT,\"is_software\":BOOL,\"limits\":{NAME:N,...},\"memory_bytes\":[ALL|null,FREE|null],
   \"extensions\":[TEXT,...],\"most_memory_bytes\":N|null}";

/// Most vertices of a mesh for which centres of rotation are found: larger ones take minutes.
const MAX_VERTICES_FOR_CENTERS: usize = 200_000;

impl BenchArgs {
    /// Measures and prints.
    ///
    /// *Errors*: in words for the user.
    pub fn run(self, console: &Console) -> Result<(), String> {
        let begin = Instant::now();
        let document = open_document((&self.file, None), &ClipsOf::default(), self.memory.job(), console)?;
        let stage = Stage::new(document);
        let load = Millis::since(begin);
        let rig = Arc::clone(stage.rig());

        let start = Instant::now();
        let headless = Headless::new().map_err(|e| e.to_string())?;
        let mut scene = headless.scene().map_err(|e| e.to_string())?;
        self.device.apply_to(&mut scene);
        scene.set_samples(self.samples);
        let context = Millis::since(start);

        let mut bench = Bench::new(&stage, &mut scene, self.size, self.frames);
        let first_picture = bench.first_picture()?;
        let start_to_picture = Millis::from(process::age().unwrap_or_else(|| begin.elapsed()));
        bench.centers = centers(&rig);
        bench.asks_card = self.card;
        let (mut frames, mut left_out, mut has_time) = (Vec::new(), Vec::new(), true);
        for row in rows(self.only.as_deref()) {
            has_time = has_time && !console.is_time_over();
            let no_time = (!has_time).then(|| "there was no time for it".to_owned());
            match no_time.or_else(|| bench.reason_against(&row)) {
                Some(reason) => left_out.push((row.name(), reason)),
                None => frames.push(bench.measure(&row)?),
            }
        }
        let report = Report {
            file: stage.document.source.full_name(),
            renderer: headless.renderer(),
            skinned_on: scene.skins_on(),
            size: self.size,
            samples: scene.samples(),
            bytes: Bytes::of(&rig),
            rig: &rig,
            load,
            context,
            first_picture,
            start_to_picture,
            frames,
            left_out,
            card: self.card.then(|| CardReport { card: scene.card(), most_memory_bytes: process::most_memory() }),
        };
        if self.json || self.card { console.print_json(&report.json()) } else { console.print_table(report.text()) }?;
        if has_time { Ok(()) } else { Err(console.not_done("the last rows")) }
    }
}

/// The rows that are asked for: all, the one of a name, or those whose names contain it.
fn rows(only: Option<&str>) -> Vec<Row> {
    let (all, text) = (Row::all(), only.unwrap_or_default());
    let is_name = all.iter().any(|row| row.name() == text);
    all.into_iter().filter(|row| if is_name { row.name() == text } else { row.name().contains(text) }).collect()
}

fn centers(rig: &Arc<Rig>) -> Option<Arc<Centers>> {
    let vertices: usize = rig.primitives().map(|(_, primitive)| primitive.positions.len()).sum();
    let is_small = vertices <= MAX_VERTICES_FOR_CENTERS;
    is_small.then(|| Centers::new(rig, &Progress::default())).flatten().map(Arc::new)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_row_is_asked_for_by_its_name_and_several_by_what_their_names_share() {
        let names = |only| rows(only).iter().map(Row::name).collect::<Vec<_>>();
        assert_eq!(names(Some("lbs")), ["lbs"]);
        assert_eq!(names(Some("lbs, ")).len(), 4);
        assert_eq!(names(None).len(), Row::all().len());
        assert!(names(Some("no such row")).is_empty());
    }
}
