use std::sync::Arc;
use std::time::{Duration, Instant};

use glam::Quat;

use super::report::{RowTimesJson, to_ms};
use crate::actor::{Actor, SharedPose};
use crate::render::{FrameInput, Scene};
use crate::rig::{ClipMoment, Pose, Rig, Trs, evaluate};
use crate::skinning::{Centers, Method, Skinning};
use crate::stage::Stage;
use crate::view::{Ghost, Layout, OverlayValues, Ramp, ShadingMode, SideView, Values, View};

/// A row stops after this time; see [`MIN_FRAMES`].
const MAX_ROW_TIME: Duration = Duration::from_secs(5);
/// Minimum number of frames per row, even if they take longer than [`MAX_ROW_TIME`].
const MIN_FRAMES: u32 = 3;
/// Rate at which clips are sampled, the same as in playback.
const FRAMES_PER_SECOND: f32 = 60.0;

#[derive(Clone, Debug, PartialEq)]
pub(super) enum BenchRow {
    /// Orbits the camera around an unchanged pose.
    Orbit,
    Single(Method),
    /// Draws LBS with different display options, selected by name.
    Display(&'static str),
    Sides(Layout, Ghost),
}

impl BenchRow {
    pub(super) fn all() -> Vec<Self> {
        let displays = ["lbs, no grid and shadow", "lbs, clay", "lbs, wireframe", "lbs, overlay"].map(Self::Display);
        let sides = [
            (Layout::Wipe, Ghost::default()),
            (Layout::SideBySide, Ghost::default()),
            (Layout::Ghost, Ghost::Translucent),
            (Layout::Ghost, Ghost::Outline),
        ];
        let mut rows = vec![Self::Orbit];
        rows.extend(Method::CHOICES.map(Self::Single));
        rows.extend(displays);
        rows.extend(sides.map(|(layout, ghost)| Self::Sides(layout, ghost)));
        rows
    }

    pub(super) fn name(&self) -> String {
        match self {
            Self::Orbit => "orbit".to_owned(),
            Self::Single(method) => method.to_string(),
            Self::Display(name) => (*name).to_owned(),
            Self::Sides(Layout::Wipe, _) => "lbs | dqs, wipe".to_owned(),
            Self::Sides(Layout::Ghost, Ghost::Outline) => "lbs | dqs, outline".to_owned(),
            Self::Sides(Layout::Ghost, _) => "lbs | dqs, ghost".to_owned(),
            Self::Sides(_, _) => "lbs | dqs, side by side".to_owned(),
        }
    }

    fn method(&self) -> Method {
        if let Self::Single(method) = self { *method } else { Method::Lbs }
    }

    fn view(&self, base: &View) -> View {
        let mut view = base.clone();
        view.sides = [self.method(), Method::Dqs]
            .map(|method| SideView { skinning: method.into(), ..SideView::default() })
            .into();
        view.compare.layout = Layout::Single;
        view.compare.is_clay = view.display.shading == ShadingMode::Clay;
        match self {
            Self::Orbit | Self::Single(_) => {}
            Self::Display(name) => {
                view.display.grid &= !name.contains("no grid");
                if name.contains("clay") {
                    view.display.shading = ShadingMode::Clay;
                }
                view.display.wireframe |= name.contains("wireframe");
            }
            Self::Sides(layout, ghost) => (view.compare.layout, view.compare.ghost) = (*layout, *ghost),
        }
        view
    }
}

pub(super) struct Bench<'a> {
    stage: &'a Stage,
    rig: Arc<Rig>,
    /// Centres of rotation. Set after the first image, which doesn't need them.
    pub centers: Option<Arc<Centers>>,
    scene: &'a mut Scene,
    size: [u32; 2],
    frames: u32,
    /// True to also measure the GPU time of each frame.
    pub times_card: bool,
    version: u64,
}

impl<'a> Bench<'a> {
    pub(super) fn new(stage: &'a Stage, scene: &'a mut Scene, size: [u32; 2], frames: u32) -> Self {
        Self { stage, rig: Arc::clone(stage.rig()), centers: None, scene, size, frames, times_card: false, version: 0 }
    }

