use super::{Hierarchy, Mesh, MeshInstance, NodeIndex, Skin};

/// Cameras that see a mesh, as set by its VRM first-person annotation.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum FirstPersonVisibility {
    /// First-person and third-person cameras.
    #[default]
    All,
    /// Third-person only: meshes that would block the first-person view, such as face and hair.
    Observers,
    /// First-person only.
    Itself,
}

impl FirstPersonVisibility {
    /// Resolves the annotation `auto`. A skinned mesh is hidden in first person if most of its weight is in the head's
    /// subtree; an unskinned mesh, if its node is. VRM hides only the triangles that the head moves; this function
    /// hides whole meshes.
    pub fn automatic(
        hierarchy: &Hierarchy,
        head: Option<NodeIndex>,
        instance: &MeshInstance,
        mesh: &Mesh,
        skin: Option<&Skin>,
    ) -> Self {
        let Some(head) = head.map(|head| hierarchy.subtree(head)) else { return Self::All };
        let is_of_head = if let Some(skin) = skin {
            let is_of_head: Vec<bool> = skin.joints.iter().map(|joint| head.contains(&joint.index())).collect();
            let (mut of_head, mut all) = (0.0_f64, 0.0_f64);
            for influences in mesh.primitives.iter().filter_map(|primitive| primitive.influences.as_ref()) {
                for (joint, weight) in influences.joints().iter().zip(influences.weights()) {
                    all += f64::from(*weight);
                    of_head +=
                        if is_of_head.get(usize::from(*joint)) == Some(&true) { f64::from(*weight) } else { 0.0 };
                }
            }
            2.0 * of_head > all
        } else {
            head.contains(&instance.node.index())
        };
        if is_of_head { Self::Observers } else { Self::All }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rig::testing::chain;
    use crate::rig::{Influences, Primitive, Rig, RigData, Trs};

    const HEAD: NodeIndex = NodeIndex(2);

    fn instance(node: u32, skin: Option<usize>) -> MeshInstance {
        MeshInstance { node: NodeIndex(node), mesh: 0, skin, morph_weights: Vec::new() }
    }

    fn seen_by(shares: [f32; 2], head: Option<NodeIndex>) -> FirstPersonVisibility {
        let hierarchy = chain(4, Trs::IDENTITY);
        // The second joint is below the head.
        let skin = Skin { joints: vec![NodeIndex(1), NodeIndex(3)], ..Skin::default() };
        let influences = Influences::new(2, vec![0, 1], shares.to_vec());
        let primitives = vec![Primitive { influences: Some(influences), ..Primitive::default() }];
        let mesh = Mesh { primitives, ..Mesh::default() };
        FirstPersonVisibility::automatic(&hierarchy, head, &instance(0, Some(0)), &mesh, Some(&skin))
    }

    #[test]
    fn without_a_mark_the_head_decides() {
        assert_eq!(seen_by([0.4, 0.6], Some(HEAD)), FirstPersonVisibility::Observers);
        assert_eq!(seen_by([0.5, 0.5], Some(HEAD)), FirstPersonVisibility::All, "no more than half");
        assert_eq!(seen_by([0.0, 1.0], None), FirstPersonVisibility::All);
        let (hierarchy, mesh) = (chain(4, Trs::IDENTITY), Mesh::default());
        for (node, expected) in [
            (1, FirstPersonVisibility::All),
            (2, FirstPersonVisibility::Observers),
            (3, FirstPersonVisibility::Observers),
        ] {
            assert_eq!(
                FirstPersonVisibility::automatic(&hierarchy, Some(HEAD), &instance(node, None), &mesh, None),
                expected
            );
        }
    }

    #[test]
    fn each_pair_of_eyes_lacks_the_meshes_of_the_other() {
        let seen_by = vec![
            FirstPersonVisibility::All,
            FirstPersonVisibility::Observers,
            FirstPersonVisibility::Itself,
            FirstPersonVisibility::Observers,
        ];
        let rig = Rig::new(RigData { seen_by, ..RigData::default() });
        assert!(rig.has_first_person() && !Rig::default().has_first_person());
        assert_eq!((rig.unseen_meshes(true), rig.unseen_meshes(false)), ([1, 3].into(), [2].into()));
    }
}
