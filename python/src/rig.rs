//! A rig, its nodes, skins and clips.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::{Arc, Mutex};

use numpy::ndarray::ArrayView1;
use numpy::{AllowTypeChange, PyArray3, PyArrayLike2};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::PyTuple;

use crate::arguments::{LookAtArg, NameOrNumber, Names, check_finite};
use crate::arrays::matrices;
use crate::clip::Clip;
use crate::config::{Config, judged};
use crate::detached::detached_or_refused;
use crate::errors::{refused, warn};
use crate::looks::{Image, Material};
use crate::motion::Clips;
use crate::numbers::{as_python, from_json};
use crate::opening::LoadArgs;
use crate::pose::{Moment, Pose, Surface};
use crate::primitive::Primitive;
use crate::saving::{self, OutputPath};
use rigscope::analysis::feet::{ClipFeetJson, clip_feet, feet as find_feet};
use rigscope::analysis::flex::{FlexJson, flex, flex_skinner};
use rigscope::analysis::lint::report::{ProfileReportJson, file_json};
use rigscope::analysis::lint::rules::{Pattern, ProfileReport};
use rigscope::analysis::lint::{Code, Finding, Severity};
use rigscope::analysis::rigging_metrics::rigging_metrics;
use rigscope::analysis::seams::{SeamJson, seams};
use rigscope::analysis::weight_problems::{WeightProblemsJson, find_weight_problems};
use rigscope::import::Job;
use rigscope::jobs::{Progress, lock};
use rigscope::page::escaped;
use rigscope::posing::Limits;
use rigscope::project::{findings, fixed, profile_names};
use rigscope::refit::{Operation, Pairing, RefitError, RefitJson, prove, refit};
use rigscope::rig::{Influences, NodeIndex, PrimitiveIndex, WeightSet, find_joints, joint_names};
use rigscope::skinning::{Centers, Method, Skinner, Skinning};
use rigscope::stage::{Document, stored_weights};
use rigscope::weights::{
    WeightNumbersJson, WeightRequest, WeightResult, Weighting, transfer, weight_statistics as weight_numbers,
};

/// Maximum number of cached skinners.
const KEPT: usize = 4;

/// A rigged character as loaded. It never changes, and several threads may use it at once.
#[pyclass(frozen, module = "rigscope")]
pub(crate) struct Rig {
    pub shared: Arc<SharedRig>,
    loaded: Option<LoadArgs>,
}

/// Data shared by a rig, its parts and its poses.
pub(crate) struct SharedRig {
    pub document: Document,
    /// Names of all nodes, in the form that pose files use.
    pub names: Vec<String>,
    skinners: Mutex<Vec<Arc<Skinner>>>,
}

impl SharedRig {
    pub fn rig(&self) -> &Arc<rigscope::rig::Rig> {
        &self.document.rig
    }

    pub fn name(&self, node: NodeIndex) -> &str {
        &self.names[node.index()]
    }

    /// Returns the node with this name. *Errors*: an unknown name.
    pub fn node(&self, name: &str) -> PyResult<NodeIndex> {
        let found = find_joints(&self.rig().hierarchy, [&name.to_owned()]);
        found.first().copied().flatten().ok_or_else(|| {
            refused(format!("There is no joint \"{name}\"; [node.name for node in rig.nodes] has all names"))
        })
    }

    /// Returns the skinner for a method; creates and caches it on first use. *Errors*: a method that doesn't support
    /// the rig.
    pub fn skinner(&self, py: Python<'_>, method: Method) -> PyResult<Arc<Skinner>> {
        let kept = || lock(&self.skinners);
        let of_method = |skinner: &Arc<Skinner>| skinner.skinning().method == method;
        if let Some(known) = kept().iter().find(|skinner| of_method(skinner)) {
            return Ok(Arc::clone(known));
        }
        let (skinning, rig) = (Skinning::new(method), self.rig());
        skinning.check(rig).map_err(refused)?;
        let made = if method.needs_centers() {
            let otherwise = "No centres of rotation were found";
            let centers = detached_or_refused(py, otherwise, |progress| Centers::new(rig, progress))?;
            Skinner::with_centers(rig, &skinning, &Arc::new(centers))
        } else {
            Skinner::new(rig, &skinning)
        };
        let made = Arc::new(made.map_err(refused)?);
        let mut kept = kept();
        kept.truncate(KEPT - 1);
        kept.insert(0, Arc::clone(&made));
        Ok(made)
    }
}

