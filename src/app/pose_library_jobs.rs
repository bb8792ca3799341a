use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use notify::{RecommendedWatcher, RecursiveMode, Watcher as _};

use super::thumbnail_studio::{ThumbnailPose, ThumbnailStudio};
use super::watcher::may_have_written;
use crate::jobs::{JobKind, Jobs, Mailbox, Progress, Worker, WorkerChannel};
use crate::render::{RemoteScenes, RenderError};
use crate::rig::{Pose, Rig};
use crate::state::{AppState, JobResult, PoseCard, SidePanel, Thumbnail, list_poses};

const LIBRARY: JobKind = JobKind::new(
    "pose library",
    "Drawing the pose library",
    "Poses may be without a picture; File > Open pose still opens them.",
);

/// A changed folder is read again once it has not changed for this long.
const QUIET: Duration = Duration::from_millis(150);
/// With more poses than this, all thumbnails are drawn at [`Thumbnail::SIDE`] pixels, so that they fit into memory.
const MANY: usize = 250;

/// Lists poses, draws thumbnails and watches for changes, while the pose library is visible.
#[derive(Default)]
pub(super) struct PoseLibraryJobs {
    running: Option<(ThumbnailSubject, Worker<LibraryMessage, JobResult>)>,
}

#[derive(Clone)]
struct ThumbnailSubject {
    rig: Arc<Rig>,
    folders: Vec<PathBuf>,
    is_dark: bool,
    /// Width and height of a thumbnail, pixels.
    side: u32,
}

enum LibraryMessage {
    /// This program changed a folder, which must be listed at once.
    List,
    /// Another program changed a folder and may still be changing it.
    Changed,
}

impl PoseLibraryJobs {
    /// Starts the worker when the pose library becomes visible. Restarts it for another character or resolution.
    pub(super) fn follow(&mut self, state: &AppState, pixels_per_point: f32, window: (&Jobs, &RemoteScenes)) {
        let library = &state.open.library;
        let is_dark = state.open.stage.view.display.is_dark;
        let side = Thumbnail::side_on(pixels_per_point);
        let is_same = |(of, _): &(ThumbnailSubject, _)| {
            Arc::ptr_eq(&of.rig, state.open.stage.rig())
                && of.folders == library.folders()
                && (of.is_dark, of.side) == (is_dark, side)
        };
        if self.running.as_ref().is_some_and(is_same) {
            return;
        }
        self.running = None;
        if state.panels.is_shown(SidePanel::Pose, &state.settings) {
            let of = ThumbnailSubject {
                rig: Arc::clone(state.open.stage.rig()),
                folders: library.folders().to_vec(),
                is_dark,
                side,
            };
            self.start(of, window, draw_until_asked);
        }
    }

    fn start(&mut self, of: ThumbnailSubject, (jobs, scenes): (&Jobs, &RemoteScenes), draw: Draw) {
        let (file, scenes) = (of.clone(), scenes.clone());
        let mut folders = None;
        let worker = Worker::start(jobs, &LIBRARY, move |desk: &Desktop| {
            let folders = folders.get_or_insert_with(|| FolderWatch::new(desk.mailbox()));
            ThumbnailWork::new(file.clone(), (desk, scenes.clone()), folders).run(draw);
        });
        worker.send(LibraryMessage::List);
        self.running = Some((of, worker));
    }

    pub(super) fn list_again(&self) {
        if let Some((_, worker)) = &self.running {
            worker.send(LibraryMessage::List);
        }
    }

    pub(super) fn results(&self) -> impl Iterator<Item = JobResult> + '_ {
        self.running.iter().flat_map(|(_, worker)| worker.results())
    }
}

type Desktop = WorkerChannel<LibraryMessage, JobResult>;
type Draw = fn(&mut ThumbnailWork<'_>);

struct ThumbnailWork<'a> {
    of: ThumbnailSubject,
    desk: &'a Desktop,
    folders: &'a mut FolderWatch,
    cards: Vec<PoseCard>,
    scenes: RemoteScenes,
    studio: Option<ThumbnailStudio>,
    cannot_draw: bool,
}

