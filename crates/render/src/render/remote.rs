//! Rendering from other threads in a window's OpenGL context. A second context is not always available. macOS and
//! Windows have none without a window. NVIDIA's X11 driver cannot make an EGL context current on any thread while the
//! window's GLX context is current. Other threads therefore send requests to the window's thread, which runs a few of
//! them in each frame.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;
use std::fmt::{self, Debug, Formatter};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::time::{Duration, Instant};

use three_d::context::Context as GlContext;

use super::Scene;
use super::rig::upload::Wake;

/// One step of a draw request. Returns true once the request is finished.
type DrawStep = Box<dyn FnMut(&mut Scene) -> bool + Send>;

enum SceneRequest {
    Draw(u64, DrawStep),
    Close(u64),
}

/// Opens scenes in a window's context, for threads without a context. The default has no window and draws nothing.
#[derive(Clone)]
pub struct RemoteScenes {
    orders: Sender<SceneRequest>,
    wake: Wake,
}

impl Default for RemoteScenes {
    fn default() -> Self {
        Self { orders: channel().0, wake: Arc::new(|| {}) }
    }
}

impl Debug for RemoteScenes {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.debug_struct("RemoteScenes").finish_non_exhaustive()
    }
}

impl RemoteScenes {
    /// Opens a scene. It is created when it is first drawn.
    pub fn open(&self) -> RemoteScene {
        static NEXT: AtomicU64 = AtomicU64::new(0);
        RemoteScene { number: NEXT.fetch_add(1, Ordering::Relaxed), scenes: self.clone() }
    }

    fn order(&self, order: SceneRequest) {
        // Sending fails after the window has closed. The step is then dropped, which ends the wait of its thread.
        let _ = self.orders.send(order);
        (self.wake)();
    }
}

/// A scene in a window's context. Dropping it frees its GPU memory.
#[derive(Debug)]
pub struct RemoteScene {
    number: u64,
    scenes: RemoteScenes,
}

impl RemoteScene {
    /// Calls `step` on the window's thread, once per frame, until it returns a result. Returns `None` if the window
    /// can't draw.
    pub fn draw<T: Send + 'static>(&self, mut step: impl FnMut(&mut Scene) -> Option<T> + Send + 'static) -> Option<T> {
        let (results, result) = channel();
        let step = move |scene: &mut Scene| step(scene).map(|done| results.send(done)).is_some();
        self.scenes.order(SceneRequest::Draw(self.number, Box::new(step)));
        result.recv().ok()
    }
}

impl Drop for RemoteScene {
    fn drop(&mut self) {
        self.scenes.order(SceneRequest::Close(self.number));
    }
}

/// Runs requests from other threads in the window's context, which must be current in every call and on drop.
pub struct SceneHost {
    gl: Arc<GlContext>,
    time_to_upload: Duration,
    wake: Wake,
    orders: Receiver<SceneRequest>,
    scenes: BTreeMap<u64, Scene>,
    begun: Option<(u64, DrawStep)>,
}

impl SceneHost {
    /// Creates a host that uploads for at most `time_to_upload` per call, and a handle for other threads. The handle
    /// calls `wake` after each request.
    pub fn new(
        gl: Arc<GlContext>,
        time_to_upload: Duration,
        wake: impl Fn() + Send + Sync + 'static,
    ) -> (Self, RemoteScenes) {
        let (sender, orders) = channel();
        let wake: Wake = Arc::new(wake);
        let scenes = RemoteScenes { orders: sender, wake: Arc::clone(&wake) };
        (Self { gl, time_to_upload, wake, orders, scenes: BTreeMap::new(), begun: None }, scenes)
    }

    /// Runs pending requests, step by step, until `time` has passed. Always runs at least one step. Returns true if
    /// more may be pending.
    pub fn go_on(&mut self, time: Duration) -> bool {
        let end = Instant::now() + time;
        while let Some((scene, step)) = self.begun.take().or_else(|| self.next()) {
            self.begun = self.step(scene, step);
            if self.begun.is_some() || Instant::now() >= end {
                return true;
            }
        }
        false
    }

    fn next(&mut self) -> Option<(u64, DrawStep)> {
        loop {
            match self.orders.try_recv().ok()? {
                SceneRequest::Draw(scene, step) => return Some((scene, step)),
                SceneRequest::Close(scene) => _ = self.scenes.remove(&scene),
            }
        }
    }

    /// Runs a step. Returns the step if its request is unfinished. Logs and drops a step that fails.
    fn step(&mut self, number: u64, mut step: DrawStep) -> Option<(u64, DrawStep)> {
        let scene = match self.scenes.entry(number) {
            Entry::Occupied(scene) => scene.into_mut(),
            Entry::Vacant(place) => match Scene::new(Arc::clone(&self.gl)) {
                Ok(mut scene) => {
                    scene.limit_uploads(self.time_to_upload);
                    let wake = Arc::clone(&self.wake);
                    scene.wake_by(move || wake());
                    place.insert(scene)
                }
                Err(problem) => {
                    log::warn!("an image for another thread was not drawn: {problem}");
                    return None;
                }
            },
        };
        if let Ok(is_done) = catch_unwind(AssertUnwindSafe(|| step(scene))) {
            (!is_done).then_some((number, step))
        } else {
            log::warn!("an image for another thread was not drawn because of a fault in Rigscope");
            self.scenes.remove(&number);
            None
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::render::Headless;

    const TIME: Duration = Duration::from_millis(8);

    #[test]
    fn other_threads_draw_by_the_steps_of_the_host_which_outlives_their_faults() {
        let headless = Headless::new().expect("Mesa's software device is enough");
        let (mut host, scenes) = SceneHost::new(headless.context(), TIME, || {});
        let other = std::thread::Builder::new()
            .name("other".to_owned())
            .spawn(move || {
                let scene = scenes.open();
                let mut left = 3;
                let counted = scene.draw(move |_| {
                    left -= 1;
                    (left == 0).then_some("done")
                });
                let failed: Option<()> = scene.draw(|_| panic!("index 7"));
                (counted, failed, scene.draw(|scene| Some(scene.samples())))
            })
            .unwrap();
        while !other.is_finished() {
            host.go_on(TIME);
        }
        assert_eq!(other.join().unwrap(), (Some("done"), None, Some(4)));
        host.go_on(TIME);
        assert!(host.scenes.is_empty(), "a scene that is dropped is freed");
    }

    #[test]
    fn nothing_waits_for_a_window_that_is_not_there() {
        assert_eq!(RemoteScenes::default().open().draw(|_| Some(1)), None);
        let headless = Headless::new().expect("Mesa's software device is enough");
        let (host, scenes) = SceneHost::new(headless.context(), TIME, || {});
        let other = std::thread::Builder::new()
            .name("other".to_owned())
            .spawn(move || scenes.open().draw(|_| Some(1)))
            .unwrap();
        drop(host);
        assert_eq!(other.join().unwrap(), None);
    }
}
