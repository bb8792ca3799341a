//! The figure with a faulty clip: for a few frames of its walk, a forearm rotates around its own axis.

use std::error::Error;
use std::f32::consts::PI;
use std::path::Path;

use glam::Quat;
use rigscope::export::rig_glb;
use rigscope::import::{Job, import_file};
use rigscope::jobs::Progress;
use rigscope::rig::Property;

/// Name of the faulty clip.
const CLIP: &str = "walk";
/// Name of the faulty joint.
const JOINT: &str = "LeftLowerArm";
/// Start and end of the fault, as fractions of the clip.
const FAULT: [f32; 2] = [0.35, 0.65];
/// Maximum twist, radians.
const TWIST: f32 = 2.9;

/// Writes the figure in `hero` with the faulty clip.
pub fn write(hero: &Path, path: &Path) -> Result<(), Box<dyn Error>> {
    let rig = import_file(hero, &Job::default())?.rig;
    let mut clips = rig.clips.clone();
    let clip = clips.iter_mut().find(|clip| clip.name == CLIP).ok_or("the figure does not walk")?;
    let duration = clip.duration_secs;
    let is_turned = |node| rig.hierarchy.name(node) == JOINT;
    for channel in clip.channels.iter_mut().filter(|c| c.property == Property::Rotation && is_turned(c.node)) {
        for (time, value) in channel.times_secs.iter().zip(channel.values.chunks_exact_mut(4)) {
            let through = ((time / duration - FAULT[0]) / (FAULT[1] - FAULT[0])).clamp(0.0, 1.0);
            let twist = Quat::from_rotation_y(TWIST * (through * PI).sin().powi(2));
            value.copy_from_slice(&(Quat::from_slice(value) * twist).to_array());
        }
    }
    Ok(rig_glb(&rig.with_clips_replaced(0, clips), &Progress::default())?.write(path)?)
}
