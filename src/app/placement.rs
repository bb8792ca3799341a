use eframe::CreationContext;
use egui::{Rect, Vec2, ViewportCommand, pos2, vec2};

/// Space reserved for desktop panels and the window's title bar, points. No library reports their size.
const BARS: Vec2 = vec2(64.0, 88.0);
/// The part of [`BARS`] that is reserved for the title bar, points.
const TITLE: Vec2 = vec2(0.0, 32.0);

pub(super) fn keep_on_monitor(creation: &CreationContext<'_>) {
    let Some(window) = creation.winit_window().filter(|w| !w.is_maximized() && w.fullscreen().is_none()) else {
        return;
    };
    let scale = window.scale_factor() as f32;
    let pixels = window.inner_size();
    let size = vec2(pixels.width as f32, pixels.height as f32);
    // The position is unknown on Wayland.
    let place = window.outer_position().ok().map(|at| pos2(at.x as f32, at.y as f32));
    let monitors: Vec<Rect> = window
        .available_monitors()
        .map(|monitor| {
            let (at, size) = (monitor.position(), monitor.size());
            Rect::from_min_size(pos2(at.x as f32, at.y as f32), vec2(size.width as f32, size.height as f32))
        })
        .collect();
    let opened = Rect::from_min_size(place.unwrap_or_default(), size);
    let Some(fitted) = fitted(opened, &monitors, scale) else { return };
    let (ctx, scale) = (&creation.egui_ctx, scale * creation.egui_ctx.zoom_factor());
    if fitted.size() != size {
        ctx.send_viewport_cmd(ViewportCommand::InnerSize(fitted.size() / scale));
    }
    if place.is_some_and(|place| place != fitted.min) {
        ctx.send_viewport_cmd(ViewportCommand::OuterPosition((fitted.min.to_vec2() / scale).to_pos2()));
    }
}

/// Fits the window's rectangle (pixels) into the monitor that it overlaps most. `scale` is in pixels per point.
fn fitted(window: Rect, monitors: &[Rect], scale: f32) -> Option<Rect> {
    let overlap = |monitor: &&Rect| monitor.intersect(window).area().max(0.0);
    // Reverses the order so that the first of several monitors with equal overlap wins.
    let monitor = monitors.iter().rev().max_by(|a, b| overlap(a).total_cmp(&overlap(b)))?;
    let size = window.size().min((monitor.size() - BARS * scale).max(Vec2::splat(1.0)));
    let last = monitor.max - size - TITLE * scale;
    Some(Rect::from_min_size(window.min.clamp(monitor.min, last.max(monitor.min)), size))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rect(x: f32, y: f32, width: f32, height: f32) -> Rect {
        Rect::from_min_size(pos2(x, y), vec2(width, height))
    }

    #[test]
    fn a_window_is_as_a_whole_on_one_monitor_with_room_for_bars() {
        let laptop = [rect(0.0, 0.0, 1366.0, 768.0)];
        let two = [rect(0.0, 0.0, 1920.0, 1080.0), rect(1920.0, 0.0, 1440.0, 900.0)];
        for (window, monitors, scale, wanted) in [
            (rect(100.0, 50.0, 1000.0, 600.0), &laptop[..], 1.0, rect(100.0, 50.0, 1000.0, 600.0)),
            (rect(0.0, 0.0, 1440.0, 900.0), &laptop, 1.0, rect(0.0, 0.0, 1302.0, 680.0)),
            (rect(200.0, 300.0, 1000.0, 600.0), &laptop, 1.0, rect(200.0, 136.0, 1000.0, 600.0)),
            (rect(-80.0, -20.0, 1000.0, 600.0), &laptop, 1.0, rect(0.0, 0.0, 1000.0, 600.0)),
            (rect(2000.0, 10.0, 1440.0, 900.0), &two, 1.0, rect(1984.0, 10.0, 1376.0, 812.0)),
            (rect(5000.0, 5000.0, 800.0, 600.0), &two, 1.0, rect(1120.0, 448.0, 800.0, 600.0)),
            (rect(0.0, 0.0, 1920.0, 1080.0), &two[..1], 2.0, rect(0.0, 0.0, 1792.0, 904.0)),
        ] {
            assert_eq!(fitted(window, monitors, scale), Some(wanted), "{window} at {scale}");
        }
        assert_eq!(fitted(laptop[0], &[], 1.0), None);
    }
}
