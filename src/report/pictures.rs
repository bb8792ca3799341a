use image::{RgbaImage, imageops};

use super::bend::BendMeasures;
use super::measures::{Measures, WorstJoint};
use crate::analysis::lint::Target;
use crate::analysis::weight_problems::WeightProblem;
use crate::export::ImageKind;
use crate::jobs::Progress;
use crate::page::{Element, picture};
use crate::rig::Pose;
use crate::skinning::{Method, Skinning};
use crate::stage::{DerivedResult, MeasureBench, Stage};
use crate::studio::{ImageOptions, Studio, measure_sides};
use crate::view::{Display, EnvironmentFile, Layout, Overlay, SelectedProblem, ShownPose, Side, Values};

const SIZE: [u32; 2] = [640, 480];
const SMALL: [u32; 2] = [400, 300];
const THUMBNAIL: [u32; 2] = [200, 150];
const MAX_PLACES: usize = 24;
const MAX_OF_A_CODE: usize = 3;
const MAX_WEIGHT_PROBLEMS: usize = 6;

#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ReportError {
    #[error("cancelled")]
    Cancelled,
    #[error("{0}")]
    Failed(String),
}

pub(super) struct Pictures {
    pub thumbnail: Vec<u8>,
    pub rest: Vec<u8>,
    pub posed: Vec<u8>,
    /// Images of the worst joints, with both methods side by side.
    pub joints: Vec<Vec<u8>>,
    pub weights: Vec<(Overlay, Vec<u8>)>,
    /// Index of a finding, and an image of the finding's location.
    pub places: Vec<(usize, Vec<u8>)>,
    pub weight_problems: Vec<Vec<u8>>,
    /// Images of the worst poses of the bend test, with both methods side by side.
    pub bends: Vec<Vec<u8>>,
}

pub(super) fn jpeg(bytes: &[u8], alt: &str) -> Element {
    picture("image/jpeg", bytes, alt)
}

const PAINTED: [Overlay; 3] = [Overlay::JointColors, Overlay::WeightLeak, Overlay::WeightSteepness];

pub(super) fn count(measures: &Measures) -> usize {
    2 + measures.worst.len()
        + PAINTED.len()
        + places(measures).len()
        + measures.weight_problems.list.len().min(MAX_WEIGHT_PROBLEMS)
        + bend_test(measures).map_or(0, |test| test.pictured().len())
}

fn bend_test(measures: &Measures) -> Option<&BendMeasures> {
    measures.bend_test.as_ref()?.as_ref().ok()
}

fn places(measures: &Measures) -> Vec<usize> {
    let findings = &measures.findings;
    let has_place = |target: &Target| matches!(target, Target::Nodes(_) | Target::Primitive { .. } | Target::Skin(_));
    let is_early = |&i: &usize| {
        findings[..i].iter().rev().take_while(|finding| finding.code == findings[i].code).count() < MAX_OF_A_CODE
    };
    let numbers = (0..findings.len()).filter(|&i| has_place(&findings[i].target)).filter(is_early);
    numbers.take(MAX_PLACES).collect()
}

struct ReportCamera<'a> {
    studio: &'a mut Studio,
    shown: &'a Stage,
    shot: Stage,
    bench: MeasureBench,
    progress: &'a Progress,
}

impl Pictures {
    pub(super) fn draw(
        studio: &mut Studio,
        stage: &Stage,
        measures: &Measures,
        progress: &Progress,
    ) -> Result<Self, ReportError> {
        let mut camera =
            ReportCamera { studio, shown: stage, shot: stage.clone(), bench: MeasureBench::default(), progress };
        let rest = Pose::rest(&measures.rig.hierarchy);
        let compared = &measures.compared;
        let weights = if measures.is_measured { camera.weights(&rest)? } else { Vec::new() };
        let rest_picture = camera.shoot(|shot| set_pose(shot, &rest))?;
        let thumbnail = imageops::thumbnail(&rest_picture, THUMBNAIL[0], THUMBNAIL[1]);
        let posed = camera.shoot(|shot| {
            set_pose(shot, &compared.pose);
            if let Some(moment) = compared.moment {
                shot.set_clip(Some(moment.clip));
                shot.playback.pause_at(moment.time_secs, &shot.document.rig);
                shot.springs.set_live(false);
            }
        })?;
        let joints = measures.worst.iter().map(|worst| camera.joint(worst)).collect::<Result<_, _>>()?;
        let places = places(measures).into_iter().map(|number| Ok((number, camera.place(measures, &rest, number)?)));
        let places = places.collect::<Result<_, ReportError>>()?;
        let problems = measures.weight_problems.list.iter().take(MAX_WEIGHT_PROBLEMS);
        let problems = problems.map(|problem| camera.weight_problem_image(problem)).collect::<Result<_, _>>()?;
        let bends =
            bend_test(measures).into_iter().flat_map(|test| test.pictured().iter().map(move |result| (test, result)));
        let bends = bends.map(|(test, result)| camera.aimed(SIZE, 1.0, |shot| shot.arrange_bend(result, test.methods)));
        let bends = bends.collect::<Result<_, _>>()?;
        Ok(Self {
            thumbnail: encoded(&thumbnail)?,
            rest: encoded(&rest_picture)?,
            posed: encoded(&posed)?,
            joints,
            weights,
            places,
            weight_problems: problems,
            bends,
        })
    }
}

