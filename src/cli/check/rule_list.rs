//! The list of what is checked: codes, and rules of profiles.

use super::super::console::{BOLD, Line, style_of};
use crate::analysis::lint::report::listed_json;
use crate::analysis::lint::rules::{Profile, Rule};
use crate::analysis::lint::{Code, Severity};

/// A code or a rule, with its default severity.
pub(super) struct ListedRule {
    /// Name of its findings: `RIG010`, or `vrchat-mobile/triangles`.
    pub id: String,
    pub severity: Severity,
    title: &'static str,
}

impl From<Code> for ListedRule {
    fn from(code: Code) -> Self {
        Self { id: code.id(), severity: code.severity(), title: code.title() }
    }
}

impl ListedRule {
    pub(super) fn of(profile: &Profile, rule: &Rule) -> Self {
        Self { id: format!("{}/{}", profile.name, rule.name), severity: rule.severity, title: rule.measure.about() }
    }

    pub(super) fn line(&self) -> Line {
        let Self { id, severity, title } = self;
        let gap = " ".repeat(9 - severity.name().len());
        Line::default().styled(BOLD, id).and("  ").styled(style_of(*severity), severity.name()).and(&gap).and(title)
    }

    pub(super) fn json(&self) -> String {
        listed_json(&self.id, self.severity, self.title)
    }
}
