//! Locations of findings, by name rather than index, so that unrelated changes to the file don't affect them.

use super::finding::short;
use super::{Code, Finding, Target};
use rigscope_core::rig::{Mesh, Rig};

/// Named location of a finding, and the number of affected elements.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FindingLocation {
    /// Name such as `mesh "Body", primitive 0` or `node "Hips/Spine"`. Unnamed objects get their index.
    pub name: String,
    /// Number of affected vertices; 1 for other objects.
    pub count: usize,
}

/// Returns the locations of a finding: one per listed node, or a single one.
pub fn finding_locations(rig: &Rig, finding: &Finding) -> Vec<FindingLocation> {
    let one = |name: String| vec![FindingLocation { name, count: 1 }];
    let nodes = |before: &str, nodes: &[usize]| {
        nodes
            .iter()
            .map(|&node| FindingLocation { name: format!("{before}{}", node_name(rig, node)), count: 1 })
            .collect()
    };
    if let Some(spot) = &finding.spot {
        return one(spot.clone());
    }
    match &finding.target {
        // A missing joint has no location; the message names it.
        _ if finding.code == Code::RequiredJointMissing => one(finding.message.clone()),
        Target::File => one(finding.message.clone()),
        Target::Nodes(list) => nodes("", list.first()),
        &Target::Skin(skin) => one(named("skin", skin, rig.skins.iter().find(|s| s.source == skin).map(|s| &*s.name))),
        Target::Primitive { mesh, primitive, vertices, joint } => {
            let joint = joint.map_or(String::new(), |joint| format!(", {}", node_name(rig, joint)));
            let name = format!("{}, primitive {primitive}{joint}", mesh_name(rig, *mesh));
            vec![FindingLocation { name, count: vertices.count().max(1) }]
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

/// Returns the path of a node, limited to 8 levels because a file may nest nodes to any depth.
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
