//! A rig in a pose, and its skinned surfaces.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use glam::{DVec3, Quat, Vec3};
#[cfg(feature = "gl")]
use numpy::PyArrayMethods;
use numpy::{PyArray1, PyArray2, PyArray3};
use pyo3::prelude::*;

use crate::arguments::{NameOrNumber, check_finite};
use crate::arrays::{matrices, owned};
use crate::detached::{detached, detached_or_refused};
use crate::errors::refused;
use crate::numbers::as_python;
use crate::primitive::Primitive;
use crate::rig::{SharedRig, method as named};
use crate::saving::{self, OutputPath};
use rigscope::actor::{PoseEvaluator, SharedPose};
use rigscope::analysis::Topology;
use rigscope::analysis::diagnose::{DiagnosisInput, DiagnosisJson, diagnose, point_errors};
use rigscope::analysis::sides::{MeasureError, MeasureJob, MeasureScope, MeasuredSide, measure};
use rigscope::analysis::twist::{RankError, RankingJson, RotationKind, SweepJson, TestRange, TwistTest, rank, sweep};
use rigscope::export::PoseFile;
use rigscope::import::{Job, points_from_path};
use rigscope::jobs::Progress;
use rigscope::posing::Limits;
use rigscope::rig::{ClipMoment, LookAtTarget, MorphIndex, PointFrame, PrimitiveIndex, SpringSettings};
use rigscope::skinning::{Deformed, Method, Skinner, Skinning};
use rigscope::stage::{Document, PoseNumbers, Stage};
use rigscope::view::PerSide;

/// Inputs of a pose: a clip with a time, user transforms and a pose file.
#[derive(Default)]
pub(crate) struct Moment {
    pub clip: Option<NameOrNumber>,
    /// Time in the clip, seconds.
    pub time: f32,
    pub rotations: BTreeMap<String, [f32; 4]>,
    pub translations: BTreeMap<String, [f32; 3]>,
    pub scales: BTreeMap<String, [f32; 3]>,
    pub morphs: BTreeMap<String, f32>,
    pub expressions: BTreeMap<String, f32>,
    /// Look-at target of the eyes.
    pub look_at: Option<LookAtTarget>,
    /// How long springs settle before the clip starts, seconds; without a clip, how long they settle in the pose.
    pub settle: f32,
    /// Constant wind that acts on springs, metres per second.
    pub wind: [f32; 3],
    /// Path of a pose file.
    pub file: Option<PathBuf>,
}

/// Returns the index of a clip. *Errors*: an unknown clip; the message lists the rig's clips.
pub(crate) fn find_clip(rig: &rigscope::rig::Rig, wanted: &NameOrNumber) -> PyResult<usize> {
    let (found, wanted) = match wanted {
        NameOrNumber::Number(number) => {
            let index = usize::try_from(*number).ok().filter(|&index| index < rig.clips.len());
            (index, number.to_string())
        }
        NameOrNumber::Name(name) => (rig.clips.iter().position(|clip| clip.name == *name), format!("\"{name}\"")),
    };
    found.ok_or_else(|| {
        let names: Vec<&str> = rig.clips.iter().map(|clip| clip.name.as_str()).collect();
        refused(match names.as_slice() {
            [] => format!("There is no clip {wanted}; this file has no clips"),
            names => format!("There is no clip {wanted}; there are {}", names.join(", ")),
        })
    })
}

/// A pose to show on side A of a stage. The stage can be created on any thread.
pub(crate) struct StagedPose {
    /// The character, including the pose's user transforms.
    pub document: Document,
    /// Path of the pose file that was read, if any.
    file: Option<PathBuf>,
    moment: Option<ClipMoment>,
    /// Skinning method; `None` for the method that the file declares.
    method: Option<Method>,
}

impl StagedPose {
    /// Creates the stage, set up as on the command line.
    pub fn stage(self) -> Stage {
        let mut stage = Stage::new(self.document);
        if let Some(ClipMoment { clip, time_secs, .. }) = self.moment {
            stage.set_clip(Some(clip));
            stage.playback.pause_at(time_secs, &stage.document.rig);
        }
        if let Some(method) = self.method {
            stage.view.sides.a.skinning.method = method;
        }
        stage.refresh();
        stage
    }

