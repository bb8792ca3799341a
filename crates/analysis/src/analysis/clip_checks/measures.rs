//! Measurements of clips, each computed once and shared by all rules.

use std::sync::Arc;

use crate::analysis::feet::{ClipFeet, clip_feet, feet};
use crate::analysis::measurable;
use crate::analysis::seams::{Seam, seams};
use rigscope_core::jobs::Progress;
use rigscope_core::rig::{NodeIndex, Rig};
use rigscope_core::skinning::{Method, Skinner, Skinning};

/// Measurements that the rules need. The clips are skinned with the method that the file was authored for.
#[derive(Default)]
pub(super) struct ClipMeasures {
    seams: Vec<Option<Seam>>,
    /// Indices of the clips in `seams`, ascending.
    seam_clips: Vec<usize>,
    feet: Vec<ClipFeet>,
    has_feet: bool,
    /// Why the rig cannot be skinned; `None` if it can be.
    off: Option<String>,
}

impl ClipMeasures {
    /// Skins clips to measure their seams and feet; returns `None` if cancelled. `of_seams` and `of_feet` are clip
    /// indices in ascending order.
    pub(super) fn new(rig: &Arc<Rig>, of_seams: Vec<usize>, of_feet: &[usize], progress: &Progress) -> Option<Self> {
        progress.check_cancelled()?;
        if of_seams.is_empty() && of_feet.is_empty() {
            return Some(Self::default());
        }
        let off = |why: String| Some(Self { off: Some(why), ..Self::default() });
        if measurable(rig).is_none() {
            return off("the character has too many vertices".to_owned());
        }
        let skinner = match Skinner::new(rig, &Skinning::new(Method::authored(rig).unwrap_or_default())) {
            Ok(skinner) => skinner,
            Err(why) => return off(format!("it cannot be skinned: {why}")),
        };
        let found: Vec<NodeIndex> = if of_feet.is_empty() { Vec::new() } else { feet(rig) };
        let seams = if of_seams.is_empty() { Vec::new() } else { seams(&skinner, &of_seams, None, progress)? };
        let feet = if found.is_empty() { Vec::new() } else { clip_feet(&skinner, &found, of_feet, None, progress)? };
        Some(Self { seams, seam_clips: of_seams, feet, has_feet: !found.is_empty(), off: None })
    }

    pub(super) fn seam(&self, clip: usize) -> Result<&Seam, String> {
        self.off.clone().map_or(Ok(()), Err)?;
        let at = self.seam_clips.binary_search(&clip).ok();
        let seam = at.and_then(|at| self.seams.get(at)?.as_ref());
        seam.ok_or_else(|| "it has fewer than three frames".to_owned())
    }

    pub(super) fn feet(&self, clip: usize) -> Result<&ClipFeet, String> {
        self.off.clone().map_or(Ok(()), Err)?;
        if !self.has_feet {
            return Err("no joint looks like a foot by its name".to_owned());
        }
        let found = self.feet.iter().find(|feet| feet.clip == clip).filter(|feet| !feet.feet.is_empty());
        let feet = found.ok_or_else(|| "nothing drawn follows the feet".to_owned())?;
        if feet.frames < 3 {
            Err("it has fewer than three frames".to_owned())
        } else if feet.is_doubtful() {
            Err("feet hardly ever stand on the floor".to_owned())
        } else {
            Ok(feet)
        }
    }
}
