use glam::{DVec3, Quat};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::rig::{Hierarchy, NodeIndex, Pin, find_joints, joint_names, unit_rotation};

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub(super) struct PinFile {
    /// Name of the joint.
    joint: String,
    /// Position of the joint's origin in file coordinates, metres, in steps of one nanometre.
    position: [f64; 3],
    /// Quaternion x, y, z, w in the world; `None` if only the position is held.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    rotation: Option<[f32; 4]>,
}

impl PinFile {
    pub(super) fn list(pins: &[Pin], hierarchy: &Hierarchy) -> Vec<Self> {
        let nodes: Vec<NodeIndex> = pins.iter().map(|pin| pin.node).collect();
        let named = joint_names(hierarchy, &nodes).into_iter().zip(pins);
        let file = |(joint, pin): (String, &Pin)| {
            let rotation = pin.rotation.map(|rotation| rotation.to_array());
            Self { joint, position: rounded(pin.position).to_array(), rotation }
        };
        named.map(file).collect()
    }

    /// Returns the pins of a character, and the names of joints that the character lacks.
    pub(super) fn pins(files: &[Self], hierarchy: &Hierarchy) -> (Vec<Pin>, Vec<String>) {
        let names: Vec<String> = files.iter().map(|file| file.joint.clone()).collect();
        let found = find_joints(hierarchy, &names);
        let pins = files.iter().zip(&found).filter_map(|(file, node)| file.pin((*node)?)).collect();
        let lacks = names.into_iter().zip(&found).filter(|(_, node)| node.is_none());
        (pins, lacks.map(|(name, _)| name).collect())
    }

    /// Returns the pin; `None` if its position is not finite.
    fn pin(&self, node: NodeIndex) -> Option<Pin> {
        let rotation = self.rotation.and_then(|rotation| unit_rotation(Quat::from_array(rotation)));
        let pin = Pin { node, position: rounded(DVec3::from_array(self.position)), rotation };
        pin.position.is_finite().then_some(pin)
    }
}

/// Rounds to nanometres. JSON readers may return neighbouring doubles, so that sessions would change whenever they are
/// read and written.
fn rounded(position: DVec3) -> DVec3 {
    (position * 1e9).round() / 1e9
}
