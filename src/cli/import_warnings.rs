//! Warnings of a file's import, on stderr.

use super::Console;
use crate::analysis::lint::Severity;
use crate::import::{ImportWarning, WarningScope};
use crate::project::import_finding;

/// Most warnings of a kind that are printed one by one.
const FIRST: usize = 3;

/// Counts the errors of a file that are repaired in what is written, so that nobody finds them there any more. Missing textures don't count: the written
/// file reports them.
pub(super) fn repaired_errors(warnings: &[ImportWarning], used: WarningScope) -> usize {
    let is_texture =
        |w: &&ImportWarning| matches!(w, ImportWarning::TextureReplaced { .. } | ImportWarning::TextureLeftOut { .. });
    let used = warnings.iter().filter(|w| w.concern() <= used).filter(|w| !is_texture(w)).map(import_finding);
    used.filter(|finding| finding.severity == Severity::Error).count()
}

/// Prints the warnings that concern the work: a few of each kind and the number of the others, or all where asked for.
///
/// `used` is the most that the work uses: where nothing is drawn, nothing is said about looks. Every line begins with `of`, which names the file
/// where there may be several.
pub(super) fn warn(console: &Console, of: &str, warnings: &[ImportWarning], used: WarningScope) {
    let mut findings: Vec<_> = warnings.iter().filter(|w| w.concern() <= used).map(import_finding).collect();
    findings.sort_by_key(|f| f.code);
    for kind in findings.chunk_by(|a, b| a.code == b.code) {
        let shown = if console.is_verbose() { kind.len() } else { kind.len().min(FIRST) };
        kind.iter().take(shown).for_each(|finding| console.warn(&format!("{of}{}", finding.message)));
        if let (more @ 1.., Some(first)) = (kind.len() - shown, kind.first()) {
            console.warn(&format!("{of}{more} more as the last ({}); --verbose says all.", first.code));
        }
    }
}