impl Rig {
    /// `loaded` are the arguments of `load`; `None` if the rig is not that of a file.
    pub fn new(document: Document, loaded: Option<LoadArgs>) -> Self {
        let hierarchy = &document.rig.hierarchy;
        let nodes: Vec<NodeIndex> = hierarchy.nodes().collect();
        let names = joint_names(hierarchy, &nodes);
        Self { shared: Arc::new(SharedRig { document, names, skinners: Mutex::default() }), loaded }
    }

    fn changed(&self, rig: Arc<rigscope::rig::Rig>) -> Self {
        Self::new(Document { rig, ..self.shared.document.clone() }, None)
    }

    fn nodes_where(&self, is_wanted: impl Fn(NodeIndex) -> bool) -> Vec<Node> {
        let nodes = self.shared.rig().hierarchy.nodes().filter(|&node| is_wanted(node));
        nodes.map(|node| Node { shared: Arc::clone(&self.shared), node }).collect()
    }
}

#[pymethods]
impl Rig {
    /// Path as it was given, or a name for bytes and built-in characters.
    #[getter]
    fn source(&self) -> String {
        self.shared.document.source.full_name()
    }

    /// All nodes, parents before their children.
    #[getter]
    fn nodes(&self) -> Vec<Node> {
        self.nodes_where(|_| true)
    }

    /// Nodes that a skin lists, parents before their children.
    #[getter]
    fn joints(&self) -> Vec<Node> {
        self.nodes_where(|node| self.shared.rig().is_joint(node))
    }

    /// Returns the node with this name. Raises `RigscopeError` if there is none.
    fn node(&self, name: &str) -> PyResult<Node> {
        Ok(Node { shared: Arc::clone(&self.shared), node: self.shared.node(name)? })
    }

    /// Skins in the file's order.
    #[getter]
    fn skins(&self) -> Vec<Skin> {
        (0..self.shared.rig().skins.len()).map(|skin| Skin { shared: Arc::clone(&self.shared), skin }).collect()
    }

    /// Clips in the file's order, followed by clips taken from other files.
    #[getter]
    fn clips(&self) -> Vec<Clip> {
        Clip::all(&self.shared)
    }

    /// Names of the rig's morph targets.
    #[getter]
    fn morphs(&self) -> Vec<String> {
        self.shared.rig().morphs().iter().map(|morph| morph.name.clone()).collect()
    }

    /// Names of the expressions of the rig's face.
    #[getter]
    fn expressions(&self) -> Vec<String> {
        self.shared.rig().expressions.iter().map(|expression| expression.name.clone()).collect()
    }

    /// Primitives of all meshes in the scene.
    #[getter]
    fn primitives(&self) -> Vec<Primitive> {
        self.shared.rig().parts().map(|place| Primitive::new(&self.shared, place)).collect()
    }

    /// Materials; `Primitive.material` is an index into this list.
    #[getter]
    fn materials(&self) -> Vec<Material> {
        Material::all(&self.shared)
    }

    /// Decoded images; `Material.textures` holds indices into this list.
    #[getter]
    fn images(&self) -> Vec<Image> {
        Image::all(&self.shared)
    }

    /// Names of the file's scenes.
    #[getter]
    fn scenes(&self) -> Vec<String> {
        self.shared.document.scenes.clone()
    }

    /// Problems found while reading the file, as sentences. `check` also reports these problems, with codes.
    #[getter]
    fn warnings(&self) -> Vec<String> {
        self.shared.document.warnings.iter().map(ToString::to_string).collect()
    }

    /// Number of drawn vertices.
    #[getter]
    fn vertex_count(&self) -> usize {
        self.shared.rig().vertex_count()
    }

