use glam::Vec2;
use image::RgbaImage;

use super::canvas::Canvas;
use super::{
    CaptionColors, CaptionRect, JOINT_COLORS_NOTE, Label, Legend, PILL_PADDING, labels, legends, missing, ticks,
};
use crate::fonts::Fonts;
use crate::stage::Stage;
use crate::view::{Layout, Values};

/// Font size of labels, in points.
const BODY: f32 = 13.0;
/// Font size of legends, in points.
const SMALL: f32 = 11.0;
/// Maximum image size, in pixels, at which one point is one pixel.
const UNSCALED: Vec2 = Vec2::new(1280.0, 800.0);
const PADDING: f32 = 8.0;
const DOT: f32 = 8.0;
const GAP: f32 = 6.0;
/// Distance of the ramp from the upper edge of the legend, in points.
const RAMP: f32 = 25.0;
const RAMP_HEIGHT: f32 = 10.0;
const TICKS: f32 = 39.0;
const OPACITY: f32 = 0.94;

/// Returns the pixels per point for an image size. Text then has the same size, relative to the image, as in a default
/// window.
pub fn scale_for(size: [u32; 2]) -> f32 {
    (Vec2::from(size.map(|side| side as f32)) / UNSCALED).min_element().max(1.0)
}

/// Draws side labels and overlay legends into a band of full-width image rows that starts at row `top`. `height` is the
/// image height in pixels; `scale` is in pixels per point. `fonts` supplement the built-in font.
pub fn draw_captions(rows: &mut RgbaImage, (top, height): (u32, u32), stage: &Stage, scale: f32, fonts: &Fonts) {
    let whole = CaptionRect::new(Vec2::ZERO, Vec2::new(rows.width() as f32, height as f32) / scale);
    let view = &stage.view;
    let is_parted = view.compare.shown_layout() == Layout::SideBySide;
    let areas = if is_parted { whole.halves() } else { [whole; 2] };
    let ink = if view.display.is_dark { CaptionColors::DARK } else { CaptionColors::LIGHT };
    let faces = fonts.faces();
    let Some(mut canvas) = Canvas::new(rows, top, scale, &faces) else { return };
    for label in labels(stage, areas, 0.0) {
        draw_label(&mut canvas, &label, ink);
    }
    for legend in legends(stage, areas, 0.0) {
        draw_legend(&mut canvas, legend, stage, ink);
    }
}

/// Draws lines of text below each other into an image, from the upper left corner of `area` (points). The first line is
/// larger. Lines that are wider than the area are truncated. `scale` is in pixels per point; `fonts` supplement the
/// built-in font.
pub fn draw_lines(
    image: &mut RgbaImage,
    area: CaptionRect,
    lines: &[&str],
    (scale, colors): (f32, CaptionColors),
    fonts: &Fonts,
) {
    let faces = fonts.faces();
    let Some(mut canvas) = Canvas::new(image, 0, scale, &faces) else { return };
    let styles = std::iter::once((BODY, colors.strong)).chain(std::iter::repeat((SMALL, colors.text)));
    let mut at = area.min;
    for (line, (size, color)) in lines.iter().zip(styles) {
        let text = canvas.shortened(line, size, area.size().x);
        canvas.text(at, &text, size, color);
        at.y += canvas.text_size(&text, size).y + 2.0;
    }
}

/// Returns all text that [`draw_captions`] draws, except numbers, for finding fonts that have its letters.
pub fn caption_text(stage: &Stage) -> String {
    let areas = [CaptionRect::new(Vec2::ZERO, UNSCALED); 2];
    let mut words: Vec<String> = labels(stage, areas, 0.0).into_iter().map(|label| label.text).collect();
    for legend in legends(stage, areas, 0.0) {
        let overlay = legend.overlay;
        words.push(stage.view.overlay_title(overlay, stage.rig()));
        words.extend(missing(stage, legend.first(), overlay));
    }
    words.concat()
}

fn draw_label(canvas: &mut Canvas<'_>, label: &Label, ink: CaptionColors) {
    let text = canvas.shortened(&label.text, BODY, (label.area.size().x - 40.0).max(0.0));
    let region = label.region(canvas.text_size(&text, BODY));
    let (ground, color) = label.side.map_or((ink.ground, ink.text), |side| (side.color(), CaptionColors::ON_COLOR));
    canvas.rounded(region, region.size().y * 0.5, ground, 1.0);
    canvas.text(region.min + PILL_PADDING, &text, BODY, color);
}

fn draw_legend(canvas: &mut Canvas<'_>, legend: Legend, stage: &Stage, ink: CaptionColors) {
    let (side, Legend { overlay, region, .. }) = (legend.first(), legend);
    let Some(painted) = stage.measured.painted(&stage.view, side) else { return };
    canvas.rounded(region, 6.0, ink.ground, OPACITY);
    let inner = region.shrunk(Vec2::splat(PADDING));
    let width = inner.size().x;
    let mut title_at = inner.min;
    for side in legend.sides {
        canvas.rounded(CaptionRect::new(title_at + Vec2::Y * 3.0, Vec2::splat(DOT)), DOT / 2.0, side.color(), 1.0);
        title_at.x += DOT + GAP;
    }
    let title = canvas.shortened(&stage.view.overlay_title(overlay, stage.rig()), SMALL, inner.max.x - title_at.x);
    canvas.text(title_at, &title, SMALL, ink.strong);
    let note = |canvas: &mut Canvas<'_>, text: &str| {
        for (line, top) in canvas.lines(text, SMALL, width).iter().zip([RAMP, TICKS]) {
            canvas.text(Vec2::new(inner.min.x, region.min.y + top), line, SMALL, ink.text);
        }
    };
    if let Some(missing) = missing(stage, side, overlay) {
        return note(canvas, &missing);
    }
    match painted.values.as_ref() {
        Values::Scalars { ramp, range, .. } => {
            let from = Vec2::new(inner.min.x, region.min.y + RAMP);
            canvas.ramp(CaptionRect::new(from, Vec2::new(width, RAMP_HEIGHT)), *ramp);
            for tick in ticks(overlay, *range) {
                let size = canvas.text_size(&tick.text, SMALL);
                let x = inner.min.x + width * tick.share - size.x * tick.left;
                canvas.text(Vec2::new(x, region.min.y + TICKS), &tick.text, SMALL, ink.text);
            }
        }
        Values::Colors { .. } => note(canvas, JOINT_COLORS_NOTE),
    }
}
