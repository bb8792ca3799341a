use std::cell::RefCell;
use std::collections::BTreeMap;
use std::path::Path;

use super::warning::and_more;
use super::{FileState, ImportWarning, WarningScope};
use rigscope_core::findings::{Code, Target};
use rigscope_core::text::counted;

/// Warnings of an import, and the files that it requested, in order. Interior mutability lets all import code add
/// entries through a shared reference.
#[derive(Debug, Default)]
pub(super) struct ImportReport(RefCell<Entries>);

#[derive(Debug, Default)]
struct Entries {
    warnings: Vec<ImportWarning>,
    /// Number of warnings beyond the maximum; a broken file may cause millions.
    further: usize,
    violations: BTreeMap<usize, Violations>,
    downscaled: Option<(String, usize)>,
    files: Vec<FileState>,
    first_loss: Option<String>,
}

#[derive(Debug)]
struct Violations {
    first: String,
    others: usize,
    problem: [&'static str; 2],
}

impl ImportReport {
    const MAX_WARNINGS: usize = 1000;

    pub(super) fn warn(&self, warning: ImportWarning) {
        let mut entries = self.0.borrow_mut();
        if entries.warnings.len() < Self::MAX_WARNINGS {
            entries.warnings.push(warning);
        } else {
            entries.further = entries.further.saturating_add(1);
        }
    }

    pub(super) fn warn_loss(&self, warning: ImportWarning) {
        self.0.borrow_mut().first_loss.get_or_insert_with(|| warning.to_string());
        self.warn(warning);
    }

    pub(super) fn warn_downscaled(&self, image: usize, [width, height]: [u32; 2], kept: [u32; 2]) {
        let downscaled = &mut self.0.borrow_mut().downscaled;
        if let Some((_, others)) = downscaled {
            *others = others.saturating_add(1);
        } else {
            let [kept_width, kept_height] = kept;
            let kept = format!("{kept_width} x {kept_height} are kept of them");
            *downscaled = Some((format!("Image {image} has {width} x {height} pixels; {kept}"), 0));
        }
    }

    /// Records a violation of the rule with this `rank`. Each violated rule causes one warning, in order of rank.
    /// `problem`: predicate of the warning, singular and plural.
    pub(super) fn warn_violation(&self, rank: usize, problem: [&'static str; 2], object: impl FnOnce() -> String) {
        let mut entries = self.0.borrow_mut();
        match entries.violations.get_mut(&rank) {
            Some(violations) => violations.others = violations.others.saturating_add(1),
            None => _ = entries.violations.insert(rank, Violations { first: object(), others: 0, problem }),
        }
    }

    pub(super) fn first_loss(&self) -> Option<String> {
        self.0.borrow().first_loss.clone()
    }

    /// Records a file that the model references, whether it exists or not. Call this before reading the file.
    pub(super) fn record_file(&self, path: &Path) {
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

    pub(super) fn into_parts(self) -> (Vec<ImportWarning>, Vec<FileState>) {
        let Entries { mut warnings, further, violations, downscaled, files, .. } = self.0.into_inner();
        let of_file = |code, message| ImportWarning::new(code, Target::File, message);
        if let Some((first, others)) = downscaled {
            let others = match others {
                0 => String::new(),
                1 => "; one further image was made smaller too".to_owned(),
                _ => format!("; {others} further images were made smaller too"),
            };
            warnings.push(of_file(Code::ImageShrunk, format!("{first}{others}.")));
        }
        warnings.extend(violations.into_values().map(|Violations { first, others, problem: [one, many] }| {
            let problem = if others > 0 { many } else { one };
            of_file(Code::AgainstRule, format!("{first}{} {problem}.", and_more(others)))
                .with_scope(WarningScope::Conformance)
        }));
        if further > 0 {
            warnings.push(of_file(
                Code::MoreFindings,
                format!("{} not listed.", counted(further, "further warning is", "further warnings are")),
            ));
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
        let lost = |index| ImportWarning::malformed("Mesh", index);
        report.warn(ImportWarning::lights_ignored(1));
        assert_eq!(report.first_loss(), None);
        (0..ImportReport::MAX_WARNINGS + 2).for_each(|index| report.warn_loss(lost(index)));
        assert_eq!(report.first_loss(), Some(lost(0).to_string()));
        let (warnings, _) = report.into_parts();
        assert_eq!(warnings.len(), ImportReport::MAX_WARNINGS + 1);
        assert_eq!(warnings[ImportReport::MAX_WARNINGS].to_string(), "3 further warnings are not listed.");
    }
}