    /// Poses the rig: in the rest pose or in a clip (by name or number) at a time in seconds, combined with user
    /// transforms.
    ///
    /// `rotations` (unit quaternions x, y, z, w), `translations` (metres) and `scales` (factors along the axes) form
    /// one transform per named joint; the joint's local transform is multiplied by it on the right. `morphs` are added
    /// to the weights of morph targets, `expressions` are weights of expressions, 0 to 1. `look_at` is a point (x, y,
    /// z) in metres or two angles (left, down) in degrees. Springs settle for `settle` seconds, then swing from the
    /// start of the clip, in a constant `wind` (x, y, z) in metres per second. `file` is a pose file; joints given by
    /// the other arguments replace the file's joints.
    #[pyo3(signature = (*, clip=None, time=0.0, rotations=None, translations=None, scales=None, morphs=None, expressions=None, look_at=None, settle=0.0, wind=None, file=None))]
    fn pose(
        &self,
        py: Python<'_>,
        clip: Option<NameOrNumber>,
        time: f32,
        rotations: Option<BTreeMap<String, [f32; 4]>>,
        translations: Option<BTreeMap<String, [f32; 3]>>,
        scales: Option<BTreeMap<String, [f32; 3]>>,
        morphs: Option<BTreeMap<String, f32>>,
        expressions: Option<BTreeMap<String, f32>>,
        look_at: Option<LookAtArg>,
        settle: f32,
        wind: Option<[f32; 3]>,
        file: Option<PathBuf>,
    ) -> PyResult<Pose> {
        let moment = Moment {
            clip,
            time,
            rotations: rotations.unwrap_or_default(),
            translations: translations.unwrap_or_default(),
            scales: scales.unwrap_or_default(),
            morphs: morphs.unwrap_or_default(),
            expressions: expressions.unwrap_or_default(),
            look_at: look_at.map(LookAtArg::target),
            settle,
            wind: wind.unwrap_or_default(),
            file,
        };
        Pose::new(py, &self.shared, &moment)
    }

    /// Returns the skinned surfaces of `primitives`. Short for `pose(clip=clip, time=time).skin(method)`.
    #[pyo3(signature = (method=None, *, clip=None, time=0.0))]
    fn skin(
        &self,
        py: Python<'_>,
        method: Option<&str>,
        clip: Option<NameOrNumber>,
        time: f32,
    ) -> PyResult<Vec<Surface>> {
        Pose::new(py, &self.shared, &Moment { clip, time, ..Moment::default() })?.skin(py, method)
    }

