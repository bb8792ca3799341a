//! `rigscope nodes`: local and world transforms of all nodes in a pose.

use clap::Args;
use glam::Affine3;
use serde::Serialize;

use super::Console;
use super::console::{BOLD, Line, written};
use super::posed::PosedArgs;
use crate::export::numbers_json;
use crate::import::Concern;
use crate::rig::{Expression, ExpressionIndex, GazeAngles, NodeIndex, Trs};
use crate::stage::Stage;
use crate::text::counted;

/// The rig, its pose, and the form in which its nodes are printed.
#[derive(Args, Debug)]
#[command(after_long_help = JSON_HELP)]
pub struct NodesArgs {
    #[command(flatten)]
    posed: PosedArgs,

    /// Print one JSON object instead of the list
    #[arg(long)]
    json: bool,
}

const JSON_HELP: &str = "\
Local transforms are from the node to its parent, with clip, behaviours and pose: A_j * Ul_j, or C_j * Ul_j where a behaviour turns the node. World is that of the file, +Y up; lengths are metres,
rotations unit quaternions x, y, z, w. The list is in the order of the hierarchy, indented by it, and has the file's number of each node, its name, and its local and world position and rotation.

JSON: {\"version\":1,\"file\":PATH,\"nodes\":{\"clip\":NAME|null,\"time_s\":T|null,\"behaviours\":[{\"kind\":\"gaze\"|\"expression\"|\"constraint\"|\"spring\",\"count\":N},...],
  \"gaze\":{\"yaw_deg\":A,\"pitch_deg\":A}|null,\"expressions\":[{\"name\":NAME,\"weight\":W,\"shown\":W},...],
  \"morphs\":[{\"name\":NAME,\"weight\":W},...],
  \"nodes\":[{\"node\":N,\"name\":NAME,\"parent\":N|null,\"turned_by\":\"gaze\"|\"constraint\"|\"spring\"|null,\"translation\":[x,y,z],\"rotation\":[x,y,z,w],\"scale\":[x,y,z],
    \"world\":{\"translation\":[x,y,z],\"rotation\":[x,y,z,w],\"scale\":[x,y,z],\"matrix\":[16 numbers, column by column]}},...]}}
A matrix with shear has more than its translation, rotation and scale tell; the world matrix is whole. N are the file's numbers of nodes.";

/// All nodes of a rig at one moment.
#[derive(Serialize)]
struct Nodes {
    clip: Option<String>,
    time_s: Option<f32>,
    behaviours: Vec<BehaviourCount>,
    gaze: Option<Looking>,
    expressions: Vec<ExpressionRow>,
    morphs: Vec<MorphWeight>,
    #[serde(rename = "nodes")]
    list: Vec<Node>,
}

/// Number of behaviours of a kind that ran.
#[derive(Serialize)]
struct BehaviourCount {
    kind: &'static str,
    count: usize,
}

/// Direction of the gaze, degrees.
#[derive(Serialize)]
struct Looking {
    yaw_deg: f64,
    pitch_deg: f64,
}

/// A morph target with its weight from file or clip, user and expressions; the one farthest from 0 where meshes differ.
#[derive(Serialize)]
struct MorphWeight {
    name: String,
    weight: f32,
}

/// An expression with the weight that is asked for, and the weight that others leave of it.
#[derive(Serialize)]
struct ExpressionRow {
    name: String,
    weight: f32,
    shown: f32,
}

#[derive(Serialize)]
struct Node {
    #[serde(rename = "node")]
    number: usize,
    name: String,
    parent: Option<usize>,
    turned_by: Option<&'static str>,
    #[serde(flatten)]
    local: Parts,
    world: World,
    #[serde(skip)]
    depth: usize,
}

/// Translation, rotation and scale of a matrix.
#[derive(Serialize)]
struct Parts {
    translation: [f32; 3],
    rotation: [f32; 4],
    scale: [f32; 3],
}

#[derive(Serialize)]
struct World {
    #[serde(flatten)]
    parts: Parts,
    matrix: [f32; 16],
}

impl NodesArgs {
    /// Poses the rig and prints its nodes.
    ///
    /// *Errors*: in words for the user. A reader of the list that goes away ends it quietly.
    pub fn run(self, console: &Console) -> Result<(), String> {
        let stage = self.posed.open(Concern::Shape, None, console)?;
        let (nodes, file) = (Nodes::of(&stage), stage.document.source.full_name());
        let printed = if self.json {
            console.print_json(&numbers_json(&file, [("nodes", nodes)]))
        } else {
            console.print_table(nodes.lines(&file))
        };
        written(printed, "The nodes")
    }
}

impl Nodes {
    fn of(stage: &Stage) -> Self {
        let (hierarchy, posed, pose) = (&stage.rig().hierarchy, stage.posed(), stage.pose());
        let moment = stage.playback.sample();
        let run = stage.behaviours_run();
        let mut turned = vec![None; hierarchy.len()];
        let first_spring = posed.replaced.len().saturating_sub(run.springs);
        for (at, (node, _)) in posed.replaced.iter().enumerate() {
            let is_constrained = || stage.rig().behaviours().constraint_of(*node, pose.switched_off()).is_some();
            let by = if at >= first_spring {
                "spring"
            } else if is_constrained() {
                "constraint"
            } else {
                "gaze"
            };
            turned[node.index()] = Some(by);
        }
        let in_file = posed.file_from_node(hierarchy);
        let mut depths: Vec<usize> = Vec::with_capacity(hierarchy.len());
        let mut described = |node: NodeIndex| {
            let parent = hierarchy.parent(node);
            depths.push(parent.map_or(0, |parent| depths[parent.index()] + 1));
            let local = posed.local(pose, node);
            let world = in_file[node.index()];
            Node {
                number: hierarchy.source(node),
                name: hierarchy.name(node).to_owned(),
                parent: parent.map(|parent| hierarchy.source(parent)),
                turned_by: turned[node.index()],
                local: Parts::of(&local),
                world: World { parts: Parts::of(&world), matrix: glam::Mat4::from(world).to_cols_array() },
                depth: depths[node.index()],
            }
        };
        Self {
            clip: moment.and_then(|moment| Some(stage.rig().clips.get(moment.clip)?.name.clone())),
            time_s: moment.map(|moment| moment.time_secs),
            behaviours: vec![
                BehaviourCount { kind: "gaze", count: run.eyes },
                BehaviourCount { kind: "expression", count: run.expressions },
                BehaviourCount { kind: "constraint", count: run.constraints },
                BehaviourCount { kind: "spring", count: run.springs },
            ],
            gaze: posed.gaze.map(|GazeAngles { yaw_deg, pitch_deg }| Looking { yaw_deg, pitch_deg }),
            expressions: stage
                .rig()
                .indexed_expressions()
                .map(|(at, expression)| ExpressionRow::of(stage, at, expression))
                .collect(),
            morphs: stage
                .rig()
                .morphs()
                .iter()
                .map(|morph| MorphWeight { name: morph.name.clone(), weight: morph.weight(&posed.morph_weights) })
                .collect(),
            list: hierarchy.nodes().map(&mut described).collect(),
        }
    }

    /// A line for each node, below its file and what runs there.
    fn lines(&self, file: &str) -> Vec<Line> {
        // Expressions turn nothing and have lines of their own.
        let ran = self.behaviours.iter().filter(|ran| ran.count > 0 && ran.kind != "expression");
        let told = |ran: &BehaviourCount| match ran.kind {
            "gaze" => "the gaze".to_owned(),
            kind => counted(ran.count, kind, &format!("{kind}s")),
        };
        let ran: Vec<String> = ran.map(told).collect();
        let ran = if ran.is_empty() { String::new() } else { format!(", turned by {}", ran.join(", ")) };
        let at = self.clip.as_ref().zip(self.time_s);
        let at = at.map_or(String::new(), |(clip, time)| format!(", clip {clip} at {time} s"));
        let count = counted(self.list.len(), "node", "nodes");
        let head = Line::default().styled(BOLD, file).and(&format!(": {count}{at}{ran}"));
        let names: Vec<String> = self.list.iter().map(Node::title).collect();
        let width = names.iter().map(|name| name.chars().count()).max().unwrap_or(0).clamp(4, LONGEST_TITLE);
        let columns = ["local position, m", "local rotation", "world position, m", "world rotation"];
        let [at, turn, world_at, world_turn] = columns;
        let columns = format!("{:>6}  {:width$}  {at:<27}  {turn:<35}  {world_at:<27}  {world_turn}", "node", "name");
        let row = |(node, name): (&Node, &String)| {
            let Parts { translation, rotation, .. } = &node.world.parts;
            let scale = if node.local.scale.iter().all(|s| (s - 1.0).abs() < 1e-6) {
                String::new()
            } else {
                format!("  scale {}", numbers(&node.local.scale))
            };
            let [local, world] = [(&node.local.translation, &node.local.rotation), (translation, rotation)]
                .map(|(at, turn)| format!("{}  {}", numbers(at), numbers(turn)));
            Line::plain(&format!("{:>6}  {name:width$}  {local}  {world}{scale}", node.number))
        };
        let gaze = self.gaze.as_ref().map(|Looking { yaw_deg, pitch_deg }| {
            Line::plain(&format!("gaze: {yaw_deg:.4}° to the left, {pitch_deg:.4}° down"))
        });
        let shown = self.expressions.iter().filter(|expression| expression.weight > 0.0 || expression.shown > 0.0);
        let face = gaze.into_iter().chain(shown.map(ExpressionRow::line));
        [head]
            .into_iter()
            .chain(face)
            .chain([Line::plain(&columns)])
            .chain(self.list.iter().zip(&names).map(row))
            .collect()
    }
}

/// Characters of an indented name to which the columns of the list are fitted at most.
const LONGEST_TITLE: usize = 48;

impl ExpressionRow {
    fn of(stage: &Stage, at: ExpressionIndex, expression: &Expression) -> Self {
        let shown = stage.posed().expressions.get(at.index()).copied().unwrap_or(0.0);
        Self { name: expression.name.clone(), weight: stage.pose().face().expression(at), shown }
    }

    fn line(&self) -> Line {
        let shown = if self.shown == self.weight { String::new() } else { format!(", shown {:.4}", self.shown) };
        Line::plain(&format!("expression {}: {:.4}{shown}", self.name, self.weight))
    }
}

impl Node {
    /// Name, indented by the hierarchy as far as a terminal has room, with a mark where a behaviour turns the node.
    fn title(&self) -> String {
        const DEEPEST: usize = 12;
        let mark = if self.turned_by.is_some() { " *" } else { "" };
        format!("{}{}{mark}", "  ".repeat(self.depth.min(DEEPEST)), self.name)
    }
}

impl Parts {
    fn of(matrix: &Affine3) -> Self {
        let Trs { translation, rotation, scale } = Trs::from_affine(matrix);
        Self { translation: translation.to_array(), rotation: rotation.to_array(), scale: scale.to_array() }
    }
}

fn numbers(values: &[f32]) -> String {
    // Without -0, which rounding leaves.
    let values = values.iter().map(|value| format!("{:>8.4}", (f64::from(*value) * 1e4).round() / 1e4 + 0.0));
    values.collect::<Vec<_>>().join(" ")
}