    /// Returns the files that were read.
    pub fn inputs(&self) -> impl Iterator<Item = &Path> {
        self.document.inputs().chain(self.file.as_deref())
    }
}

/// Points of another program.
#[derive(FromPyObject)]
pub(crate) enum GivenPoints {
    File(PathBuf),
    Rows(Vec<[f64; 3]>),
}

impl GivenPoints {
    /// Returns the first frame of a file. *Errors*: the file cannot be read.
    fn frame(self) -> Result<PointFrame, String> {
        match self {
            Self::Rows(rows) => Ok(PointFrame::from_positions(rows.into_iter().map(DVec3::from_array).collect())),
            Self::File(path) => {
                let frames = points_from_path(&path, None, &Job::default()).map_err(|e| e.to_string())?;
                Ok(frames.into_iter().next().unwrap_or_default())
            }
        }
    }
}

/// A rig in a pose, created by `Rig.pose`. It never changes.
#[pyclass(frozen, module = "rigscope")]
pub(crate) struct Pose {
    shared: Arc<SharedRig>,
    moment: Option<ClipMoment>,
    user: rigscope::rig::Pose,
    posed: SharedPose,
    /// Path of the pose file that was read, if any.
    file: Option<PathBuf>,
}

impl Pose {
    /// Evaluates a pose. *Errors*: an unknown clip, joint, morph target or expression; a number that is not finite; a zero rotation; an unreadable pose file.
    pub fn new(py: Python<'_>, shared: &Arc<SharedRig>, moment: &Moment) -> PyResult<Self> {
        let rig = shared.rig();
        check_finite("time", &[moment.time])?;
        check_finite("settle", &[moment.settle])?;
        check_finite("wind", &moment.wind)?;
        let clip = moment.clip.as_ref().map(|clip| find_clip(rig, clip)).transpose()?;
        let clip = clip.map(|clip| ClipMoment::new(clip, moment.time));
        let drive = SpringSettings { settle_secs: moment.settle, wind: moment.wind.into() };
        let user = user_pose(shared, moment)?.driven(drive);
        let mut posed = SharedPose::default();
        detached(py, |_| PoseEvaluator::default().pose_into(rig, clip, &user, &mut posed))?;
        Ok(Self { shared: Arc::clone(shared), moment: clip, user, posed, file: moment.file.clone() })
    }

    /// Prepares the pose for a stage, with the given method or the file's method. *Errors*: an unknown method.
    fn shown(&self, method: Option<&str>) -> PyResult<StagedPose> {
        Ok(StagedPose {
            document: Document { pose: self.user.clone(), ..self.shared.document.clone() },
            file: self.file.clone(),
            moment: self.moment,
            method: method.map(|method| named(Some(method))).transpose()?,
        })
    }