impl ReportCamera<'_> {
    fn shoot(&mut self, arrange: impl FnOnce(&mut Stage)) -> Result<RgbaImage, ReportError> {
        self.drawn(SIZE, 1.0, |shot| {
            arrange(shot);
            shot.refresh();
            shot.frame_all();
        })
    }

    fn weights(&mut self, rest: &Pose) -> Result<Vec<(Overlay, Vec<u8>)>, ReportError> {
        // Starts with the weight leak, so that its large temporary memory is free again before the first image is
        // uploaded.
        let mut order = PAINTED;
        order.sort_by_key(|overlay| *overlay != Overlay::WeightLeak);
        let mut painted = |overlay: Overlay| {
            let picture = self.shoot(|shot| {
                set_pose(shot, rest);
                shot.view.sides.a.paint(Some(overlay));
            });
            Ok((overlay, encoded(&picture?)?))
        };
        let mut pictures = order.into_iter().map(&mut painted).collect::<Result<Vec<_>, ReportError>>()?;
        self.bench = MeasureBench::default();
        pictures.sort_by_key(|(overlay, _)| PAINTED.iter().position(|painted| painted == overlay));
        Ok(pictures)
    }

    fn joint(&mut self, worst: &WorstJoint) -> Result<Vec<u8>, ReportError> {
        self.aimed(SIZE, 0.5, |shot| {
            set_pose(shot, &worst.pose);
            for (side, method) in [(Side::A, Method::Lbs), (Side::B, Method::Dqs)] {
                _ = shot.set_skinning(side, Skinning::new(method));
            }
            shot.set_layout(Layout::SideBySide);
            shot.view.compare.is_clay = true;
            shot.view.select(Some(worst.ranked.joint), &shot.document.rig.hierarchy);
            shot.refresh();
            shot.frame_selected();
        })
    }

    fn place(&mut self, measures: &Measures, rest: &Pose, number: usize) -> Result<Vec<u8>, ReportError> {
        self.aimed(SMALL, 1.0, |shot| {
            set_pose(shot, rest);
            shot.view.display.bones = true;
            let rig = std::sync::Arc::clone(shot.rig());
            DerivedResult::findings(rig, Some(measures.findings.clone().into())).store_in(shot);
            shot.refresh();
            shot.frame_all();
            shot.select_problem(Some(SelectedProblem::Finding(number)));
        })
    }

    fn weight_problem_image(&mut self, problem: &WeightProblem) -> Result<Vec<u8>, ReportError> {
        self.aimed(SMALL, 1.0, |shot| {
            let pose = problem.pose(shot.rig());
            set_pose(shot, &pose);
            shot.refresh();
            shot.frame_all();
            shot.show_weight_problem(problem);
        })
    }

    /// `share` is the fraction of the image width that each side gets.
    fn aimed(&mut self, size: [u32; 2], share: f32, arrange: impl FnOnce(&mut Stage)) -> Result<Vec<u8>, ReportError> {
        encoded(&self.drawn(size, share, arrange)?)
    }

    fn drawn(
        &mut self,
        size: [u32; 2],
        share: f32,
        arrange: impl FnOnce(&mut Stage),
    ) -> Result<RgbaImage, ReportError> {
        self.progress.check_cancelled().ok_or(ReportError::Cancelled)?;
        let shot = &mut self.shot;
        shot.view.clone_from(&self.shown.view);
        let bones = shot.rig().instances.is_empty();
        shot.view.display = Display { bones, is_dark: false, ..Display::default() };
        shot.view.environment_file = EnvironmentFile::default();
        shot.set_layout(Layout::Single);
        shot.view.compare.is_blinking = false;
        // The page describes only the open character, even if the window shows other files.
        let weights = &self.shown.view.sides.a.weights;
        for side in Side::ALL {
            shot.view.sides[side].show_weights(weights.clone());
            shot.view.sides[side].options.pose = ShownPose::Current;
            shot.view.sides[side].paint(None);
        }
        shot.aspect = share * size[0] as f32 / size[1] as f32;
        arrange(shot);
        shot.refresh();
        measure_sides(shot, &mut self.bench).map_err(ReportError::Failed)?;
        // Only comparisons of two methods and colour ramps need captions.
        let view = &shot.view;
        let is_ramp =
            shot.measured.painted(&shot.view, Side::A).is_some_and(|p| matches!(*p.values, Values::Scalars { .. }));
        let has_captions = is_ramp || view.compare.shown_layout() != Layout::Single;
        let picture = ImageOptions { has_captions, ..size.into() };
        let drawn = self.studio.picture(shot, picture).map_err(ReportError::Failed)?;
        self.progress.add(1);
        Ok(drawn)
    }
}

fn encoded(picture: &RgbaImage) -> Result<Vec<u8>, ReportError> {
    ImageKind::Jpeg.encode(picture).map_err(|problem| ReportError::Failed(problem.to_string()))
}

fn set_pose(shot: &mut Stage, pose: &Pose) {
    shot.set_clip(None);
    shot.edit_pose(|own| own.clone_from(pose));
}
