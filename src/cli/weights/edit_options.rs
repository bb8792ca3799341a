use std::path::Path;

use clap::Args;
use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};

use super::super::console::cancelled;
use super::super::files::source;
use super::super::numbers::within;
use super::super::opening::{ExtraClipArgs, open_document};
use super::super::text_table::wrapped;
use super::super::{Console, MemoryArgs};
use crate::analysis::lint::{Code, Target};
use crate::import::ImportWarning;
use crate::jobs::Progress;
use crate::project::{fixed, nearest};
use crate::rig::WeightSet;
use crate::stage::{Document, Source, stored_weights};
use crate::weights::{StoredWeights, WeightRequest, WeightResult, Weighting, transfer};

#[derive(Args, Clone, Debug)]
pub(super) struct WeightEditArgs {
    /// Compute weights from the mesh and its bones
    #[arg(long, value_name = "METHOD", value_parser = weighting(), num_args = 0..=1, default_missing_value = "auto", requires = "purpose")]
    compute: Option<Weighting>,

    /// Voxels along the longest side of the body [default: from the thinnest limb]
    #[arg(long, value_name = "N", requires = "compute", value_parser = clap::value_parser!(u16).range(8..=1024))]
    cells: Option<u16>,

    /// Joint that gets no weight (repeatable) [default: those that look like helpers]
    #[arg(long = "leave-out", value_name = "JOINT", requires = "compute")]
    left_out: Vec<String>,

    /// Transfer the weights of another file
    #[arg(long, value_name = "OTHER", value_parser = source(), requires = "purpose", conflicts_with = "compute")]
    from: Option<Source>,

    /// Maximum influences per vertex [default for computed weights: 4]
    #[arg(long, alias = "max", value_name = "N", requires = "purpose", value_parser = clap::value_parser!(u8).range(1..))]
    max_influences: Option<u8>,

    /// Smooth the weights along the surface K times
    #[arg(long, value_name = "K", requires = "purpose")]
    smooth: Option<u8>,

    /// Drop weights below W [default for computed weights: 1/255]
    #[arg(long, value_name = "W", requires = "purpose", value_parser = within(0.0..=0.5, "a weight"))]
    prune: Option<f32>,

    /// Make the weights of both halves of the body symmetric
    #[arg(long, requires = "purpose")]
    symmetric: bool,

    /// Let auto give the halves of a symmetric body different weights
    #[arg(long, requires = "compute", conflicts_with = "symmetric")]
    asymmetric: bool,

    /// Fix sums, vertices without weight, repeated joints, and influences below 1/255 or beyond four
    #[arg(long, requires = "purpose", conflicts_with_all = ["compute", "from"])]
    fix: bool,
}

impl WeightEditArgs {
    pub(super) fn is_asked_for(&self) -> bool {
        self.compute.is_some() || self.from.is_some() || self.fix || self.refines()
    }

    pub(super) fn other(&self) -> Option<&Path> {
        self.from.as_ref().and_then(Source::path)
    }

    fn refines(&self) -> bool {
        self.max_influences.is_some() || self.smooth.is_some() || self.prune.is_some() || self.symmetric
    }

    pub(super) fn weights(
        &self,
        document: &Document,
        memory: MemoryArgs,
        console: &Console,
    ) -> Result<WeightSet, String> {
        let rig = &document.rig;
        let stage = |name: &str, work: &dyn Fn(&Progress) -> Option<WeightResult>| {
            let computed = console.stage(name, |progress| work(progress).ok_or_else(cancelled))?;
            computed.notes.iter().for_each(|note| console.warn(&format!("{name}: {note}")));
            Ok::<_, String>(computed.weights)
        };
        let request = self.request(document)?;
        if let Some(weighting) = self.compute {
            let name = format!("Computing weights by {}", weighting.spec().name);
            return stage(&name, &|progress| request.weights(rig, &WeightSet::unchanged(rig), progress));
        }
        let made = if let Some(from) = &self.from {
            let other = open_document((from, None), &ExtraClipArgs::default(), memory.job(), console)?;
            stage("Transferring weights", &|progress| transfer(rig, &other.rig, progress))?
        } else if self.fix {
            repaired(document, console)?
        } else {
            WeightSet::unchanged(rig)
        };
        if !request.refines() {
            return Ok(made);
        }
        let refined = stage("Refining weights", &|progress| request.weights(rig, &made, progress))?;
        Ok(changed(document, &made, &refined))
    }

