//! Reports: a self-contained page per rig, with images, findings, measures and an interactive view, and an index page.
//!
//! | module | contents |
//! | --- | --- |
//! | `bend` | bend test |
//! | `bend_section` | section of the bend test |
//! | `measures` | findings, joint ranking, sweeps of the worst joints, cost and error in engines |
//! | `pictures` | rendered images |
//! | `interactive_view` | the interactive view: its section and the data for its script |
//! | `model` | the view's simplified surface |
//! | `skin` | skin of the simplified surface |
//! | `motions` | compared pose and clips, as joint transforms |
//! | `appearance` | colours and downscaled textures |
//! | `refit_section` | section of a changed skeleton |
//! | `quantization` | 16-bit integers as base64 |
//! | `player` | the page's script, which skins like the kernels |
//! | `page` | the complete page |
//! | `options` | what a page contains besides the character |
//! | `origin` | file, hash, date, version and command |
//! | `plot` | sweeps as SVG |
//! | `index` | index of several reports |

mod appearance;
mod bend;
mod bend_section;
mod index;
mod interactive_view;
mod measures;
mod model;
mod motions;
mod options;
mod origin;
mod page;
mod pictures;
mod quantization;
mod refit_section;
mod skin;

pub use index::{IndexRow, index};
pub use options::ReportOptions;
pub use origin::Origin;
pub use pictures::ReportError;

use crate::jobs::Progress;
use crate::stage::Stage;
use crate::studio::Studio;
use measures::Measures;
use pictures::Pictures;

#[derive(Clone, Debug)]
pub struct Report {
    pub html: String,
    pub row: IndexRow,
}

/// Creates the report of a stage's open character in its current pose or clip. If the character is at rest, the page
/// compares the methods at the rotation at which LBS loses the most volume. *Errors*: rendering fails; cancelled.
pub fn report(
    studio: &mut Studio,
    stage: &Stage,
    options: ReportOptions<'_>,
    progress: &Progress,
) -> Result<Report, ReportError> {
    let measures = Measures::new(stage, options.has_bend_test, progress).ok_or(ReportError::Cancelled)?;
    let turned = interactive_view::InteractiveView::new(stage, &measures, progress);
    progress.check_cancelled().ok_or(ReportError::Cancelled)?;
    progress.enter("Drawing", 0, pictures::count(&measures));
    let pictures = Pictures::draw(studio, stage, &measures, progress)?;
    let html = page::page((stage, options), &measures, &pictures, turned);
    let row = IndexRow {
        name: stage.document.source.full_name(),
        page: String::new(),
        thumbnail: pictures.thumbnail,
        facts: Ok(measures.facts),
    };
    Ok(Report { html, row })
}