    /// Returns the problems of the rig, most severe first: the findings of ``rigscope check --json`` as dictionaries.
    /// `severity` is the lowest severity to report: ``"note"``, ``"warning"`` or ``"error"``. A `config` adds findings
    /// for its requirements and may hide others. `profile` names one or several of ``rigscope profiles`` to check; if
    /// ``at_least`` is given, their rank must be at least this rank. :meth:`ranks` returns the rank.
    #[pyo3(signature = (*, severity="note", config=None, profile=None, at_least=None))]
    fn check<'py>(
        &self,
        py: Python<'py>,
        severity: &str,
        config: Option<&Bound<'py, Config>>,
        profile: Option<Names>,
        at_least: Option<&str>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let min_severity =
            [Severity::Error, Severity::Warning, Severity::Note].into_iter().find(|s| s.name() == severity);
        let min_severity = min_severity.ok_or_else(|| refused("A severity is \"note\", \"warning\" or \"error\""))?;
        let document = &self.shared.document;
        if at_least.is_some() && profile.is_none() {
            return Err(refused("at_least is a rank of a profile; say which: profile=..."));
        }
        let settings = config.map(|config| config.get().settings(document));
        let names = profile.map_or_else(Vec::new, Names::list);
        let named = document.sheets(&names, at_least).map_err(refused)?;
        let found = detached_or_refused(py, "Checking was cancelled", |progress| {
            let mut found = findings(&document.rig, &document.warnings, progress)?;
            let own = settings.as_ref().map(|s| s.sheets(&document.rig, document.file_bytes(), progress));
            let own = own.unwrap_or_else(|| Some(Vec::new()))?;
            found.extend(own.iter().chain(&named).flat_map(|sheet| sheet.findings.iter().cloned()));
            Some(judged(settings.as_deref(), &document.rig, found, min_severity))
        })?;
        let shown: Vec<&Finding> = found.shown.iter().collect();
        let json = file_json(&self.source(), Ok(&shown), [found.hidden, 0], &[], &found.suppressed, &[]);
        from_json(py, &json)?.get_item("findings")
    }

    /// Returns the results of profiles, one dictionary per profile, as from ``rigscope check --profile NAME --json``:
    /// `profile`, `rank`, `ranks` (best first), `passed`, `reason` and `rows`. Profiles of a `config` come first.
    /// If neither names nor a config are given, returns all profiles, best first.
    #[pyo3(signature = (profile=None, *, config=None))]
    fn ranks<'py>(
        &self,
        py: Python<'py>,
        profile: Option<Names>,
        config: Option<&Bound<'py, Config>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let document = &self.shared.document;
        let is_of_all = profile.is_none() && config.is_none();
        let all = || if is_of_all { profile_names().map(str::to_owned).collect() } else { Vec::new() };
        let names = profile.map_or_else(all, Names::list);
        let settings = config.map(|config| config.get().settings(document));
        let mut sheets = match settings {
            Some(settings) => detached_or_refused(py, "Ranking was cancelled", |progress| {
                settings.sheets(&document.rig, document.file_bytes(), progress)
            })?,
            None => Vec::new(),
        };
        sheets.extend(document.sheets(&names, None).map_err(refused)?);
        if is_of_all {
            sheets.sort_by_cached_key(ProfileReport::order);
        }
        let all: Vec<ProfileReportJson<'_>> = sheets.iter().map(ProfileReportJson::new).collect();
        as_python(py, &all)
    }

    /// Returns weight statistics, as from ``rigscope weights --json``: sums, influences, smoothness, islands, leaks,
    /// symmetry, and one row per joint.
    fn weights<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let document = &self.shared.document;
        let found = detached_or_refused(py, "Computing weight statistics was cancelled", |progress| {
            weight_numbers(&document.rig, stored_weights(&document.warnings), progress)
        })?;
        let names = found.joints.iter().map(|row| self.shared.name(row.joint).to_owned()).collect();
        as_python(py, &WeightNumbersJson::new(&found, names))
    }

    /// Searches for weight problems in random poses, and returns them as ``rigscope weights --problems --json`` does,
    /// sorted by area times severity: stretched edges, crossing layers, distant joints and asymmetric sides. Each
    /// problem has ``kind``, ``measure``, ``joints``, vertices, and the ``pose`` in which it is worst.
    fn weight_problems<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let rig = self.shared.rig();
        let otherwise = "Weight problems were not searched: the search was cancelled, or the rig is too large";
        let found =
            detached_or_refused(py, otherwise, |progress| find_weight_problems(rig, &Limits::default(), progress))?;
        as_python(py, &WeightProblemsJson::new(&found, rig, &|node| self.shared.name(node).to_owned()).list)
    }

    /// Compares joints and weights with those of a reference by the metrics of rigging papers, as ``rigscope weights
    /// --against --json`` does: precision, recall and `IoU` of joints, Chamfer distances, precision, recall and L1 norm of
    /// weights, and deformation in random poses. Lengths are fractions of the longest side of the reference.
    /// `tolerance` is the distance up to which joints match; by default it is half the local shape diameter.
    #[pyo3(signature = (reference, *, tolerance=None))]
    fn rigging_metrics<'py>(
        &self,
        py: Python<'py>,
        reference: &Bound<'py, Self>,
        tolerance: Option<f64>,
    ) -> PyResult<Bound<'py, PyAny>> {
        if tolerance.is_some_and(|fraction| !(0.0..=1.0).contains(&fraction)) {
            return Err(refused("tolerance is a fraction of the reference's longest side, 0 to 1"));
        }
        let other = &reference.get().shared;
        let (pair, name) = ([self.shared.rig(), other.rig()], other.document.source.full_name());
        let found = detached_or_refused(py, "Comparing was cancelled", |progress| {
            rigging_metrics(pair, &name, tolerance, progress).transpose()
        })?;
        as_python(py, &found.map_err(refused)?)
    }

    /// Runs the bend test: poses each joint through its natural range, and measures how the skin deforms. `joint` is a
    /// name or a pattern such as ``"*Arm"``, `method` one of `METHODS` (by default that of the file, else LBS); `clips` adds
    /// the worst frame of each clip, and `worst` limits the listed poses. ``[deform]`` of `config` may change ranges and
    /// limits. Returns ``"flex"`` of ``rigscope flex --json``.
    #[pyo3(signature = (joint=None, *, method=None, clips=false, worst=20, config=None))]
    fn flex<'py>(
        &self,
        py: Python<'py>,
        joint: Option<&str>,
        method: Option<&str>,
        clips: bool,
        worst: usize,
        config: Option<&Bound<'py, Config>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let named = method.map(|name| name.parse().map_err(refused)).transpose()?;
        let settings = config.and_then(|config| config.get().settings(&self.shared.document).deform.clone());
        let mut options = settings.unwrap_or_default().options;
        options.joints = joint.map(Pattern::new);
        options.has_clips |= clips;
        let skinner = flex_skinner(self.shared.rig(), named).map_err(refused)?;
        let found =
            detached_or_refused(py, "The bend test was cancelled", |progress| flex(&skinner, &options, progress))?;
        let name = |node: NodeIndex| self.shared.name(node).to_owned();
        as_python(py, &FlexJson::new(&found, worst, &name))
    }

    /// Compares two methods in every frame of all clips or of one clip (by name or number): volume, distance, smallest
    /// area, flipped triangles, and the joint that loses most. Returns ``"motion"`` of ``rigscope motion --json``, with
    /// arrays in place of lists of numbers, one row per side. `fps` replaces the clips' own frame rates.
    #[pyo3(signature = (clip=None, *, fps=None, a="lbs", b="dqs"))]
    fn motion<'py>(
        &self,
        py: Python<'py>,
        clip: Option<NameOrNumber>,
        fps: Option<f32>,
        a: &str,
        b: &str,
    ) -> PyResult<Bound<'py, PyAny>> {
        Clips { clip, fps }.motion(py, &self.shared, [a, b])
    }

    /// Measures how all clips or one clip (by name or number) loop and where they jerk, with one of `METHODS`: gaps and
    /// velocity jumps across the seam, spikes, redundant keys. Returns ``"seams"`` of ``rigscope motion --seams
    /// --json``.
    #[pyo3(signature = (clip=None, *, fps=None, method="lbs"))]
    fn seams<'py>(
        &self,
        py: Python<'py>,
        clip: Option<NameOrNumber>,
        fps: Option<f32>,
        method: &str,
    ) -> PyResult<Bound<'py, PyAny>> {
        let found = Clips { clip, fps }.measured(py, &self.shared, method, seams)?;
        as_python(py, &SeamJson::rows(self.shared.rig(), &found))
    }

    /// Measures how feet stand on the floor in all clips or in one clip (by name or number), with one of `METHODS`:
    /// contacts, skate, slide, depth, height, and implied speed. Returns ``"feet"`` of ``rigscope motion --feet
    /// --json``. `feet` are the foot joints; by default they are found by name.
    #[pyo3(signature = (clip=None, *, feet=None, fps=None, method="lbs"))]
    fn feet<'py>(
        &self,
        py: Python<'py>,
        clip: Option<NameOrNumber>,
        feet: Option<Vec<String>>,
        fps: Option<f32>,
        method: &str,
    ) -> PyResult<Bound<'py, PyAny>> {
        let rig = self.shared.rig();
        let named = feet.iter().flatten().map(|name| self.shared.node(name)).collect::<PyResult<Vec<_>>>()?;
        let feet = if named.is_empty() { find_feet(rig) } else { named };
        if feet.is_empty() {
            return Err(refused("No joint looks like a foot by its name; name the feet by feet=[...]"));
        }
        let found = Clips { clip, fps }.measured(py, &self.shared, method, |skinner, clips, fps, progress| {
            clip_feet(skinner, &feet, clips, fps, progress)
        })?;
        as_python(py, &ClipFeetJson::rows(rig, &found))
    }

    /// Returns a copy of the rig with weights computed from meshes and bones by one of `WEIGHTINGS`, with the weights of
    /// the rig `source` transferred by position and bone, or, if `fix` is true, with the faults that
    /// ``rigscope weights --fix`` repairs. Otherwise, the other arguments refine the rig's own weights, as ``rigscope
    /// weights --smooth`` does; if no argument is given, the method is ``"auto"``. By default, computed weights have at
    /// most four influences per vertex and none below 1/255; `max_influences` and `prune` change these limits. Warns of
    /// what could not be done.
    #[pyo3(signature = (method=None, *, source=None, fix=false, smooth=None, prune=None, max_influences=None, symmetric=None))]
    fn with_weights<'py>(
        &self,
        py: Python<'py>,
        method: Option<&str>,
        source: Option<&Bound<'py, Self>>,
        fix: bool,
        smooth: Option<u8>,
        prune: Option<f32>,
        max_influences: Option<u8>,
        symmetric: Option<bool>,
    ) -> PyResult<Self> {
        check_finite("prune", prune.as_slice())?;
        if usize::from(method.is_some()) + usize::from(source.is_some()) + usize::from(fix) > 1 {
            return Err(refused("Weights come from one of method, source and fix"));
        }
        let weighting = method.map(weighting).transpose()?;
        let mut request =
            WeightRequest { weighting, symmetric, smooth, prune, max: max_influences, ..WeightRequest::default() };
        let is_kept = source.is_none() && !fix;
        if weighting.is_none() && is_kept && !request.refines() {
            request.weighting = Some(Weighting::default());
        }
        let (rig, warnings) = (self.shared.rig(), &self.shared.document.warnings);
        let source = source.map(|source| Arc::clone(source.get().shared.rig()));
        let computed = detached_or_refused(py, "Computing weights was cancelled", |progress| {
            let none = || WeightResult { weights: WeightSet::unchanged(rig), notes: Vec::new() };
            let own = match &source {
                Some(source) => transfer(rig, source, progress)?,
                None if fix => {
                    let found = fixed(rig, warnings, Code::ALL.iter().copied(), progress)?;
                    WeightResult { weights: found.weights, notes: found.notes }
                }
                None => none(),
            };
            if !is_kept && !request.refines() {
                return Some(own);
            }
            let refined = request.weights(rig, &own.weights, progress)?;
            Some(WeightResult { weights: refined.weights, notes: [own.notes, refined.notes].concat() })
        })?;
        computed.notes.iter().try_for_each(|note| warn(py, note))?;
        Ok(self.changed(Arc::new(rig.with_weights(&computed.weights))))
    }

    /// Returns a copy of the rig with other weights of some primitives. `weights` maps indices in `primitives` to two
    /// arrays (vertices, influences): indices into the joints of the primitive's skin, and weights. Weights are divided
    /// by their sum and sorted, the heaviest first. A mesh that is drawn several times has the same weights everywhere.
    fn replace_weights(&self, weights: BTreeMap<usize, GivenWeights<'_>>) -> PyResult<Self> {
        let rig = self.shared.rig();
        let places: Vec<PrimitiveIndex> = rig.parts().collect();
        let mut set = WeightSet::unchanged(rig);
        for (index, given) in &weights {
            let place = places.get(*index).copied();
            let place =
                place.ok_or_else(|| refused(format!("There are {} primitives, and no {index}", places.len())))?;
            let influences = given.influences(rig, place).map_err(|e| refused(format!("Primitive {index}: {e}")))?;
            set.set(rig.instances[place.instance].mesh, place.primitive, influences);
        }
        Ok(self.changed(Arc::new(rig.with_weights(&set))))
    }

    /// Returns a copy of the rig with another skeleton and the same skin. `operations` are the options of ``rigscope
    /// refit`` as text, in order: ``"freeze-scale"``, ``"rename=mixamo"``, ``"pose-as-rest=t"``.
    ///
    /// Raises `RigscopeError` if an operation is refused, or if the skin changes although no operation is meant to change
    /// it.
    #[pyo3(signature = (*operations))]
    fn refit(&self, py: Python<'_>, operations: Vec<String>) -> PyResult<Self> {
        let operations: Result<Vec<Operation>, String> = operations.iter().map(|text| text.parse()).collect();
        let operations = operations.map_err(refused)?;
        let rig = self.shared.rig();
        let work = |progress: &Arc<Progress>| -> Option<Result<Arc<rigscope::rig::Rig>, String>> {
            let job = Job::default().with_progress(Arc::clone(progress));
            let refitted = match refit(rig, &operations, &job) {
                Ok(refitted) => refitted,
                Err(RefitError::Cancelled) => return None,
                Err(error) => return Some(Err(error.to_string())),
            };
            let proof = prove([rig, &refitted.rig], &Pairing::with_refitted(rig, &refitted), progress)?;
            let is_good = proof.holds() || refitted.changes_skin;
            Some(if is_good { Ok(refitted.rig) } else { Err(format!("The skin would change: {}", proof.summary())) })
        };
        let rig = detached_or_refused(py, "The change of the skeleton was cancelled", work)?.map_err(refused)?;
        Ok(self.changed(rig))
    }

    /// Poses this rig and another version of it alike, in random poses and clips, and measures how far their skins and
    /// joints are apart. Returns the same as ``rigscope refit --check OTHER --proof``.
    fn prove<'py>(&self, py: Python<'py>, other: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        let rigs = [self.shared.rig(), other.get().shared.rig()];
        let work = |progress: &Arc<Progress>| -> Option<Result<RefitJson, String>> {
            Some(match Pairing::between(rigs[0], rigs[1], progress)? {
                Ok(pairing) if pairing.obstacle(rigs[0]).is_none() => {
                    let left_out = (pairing.is_complete(rigs[0]), pairing.notes(rigs.map(|rig| &**rig)));
                    Ok(RefitJson::new(&[], &prove(rigs, &pairing, progress)?, false, left_out))
                }
                Ok(pairing) => {
                    Err(format!("The rigs can't be compared: {}", pairing.obstacle(rigs[0]).unwrap_or_default()))
                }
                Err(error) => Err(format!("The rigs can't be compared: {error}")),
            })
        };
        let document = detached_or_refused(py, "The comparison was cancelled", work)?.map_err(refused)?;
        as_python(py, &document)
    }

    /// Writes the whole rig to `path`, with the same bytes as ``rigscope convert``: a .glb, or a .vrm for a VRM, with this rig's clips and weights. Writes
    /// atomically; `over_input` allows replacing a file from which the rig was read.
    ///
    /// Returns one sentence for each thing that the format cannot store.
    #[pyo3(signature = (path, *, over_input=false))]
    fn save(&self, py: Python<'_>, path: PathBuf, over_input: bool) -> PyResult<Vec<String>> {
        saving::save(py, &self.shared, &OutputPath { path, over_input })
    }

    /// Writes the skinned meshes at rest, or in a clip (by name or number) at a time in seconds. Short for ``pose(clip=clip, time=time).bake(path, method)``.
    #[pyo3(signature = (path, method=None, *, clip=None, time=0.0, over_input=false))]
    fn bake(
        &self,
        py: Python<'_>,
        path: PathBuf,
        method: Option<&str>,
        clip: Option<NameOrNumber>,
        time: f32,
        over_input: bool,
    ) -> PyResult<Vec<String>> {
        let pose = Pose::new(py, &self.shared, &Moment { clip, time, ..Moment::default() })?;
        pose.bake(py, path, method, over_input)
    }

    /// Writes a report about the rig to `path`. Short for ``pose().report(path, method=method,
    /// config=config, title=title, note=note, flex=flex)``.
    #[cfg(feature = "gl")]
    #[pyo3(signature = (path, *, method=None, config=None, title=None, note=None, flex=false, over_input=false))]
    fn report(
        &self,
        py: Python<'_>,
        path: PathBuf,
        method: Option<&str>,
        config: Option<&Bound<'_, Config>>,
        title: Option<String>,
        note: Option<String>,
        flex: bool,
        over_input: bool,
    ) -> PyResult<()> {
        let pose = Pose::new(py, &self.shared, &Moment::default())?;
        pose.report(py, path, method, config, title, note, flex, over_input)
    }

    /// Pickles the arguments of `load`: unpickling opens the file again, which must be at the same path.
    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyAny>, Bound<'py, PyTuple>)> {
        let loaded = self.loaded.as_ref().ok_or_else(|| {
            PyTypeError::new_err("Only rigs as loaded from a path are pickled; save this one, and load it again")
        })?;
        let arguments = (&loaded.source, loaded.keywords(py)?).into_pyobject(py)?;
        Ok((py.import("rigscope")?.getattr("_load_again")?, arguments))
    }

    /// Table for notebooks.
    fn _repr_html_(&self) -> String {
        let rig = self.shared.rig();
        let counts = [
            ("joints", rig.joint_count()),
            ("skins", rig.skins.len()),
            ("vertices", rig.vertex_count()),
            ("clips", rig.clips.len()),
            ("morph targets", rig.morphs().len()),
        ];
        let row = |(what, count): (&str, usize)| format!("<tr><th>{what}</th><td>{count}</td></tr>");
        let rows: String = counts.map(row).concat();
        format!("<table><caption>{}</caption>{rows}</table>", escaped(&self.source()))
    }

    fn __repr__(&self) -> String {
        let rig = self.shared.rig();
        let (joints, vertices, clips) = (rig.joint_count(), rig.vertex_count(), rig.clips.len());
        format!("<rigscope.Rig {}: {joints} joints, {vertices} vertices, {clips} clips>", self.source())
    }
}

