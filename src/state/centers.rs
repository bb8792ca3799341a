//! The centres of rotation of the open character: found beside the frame loop when a side needs them, and kept.

use std::sync::Arc;

use super::{AppState, Notice, Severity};
use crate::rig::Rig;
use crate::skinning::{Centers, Method, Skinning};
use crate::view::Side;

impl AppState {
    /// Those of the open character, once they are found.
    pub fn centers(&self) -> Option<&Arc<Centers>> {
        self.centers.as_ref().filter(|(rig, _)| Arc::ptr_eq(rig, self.rig())).map(|(_, centers)| centers)
    }

    /// True where a side needs centres that are not found yet; until then it shows LBS.
    pub fn wants_centers(&self) -> bool {
        self.centers().is_none() && Side::ALL.into_iter().any(|side| self.skinning(side).method.needs_centers())
    }

    /// Takes centres, unless they are of a character that is open no longer.
    pub(super) fn take_centers(&mut self, rig: Arc<Rig>, centers: Arc<Centers>) {
        if Arc::ptr_eq(&rig, self.rig()) {
            self.centers = Some((rig, centers));
            self.derived.is_stale = true;
        }
    }

    /// Whether a way of skinning serves the open character; says why not.
    pub(super) fn allows(&mut self, skinning: &Skinning) -> bool {
        let Err(problem) = skinning.check(self.rig()) else { return true };
        self.notice =
            Some(Notice { severity: Severity::Warning, text: format!("The method was not changed: {problem}") });
        false
    }

    /// For another character: a side whose method does not serve it shows LBS.
    pub(super) fn leave_unsuited_methods(&mut self) {
        let rig = Arc::clone(&self.document.rig);
        for skinning in [&mut self.view.skinning, &mut self.view.compare.b] {
            if let Err(problem) = skinning.check(&rig) {
                skinning.method = Method::Lbs;
                self.notice = Some(Notice { severity: Severity::Info, text: format!("LBS is shown: {problem}") });
            }
        }
    }
}
