//! Runs the twist and bend test, the ranking of joints and the simulation of engines beside the frame loop, the newest of each.

use std::sync::Arc;
use std::sync::mpsc::{Receiver, TryRecvError, channel};

use crate::analysis::Progress;
use crate::state::{AppState, Command, SimulationPlan, TestPose, TwistPlan};

/// At most one of each kind on its way.
#[derive(Default)]
pub struct Tester {
    test: Option<Running>,
    ranking: Option<Running>,
    simulation: Option<Running>,
    /// To be tested next.
    waiting: Option<(TwistPlan, egui::Context)>,
}

struct Running {
    progress: Arc<Progress>,
    result: Receiver<Command>,
}

impl Running {
    /// Starts a thread; a closed channel means that it was cancelled.
    fn start(ctx: &egui::Context, work: impl FnOnce(&Progress) -> Option<Command> + Send + 'static) -> Option<Self> {
        let (sender, result) = channel();
        let progress = Arc::new(Progress::default());
        let (ctx, seen) = (ctx.clone(), Arc::clone(&progress));
        let run = move || {
            // Threads of its own: those that all share serve what is shown now.
            let command = match rayon::ThreadPoolBuilder::new().build() {
                Ok(threads) => threads.install(|| work(&seen)),
                Err(_) => work(&seen),
            };
            if let Some(command) = command {
                let _ = sender.send(command);
            }
            drop(sender);
            ctx.request_repaint();
        };
        match std::thread::Builder::new().name("twist test".to_owned()).spawn(run) {
            Ok(_) => Some(Self { progress, result }),
            Err(problem) => {
                log::error!("no thread could be started for the twist test: {problem}");
                None
            }
        }
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        self.progress.cancel();
    }
}

impl Tester {
    /// Starts a test, once the one on its way has ended, which is cancelled; of those that wait only the newest is run.
    pub fn test(&mut self, plan: TwistPlan, ctx: &egui::Context) {
        if let Some(running) = &self.test {
            running.progress.cancel();
            self.waiting = Some((plan, ctx.clone()));
        } else {
            self.test = Running::start(ctx, move |progress| plan.run(progress));
        }
    }

    /// Starts the ranking; one on its way is cancelled.
    pub fn rank(&mut self, from: TestPose, ctx: &egui::Context) {
        self.ranking = Running::start(ctx, move |progress| from.rank(progress));
    }

    /// Starts a simulation; one on its way is cancelled.
    pub fn simulate(&mut self, plan: SimulationPlan, ctx: &egui::Context) {
        self.simulation = Running::start(ctx, move |progress| plan.run(progress));
    }

    /// Ends what is on its way.
    pub fn cancel(&mut self) {
        *self = Self::default();
    }

    /// What has come of them; the state learns how far they are.
    pub fn poll(&mut self, state: &mut AppState) -> Vec<Command> {
        let kinds = [
            (&mut self.test, &mut state.open.twist.progress),
            (&mut self.ranking, &mut state.open.twist.ranking),
            (&mut self.simulation, &mut state.simulating),
        ];
        let mut commands = Vec::new();
        for (running, shown) in kinds {
            *shown = running.as_ref().map(|r| r.progress.fraction());
            match running.as_ref().map(|r| r.result.try_recv()) {
                Some(Ok(command)) => commands.push(command),
                Some(Err(TryRecvError::Empty)) | None => continue,
                Some(Err(TryRecvError::Disconnected)) => {}
            }
            *running = None;
            *shown = None;
        }
        if self.test.is_none()
            && let Some((plan, ctx)) = self.waiting.take()
        {
            self.test(plan, &ctx);
        }
        commands
    }

    /// True while something is on its way.
    pub fn is_running(&self) -> bool {
        self.test.is_some() || self.ranking.is_some() || self.simulation.is_some()
    }
}