/// Weights of a primitive: slots of joints, and weights, one row per vertex.
#[derive(FromPyObject)]
pub(crate) struct GivenWeights<'py>(PyArrayLike2<'py, i64, AllowTypeChange>, PyArrayLike2<'py, f32, AllowTypeChange>);

impl GivenWeights<'_> {
    /// *Errors*: a shape or a number that doesn't suit the primitive.
    fn influences(&self, rig: &rigscope::rig::Rig, place: PrimitiveIndex) -> Result<Influences, String> {
        let instance = &rig.instances[place.instance];
        let skin = instance.skin.map(|skin| &rig.skins[skin]).ok_or("it has no skin")?;
        let count = rig.meshes[instance.mesh].primitives[place.primitive].positions.len();
        let (joints, weights) = (self.0.as_array(), self.1.as_array());
        let width = joints.ncols();
        if joints.shape() != weights.shape() || joints.nrows() != count || width == 0 {
            let [a, b] = [joints.shape(), weights.shape()];
            return Err(format!("joints and weights need {count} rows of the same length, not {a:?} and {b:?}"));
        }
        let slot = |joint: &i64| u16::try_from(*joint).ok().filter(|slot| usize::from(*slot) < skin.joints.len());
        let row = |(vertex, (joints, weights)): (usize, (ArrayView1<'_, i64>, ArrayView1<'_, f32>))| {
            let sum: f32 = weights.iter().sum();
            if !(weights.iter().all(|weight| *weight >= 0.0) && sum > 0.0 && sum.is_finite()) {
                return Err(format!("the weights of vertex {vertex} are not positive: {weights}"));
            }
            let slots: Option<Vec<u16>> = joints.iter().map(slot).collect();
            let slots = slots.ok_or_else(|| format!("joints are numbers from 0 to {}", skin.joints.len() - 1))?;
            let mut row: Vec<(u16, f32)> = slots.into_iter().zip(weights.iter().map(|weight| weight / sum)).collect();
            row.sort_by(|a, b| b.1.total_cmp(&a.1));
            Ok(row)
        };
        let rows: Result<Vec<_>, String> = joints.rows().into_iter().zip(weights.rows()).enumerate().map(row).collect();
        Ok(Influences::from_rows(&rows?))
    }
}

