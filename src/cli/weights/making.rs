//! Where other weights come from.

use clap::Args;
use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};

use super::super::Console;
use super::super::numbers::within;
use super::super::suggestion::nearest;
use crate::analysis::lint::{Code, Target};
use crate::import::ImportWarning;
use crate::jobs::Progress;
use crate::rig::WeightSet;
use crate::state::{Document, fixed, import_finding, stored_weights};
use crate::weights::{Recipe, Refinement, StoredWeights, Weighting, compute};

/// How other weights are made.
#[derive(Args, Debug)]
pub(super) struct MakingArgs {
    /// Makes weights from the mesh and its bones, and writes the file with these
    #[arg(long, value_name = "METHOD", value_parser = weighting(), requires = "output")]
    compute: Option<Weighting>,

    /// Cells along the longest side of the body, for methods that divide space [default: by the thinnest limb]
    #[arg(long, value_name = "N", requires = "compute", value_parser = clap::value_parser!(u16).range(8..=1024))]
    cells: Option<u16>,

    /// A joint that gets no weight; may be given several times and takes the place of those that look like helpers
    #[arg(long = "leave-out", value_name = "JOINT", requires = "compute")]
    left_out: Vec<String>,

    /// Influences that a vertex keeps at most
    #[arg(long, value_name = "N", requires = "compute", default_value_t = 4)]
    #[arg(value_parser = clap::value_parser!(u8).range(1..))]
    max: u8,

    /// Times that weights are smoothed along the surface
    #[arg(long, value_name = "K", requires = "compute", default_value_t = 0)]
    smooth: u8,

    /// Weights below this are left out [default: 1/255]
    #[arg(long, value_name = "W", requires = "compute", value_parser = |text: &str| within(text, 0.0..=0.5, "a weight"))]
    prune: Option<f32>,

    /// Gives both halves of the body the same weights
    #[arg(long, requires = "compute")]
    symmetric: bool,

    /// Puts right what check finds of weights that needs no judgement, and writes the file so: sums, vertices without weight, joints named twice, influences under
    /// 1/255 and beyond four
    #[arg(long, requires = "output", conflicts_with = "compute")]
    fix: bool,
}

impl MakingArgs {
    /// True where weights are to be made.
    pub fn is_asked_for(&self) -> bool {
        self.compute.is_some() || self.fix
    }

    /// The weights that are asked for; what was done is told.
    ///
    /// *Errors*: in words for the user.
    pub fn weights(&self, document: &Document, console: &Console) -> Result<WeightSet, String> {
        let progress = Progress::default();
        let so_far = || progress.so_far();
        if let Some(weighting) = self.compute {
            let recipe = self.recipe(weighting, document)?;
            let work = || compute(&document.rig, &recipe, &progress).unwrap_or_default();
            let computed = console.stage("Computing weights", so_far, work);
            computed.notes.iter().for_each(|note| console.note(note));
            return Ok(computed.weights);
        }
        let codes = Code::ALL.iter().copied();
        let work = || fixed(&document.rig, &document.warnings, codes, &progress).unwrap_or_default();
        let fixed = console.stage("Repairing weights", so_far, work);
        fixed.notes.iter().for_each(|note| console.note(note));
        fixed.changes.iter().for_each(|change| console.note(&change.to_string()));
        if fixed.changes.is_empty() {
            console.note("There was nothing to put right.");
        }
        Ok(fixed.weights)
    }

    fn recipe(&self, weighting: Weighting, document: &Document) -> Result<Recipe, String> {
        let hierarchy = &document.rig.hierarchy;
        let names = || hierarchy.nodes().filter(|node| document.rig.is_joint(*node)).map(|node| hierarchy.name(node));
        for name in &self.left_out {
            if !names().any(|known| known == name) {
                let meant =
                    nearest(name, names()).map_or_else(String::new, |near| format!("; did you mean \"{near}\"?"));
                return Err(format!("There is no joint \"{name}\"{meant}"));
            }
        }
        let usual = Refinement::default();
        Ok(Recipe {
            weighting,
            cells: self.cells,
            left_out: (!self.left_out.is_empty()).then(|| self.left_out.clone()),
            refinement: Refinement {
                smoothing: self.smooth,
                is_symmetric: self.symmetric,
                prune: self.prune.unwrap_or(usual.prune),
                most: Some(self.max),
            },
        })
    }
}

/// What was wrong in the file and still is in one whose weights are written so: nothing where every primitive got others.
pub(super) fn left_in_file(document: &Document, weights: &WeightSet) -> StoredWeights {
    let is_written = |mesh: usize, primitive: usize| {
        weights.iter().any(|(at, of_mesh, _)| {
            let own = &document.rig.meshes[at];
            own.source == mesh && own.primitives[of_mesh].source == primitive
        })
    };
    let stays = |warning: &&ImportWarning| match import_finding(warning).target {
        Target::Primitive { mesh, primitive, .. } => !is_written(mesh, primitive),
        _ => true,
    };
    stored_weights(&document.warnings.iter().filter(stays).cloned().collect::<Vec<_>>())
}

fn weighting() -> impl TypedValueParser<Value = Weighting> {
    let value = |weighting: Weighting| PossibleValue::new(weighting.spec().name).help(weighting.spec().hint);
    PossibleValuesParser::new(Weighting::ALL.map(value)).map(|name| {
        let named = Weighting::ALL.into_iter().find(|weighting| weighting.spec().name == name);
        named.unwrap_or_default()
    })
}
