mod table;

use std::collections::BTreeMap;
use std::process::ExitCode;

use clap::Args;
use glam::Affine3;

use super::Console;
use super::console::{BOLD, Line};
use super::many_files::{InputArgs, OutputOption, PerFile, run_each};
use super::numbers;
use super::posed::PosedArgs;
use super::results::{ResultArgs, Results};
use crate::import::{Job, WarningScope};
use crate::rig::{Expression, ExpressionIndex, LookAtAngles, NodeIndex, Trs};
use crate::rows::{Described as _, JsonDocument, UnderKey, rows};
use crate::stage::{ActiveBehaviours, Source, Stage};
use crate::text::{self, counted};

#[derive(Args, Clone, Debug)]
#[command(after_long_help = HELP)]
#[command(mut_arg("files", |arg| arg.required_unless_present_any(["files_from", "session"])))]
pub struct NodesArgs {
    #[command(flatten)]
    inputs: InputArgs,

    #[command(flatten)]
    posed: PosedArgs,

    /// With --csv, write all frames of the clip, at FPS frames per second
    #[arg(long, value_name = "FPS", requires = "csv", conflicts_with = "time")]
    #[arg(value_parser = numbers::frame_rate())]
    fps: Option<f32>,

    /// With --csv, write a row for each joint of each skin, with its skinning matrix, instead of one for each node
    #[arg(long, requires = "csv")]
    skinning: bool,

    #[command(flatten)]
    results: ResultArgs,
}

const HELP: &str = "\
Local transforms are relative to the parent and include clip, behaviours and pose. World transforms
are in the file's space, +Y up. Lengths are in metres, rotations unit quaternions x, y, z, w. Nodes
are in the order of the hierarchy, with their numbers in the file; * marks nodes that a behaviour
drives. A matrix with shear is complete only in JSON and CSV. rigscope explain json lists the JSON's
keys.

The CSV has the local transform and the first three rows of the world matrix: world_03 is the number
in row 0 and column 3, the position along x. The last row is 0, 0, 0, 1. A skinning matrix is the
world matrix times the inverse bind matrix.

Examples:
  rigscope nodes hero.glb --clip walk --time 0.3
  rigscope nodes hero.glb --clip walk --fps 30 --skinning --csv matrices.csv
  rigscope nodes hero.glb --pose fist.json --json";

pub(super) const JSON: [JsonDocument; 1] =
    [JsonDocument { command: "nodes", key: "nodes", python: None, shape: NodesJson::shape }];

rows! {
    /// All nodes of a rig at one moment.
    pub(super) struct NodesJson {
        /// Name of the clip.
        pub clip: Option<String>,
        /// Time in the clip, seconds.
        pub time_secs: Option<f32>,
        /// Behaviours that were evaluated.
        pub behaviours: Vec<BehaviourCountJson>,
        /// Look-at direction.
        pub look_at: Option<LookAtJson>,
        /// Expressions.
        pub expressions: Vec<ExpressionJson>,
        /// Morph targets.
        pub morphs: Vec<MorphWeightJson>,
        /// The nodes, in the order of the hierarchy.
        pub nodes: Vec<NodeJson>,
    }

    /// Number of evaluated behaviours of one kind.
    pub(super) struct BehaviourCountJson {
        /// Kind: look-at, expression, constraint or spring.
        pub kind: &'static str,
        /// Number of behaviours of this kind.
        pub count: usize,
    }

    /// Look-at direction, relative to straight ahead.
    pub(super) struct LookAtJson {
        /// Angle to the left, degrees.
        pub yaw_deg: f64,
        /// Angle downwards, degrees.
        pub pitch_deg: f64,
    }

    /// An expression.
    pub(super) struct ExpressionJson {
        /// Name.
        pub name: String,
        /// Requested weight.
        pub weight: f32,
        /// Weight after other expressions override it.
        pub shown: f32,
    }

    /// A morph target.
    pub(super) struct MorphWeightJson {
        /// Name.
        pub name: String,
        /// Weight of file or clip plus those of user and expressions. If meshes differ, the weight farthest from 0.
        pub weight: f32,
    }

    /// A node. Its local transform maps the node to its parent.
    pub(super) struct NodeJson {
        /// Index of the node in the file.
        pub node: usize,
        /// Name.
        pub name: String,
        /// Index of the parent in the file.
        pub parent: Option<usize>,
        /// Behaviour that drives the node: look-at, constraint, pin or spring.
        pub rotated_by: Option<&'static str>,
        /// Local transform.
        #[serde(flatten)]
        pub local: TransformJson,
        /// World transform, in the file's coordinates.
        pub world: WorldTransformJson,
    }

    /// Translation, rotation and scale of a matrix.
    pub(super) struct TransformJson {
        /// Translation, metres.
        pub translation: [f32; 3],
        /// Rotation, unit quaternion x, y, z, w.
        pub rotation: [f32; 4],
        /// Scale factors.
        pub scale: [f32; 3],
    }

    /// A world transform. If it has shear, only its matrix is exact.
    pub(super) struct WorldTransformJson {
        /// Translation, rotation and scale.
        #[serde(flatten)]
        pub parts: TransformJson,
        /// Matrix of 16 numbers, by columns.
        pub matrix: [f32; 16],
    }
}