/// Returns the weighting method with this name. *Errors*: an unknown name.
fn weighting(name: &str) -> PyResult<Weighting> {
    let known = Weighting::ALL.into_iter().find(|weighting| weighting.spec().name == name);
    let names = || Weighting::ALL.map(|weighting| weighting.spec().name).join(", ");
    known.ok_or_else(|| refused(format!("no method of weights is called \"{name}\"; there are {}", names())))
}

/// A node of the hierarchy.
#[pyclass(frozen, module = "rigscope")]
pub(crate) struct Node {
    shared: Arc<SharedRig>,
    node: NodeIndex,
}

#[pymethods]
impl Node {
    /// Name, in the form that pose files use: the name in the file if it is unique, otherwise the node's path.
    #[getter]
    fn name(&self) -> &str {
        self.shared.name(self.node)
    }

    /// Index of the node in the file.
    #[getter]
    fn index(&self) -> usize {
        self.shared.rig().hierarchy.source(self.node)
    }

    /// Name of the parent node; `None` for a root.
    #[getter]
    fn parent(&self) -> Option<&str> {
        self.shared.rig().hierarchy.parent(self.node).map(|parent| self.shared.name(parent))
    }

    /// True if a skin lists the node.
    #[getter]
    fn is_joint(&self) -> bool {
        self.shared.rig().is_joint(self.node)
    }

