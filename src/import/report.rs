//! Warnings of an import, collected while it reads.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::path::Path;

use super::{FileState, GltfRule, ImportWarning};

/// Warnings of an import and the files that it looked for, in order. Its cell lets any part of the import add to it; the result depends on it only by
/// whether something was lost.
#[derive(Debug, Default)]
pub(super) struct ImportReport(RefCell<Entries>);

#[derive(Debug, Default)]
struct Entries {
    warnings: Vec<ImportWarning>,
    /// Number of warnings beyond the longest list that is kept: a broken file may cause millions.
    further: usize,
    /// Broken rules, each with the first part that breaks it and the number of the others.
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

    /// Warns about something that would have been shown.
    pub(super) fn warn_loss(&self, warning: ImportWarning) {
        self.0.borrow_mut().first_loss.get_or_insert_with(|| warning.clone());
        self.warn(warning);
    }

    /// Warns about an image that was reduced in size; all such images share one warning.
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

    /// Warns about a part of the file that breaks a rule; all that break one share one warning.
    pub(super) fn warn_against(&self, rule: GltfRule, part: impl FnOnce() -> String) {
        let mut entries = self.0.borrow_mut();
        match entries.rules.get_mut(&rule) {
            Some((_, others)) => *others = others.saturating_add(1),
            None => _ = entries.rules.insert(rule, (part(), 0)),
        }
    }

    /// The first warning of [`Self::warn_loss`].
    pub(super) fn first_loss(&self) -> Option<ImportWarning> {
        self.0.borrow().first_loss.clone()
    }

    /// Notes a file beside the opened one, whether it exists or not. Call it before the file is read.
    pub(super) fn look_for(&self, path: &Path) {
        self.0.borrow_mut().files.push(FileState::now(path));
    }

    /// Appends the warnings and files of another report.
    #[cfg(feature = "fbx")]
    pub(super) fn append(&self, other: Self) {
        let other = other.0.into_inner();
        other.warnings.into_iter().for_each(|warning| self.warn(warning));
        let mut entries = self.0.borrow_mut();
        entries.further = entries.further.saturating_add(other.further);
        entries.files.extend(other.files);
        entries.first_loss = entries.first_loss.take().or(other.first_loss);
    }

    /// All warnings, and the states of all files that were looked for.
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
