//! Reads the folders of the pose library beside the frame loop, draws its thumbnails, and notices what other programs change there.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::time::Duration;

use notify::{RecommendedWatcher, RecursiveMode, Watcher as _};

use super::watcher::may_have_written;
use crate::export::PoseFile;
use crate::render::{Frame, Headless, RenderError, Scene};
use crate::rig::{Pose, Rig, bounds, evaluate};
use crate::skinning::palettes;
use crate::state::{AppState, Command, LibraryCommand, PoseCard, SidePanel, Thumbnail, list_poses};
use crate::view::{Camera, Display, PerSide, ShownSide, View};

/// A folder is read again when nothing has happened in it for so long.
const QUIET: Duration = Duration::from_millis(150);
/// A small picture needs less room around the character than a window.
const CLOSER: f32 = 0.75;
/// Between two looks at whether the drawing is still wanted.
const TIME_TO_UPLOAD: Duration = Duration::from_millis(20);

/// Keeps the cards of the open character's library true, as long as they are looked at.
#[derive(Default)]
pub struct Librarian {
    running: Option<Running>,
}

struct Running {
    of: Subject,
    is_cancelled: Arc<AtomicBool>,
    messages: Sender<Message>,
    results: Receiver<Command>,
}

/// What the thumbnails show.
#[derive(Clone)]
struct Subject {
    rig: Arc<Rig>,
    folders: Vec<PathBuf>,
    is_dark: bool,
}

enum Message {
    /// This program has written there.
    List,
    /// Something has happened there, and more may follow.
    Changed,
    Stop,
}

impl Librarian {
    /// Begins with the character that is open, once its poses are looked at; what was drawn of another is cancelled.
    pub fn follow(&mut self, state: &AppState, ctx: &egui::Context) {
        let library = &state.open.library;
        let is_dark = state.open.view.display.is_dark;
        let is_same = |r: &Running| {
            Arc::ptr_eq(&r.of.rig, state.rig()) && r.of.folders == library.folders() && r.of.is_dark == is_dark
        };
        if self.running.as_ref().is_some_and(is_same) {
            return;
        }
        self.running = None;
        if state.side_panel == SidePanel::Pose {
            let of = Subject { rig: Arc::clone(state.rig()), folders: library.folders().to_vec(), is_dark };
            self.running = Running::start(of, ctx);
        }
    }

    /// Reads the folders again.
    pub fn list_again(&self) {
        if let Some(running) = &self.running {
            let _ = running.messages.send(Message::List);
        }
    }

    /// What was found and drawn since.
    pub fn results(&self) -> impl Iterator<Item = Command> + '_ {
        self.running.iter().flat_map(|running| running.results.try_iter())
    }
}

impl Running {
    fn start(of: Subject, ctx: &egui::Context) -> Option<Self> {
        let (messages, inbox) = channel();
        let (sender, results) = channel();
        let is_cancelled = Arc::new(AtomicBool::new(false));
        let ctx = ctx.clone();
        let tell = move |command| {
            let _ = sender.send(Command::Library(command));
            ctx.request_repaint();
        };
        let (subject, cancel, folders) = (of.clone(), Arc::clone(&is_cancelled), FolderWatch::new(messages.clone()));
        let work = move || Work::new(subject, cancel, folders, inbox).run(&tell);
        let spawned = std::thread::Builder::new().name("pose library".to_owned()).spawn(work);
        spawned.map_err(|e| log::error!("no thread could be started for the pose library: {e}")).ok()?;
        Some(Self { of, is_cancelled, messages, results })
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        self.is_cancelled.store(true, Ordering::Relaxed);
        let _ = self.messages.send(Message::Stop);
    }
}

/// What the thread has; the context in it stays on that thread.
struct Work {
    of: Subject,
    is_cancelled: Arc<AtomicBool>,
    folders: FolderWatch,
    inbox: Receiver<Message>,
    cards: Vec<PoseCard>,
    studio: Option<Studio>,
    cannot_draw: bool,
}

impl Work {
    fn new(of: Subject, is_cancelled: Arc<AtomicBool>, folders: FolderWatch, inbox: Receiver<Message>) -> Self {
        Self { of, is_cancelled, folders, inbox, cards: Vec::new(), studio: None, cannot_draw: false }
    }

    fn run(mut self, tell: &impl Fn(LibraryCommand)) {
        while self.list(tell).is_some() {
            self.draw_until_asked(tell);
            // Until there is something to draw again, the card's memory is of better use elsewhere.
            self.studio = None;
            match self.inbox.recv() {
                Ok(Message::List) => {}
                Ok(Message::Changed) if quietens(&self.inbox) => {}
                _ => return,
            }
        }
    }

    fn list(&mut self, tell: &impl Fn(LibraryCommand)) -> Option<()> {
        // Before reading: what changes meanwhile is told.
        self.folders.watch(&self.of.folders);
        let hierarchy = &self.of.rig.hierarchy;
        let listing = list_poses(hierarchy, &self.of.folders, &self.cards, &self.is_cancelled)?;
        self.cards.clone_from(&listing.cards);
        tell(LibraryCommand::Listed(Arc::clone(&self.of.rig), listing));
        Some(())
    }

