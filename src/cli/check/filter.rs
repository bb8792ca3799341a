//! Filters on the findings that the user wants to see.

use clap::Args;
use clap::builder::{PossibleValuesParser, TypedValueParser as _};

use crate::analysis::lint::{Code, Policy, Severity};
use crate::cli::offering::offering;
use crate::project::parse_code;

/// Codes and severities. What they hide counts for nothing but the number of what is hidden.
#[derive(Args, Debug, Default)]
pub(super) struct FindingFilter {
    /// Hide findings with these codes (comma-separated, or repeat the option)
    #[arg(long, value_name = "CODE", value_delimiter = ',', value_parser = offering(Code::ALL, parse_code), hide_possible_values = true)]
    ignore: Vec<Code>,

    /// Show only findings with these codes
    #[arg(long, value_name = "CODE", value_delimiter = ',', value_parser = offering(Code::ALL, parse_code), hide_possible_values = true)]
    only: Vec<Code>,

    /// Lowest severity to show
    #[arg(long, value_name = "LEVEL", default_value = "note")]
    #[arg(value_parser = PossibleValuesParser::new(Severity::ALL.map(Severity::name)).map(|name| severity(&name)))]
    severity: LeastSeverity,
}

/// The least severity that is shown.
#[derive(Clone, Copy, Debug)]
struct LeastSeverity(Severity);

impl Default for LeastSeverity {
    fn default() -> Self {
        Self(Severity::Note)
    }
}

impl FindingFilter {
    /// Takes out of a policy what this filter does not show.
    pub(super) fn narrow(&self, policy: &mut Policy) {
        let is_named = |code: &Code| self.only.is_empty() || self.only.contains(code);
        policy.codes.retain(|code| is_named(code) && !self.ignore.contains(code));
        policy.least = policy.least.max(self.severity.0);
    }
}

fn severity(name: &str) -> LeastSeverity {
    Severity::ALL.into_iter().find(|s| s.name() == name).map_or_else(LeastSeverity::default, LeastSeverity)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(filter: &FindingFilter) -> (usize, Severity) {
        let mut policy = Policy::default();
        filter.narrow(&mut policy);
        (policy.codes.len(), policy.least)
    }

    #[test]
    fn codes_and_severities_hide() {
        let all = Code::ALL.len();
        assert_eq!(shown(&FindingFilter::default()), (all, Severity::Note));
        let grave = FindingFilter { severity: LeastSeverity(Severity::Warning), ..FindingFilter::default() };
        assert_eq!(shown(&grave), (all, Severity::Warning));
        let two = vec![Code::WeightSum, Code::ZeroArea];
        let without = FindingFilter { ignore: two.clone(), ..FindingFilter::default() };
        assert_eq!(shown(&without), (all - 2, Severity::Note));
        let only = FindingFilter { only: two, ignore: vec![Code::ZeroArea], ..grave };
        assert_eq!(shown(&only), (1, Severity::Warning));
    }
}