    /// Humanoid bone of the node according to the file (VRM), such as ``"leftUpperArm"``; `None` if there is none.
    #[getter]
    fn human_bone(&self) -> Option<&str> {
        self.shared.rig().human_bone(self.node)
    }

    /// Number of drawn vertices that the node influences.
    #[getter]
    fn moved_vertices(&self) -> usize {
        self.shared.rig().moved_vertices(self.node)
    }

    /// (4, 4) float32: local transform at rest, from node to parent, metres.
    #[getter]
    fn rest<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let all = matrices(py, [*self.shared.rig().hierarchy.rest_local(self.node)].into_iter())?;
        all.get_item(0)
    }

    fn __repr__(&self) -> String {
        format!("<rigscope.Node {}>", self.name())
    }
}

/// The joints of one or more meshes, with their inverse bind matrices.
#[pyclass(frozen, module = "rigscope")]
pub(crate) struct Skin {
    shared: Arc<SharedRig>,
    skin: usize,
}

#[pymethods]
impl Skin {
    /// Name in the file; may be empty.
    #[getter]
    fn name(&self) -> &str {
        &self.shared.rig().skins[self.skin].name
    }

    /// Names of the skin's joints; `Primitive.joints` holds indices into this list.
    #[getter]
    fn joints(&self) -> Vec<&str> {
        self.shared.rig().skins[self.skin].joints.iter().map(|&joint| self.shared.name(joint)).collect()
    }

    /// (joints, 4, 4) float32: inverse bind matrices from skin to joint space, metres.
    #[getter]
    fn inverse_binds<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray3<f32>>> {
        matrices(py, self.shared.rig().skins[self.skin].inverse_bind.iter().copied())
    }

    fn __repr__(&self) -> String {
        format!("<rigscope.Skin {:?}: {} joints>", self.name(), self.shared.rig().skins[self.skin].joints.len())
    }
}

/// Returns the method with this name, or LBS if there is no name. *Errors*: an unknown name.
pub(crate) fn method(name: Option<&str>) -> PyResult<Method> {
    name.map_or(Ok(Method::default()), |name| name.parse().map_err(refused))
}