    /// Draws what has no thumbnail yet; poses that come meanwhile are listed at once.
    fn draw_until_asked(&mut self, tell: &impl Fn(LibraryCommand)) {
        while let Some(at) = self.cards.iter().position(|c| c.about.is_ok() && c.thumbnail.is_none()) {
            if self.cannot_draw || self.is_cancelled.load(Ordering::Relaxed) {
                return;
            }
            match self.inbox.try_recv() {
                Ok(Message::Stop) => return,
                Ok(Message::List | Message::Changed) => {
                    if self.list(tell).is_none() {
                        return;
                    }
                    continue;
                }
                Err(_) => {}
            }
            match self.thumbnail(&self.cards[at].file.path.clone()) {
                Ok(Some(thumbnail)) => {
                    let (card, thumbnail) = (&mut self.cards[at], Arc::new(thumbnail));
                    card.thumbnail = Some(Arc::clone(&thumbnail));
                    tell(LibraryCommand::Drawn(card.file.clone(), thumbnail));
                }
                Ok(None) => return,
                Err(problem) => {
                    log::warn!("poses have no thumbnails: {problem}");
                    self.cannot_draw = true;
                }
            }
        }
    }

    /// `None` where it is wanted no longer.
    fn thumbnail(&mut self, path: &Path) -> Result<Option<Thumbnail>, RenderError> {
        let hierarchy = &self.of.rig.hierarchy;
        // One that went since it was listed is listed no longer in a moment.
        let pose = PoseFile::read(path).map_or_else(|_| Pose::rest(hierarchy), |file| file.pose_for(hierarchy).0);
        let studio = match self.studio.take() {
            Some(studio) => studio,
            None => Studio::new()?,
        };
        self.studio.insert(studio).picture(&self.of, &pose, &self.is_cancelled)
    }
}

/// An OpenGL context of this thread.
struct Studio {
    /// Goes before the context that it was made from.
    scene: Scene,
    _headless: Headless,
    pictures: u64,
}

impl Studio {
    fn new() -> Result<Self, RenderError> {
        let headless = Headless::new()?;
        let mut scene = headless.scene()?;
        scene.limit_uploads(TIME_TO_UPLOAD);
        Ok(Self { scene, _headless: headless, pictures: 0 })
    }

    /// The rig in a pose, from where it is first seen; `None` where it was cancelled.
    fn picture(
        &mut self,
        of: &Subject,
        pose: &Pose,
        is_cancelled: &AtomicBool,
    ) -> Result<Option<Thumbnail>, RenderError> {
        while self.scene.prepare(&of.rig)? < 1.0 {
            if is_cancelled.load(Ordering::Relaxed) {
                return Ok(None);
            }
        }
        let rig = &of.rig;
        let posed = evaluate(rig, None, pose);
        let is_skeleton = rig.instances.is_empty();
        let display = Display { bones: is_skeleton, grid: false, is_dark: of.is_dark, ..Display::default() };
        let mut camera = Camera::facing(rig.front());
        camera.frame(bounds(rig, &posed), 1.0);
        camera.distance *= CLOSER;
        self.pictures += 1;
        self.scene.draw(&Frame {
            rig,
            sides: PerSide::both(ShownSide::new(&posed, &palettes(rig, &posed))),
            centers: None,
            pose,
            view: &View { camera, display, ..View::default() },
            size: [Thumbnail::SIDE; 2],
            pixels_per_point: 1.0,
            version: self.pictures,
        })?;
        Ok(Some(Thumbnail { rgba: self.scene.pixels()?.into_raw() }))
    }
}

/// Tells of changes in folders, as far as the system does.
struct FolderWatch {
    system: Option<RecommendedWatcher>,
    watched: Vec<PathBuf>,
}

impl FolderWatch {
    fn new(messages: Sender<Message>) -> Self {
        let listener = move |event: notify::Result<notify::Event>| {
            if event.map_or(true, |e| e.need_rescan() || may_have_written(e.kind)) {
                let _ = messages.send(Message::Changed);
            }
        };
        let system = notify::recommended_watcher(listener);
        let system = system.map_err(|e| log::warn!("changes of the pose library are not noticed: {e}")).ok();
        Self { system, watched: Vec::new() }
    }

    /// Watches these folders as far as they exist by now, and where one does not, the folder that it would be in.
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

/// Waits until nothing has happened for a while, or until this program asks; false where it is to stop.
fn quietens(inbox: &Receiver<Message>) -> bool {
    loop {
        match inbox.recv_timeout(QUIET) {
            Ok(Message::Changed) => {}
            Ok(Message::List) | Err(RecvTimeoutError::Timeout) => return true,
            Ok(Message::Stop) | Err(RecvTimeoutError::Disconnected) => return false,
        }
    }
}
