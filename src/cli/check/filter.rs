use clap::Args;
use clap::builder::{PossibleValuesParser, TypedValueParser};

use super::super::console::{BOLD, Line, severity_style};
use crate::analysis::lint::report::listed_json;
use crate::analysis::lint::rules::{Profile, Rule};
use crate::analysis::lint::{Code, ProjectRules, Severity};
use crate::cli::suggestions::with_suggestions;
use crate::project::{parse_code, profile_names};

/// Options that hide findings. Hidden findings are counted but don't affect the exit code.
#[derive(Args, Debug)]
pub(super) struct FindingFilter {
    /// Hide findings with these codes, profiles or rules (comma-separated or repeatable)
    #[arg(long, value_name = "CODE", value_delimiter = ',', value_parser = finding_name(), hide_possible_values = true)]
    ignore: Vec<String>,

    /// Show only findings with these codes, profiles or rules
    #[arg(long, value_name = "CODE", value_delimiter = ',', value_parser = finding_name(), hide_possible_values = true)]
    only: Vec<String>,

    /// Lowest severity to show
    #[arg(long, value_name = "LEVEL", default_value = "note")]
    #[arg(value_parser = PossibleValuesParser::new(Severity::ALL.map(Severity::name)).map(|name| severity(&name)))]
    severity: Severity,
}

/// Returns a parser for the names of codes, profiles and rules. Shell completion offers only codes and profiles.
fn finding_name() -> impl TypedValueParser<Value = String> {
    let known: Vec<String> = Code::ALL.iter().map(|code| code.id()).chain(profile_names().map(str::to_owned)).collect();
    with_suggestions(known, |text: &str| {
        if text.contains('/') || profile_names().any(|name| name == text) {
            return Ok(text.to_owned());
        }
        parse_code(text).map(Code::id)
    })
}

impl FindingFilter {
    /// Lists the codes and rules whose default severity passes the filter.
    pub(super) fn rules(&self, profiles: &[Profile]) -> Vec<ListedRule> {
        let mut project_rules = ProjectRules::default();
        self.narrow(&mut project_rules);
        let codes = Code::ALL.iter().filter(|code| project_rules.shows(**code, None, code.severity()));
        let of_profiles =
            profiles.iter().flat_map(|of| of.rules.iter().map(move |rule| ListedRule::from_rule(of, rule)));
        let shown = of_profiles.filter(|rule| project_rules.shows(Code::RuleBroken, Some(&rule.id), rule.severity));
        codes.map(|code| ListedRule::from(*code)).chain(shown).collect()
    }

    pub(super) fn narrow(&self, project_rules: &mut ProjectRules) {
        let is_shown = |id: &String| (self.only.is_empty() || self.only.contains(id)) && !self.ignore.contains(id);
        project_rules.codes.retain(|code| is_shown(&code.id()));
        let is_rule = |name: &&String| parse_code(name).is_err();
        let rules = |names: &[String]| names.iter().filter(is_rule).cloned().collect();
        project_rules.rules.only = (!self.only.is_empty()).then(|| rules(&self.only));
        project_rules.rules.ignore.extend(rules(&self.ignore));
        project_rules.min_severity = project_rules.min_severity.max(self.severity);
    }
}

pub(super) struct ListedRule {
    /// ID of the rule's findings, such as `RIG010` or `vrchat-mobile/triangles`.
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
    fn from_rule(profile: &Profile, rule: &Rule) -> Self {
        Self { id: format!("{}/{}", profile.name, rule.name), severity: rule.severity, title: rule.measure.about() }
    }

    pub(super) fn line(&self) -> Line {
        let Self { id, severity, title } = self;
        let gap = " ".repeat(9 - severity.name().len());
        Line::default()
            .styled(BOLD, id)
            .and("  ")
            .styled(severity_style(*severity), severity.name())
            .and(&gap)
            .and(title)
    }

    pub(super) fn json(&self) -> String {
        listed_json(&self.id, self.severity, self.title)
    }
}

fn severity(name: &str) -> Severity {
    Severity::ALL.into_iter().find(|severity| severity.name() == name).unwrap_or(Severity::Note)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(filter: &FindingFilter) -> (usize, Severity) {
        let mut project_rules = ProjectRules::default();
        filter.narrow(&mut project_rules);
        (project_rules.codes.len(), project_rules.min_severity)
    }

    #[test]
    fn codes_and_severities_hide() {
        let all = Code::ALL.len();
        let filter = |ignore: &[Code], only: &[Code], severity| {
            let [ignore, only] = [ignore, only].map(|codes| codes.iter().map(|code| code.id()).collect());
            FindingFilter { ignore, only, severity }
        };
        let two = [Code::WeightSum, Code::ZeroArea];
        assert_eq!(shown(&filter(&[], &[], Severity::Note)), (all, Severity::Note));
        assert_eq!(shown(&filter(&[], &[], Severity::Warning)), (all, Severity::Warning));
        assert_eq!(shown(&filter(&two, &[], Severity::Note)), (all - 2, Severity::Note));
        assert_eq!(shown(&filter(&[Code::ZeroArea], &two, Severity::Warning)), (1, Severity::Warning));
    }
}
