//! Skins: joints, inverse bind matrices, and the skinning method that they were authored for.

use glam::{Affine3, Mat4};
use serde_json::{Value, json};

use super::buffer::{Content, GlbBuffer};
use super::document::named;
use crate::rig::{AuthoredMethod, Skin};

/// Returns a skin. `skeleton`: common ancestor of the joints, or the topmost joint.
pub(super) fn skin(skin: &Skin, joints: &[usize], skeleton: Option<usize>, buffer: &mut GlbBuffer) -> Value {
    let matrix = |bind: &Affine3| Mat4::from(*bind).to_cols_array();
    let binds = buffer.rows(skin.inverse_bind.iter().map(matrix), Content::Other);
    let mut object = json!({"joints": joints, "inverseBindMatrices": binds});
    if let Some(skeleton) = skeleton {
        object["skeleton"] = json!(skeleton);
    }
    // glTF has no field for it; a skin without this is linear.
    if skin.authored != AuthoredMethod::Linear {
        object["extras"] = json!({"rigscope": {"method": skin.authored.name()}});
    }
    named(&skin.name, object)
}