    /// Compares points with this pose, without the interpreter's lock. *Errors*: an unknown method, unreadable points,
    /// those of `work`.
    fn with_points<T: Send>(
        &self,
        py: Python<'_>,
        (points, points_rest): (GivenPoints, Option<GivenPoints>),
        method: &str,
        work: impl FnOnce(&DiagnosisInput<'_>, &Progress) -> Result<T, String> + Send,
    ) -> PyResult<T> {
        let skinning = Skinning::new(named(Some(method))?);
        let done = detached(py, |progress| {
            let (points, at_rest) = (points.frame()?, points_rest.map(GivenPoints::frame).transpose()?);
            let input = DiagnosisInput {
                rig: self.shared.rig(),
                pose: &self.user,
                posed: &self.posed.posed,
                moment: self.moment,
                skinning: &skinning,
                points: &points,
                points_at_rest: at_rest.as_ref(),
            };
            work(&input, progress)
        })?;
        done.map_err(refused)
    }

    fn side(&self, skinner: Arc<Skinner>) -> MeasuredSide {
        MeasuredSide { skinner, pose: self.posed.clone(), overlay: None, range: None }
    }
}

/// Returns user transforms and morph weights from the pose file. Values given by name replace the file's values.
fn user_pose(shared: &SharedRig, moment: &Moment) -> PyResult<rigscope::rig::Pose> {
    let rig = shared.rig();
    let mut pose = match &moment.file {
        Some(path) => {
            PoseFile::read(path)
                .map_err(|e| refused(format!("The pose was not read. {e} ({})", path.display())))?
                .pose_for(rig)
                .0
        }
        None => rigscope::rig::Pose::rest(&rig.hierarchy),
    };
    for (name, &rotation) in &moment.rotations {
        let node = shared.node(name)?;
        check_finite(&format!("rotations[\"{name}\"]"), &rotation)?;
        let rotation = rigscope::rig::unit_rotation(Quat::from_array(rotation))
            .ok_or_else(|| refused(format!("The rotation of \"{name}\" is no quaternion: it has no length")))?;
        pose.set_user_local(node, rigscope::rig::Trs { rotation, ..*pose.user_local(node) });
    }
    for (name, &translation) in &moment.translations {
        let node = shared.node(name)?;
        check_finite(&format!("translations[\"{name}\"]"), &translation)?;
        pose.set_user_local(
            node,
            rigscope::rig::Trs { translation: Vec3::from(translation), ..*pose.user_local(node) },
        );
    }
    for (name, &scale) in &moment.scales {
        let node = shared.node(name)?;
        check_finite(&format!("scales[\"{name}\"]"), &scale)?;
        pose.set_user_local(node, rigscope::rig::Trs { scale: Vec3::from(scale), ..*pose.user_local(node) });
    }
    for (name, &weight) in &moment.morphs {
        let morph = find_morph(rig, name)?;
        check_finite(&format!("morphs[\"{name}\"]"), &[weight])?;
        pose.set_morph_weight(morph, weight);
    }
    for (name, &weight) in &moment.expressions {
        let expression =
            rig.expression_named(name).ok_or_else(|| refused(format!("There is no expression \"{name}\"")))?;
        check_finite(&format!("expressions[\"{name}\"]"), &[weight])?;
        pose.face_mut().set_expression(expression, weight);
    }
    if let Some(target) = moment.look_at {
        if rig.look_at.is_none() {
            return Err(refused("The file does not say how its eyes look at something".to_owned()));
        }
        if !target.is_finite() {
            return Err(refused("look_at has a number that is not finite".to_owned()));
        }
        pose.face_mut().set_look_at(Some(target));
    }
    Ok(pose)
}

fn find_morph(rig: &rigscope::rig::Rig, name: &str) -> PyResult<MorphIndex> {
    rig.morph_named(name).ok_or_else(|| refused(format!("There is no morph target \"{name}\"")))
}

/// Parses an argument that accepts named values. *Errors*: an unknown name.
#[cfg(feature = "gl")]
fn parsed<T: std::str::FromStr<Err: ToString>>(name: Option<&str>) -> PyResult<Option<T>> {
    name.map(|name| name.parse().map_err(refused)).transpose()
}

#[pymethods]
impl Pose {
    /// (nodes, 4, 4) float32: world transforms from node space to the file's world space, metres, in the order of
    /// `Rig.nodes`.
    #[getter]
    fn world<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray3<f32>>> {
        matrices(py, self.posed.posed.file_from_node(&self.shared.rig().hierarchy).into_iter())
    }

    /// (nodes, 4, 4) float32: local transforms from node to parent, metres, in the order of `Rig.nodes`. They include
    /// the clip, constraints and the pose.
    #[getter]
    fn local<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray3<f32>>> {
        let nodes = self.shared.rig().hierarchy.nodes();
        let local = |node| self.posed.posed.local(&self.user, node);
        matrices(py, nodes.map(local))
    }

