//! `rigscope nodes`: local and world transforms of all nodes in a pose.

use clap::Args;
use glam::Affine3;
use serde::Serialize;

use super::Console;
use super::console::{BOLD, Line, written};
use super::posed::PosedArgs;
use crate::export::numbers_json;
use crate::import::Concern;
use crate::rig::{NodeIndex, Trs};
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

JSON: {\"version\":1,\"file\":PATH,\"nodes\":{\"clip\":NAME|null,\"time_s\":T|null,\"behaviours\":[{\"kind\":\"constraint\"|\"spring\",\"count\":N},...],
  \"nodes\":[{\"node\":N,\"name\":NAME,\"parent\":N|null,\"turned_by\":\"constraint\"|\"spring\"|null,\"translation\":[x,y,z],\"rotation\":[x,y,z,w],\"scale\":[x,y,z],
    \"world\":{\"translation\":[x,y,z],\"rotation\":[x,y,z,w],\"scale\":[x,y,z],\"matrix\":[16 numbers, column by column]}},...]}}
A matrix with shear has more than its translation, rotation and scale tell; the world matrix is whole. N are the file's numbers of nodes.";

/// All nodes of a rig at one moment.
#[derive(Serialize)]
struct Nodes {
    clip: Option<String>,
    time_s: Option<f32>,
    behaviours: Vec<BehaviourCount>,
    #[serde(rename = "nodes")]
    list: Vec<Node>,
}

/// Number of behaviours of a kind that ran.
#[derive(Serialize)]
struct BehaviourCount {
    kind: &'static str,
    count: usize,
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
            console.print(nodes.lines(&file))
        };
        written(printed, "The nodes")
    }
}

impl Nodes {
    fn of(stage: &Stage) -> Self {
        let (hierarchy, posed, pose) = (&stage.rig().hierarchy, stage.posed(), stage.pose());
        let moment = stage.playback.sample();
        let counts = stage.rig().behaviours().counts(posed);
        let mut turned = vec![None; hierarchy.len()];
        for (at, (node, _)) in posed.replaced.iter().enumerate() {
            turned[node.index()] = Some(KINDS[usize::from(at >= counts[0])]);
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
            behaviours: KINDS.into_iter().zip(counts).map(|(kind, count)| BehaviourCount { kind, count }).collect(),
            list: hierarchy.nodes().map(&mut described).collect(),
        }
    }

    /// A line for each node, below its file and what runs there.
    fn lines(&self, file: &str) -> Vec<Line> {
        let ran = self.behaviours.iter().filter(|ran| ran.count > 0);
        let ran: Vec<String> = ran.map(|ran| counted(ran.count, ran.kind, &format!("{}s", ran.kind))).collect();
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
        [head, Line::plain(&columns)].into_iter().chain(self.list.iter().zip(&names).map(row)).collect()
    }
}

/// Kinds of behaviours, in the order in which they run.
const KINDS: [&str; 2] = ["constraint", "spring"];

/// Characters of an indented name to which the columns of the list are fitted at most.
const LONGEST_TITLE: usize = 48;

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
