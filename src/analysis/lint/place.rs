//! The place of a finding by names instead of numbers, so that it stays the same while the file changes elsewhere.

use super::finding::short;
use super::{Code, Finding, Target};
use crate::rig::{Mesh, Rig};

/// One spot of a finding, and how much is wrong there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Spot {
    /// Name such as `mesh "Body", primitive 0` or `node "Hips/Spine"`; a name that the file does not give is its number.
    pub name: String,
    /// Number of vertices affected; 1 where the spot is about something else.
    pub count: usize,
}

/// Spots of a finding: one for each of its listed nodes, else a single one.
pub fn spots(rig: &Rig, finding: &Finding) -> Vec<Spot> {
    let one = |name: String| vec![Spot { name, count: 1 }];
    let nodes = |before: &str, nodes: &[usize]| {
        nodes.iter().map(|&node| Spot { name: format!("{before}{}", node_name(rig, node)), count: 1 }).collect()
    };
    if let Some(spot) = &finding.spot {
        return one(spot.clone());
    }
    match &finding.target {
        // What is missing has no place, only one where it should be.
        _ if finding.code == Code::ContractMissing => one(finding.message.clone()),
        Target::File => one(finding.message.clone()),
        Target::Nodes(list) => nodes("", list.first()),
        &Target::Skin(skin) => one(named("skin", skin, rig.skins.iter().find(|s| s.source == skin).map(|s| &*s.name))),
        Target::Primitive { mesh, primitive, vertices, joint } => {
            let joint = joint.map_or(String::new(), |joint| format!(", {}", node_name(rig, joint)));
            let name = format!("{}, primitive {primitive}{joint}", mesh_name(rig, *mesh));
            vec![Spot { name, count: vertices.count().max(1) }]
        }
        Target::Clip { clip, nodes: list } => {
            let clip = named("clip", *clip, rig.clips.get(*clip).map(|c| &*c.name));
            if list.count() == 0 { one(clip) } else { nodes(&format!("{clip}, "), list.first()) }
        }
        &Target::Material(material) => one(named("material", material, None)),
    }
}

fn mesh_name(rig: &Rig, source: usize) -> String {
    named("mesh", source, rig.meshes.iter().find(|mesh: &&Mesh| mesh.source == source).map(|mesh| &*mesh.name))
}

/// Path of a node, which distinguishes nodes of one name; limited in length, as a file may nest as deep as it likes.
fn node_name(rig: &Rig, source: usize) -> String {
    const ABOVE: usize = 7;
    let hierarchy = &rig.hierarchy;
    let path = hierarchy.by_source(source).filter(|&node| !hierarchy.is_unnamed(node)).map(|node| {
        let mut names: Vec<String> = hierarchy.ancestors(node).take(ABOVE).map(|n| short(hierarchy.name(n))).collect();
        names.reverse();
        names.push(short(hierarchy.name(node)));
        names.join("/")
    });
    path.map_or_else(|| format!("node {source}"), |path| format!("node \"{path}\""))
}

fn named(kind: &str, number: usize, name: Option<&str>) -> String {
    match name.filter(|name| !name.is_empty()) {
        Some(name) => format!("{kind} \"{}\"", short(name)),
        None => format!("{kind} {number}"),
    }
}