    /// One (joints, 4, 4) float32 for each of `Rig.skins`: skinning matrices from the bind pose to the file's world
    /// space, metres, in the order of `Skin.joints`. Each is the world transform times the inverse bind matrix.
    #[getter]
    fn palettes<'py>(&self, py: Python<'py>) -> PyResult<Vec<Bound<'py, PyArray3<f32>>>> {
        let rig = self.shared.rig();
        let world = self.posed.posed.file_from_node(&rig.hierarchy);
        let palette = |skin: &rigscope::rig::Skin| {
            let joints = skin.joints.iter().zip(&skin.inverse_bind);
            matrices(py, joints.map(|(joint, inverse_bind)| world[joint.index()] * *inverse_bind))
        };
        rig.skins.iter().map(palette).collect()
    }

    /// Returns the surfaces of `Rig.primitives`, skinned with one of `METHODS` or ``"blend:0.5"``. The values are identical
    /// to the output of ``rigscope bake``, except that they are always float32; far from the origin, ``rigscope bake``
    /// writes doubles.
    #[pyo3(signature = (method=None))]
    pub fn skin(&self, py: Python<'_>, method: Option<&str>) -> PyResult<Vec<Surface>> {
        let skinner = self.shared.skinner(py, named(method)?)?;
        let pose = self.posed.skin_pose();
        let deformed =
            detached_or_refused(py, "Skinning was cancelled", |progress| skinner.deform_all(pose, progress))?;
        let places: Vec<PrimitiveIndex> = self.shared.rig().parts().collect();
        let surfaces = places.into_iter().zip(deformed.into_iter().flatten());
        surfaces.map(|(place, deformed)| Surface::new(py, &self.shared, place, deformed)).collect()
    }

    /// Compares two methods in this pose: volume, area, distances, and the joints where they differ most. Returns ``"pose"`` of ``rigscope compare --json``.
    #[pyo3(signature = (a="lbs", b="dqs"))]
    fn measure<'py>(&self, py: Python<'py>, a: &str, b: &str) -> PyResult<Bound<'py, PyAny>> {
        MeasureError::check(self.shared.rig()).map_err(refused)?;
        let skinner = |name| self.shared.skinner(py, named(Some(name))?);
        let sides = PerSide { a: self.side(skinner(a)?), b: self.side(skinner(b)?) };
        let methods = [&sides.a, &sides.b].map(|side| side.skinner.skinning().method.to_string());
        let job = MeasureJob {
            sides,
            active: PerSide::default(),
            morph: PerSide::default(),
            findings: PerSide::default(),
            versions: None,
            counterparts: PerSide::default(),
            scope: MeasureScope::ALL,
            version: 0,
        };
        let measured = detached_or_refused(py, "Measuring was cancelled", |progress| measure(&job, progress))?;
        as_python(py, &PoseNumbers::new(self.shared.rig(), methods, &measured, None))
    }

    /// Names the known mistake that gives exactly the points of another program in this pose: a file, or one row ``x, y,
    /// z`` per vertex in the order of the file. `method` is what the points should show, ``"lbs"`` or ``"dqs"``.
    /// `points_rest` are the same program's points in the rest pose, in metres, +Y up; if given, vertices are matched by
    /// position. Returns the keys of ``rigscope diagnose --json``.
    #[pyo3(signature = (points, method="lbs", *, points_rest=None))]
    fn diagnose<'py>(
        &self,
        py: Python<'py>,
        points: GivenPoints,
        method: &str,
        points_rest: Option<GivenPoints>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let found = self.with_points(py, (points, points_rest), method, |input, progress| {
            let found = diagnose(input, progress)?.ok_or_else(|| "The diagnosis was cancelled".to_owned())?;
            Ok(DiagnosisJson::from(&found))
        })?;
        as_python(py, &found)
    }

    /// (vertices,) float64 and a float: distance of each point to the right one, metres, and the diagonal of the bounding
    /// box of the right points. Arguments as for `diagnose`.
    #[pyo3(signature = (points, method="lbs", *, points_rest=None))]
    fn _point_errors<'py>(
        &self,
        py: Python<'py>,
        points: GivenPoints,
        method: &str,
        points_rest: Option<GivenPoints>,
    ) -> PyResult<(Bound<'py, PyArray1<f64>>, f64)> {
        let errors = self.with_points(py, (points, points_rest), method, |input, _| point_errors(input))?;
        Ok((PyArray1::from_vec(py, errors.distances), errors.size))
    }

    /// Measures the loss with several methods (by default LBS and DQS) while a joint rotates on top of this pose: it
    /// twists from -180° to 180° and bends from 0° to 150° in steps of 10°, or rotates up to `twist` or `bend` degrees.
    /// Returns ``"sweep"`` of ``rigscope compare --joint NAME --json``.
    #[pyo3(signature = (joint, methods=None, *, twist=None, bend=None))]
    fn twist_test<'py>(
        &self,
        py: Python<'py>,
        joint: &str,
        methods: Option<Vec<String>>,
        twist: Option<f32>,
        bend: Option<f32>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let (rig, node) = (self.shared.rig(), self.shared.node(joint)?);
        MeasureError::check(rig).map_err(refused)?;
        let skinner = |name: &String| self.shared.skinner(py, named(Some(name))?);
        let skinners = methods
            .unwrap_or_else(|| ["lbs", "dqs"].map(str::to_owned).into())
            .iter()
            .map(skinner)
            .collect::<PyResult<Vec<_>>>()?;
        let mut test = TwistTest::full(rig, &self.posed.posed, &self.user, node);
        let turns = |motion, degrees: Option<f32>| {
            degrees.map_or_else(Vec::new, |end| TwistTest::range(motion, end.to_radians()))
        };
        if [twist, bend].iter().flatten().any(|degrees| !(degrees.abs() <= 360.0 && *degrees != 0.0)) {
            return Err(refused("An angle is a number of degrees, up to 360 and not 0"));
        }
        if twist.is_some() || bend.is_some() {
            test.turns = [turns(RotationKind::Twist, twist), turns(RotationKind::Bend, bend)].concat();
        }
        let found = detached_or_refused(py, "The test was cancelled", |progress| {
            let skinners: Vec<&Skinner> = skinners.iter().map(Arc::as_ref).collect();
            sweep(&skinners, &Topology::new(rig), &self.posed.posed, &self.user, &test, progress)
        })?;
        if found.triangles == 0 {
            return Err(refused(format!("Nothing to measure: no triangle follows \"{joint}\" or the joint above it")));
        }
        as_python(py, &SweepJson::new(&found, self.shared.name(node).to_owned()))
    }

    /// Ranks all joints by the fraction of volume that is lost with linear blend skinning, largest first. Returns the
    /// keys ``"range"``, ``"rank"``, ``"too_thin"`` and ``"specks"`` of ``rigscope compare --rank --json``. `range` is
    /// one of the values of ``--range``.
    #[pyo3(signature = (range = "natural"))]
    fn rank<'py>(&self, py: Python<'py>, range: &str) -> PyResult<Bound<'py, PyAny>> {
        let range: TestRange = range.parse().map_err(|problem: String| refused(problem))?;
        let rig = self.shared.rig();
        MeasureError::check(rig).map_err(refused)?;
        RankError::check(rig).map_err(refused)?;
        let ranked = detached_or_refused(py, "Ranking was cancelled", |progress| {
            let ranges = (range, &Limits::default());
            rank(rig, &Topology::new(rig), (&self.posed.posed, &self.user), ranges, progress)
        })?;
        let names: Vec<String> = ranked.iter().map(|ranked| self.shared.name(ranked.joint).to_owned()).collect();
        as_python(py, &RankingJson::new(range, &ranked, &names))
    }

    /// Writes the skinned meshes to `path`, with the same bytes as ``rigscope bake``. The format follows the extension: .glb, .obj (with .mtl and .png files
    /// next to it), .ply or .json. Positions are in metres, in the file's world space. `method` is one of `METHODS` or ``"blend:0.5"``, by default the file's
    /// method. Writes atomically; `over_input` allows replacing a file from which the rig was read.
    /// Returns one sentence for each thing that the format cannot store.
    #[pyo3(signature = (path, method=None, *, over_input=false))]
    pub fn bake(&self, py: Python<'_>, path: PathBuf, method: Option<&str>, over_input: bool) -> PyResult<Vec<String>> {
        saving::bake(py, self.shown(method)?, &OutputPath { path, over_input })
    }

    /// Writes a report to `path`, like ``rigscope report``: a self-contained HTML page about this pose. If the pose is
    /// the rest pose, the report shows the rotation at which linear blend skinning loses most. `method` is the method
    /// of side A, by default the file's method. If `config` is given, the findings include its findings. `flex` adds a
    /// bend test with the config's ranges and limits, which takes some seconds. `title` is the heading of the page, by
    /// default the name of the file, and `note` a text below it. Writes atomically; `over_input` allows replacing a file from which the rig was read. Needs OpenGL but no display.
    #[cfg(feature = "gl")]
    #[pyo3(signature = (path, *, method=None, config=None, title=None, note=None, flex=false, over_input=false))]
    pub fn report(
        &self,
        py: Python<'_>,
        path: PathBuf,
        method: Option<&str>,
        config: Option<&Bound<'_, crate::config::Config>>,
        title: Option<String>,
        note: Option<String>,
        flex: bool,
        over_input: bool,
    ) -> PyResult<()> {
        let content = saving::ReportContent { config: config.map(Bound::get), title, note, has_bend_test: flex };
        saving::report(py, self.shown(method)?, content, OutputPath { path, over_input })
    }

    /// Renders an image and returns the same PNG bytes as ``rigscope render``, or if `array` is true an array (height,
    /// width, 4) uint8: red, green, blue and straight alpha, top row first. By default, the camera shows the whole
    /// character, from the front and slightly from the side; `yaw` (about the vertical, from +Z) and `pitch` are in
    /// degrees. `size` is the width and height in pixels. `method` is one of `METHODS` or ``"blend:0.5"``, by default
    /// the file's method. `shading`: ``"textured"``, ``"clay"``, ``"normals"``, ``"uv-checker"``, ``"matcap"`` or
    /// ``"flat"``. `bones` and `grid` are drawn if true.
    ///
    /// `overlay` shows a measure as colours, such as ``"distance"``; ``"weight"`` needs `joint`, ``"morph"`` needs the morph target `target`. `compare` adds
    /// side B: ``"wipe"``, ``"side-by-side"``, ``"ghost"`` or ``"ghost-outline"``. Side B uses the method `b`, or shows
    /// the rest pose if `b` is ``"rest"``, or shows the file `comparison_file` in the same pose. The default method of
    /// side B is LBS, or DQS if side A uses LBS. `wipe_angle` rotates the dividing line clockwise from upright,
    /// degrees; `wipe_offset` moves it towards side B, in image heights.
    ///
    /// `transparent` renders straight alpha and no background; `captions` draws labels and legends. Needs OpenGL but no
    /// display.
    #[cfg(feature = "gl")]
    #[pyo3(
        signature = (*, size=[1280, 800], method=None, shading="textured", yaw=None, pitch=None, bones=false, grid=true, overlay=None, joint=None, target=None, compare=None, b=None, comparison_file=None, wipe_angle=None, wipe_offset=None, transparent=false, captions=false, array=false),
        text_signature = "($self, *, size=(1280, 800), method=None, shading='textured', yaw=None, pitch=None, bones=False, grid=True, overlay=None, joint=None, target=None, compare=None, b=None, comparison_file=None, wipe_angle=None, wipe_offset=None, transparent=False, captions=False, array=False)"
    )]
    fn render<'py>(
        &self,
        py: Python<'py>,
        size: [u32; 2],
        method: Option<&str>,
        shading: &str,
        yaw: Option<f32>,
        pitch: Option<f32>,
        bones: bool,
        grid: bool,
        overlay: Option<&str>,
        joint: Option<&str>,
        target: Option<&str>,
        compare: Option<&str>,
        b: Option<&str>,
        comparison_file: Option<PathBuf>,
        wipe_angle: Option<f32>,
        wipe_offset: Option<f32>,
        transparent: bool,
        captions: bool,
        array: bool,
    ) -> PyResult<Bound<'py, PyAny>> {
        use crate::pictures::{PictureRequest, pixels, png, shading_mode};
        use rigscope::stage::Arrangement;

        let numbers = [("yaw", yaw), ("pitch", pitch), ("wipe_angle", wipe_angle), ("wipe_offset", wipe_offset)];
        numbers.iter().try_for_each(|(name, number)| check_finite(name, number.as_slice()))?;
        if b.is_some() && comparison_file.is_some() {
            return Err(refused("Side B shows a method or a file: pass either b or comparison_file"));
        }
        if b.is_some() && compare.is_none() && overlay.is_none() {
            return Err(refused("b is shown or measured only with compare or overlay"));
        }
        let arrangement = Arrangement {
            compare: parsed(compare)?,
            with: parsed(b)?,
            overlay: parsed(overlay)?,
            wipe_angle_deg: wipe_angle,
            wipe_offset,
        };
        let wanted = PictureRequest {
            shown: self.shown(method)?,
            arrangement,
            other: comparison_file,
            joint: joint.map(|joint| self.shared.node(joint)).transpose()?,
            target: target.map(|target| find_morph(self.shared.rig(), target)).transpose()?,
            shading: shading_mode(shading)?,
            angles: [yaw, pitch],
            bones,
            grid,
            picture: rigscope::studio::ImageOptions {
                is_transparent: transparent,
                has_captions: captions,
                ..size.into()
            },
        };
        if array {
            let [width, height] = size.map(|side| side as usize);
            return Ok(PyArray1::from_vec(py, pixels(py, wanted)?).reshape([height, width, 4])?.into_any());
        }
        Ok(pyo3::types::PyBytes::new(py, &png(py, wanted)?).into_any())
    }

    /// Picture for notebooks; `None` without OpenGL.
    #[cfg(feature = "gl")]
    fn _repr_png_<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, pyo3::types::PyBytes>>> {
        use crate::pictures::{PictureRequest, png};

        let wanted = PictureRequest {
            shown: self.shown(None)?,
            arrangement: rigscope::stage::Arrangement::default(),
            other: None,
            joint: None,
            target: None,
            shading: rigscope::view::ShadingMode::default(),
            angles: [None; 2],
            bones: false,
            grid: true,
            picture: [640, 480].into(),
        };
        Ok(png(py, wanted).ok().map(|bytes| pyo3::types::PyBytes::new(py, &bytes)))
    }

    fn __repr__(&self) -> String {
        let source = self.shared.document.source.full_name();
        match self.moment {
            Some(ClipMoment { clip, time_secs, .. }) => {
                format!("<rigscope.Pose of {source}: {} at {time_secs} s>", self.shared.rig().clips[clip].name)
            }
            None => format!("<rigscope.Pose of {source}>"),
        }
    }
}

