//! Finds centres of rotation beside the frame loop.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::sync::mpsc::{Receiver, channel};
use std::time::Duration;

use crate::rig::Rig;
use crate::skinning::Centers;
use crate::state::{AppState, Command};

/// At most one search on its way.
#[derive(Default)]
pub struct CenterFinder {
    running: Option<Running>,
}

struct Running {
    rig: Arc<Rig>,
    shared: Arc<Shared>,
    result: Receiver<Command>,
}

#[derive(Default)]
struct Shared {
    is_cancelled: AtomicBool,
    /// Bits of the share that is done.
    done: AtomicU32,
}

impl Drop for Running {
    fn drop(&mut self) {
        self.shared.is_cancelled.store(true, Ordering::Relaxed);
    }
}

impl CenterFinder {
    /// Searches for what the state wants, and for nothing that it wants no longer; tells it how far the search is.
    pub fn follow(&mut self, state: &mut AppState, ctx: &egui::Context) {
        if !state.wants_centers() {
            self.running = None;
        } else if self.running.as_ref().is_none_or(|r| !Arc::ptr_eq(&r.rig, state.rig())) {
            self.running = Running::start(state.rig(), ctx);
        }
        let done = |running: &Running| f32::from_bits(running.shared.done.load(Ordering::Relaxed));
        state.centers_progress = self.running.as_ref().map(done);
        if self.running.is_some() {
            ctx.request_repaint_after(Duration::from_millis(100));
        }
    }

    /// The centres, once.
    pub fn poll(&self) -> Option<Command> {
        self.running.as_ref()?.result.try_recv().ok()
    }
}

impl Running {
    /// `None` without a thread.
    fn start(rig: &Arc<Rig>, ctx: &egui::Context) -> Option<Self> {
        let (sender, result) = channel();
        let shared = Arc::<Shared>::default();
        let running = Self { rig: Arc::clone(rig), shared: Arc::clone(&shared), result };
        let (rig, ctx) = (Arc::clone(rig), ctx.clone());
        let search = move || {
            let goes_on = |done: f32| {
                shared.done.store(done.to_bits(), Ordering::Relaxed);
                !shared.is_cancelled.load(Ordering::Relaxed)
            };
            if let Some(centers) = Centers::new(&rig, goes_on) {
                // Nobody may wait for it any more.
                let _ = sender.send(Command::FoundCenters(rig, Arc::new(centers)));
                ctx.request_repaint();
            }
        };
        match std::thread::Builder::new().name("centers".to_owned()).spawn(search) {
            Ok(_) => Some(running),
            Err(problem) => {
                log::error!("no thread could be started to find centres of rotation: {problem}");
                None
            }
        }
    }
}