    fn request(&self, document: &Document) -> Result<WeightRequest, String> {
        let hierarchy = &document.rig.hierarchy;
        let names = || hierarchy.nodes().filter(|node| document.rig.is_joint(*node)).map(|node| hierarchy.name(node));
        for name in &self.left_out {
            if !names().any(|known| known == name) {
                let meant =
                    nearest(name, names()).map_or_else(String::new, |near| format!("; did you mean \"{near}\"?"));
                return Err(format!("There is no joint \"{name}\"{meant}"));
            }
        }
        Ok(WeightRequest {
            weighting: self.compute,
            cells: self.cells,
            left_out: (!self.left_out.is_empty()).then(|| self.left_out.clone()),
            symmetric: (self.symmetric || self.asymmetric).then_some(self.symmetric),
            smooth: self.smooth,
            prune: self.prune,
            max: self.max_influences,
        })
    }
}

/// Fixes the weight errors that lint reports, and prints each fix.
fn repaired(document: &Document, console: &Console) -> Result<WeightSet, String> {
    let fixed = console.stage("Fixing weights", |progress| {
        fixed(&document.rig, &document.warnings, Code::ALL.iter().copied(), progress).ok_or_else(cancelled)
    })?;
    fixed.notes.iter().for_each(|note| console.note(note));
    fixed.changes.iter().for_each(|change| console.note(&change.to_string()));
    if fixed.changes.is_empty() {
        console.note("Nothing to fix.");
    }
    Ok(fixed.weights)
}

/// Returns the refined weights of those primitives that are in `made` or that the refinement changed.
fn changed(document: &Document, made: &WeightSet, refined: &WeightSet) -> WeightSet {
    let mut changed = WeightSet::unchanged(&document.rig);
    for (mesh, primitive, influences) in refined.iter() {
        let own = &document.rig.meshes[mesh].primitives[primitive].influences;
        if made.get(mesh, primitive).is_some() || own.as_ref() != Some(influences) {
            changed.set(mesh, primitive, influences.clone());
        }
    }
    changed
}

/// Returns the errors in the stored weights of primitives that receive no new weights.
pub(super) fn remaining_stored_faults(document: &Document, weights: &WeightSet) -> StoredWeights {
    let is_written = |mesh: usize, primitive: usize| {
        weights.iter().any(|(at, of_mesh, _)| {
            let own = &document.rig.meshes[at];
            own.source == mesh && own.primitives[of_mesh].source == primitive
        })
    };
    let stays = |warning: &&ImportWarning| match warning.finding.target {
        Target::Primitive { mesh, primitive, .. } => !is_written(mesh, primitive),
        _ => true,
    };
    stored_weights(&document.warnings.iter().filter(stays).cloned().collect::<Vec<_>>())
}

/// Width of a method's description in the help, characters. With the indentation, lines fit into 100 columns.
const DESCRIPTION_WIDTH: usize = 78;

fn weighting() -> impl TypedValueParser<Value = Weighting> {
    let description = |weighting: Weighting| wrapped(weighting.spec().hint, DESCRIPTION_WIDTH).join("\n");
    let value = |weighting: Weighting| PossibleValue::new(weighting.spec().name).help(description(weighting));
    PossibleValuesParser::new(Weighting::ALL.map(value)).map(|name| {
        let named = Weighting::ALL.into_iter().find(|weighting| weighting.spec().name == name);
        named.unwrap_or_default()
    })
}