impl<'a> ThumbnailWork<'a> {
    fn new(of: ThumbnailSubject, (desk, scenes): (&'a Desktop, RemoteScenes), folders: &'a mut FolderWatch) -> Self {
        Self { of, desk, folders, cards: Vec::new(), scenes, studio: None, cannot_draw: false }
    }

    fn run(mut self, draw: Draw) {
        while let Some(message) = self.desk.next() {
            if let LibraryMessage::Changed = message {
                self.settle();
            }
            if self.list().is_some() {
                draw(&mut self);
            }
            // Frees graphics memory until the next thumbnail is drawn.
            self.studio = None;
        }
    }

    /// Waits until nothing has changed for [`QUIET`], or until this program requests a listing.
    fn settle(&self) {
        while let Some(LibraryMessage::Changed) = self.desk.next_within(QUIET) {}
    }

    /// Lists the poses. Returns `None` if cancelled.
    fn list(&mut self) -> Option<()> {
        // Watches before reading, so that changes during the read are noticed.
        self.folders.watch(&self.of.folders);
        let listing = list_poses(&self.of.rig, &self.of.folders, &self.cards, &self.desk.progress())?;
        self.cards.clone_from(&listing.cards);
        self.desk.send(JobResult::PosesListed(Arc::clone(&self.of.rig), listing));
        Some(())
    }

    fn to_draw(&self) -> Option<(usize, Arc<Pose>)> {
        let mut poses = self.cards.iter().enumerate().filter(|(_, card)| card.thumbnail.is_none());
        poses.find_map(|(at, card)| Some((at, Arc::clone(&card.content.as_ref().ok()?.pose))))
    }

    /// Draws a thumbnail. Returns `None` if cancelled, or if the window was closed.
    fn thumbnail(&mut self, pose: &Pose, progress: &Arc<Progress>) -> Result<Option<Thumbnail>, RenderError> {
        let studio = self.studio.get_or_insert_with(|| ThumbnailStudio::new(&self.scenes));
        let ThumbnailSubject { rig, is_dark, side, .. } = &self.of;
        let side = if self.cards.len() > MANY { Thumbnail::SIDE } else { *side };
        studio.picture(ThumbnailPose::new(rig, pose), side, *is_dark, progress)
    }
}

/// Draws the missing thumbnails. Lists the poses again whenever a message arrives.
fn draw_until_asked(work: &mut ThumbnailWork<'_>) {
    let progress = work.desk.progress();
    while let Some((at, pose)) = work.to_draw() {
        if work.cannot_draw || progress.is_cancelled() {
            return;
        }
        if work.desk.try_next().is_some() {
            if work.list().is_none() {
                return;
            }
            continue;
        }
        let drawn = work.cards.iter().filter(|c| c.thumbnail.is_some()).count();
        progress.enter("", drawn, work.cards.len());
        match work.thumbnail(&pose, &progress) {
            Ok(Some(thumbnail)) => {
                let (card, thumbnail) = (&mut work.cards[at], Arc::new(thumbnail));
                card.thumbnail = Some(Arc::clone(&thumbnail));
                work.desk.send(JobResult::PoseDrawn(card.file.clone(), thumbnail));
            }
            Ok(None) => return,
            Err(problem) => {
                log::warn!("poses have no thumbnails: {problem}");
                work.cannot_draw = true;
            }
        }
    }
}

/// Watches folders for changes, if the system supports it.
struct FolderWatch {
    system: Option<RecommendedWatcher>,
    watched: Vec<PathBuf>,
}

impl FolderWatch {
    fn new(messages: Mailbox<LibraryMessage>) -> Self {
        let listener = move |event: notify::Result<notify::Event>| {
            if event.map_or(true, |e| e.need_rescan() || may_have_written(e.kind)) {
                messages.send(LibraryMessage::Changed);
            }
        };
        let system = notify::recommended_watcher(listener);
        let system = system.map_err(|e| log::warn!("changes of the pose library are not noticed: {e}")).ok();
        Self { system, watched: Vec::new() }
    }

    /// Watches the folders. For a folder that doesn't exist, watches its parent.
    fn watch(&mut self, folders: &[PathBuf]) {
        let Some(system) = &mut self.system else { return };
        let there =
            |folder: &PathBuf| if folder.is_dir() { Some(folder.clone()) } else { folder.parent().map(Path::to_owned) };
        let wanted: Vec<PathBuf> = folders.iter().filter_map(there).filter(|folder| folder.is_dir()).collect();
        for old in self.watched.iter().filter(|w| !wanted.contains(w)) {
            let _ = system.unwatch(old);
        }
        for new in wanted.iter().filter(|w| !self.watched.contains(w)) {
            if let Err(problem) = system.watch(new, RecursiveMode::NonRecursive) {
                log::warn!("changes in {} are not noticed: {problem}", new.display());
            }
        }
        self.watched = wanted;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    use crate::jobs::Outcome;
    use crate::jobs::testing::{fault, jobs, outcome};
    use crate::stage::{BuiltIn, Document};

    #[test]
    fn drawing_poses_that_dies_is_one_fault_and_poses_are_listed_again() {
        let (jobs, news) = jobs();
        let document = Document::built_in(BuiltIn::Tube);
        let folder = tempfile::tempdir().unwrap();
        let of = ThumbnailSubject {
            rig: document.rig,
            folders: vec![folder.path().to_owned()],
            is_dark: true,
            side: Thumbnail::SIDE,
        };
        let mut pose_library_jobs = PoseLibraryJobs::default();
        pose_library_jobs
            .start(of, (&jobs, &RemoteScenes::default()), |work| assert!(!work.cards.is_empty(), "index 7"));
        let (_, worker) = pose_library_jobs.running.as_ref().unwrap();
        let mut has_died = false;
        let told = fault(&jobs, &news, || {
            has_died |= std::iter::repeat_with(|| worker.poll()).take(2).any(|o| matches!(o, Outcome::Died));
            has_died
        });
        assert!(
            told.starts_with("Drawing the pose library stopped because of a fault in Rigscope (index 7)"),
            "{told}"
        );
        std::fs::write(folder.path().join("wave.pose.json"), "{}").unwrap();
        pose_library_jobs.list_again();
        let Outcome::Done(JobResult::PosesListed(_, listing)) = outcome(&news, || worker.poll()) else {
            panic!("nothing is listed")
        };
        assert_eq!(listing.cards.len(), 1);
    }
}