    /// Draws the first image, including all uploads and shader compilation.
    pub(super) fn first_image(&mut self) -> Result<(), String> {
        let view = BenchRow::Single(Method::Lbs).view(&self.base_view());
        self.draw(&view, 0, None).map(drop)
    }

    /// Returns why a row can't be measured; `None` if it can.
    pub(super) fn reason_against(&self, row: &BenchRow) -> Option<String> {
        let method = row.method();
        let has_centers = self.centers.is_some() || !method.needs_centers();
        let unsuited = Skinning::new(method).check(&self.rig).err().map(|e| e.to_string());
        unsuited
            .or((!has_centers).then(|| "finding centres of rotation takes minutes for a mesh of this size".to_owned()))
    }

    pub(super) fn measure(&mut self, row: &BenchRow) -> Result<RowTimesJson, String> {
        let mut view = row.view(&self.base_view());
        let overlay = (*row == BenchRow::Display("lbs, overlay")).then(|| self.overlay());
        let begin = Instant::now();
        let (mut first, mut times, mut on_card) = (f64::NAN, Vec::new(), Vec::new());
        for frame in 0..=self.frames {
            if begin.elapsed() > MAX_ROW_TIME && times.len() as u32 >= MIN_FRAMES {
                break;
            }
            let start = Instant::now();
            let card_time = if *row == BenchRow::Orbit {
                view.camera.yaw += 0.02;
                self.draw(&view, 0, None)?
            } else {
                self.draw(&view, frame, overlay.as_ref())?
            };
            let time = to_ms(start.elapsed());
            if frame == 0 {
                first = time;
                continue;
            }
            times.push(time);
            on_card.extend(card_time.map(to_ms));
        }
        Ok(RowTimesJson::new(row.name(), first, times, on_card))
    }

    fn base_view(&self) -> View {
        let mut view = self.stage.view.clone();
        view.camera.frame(self.rig.rest_bounds(), self.size[0] as f32 / self.size[1] as f32);
        view.display.bones = false;
        view
    }

    /// Draws a frame, waits until it is complete, and returns its GPU time if measured. The pose follows the clip; if
    /// there is no clip, all joints rotate. Frame 0 doesn't change the pose.
    fn draw(&mut self, view: &View, frame: u32, overlay: Option<&OverlayValues>) -> Result<Option<Duration>, String> {
        if frame > 0 || self.version == 0 {
            self.version += 1;
        }
        let seconds = frame as f32 / FRAMES_PER_SECOND;
        let moment = self
            .rig
            .clips
            .first()
            .filter(|clip| clip.duration_secs > 0.0)
            .map(|clip| ClipMoment::new(0, seconds % clip.duration_secs));
        let mut pose = Pose::rest(&self.rig.hierarchy);
        if moment.is_none() {
            for node in self.rig.hierarchy.nodes() {
                pose.set_user_local(node, Trs::from_rotation(Quat::from_rotation_x(0.2 * seconds.sin())));
            }
        }
        let posed = evaluate(&self.rig, moment, &pose);
        let actor = Actor::new(&self.rig, SharedPose::new(&self.rig, posed));
        let frame = FrameInput::for_actor(&actor, (&pose, view), self.size);
        let mut frame = FrameInput { version: self.version, ..frame };
        for shown in &mut frame.actors {
            (shown.painted, shown.centers) = (overlay, self.centers.as_ref());
        }
        if self.times_card {
            return self.scene.draw_timed(&frame).map_err(|e| e.to_string());
        }
        self.scene.draw(&frame).map_err(|e| e.to_string())?;
        self.scene.finish();
        Ok(None)
    }

    /// Returns vertex heights as overlay values, because all overlays take the same time to draw.
    fn overlay(&self) -> OverlayValues {
        let parts = self.rig.primitives().map(|(_, primitive)| primitive.positions.iter().map(|p| p.y).collect());
        let values = Values::Scalars { parts: parts.collect(), ramp: Ramp::Magnitude, range: [0.0, self.rig.size()] };
        OverlayValues { values: Arc::new(values), version: 1 }
    }
}
