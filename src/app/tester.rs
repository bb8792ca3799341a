//! Runs the twist and bend test, the ranking of joints and the simulation of engines beside the frame loop, the newest of each.

use std::sync::Arc;
use std::sync::mpsc::{Receiver, TryRecvError, channel};

use crate::analysis::influence_error::influence_errors;
use crate::analysis::twist::{rank, sweep};
use crate::analysis::{Progress, Topology};
use crate::skinning::{InfluenceLimit, Skinner, Skinning, Unsuited};
use crate::state::{AppState, Command, Notice, Severity, Simulation, SimulationPlan, TestPose, TwistPlan};

/// At most one of each kind on its way.
#[derive(Default)]
pub struct Tester {
    test: Option<Running>,
    ranking: Option<Running>,
    simulation: Option<Running>,
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
            if let Some(command) = work(&seen) {
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
    /// Starts a test; one on its way is cancelled.
    pub fn test(&mut self, plan: TwistPlan, ctx: &egui::Context) {
        self.test = Running::start(ctx, move |progress| {
            let TestPose { rig, posed, pose, .. } = &plan.from;
            let skinners: Result<Vec<Skinner>, _> = plan.skinnings.iter().map(|s| plan.from.skinner(s)).collect();
            let skinners = match skinners {
                Ok(skinners) => skinners,
                Err(problem) => return Some(told(&problem)),
            };
            let by_reference: Vec<&Skinner> = skinners.iter().collect();
            let topology = Topology::new(rig);
            let swept = sweep(&by_reference, &topology, (posed, pose), &plan.test, progress)?;
            Some(Command::Tested(Box::new(plan), Box::new(swept)))
        });
    }

    /// Starts the ranking; one on its way is cancelled.
    pub fn rank(&mut self, TestPose { rig, posed, pose, .. }: TestPose, ctx: &egui::Context) {
        self.ranking = Running::start(ctx, move |progress| {
            let ranked = rank(&rig, &Topology::new(&rig), &posed, &pose, progress)?;
            Some(Command::Ranked(rig, ranked))
        });
    }

    /// Starts a simulation; one on its way is cancelled.
    pub fn simulate(&mut self, plan: SimulationPlan, ctx: &egui::Context) {
        self.simulation = Running::start(ctx, move |progress| {
            let limited =
                |limit: &InfluenceLimit| plan.from.skinner(&Skinning { influences: *limit, ..plan.exact.clone() });
            let others: Result<Vec<Skinner>, Unsuited> = plan.limits.iter().map(limited).collect();
            let (exact, others) = match (plan.from.skinner(&plan.exact), others) {
                (Ok(exact), Ok(others)) => (exact, others),
                (Err(problem), _) | (_, Err(problem)) => return Some(told(&problem)),
            };
            let errors = influence_errors(&exact, &others, &plan.from.pose, &plan.moments, progress)?;
            let (rig, is_clip) = (Arc::clone(&plan.from.rig), plan.is_clip);
            let rows = plan.limits.iter().copied().zip(errors).collect();
            Some(Command::Simulated(Box::new(Simulation { rig, is_clip, rows })))
        });
    }

    /// Ends what is on its way.
    pub fn cancel(&mut self) {
        *self = Self::default();
    }

    /// What has come of them; the state learns how far they are.
    pub fn poll(&mut self, state: &mut AppState) -> Vec<Command> {
        let kinds = [
            (&mut self.test, &mut state.twist.progress),
            (&mut self.ranking, &mut state.twist.ranking),
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
        commands
    }

    /// True while something is on its way.
    pub fn is_running(&self) -> bool {
        self.test.is_some() || self.ranking.is_some() || self.simulation.is_some()
    }
}

fn told(problem: &Unsuited) -> Command {
    Command::Notify(Notice { severity: Severity::Error, text: problem.to_string() })
}
