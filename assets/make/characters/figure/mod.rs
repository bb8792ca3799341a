//! The built-in figure: a body, and clothes as separate shells. One half is built, the other is its mirror image.

mod arm;
mod body;
mod eyes;
mod finish;
mod hair;
mod head;
mod palette;
mod piece;
mod shirt;
mod shoe;
mod skeleton;
mod trims;
mod trousers;
mod weights;

use super::clips;
use super::model::Character;

/// Builds the figure with its clips.
pub fn figure() -> Character {
    let rig = skeleton::skeleton();
    let mut pieces =
        vec![head::head(), arm::arm(), eyes::eye(), hair::hair(), shirt::shirt(), trousers::trousers(), shoe::shoe()];
    pieces.extend(trims::trims());
    let primitives = finish::primitives(&pieces, &rig);
    let clips = clips::clips(&rig);
    Character { name: "Figure", rig, primitives, clips }
}
