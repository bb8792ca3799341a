//! Reports: one page for a rig, with pictures, findings, measures and a view to turn, that needs nothing beside it; and an index of many.
//!
//! | module | holds |
//! | --- | --- |
//! | `measures` | numbers: findings, the ranking, sweeps of the worst joints, what engines pay and lose |
//! | `pictures` | what is drawn of the rig, as data in the page |
//! | `turned` | the view to turn: its section, and all that the script of the page reads |
//! | `model` | the surface of that view, with few vertices |
//! | `skin` | what moves these vertices |
//! | `motions` | the compared pose and clips, as transforms of joints |
//! | `looks` | colours and small textures |
//! | `whole` | numbers of 16 bits as base64 |
//! | `player` | the script of the page, which skins as the kernels do |
//! | `page` | all of it as one page |
//! | `origin` | file, hash, date, program and command |
//! | `plot` | sweeps as SVG |
//! | `simplify` | surfaces with fewer triangles |
//! | `index` | the table of many reports |
//! | `error` | why there is no report |

mod error;
mod index;
mod looks;
mod measures;
mod model;
mod motions;
mod origin;
mod page;
mod pictures;
mod plot;
mod simplify;
mod skin;
mod turned;
mod whole;

pub use error::ReportError;
pub use index::{IndexRow, index};
pub use origin::Origin;

use crate::jobs::Progress;
use crate::stage::Stage;
use crate::studio::Studio;
use measures::Measures;
use pictures::Pictures;

/// A page, and its row in an index.
#[derive(Clone, Debug)]
pub struct Report {
    /// The page: no other file and no network is needed to show it.
    pub html: String,
    /// Row of the report in an index.
    pub row: IndexRow,
}

/// The report of what a stage has open: in its pose or clip, else in the turn at which linear blending loses most. Both sides of it are the open character,
/// whatever else the stage shows beside it.
///
/// *Errors*: nothing can be drawn; cancelled.
pub fn report(studio: &mut Studio, stage: &Stage, origin: &Origin, progress: &Progress) -> Result<Report, ReportError> {
    let measures = Measures::of(stage, progress).ok_or(ReportError::Cancelled)?;
    let turned = turned::Turned::of(stage, &measures, progress);
    progress.go_on().ok_or(ReportError::Cancelled)?;
    progress.enter("Drawing", 0, pictures::count(&measures));
    let pictures = Pictures::draw(studio, stage, &measures, progress)?;
    let html = page::page((stage, origin), &measures, &pictures, turned);
    let row = IndexRow {
        name: stage.document.source.full_name(),
        page: String::new(),
        thumbnail: pictures.thumbnail,
        facts: Ok(measures.facts),
    };
    Ok(Report { html, row })
}