impl NodesArgs {
    pub fn run(self, console: &Console) -> Result<ExitCode, String> {
        run_each(self, console)
    }
}

impl PerFile for NodesArgs {
    type Prepared = Results;
    type Shared = ();
    const DOING: &'static str = "Listing nodes";

    fn inputs(&mut self) -> &mut InputArgs {
        &mut self.inputs
    }

    fn set_file(&mut self, file: Option<Source>) {
        self.posed.rigged.file = file;
    }

    fn outputs(&mut self) -> Vec<OutputOption<'_>> {
        self.posed.rigged.outputs().collect()
    }

    fn results(&mut self) -> Option<&mut ResultArgs> {
        Some(&mut self.results)
    }

    fn check(&self) -> Result<(), String> {
        self.results.check(None)
    }

    fn job(&self) -> Job {
        self.posed.rigged.memory.job()
    }

    fn prepare(&self, console: &Console) -> Result<Self::Prepared, String> {
        let mut stage = self.posed.open(WarningScope::Shape, None, console)?;
        let (nodes, file) = (NodesJson::new(&stage), stage.document.source.full_name());
        let lines = nodes.lines(&file);
        let csv = if self.results.wants_csv() {
            console.stage("Writing frames", |_| table::table(&mut stage, self.fps, self.skinning))?
        } else {
            String::new()
        };
        Ok(Results::new(&file, &UnderKey("nodes", nodes), csv, lines))
    }

    fn finish(&self, results: Results, (): &mut (), console: &Console) -> Result<ExitCode, String> {
        self.results.write(results, None, console)?;
        Ok(ExitCode::SUCCESS)
    }
}

impl NodesJson {
    fn new(stage: &Stage) -> Self {
        let (hierarchy, posed, pose) = (&stage.rig().hierarchy, stage.posed(), stage.pose());
        let moment = stage.playback.sample();
        let run = ActiveBehaviours::new(stage);
        let mut turned = vec![None; hierarchy.len()];
        let first_spring = posed.replaced.len().saturating_sub(run.springs);
        for (at, (node, _)) in posed.replaced.iter().enumerate() {
            let is_constrained =
                || stage.rig().behaviours().active_constraint(*node, pose.disabled_behaviours()).is_some();
            let by = if at >= first_spring {
                "spring"
            } else if posed.pinned.iter().any(|joint| joint.node == *node) {
                "pin"
            } else if is_constrained() {
                "constraint"
            } else {
                "look-at"
            };
            turned[node.index()] = Some(by);
        }
        let in_file = posed.file_from_node(hierarchy);
        let described = |node: NodeIndex| {
            let parent = hierarchy.parent(node);
            let local = posed.local(pose, node);
            let world = in_file[node.index()];
            NodeJson {
                node: hierarchy.source(node),
                name: hierarchy.name(node).to_owned(),
                parent: parent.map(|parent| hierarchy.source(parent)),
                rotated_by: turned[node.index()],
                local: TransformJson::new(&local),
                world: WorldTransformJson {
                    parts: TransformJson::new(&world),
                    matrix: glam::Mat4::from(world).to_cols_array(),
                },
            }
        };
        Self {
            clip: moment.and_then(|moment| Some(stage.rig().clips.get(moment.clip)?.name.clone())),
            time_secs: moment.map(|moment| moment.time_secs),
            behaviours: vec![
                BehaviourCountJson { kind: "look-at", count: run.eyes },
                BehaviourCountJson { kind: "expression", count: run.expressions },
                BehaviourCountJson { kind: "constraint", count: run.constraints },
                BehaviourCountJson { kind: "spring", count: run.springs },
            ],
            look_at: posed.look_at.map(|LookAtAngles { yaw_deg, pitch_deg }| LookAtJson { yaw_deg, pitch_deg }),
            expressions: stage
                .rig()
                .indexed_expressions()
                .map(|(at, expression)| ExpressionJson::new(stage, at, expression))
                .collect(),
            morphs: stage
                .rig()
                .morphs()
                .iter()
                .map(|morph| MorphWeightJson { name: morph.name.clone(), weight: morph.weight(&posed.morph_weights) })
                .collect(),
            nodes: hierarchy.nodes().map(described).collect(),
        }
    }