/// A skinned primitive. Its arrays own their memory and may be modified.
#[pyclass(frozen, module = "rigscope")]
pub(crate) struct Surface {
    shared: Arc<SharedRig>,
    place: PrimitiveIndex,
    positions: Py<PyArray2<f32>>,
    normals: Option<Py<PyArray2<f32>>>,
}

impl Surface {
    fn new(py: Python<'_>, shared: &Arc<SharedRig>, place: PrimitiveIndex, deformed: Deformed) -> PyResult<Self> {
        let hierarchy = &shared.rig().hierarchy;
        let positions = deformed.positions.iter().map(|place| hierarchy.in_file(*place).as_vec3()).collect();
        Ok(Self {
            shared: Arc::clone(shared),
            place,
            positions: owned::<Vec3, 3>(py, positions)?,
            normals: deformed.normals.map(|normals| owned::<Vec3, 3>(py, normals)).transpose()?,
        })
    }
}

#[pymethods]
impl Surface {
    /// The primitive that was skinned, in the bind pose.
    #[getter]
    fn primitive(&self) -> Primitive {
        Primitive::new(&self.shared, self.place)
    }

    /// (vertices, 3) float32: metres in the file's world space. Vertices are in the file's order.
    #[getter]
    fn positions(&self, py: Python<'_>) -> Py<PyArray2<f32>> {
        self.positions.clone_ref(py)
    }

    /// (vertices, 3) float32: unit vectors, or zero where the deformation leaves no direction; `None` if the file has
    /// no normals.
    #[getter]
    fn normals(&self, py: Python<'_>) -> Option<Py<PyArray2<f32>>> {
        self.normals.as_ref().map(|normals| normals.clone_ref(py))
    }
}
