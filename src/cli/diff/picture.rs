use crate::cli::Console;
use crate::cli::MemoryArgs;
use crate::cli::second_side::compare_with;
use crate::diff::{Change, ChangeMeasure, RigDiff};
use crate::export::ImageKind;
use crate::page::{Element, figure, grid, picture, text};
use crate::stage::{Arrangement, ComparisonLayout, Document, MeasureBench, Source, Stage};
use crate::studio::{ImageOptions, Studio, measure_sides};
use crate::view::ShownFile;

/// Size of the image, in pixels. Each version has half of it.
const SIZE: [u32; 2] = [1120, 560];

/// Returns an image of both versions, side by side, at the largest change. `None` if no change has a location, or the new
/// version can't be read again, such as a pipe.
pub(super) fn worst_place(
    old: &Document,
    new: &Source,
    found: &RigDiff,
    memory: MemoryArgs,
    console: &Console,
) -> Result<Option<Element>, String> {
    let (Some(change), Some(path)) = (worst(&found.changes), new.path().filter(|path| path.is_file())) else {
        return Ok(None);
    };
    let mut stage = Stage::new(old.clone());
    stage.view.display.is_dark = false;
    compare_with(&mut stage, ShownFile::file_at(path), memory, console)?;
    let sides = Arrangement { compare: Some(ComparisonLayout::SideBySide), ..Arrangement::default() };
    sides.apply_to(&mut stage)?;
    stage.frame_from([None, None], SIZE);
    stage.frame_change(change);
    stage.refresh();
    measure_sides(&mut stage, &mut MeasureBench::default())?;
    let mut studio = Studio::new(None)?;
    let options = ImageOptions { has_captions: true, ..SIZE.into() };
    let drawn = console.stage("Drawing", |_| studio.picture(&stage, options))?;
    let bytes = ImageKind::Jpeg.encode(&drawn).map_err(|problem| problem.to_string())?;
    let title = format!("{}, {}: {}", change.kind.name(), change.object_name, change.details());
    let shown = picture("image/jpeg", &bytes, "Both versions at the largest change, the old one on the left");
    Ok(Some(grid([figure(shown, text(&title)).with("class", "whole")])))
}

/// Returns the change with a location that moves vertices farthest, or the first one with a location.
fn worst(changes: &[Change]) -> Option<&Change> {
    let metres = |change: &Change| {
        let distance = change.amounts.iter().find(|(measure, _)| *measure == ChangeMeasure::Distance);
        distance.map_or(0.0, |(_, metres)| *metres)
    };
    let farther = |a: &Change, b: &Change| metres(b) > metres(a);
    changes.iter().filter(|change| change.place.is_some()).reduce(|a, b| if farther(a, b) { b } else { a })
}