    fn lines(&self, file: &str) -> Vec<Line> {
        // Omits expressions, because they are printed on separate lines.
        let ran = self.behaviours.iter().filter(|ran| ran.count > 0 && ran.kind != "expression");
        let phrase = |ran: &BehaviourCountJson| match ran.kind {
            "look-at" => "the look-at".to_owned(),
            kind => counted(ran.count, kind, &format!("{kind}s")),
        };
        let ran: Vec<String> = ran.map(phrase).collect();
        let ran = if ran.is_empty() { String::new() } else { format!(", turned by {}", ran.join(", ")) };
        let at = self.clip.as_ref().zip(self.time_secs);
        let at = at.map_or(String::new(), |(clip, time)| format!(", clip \"{clip}\" at {} s", text::number(time)));
        let count = counted(self.nodes.len(), "node", "nodes");
        let head = Line::default().styled(BOLD, file).and(&format!(": {count}{at}{ran}"));
        let mut depths: BTreeMap<usize, usize> = BTreeMap::new();
        let mut title = |node: &NodeJson| {
            let depth = node.parent.and_then(|parent| depths.get(&parent)).map_or(0, |depth| depth + 1);
            depths.insert(node.node, depth);
            node.title(depth)
        };
        let names: Vec<String> = self.nodes.iter().map(&mut title).collect();
        let width = names.iter().map(|name| name.chars().count()).max().unwrap_or(0).clamp(4, MAX_TITLE_WIDTH);
        let columns = ["local position, m", "local rotation", "world position, m", "world rotation"];
        let [at, turn, world_at, world_turn] = columns;
        let columns = format!("{:>6}  {:width$}  {at:<27}  {turn:<35}  {world_at:<27}  {world_turn}", "node", "name");
        let row = |(node, name): (&NodeJson, &String)| {
            let TransformJson { translation, rotation, .. } = &node.world.parts;
            let scale = if node.local.scale.iter().all(|s| (s - 1.0).abs() < 1e-6) {
                String::new()
            } else {
                format!("  scale {}", four_decimals(&node.local.scale))
            };
            let [local, world] = [(&node.local.translation, &node.local.rotation), (translation, rotation)]
                .map(|(at, turn)| format!("{}  {}", four_decimals(at), four_decimals(turn)));
            Line::plain(&format!("{:>6}  {name:width$}  {local}  {world}{scale}", node.node))
        };
        let look_at = self.look_at.as_ref().map(|LookAtJson { yaw_deg, pitch_deg }| {
            Line::plain(&format!("look-at: {yaw_deg:.4}° to the left, {pitch_deg:.4}° down"))
        });
        let shown = self.expressions.iter().filter(|expression| expression.weight > 0.0 || expression.shown > 0.0);
        let face = look_at.into_iter().chain(shown.map(ExpressionJson::line));
        [head]
            .into_iter()
            .chain(face)
            .chain([Line::plain(&columns)])
            .chain(self.nodes.iter().zip(&names).map(row))
            .collect()
    }
}

const MAX_TITLE_WIDTH: usize = 48;

impl ExpressionJson {
    fn new(stage: &Stage, at: ExpressionIndex, expression: &Expression) -> Self {
        let shown = stage.posed().expressions.get(at.index()).copied().unwrap_or(0.0);
        Self { name: expression.name.clone(), weight: stage.pose().face().expression(at), shown }
    }

    fn line(&self) -> Line {
        let shown = if self.shown == self.weight { String::new() } else { format!(", shown {:.4}", self.shown) };
        Line::plain(&format!("expression {}: {:.4}{shown}", self.name, self.weight))
    }
}

impl NodeJson {
    /// Returns the node's name, indented, with an asterisk if a behaviour drives the node.
    fn title(&self, depth: usize) -> String {
        const MAX_DEPTH: usize = 12;
        let mark = if self.rotated_by.is_some() { " *" } else { "" };
        format!("{}{}{mark}", "  ".repeat(depth.min(MAX_DEPTH)), self.name)
    }
}

impl TransformJson {
    fn new(matrix: &Affine3) -> Self {
        let Trs { translation, rotation, scale } = Trs::from_affine(matrix);
        Self { translation: translation.to_array(), rotation: rotation.to_array(), scale: scale.to_array() }
    }
}

fn four_decimals(values: &[f32]) -> String {
    // Adding 0 converts -0, which rounding may produce, to 0.
    let values = values.iter().map(|value| format!("{:>8.4}", (f64::from(*value) * 1e4).round() / 1e4 + 0.0));
    values.collect::<Vec<_>>().join(" ")
}
