//! The centres of rotation of the open character: found beside the frame loop when a side needs them, and kept.

use std::sync::Arc;

use super::{AppState, Notice, NoticeKind};
use crate::rig::Rig;
use crate::skinning::{Centers, Method, Skinning};
use crate::view::{Side, SideView};

/// Centres of the character by one set of weights or the other.
#[derive(Clone, Debug, Default)]
pub(super) struct KnownCenters(Vec<(Arc<Rig>, Arc<Centers>)>);

impl KnownCenters {
    pub fn of(&self, rig: &Arc<Rig>) -> Option<&Arc<Centers>> {
        self.0.iter().find(|(known, _)| Arc::ptr_eq(known, rig)).map(|(_, centers)| centers)
    }
}

impl AppState {
    /// Those of what a side shows, once they are found.
    pub fn centers(&self, side: Side) -> Option<&Arc<Centers>> {
        self.open.centers.of(&self.actor(side).rig)
    }

    /// True where a side needs centres that are not found yet; until then it shows LBS.
    pub fn awaits_centers(&self, side: Side) -> bool {
        self.skinning(side).method.needs_centers() && self.centers(side).is_none()
    }

    /// The character whose centres some side needs; `None` where none does.
    pub fn wants_centers(&self) -> Option<&Arc<Rig>> {
        Side::ALL.into_iter().find(|side| self.awaits_centers(*side)).map(|side| &self.actor(side).rig)
    }

    /// The method by which a side is shown now.
    pub fn shown_method(&self, side: Side) -> Method {
        if self.awaits_centers(side) { Method::Lbs } else { self.skinning(side).method }
    }

    /// Takes centres, unless they are of a character that is open no longer. Where there will be none, sides that wait for them show LBS,
    /// as they do by then.
    pub(super) fn take_centers(&mut self, rig: &Arc<Rig>, centers: Option<Arc<Centers>>) {
        if !self.is_of_open(rig) {
            return;
        }
        if let Some(centers) = centers {
            let shown = Side::ALL.map(|side| Arc::clone(&self.actor(side).rig));
            let known = &mut self.open.centers.0;
            // Those of the file's weights are asked for most.
            let file = &self.open.document.rig;
            known.retain(|(of, _)| shown.iter().chain([file]).any(|rig| Arc::ptr_eq(of, rig)));
            known.push((Arc::clone(rig), centers));
            self.open.derived.is_stale = true;
            return;
        }
        let waits = |side: &Side| self.awaits_centers(*side) && Arc::ptr_eq(&self.actor(*side).rig, rig);
        for side in Side::ALL.into_iter().filter(waits).collect::<Vec<_>>() {
            self.open.view.sides[side].skinning.method = Method::Lbs;
        }
    }

    /// Whether a way of skinning serves the open character; says why not.
    pub(super) fn allows(&mut self, skinning: &Skinning) -> bool {
        let Err(problem) = skinning.check(self.rig()) else { return true };
        self.notice =
            Some(Notice { kind: NoticeKind::Warning, text: format!("The method was not changed: {problem}") });
        false
    }

    /// For another character: a side whose method does not serve it shows LBS.
    pub(super) fn leave_unsuited_methods(&mut self) {
        let rig = Arc::clone(&self.open.document.rig);
        for SideView { skinning, .. } in self.open.view.sides.iter_mut() {
            if let Err(problem) = skinning.check(&rig) {
                skinning.method = Method::Lbs;
                self.notice = Some(Notice { kind: NoticeKind::Info, text: format!("LBS is shown: {problem}") });
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::import::Job;
    use crate::jobs::Progress;
    use crate::rig::{Mesh, RigParts};
    use crate::state::{AfterLoad, Arrived, BuiltIn, Command, Document, Settings, Source};

    fn document() -> Document {
        Document::open(&Source::BuiltIn(BuiltIn::Tube), &Job::default()).unwrap()
    }

    /// The tube without its skin.
    fn unskinned() -> Document {
        let tube = document();
        let mut instances = tube.rig.instances.clone();
        instances[0].skin = None;
        let meshes: Vec<Mesh> = tube.rig.meshes.clone();
        let rig = Arc::new(Rig::new(RigParts { meshes, instances, ..RigParts::clone(&tube.rig) }));
        Document { rig, ..tube }
    }

    #[test]
    fn centers_are_wanted_once_and_belong_to_their_character() {
        let mut state = AppState::new(document(), Settings::default());
        assert!(state.wants_centers().is_none());
        state.apply(Command::SetSkinning(Side::B, Method::Cor.into()));
        assert!(state.wants_centers().is_some());
        let (rig, version) = (Arc::clone(state.rig()), state.version());
        let centers = Arc::new(Centers::new(&rig, &Progress::default()).unwrap());
        state.receive(Arrived::Centers(Arc::new(Rig::clone(&rig)), Some(Arc::clone(&centers))));
        assert!(state.wants_centers().is_some(), "those of another rig are not taken");
        state.receive(Arrived::Centers(rig, Some(centers)));
        state.refresh();
        assert!(state.wants_centers().is_none() && state.centers(Side::B).is_some());
        assert_ne!(state.version(), version, "the picture is drawn again");
        state.receive(Arrived::Document(Box::new(document()), AfterLoad::Show));
        assert!(state.wants_centers().is_some(), "another character has others");
    }

    #[test]
    fn a_method_that_does_not_serve_the_character_is_refused_in_words() {
        let mut state = AppState::new(unskinned(), Settings::default());
        state.apply(Command::SetMethod(Method::Cor));
        assert_eq!(state.skinning(Side::A).method, Method::Lbs);
        assert!(state.notice.take().unwrap().text.contains("choose LBS"));
        let mut state = AppState::new(document(), Settings::default());
        state.apply(Command::SetMethod(Method::DqsBulge));
        assert_eq!((state.skinning(Side::A).method, state.notice.take()), (Method::DqsBulge, None));
        state.receive(Arrived::Document(Box::new(unskinned()), AfterLoad::Show));
        assert_eq!(state.skinning(Side::A).method, Method::Lbs);
        assert!(state.notice.unwrap().text.contains("LBS is shown"));
    }
}
