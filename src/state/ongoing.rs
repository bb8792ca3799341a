//! What runs beside the frame loop, as the window lists it.

use std::sync::Arc;

use super::AppState;
use crate::rig::Rig;
use crate::skinning::Method;
use crate::view::Side;

/// A job that the user waits for.
#[derive(Clone, Debug, PartialEq)]
pub struct Ongoing {
    /// Of no other job.
    pub id: u64,
    /// What it does, as in "Looking for findings".
    pub does: String,
    /// How far it is, in words; empty where nobody knows.
    pub so_far: String,
    /// How much of it is done, 0 to 1.
    pub fraction: f32,
}

impl AppState {
    /// There will be no findings of a character: looking for them was cancelled or died.
    pub(super) fn lint_stopped(&mut self, rig: &Arc<Rig>) {
        if self.is_of_open(rig) {
            self.open.lint.is_stopped = true;
        }
    }

    /// There will be no centres of a character: sides that wait for them show LBS, as they do by then.
    pub(super) fn centers_stopped(&mut self, rig: &Arc<Rig>) {
        if self.is_of_open(rig) {
            for side in Side::ALL.into_iter().filter(|side| self.awaits_centers(*side)).collect::<Vec<_>>() {
                self.open.view.sides[side].skinning.method = Method::Lbs;
            }
        }
    }
}
