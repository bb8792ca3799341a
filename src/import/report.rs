//! Collects warnings during an import.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::path::Path;

use super::{FileState, GltfRule, ImportWarning};

/// Warnings and requested files of an import, in order. Interior mutability lets any part of the import add to it.
#[derive(Debug, Default)]
pub(super) struct ImportReport(RefCell<Entries>);

#[derive(Debug, Default)]
struct Entries {
    warnings: Vec<ImportWarning>,
    /// Number of warnings beyond the maximum: a broken file may cause millions.
    further: usize,
    /// Violated rules, each with its first violator and the number of others.
    rules: BTreeMap<GltfRule, (String, usize)>,
    files: Vec<FileState>,
    first_loss: Option<ImportWarning>,
}

impl ImportReport {
    const MOST: usize = 1000;

    pub(super) fn warn(&self, warning: ImportWarning) {
        let mut entries = self.0.borrow_mut();
        if entries.warnings.len() < Self::MOST {
            entries.warnings.push(warning);
        } else {
            entries.further = entries.further.saturating_add(1);
        }
    }

    /// Warns about missing content.
    pub(super) fn warn_loss(&self, warning: ImportWarning) {
        self.0.borrow_mut().first_loss.get_or_insert_with(|| warning.clone());
        self.warn(warning);
    }

    /// Warns about a downscaled image; all such images share one warning.
    pub(super) fn warn_of_shrunk(&self, image: usize, size: [u32; 2], kept: [u32; 2]) {
        let mut entries = self.0.borrow_mut();
        let known = entries.warnings.iter_mut().find_map(|warning| match warning {
            ImportWarning::ImageShrunk { others, .. } => Some(others),
            _ => None,
        });
        if let Some(others) = known {
            *others = others.saturating_add(1);
            return;
        }
        drop(entries);
        self.warn(ImportWarning::ImageShrunk { image, size, kept, others: 0 });
    }

    /// Warns about a part of the file that violates a rule; all violations of a rule share one warning.
    pub(super) fn warn_against(&self, rule: GltfRule, part: impl FnOnce() -> String) {
        let mut entries = self.0.borrow_mut();
        match entries.rules.get_mut(&rule) {
            Some((_, others)) => *others = others.saturating_add(1),
            None => _ = entries.rules.insert(rule, (part(), 0)),
        }
    }

    pub(super) fn first_loss(&self) -> Option<ImportWarning> {
        self.0.borrow().first_loss.clone()
    }

    /// Records a referenced file, whether it exists or not. Must be called before the file is read.
    pub(super) fn look_for(&self, path: &Path) {
        self.0.borrow_mut().files.push(FileState::now(path));
    }

    #[cfg(feature = "fbx")]
    pub(super) fn append(&self, other: Self) {
        let other = other.0.into_inner();
        other.warnings.into_iter().for_each(|warning| self.warn(warning));
        let mut entries = self.0.borrow_mut();
        entries.further = entries.further.saturating_add(other.further);
        entries.files.extend(other.files);
        entries.first_loss = entries.first_loss.take().or(other.first_loss);
    }

    pub(super) fn into_findings(self) -> (Vec<ImportWarning>, Vec<FileState>) {
        let Entries { mut warnings, further, rules, files, .. } = self.0.into_inner();
        let against = |(rule, (first, others))| ImportWarning::AgainstRule { rule, first, others };
        warnings.extend(rules.into_iter().map(against));
        if further > 0 {
            warnings.push(ImportWarning::More { count: further });
        }
        (warnings, files)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_list_ends_with_the_number_of_the_others_and_the_first_loss_is_kept() {
        let report = ImportReport::default();
        report.warn(ImportWarning::SceneEmpty);
        assert_eq!(report.first_loss(), None);
        let lost = |index| ImportWarning::Malformed { kind: "Mesh", index };
        (0..ImportReport::MOST + 2).for_each(|index| report.warn_loss(lost(index)));
        assert_eq!(report.first_loss(), Some(lost(0)));
        let (warnings, _) = report.into_findings();
        assert_eq!(warnings.len(), ImportReport::MOST + 1);
        assert_eq!(warnings.last(), Some(&ImportWarning::More { count: 3 }));
    }
}
