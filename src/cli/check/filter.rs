//! Which findings the user wants to see.

use clap::Args;
use clap::builder::{PossibleValuesParser, TypedValueParser as _};

use super::super::suggestion::nearest;
use crate::analysis::lint::{Code, Policy, Severity};

/// Codes and severities. What they hide counts for nothing but the number of what is hidden.
#[derive(Args, Debug, Default)]
pub(super) struct FindingFilter {
    /// Hide findings of these codes; several by commas, or by the option again
    #[arg(long, value_name = "CODE", value_delimiter = ',', value_parser = parse_code)]
    ignore: Vec<Code>,

    /// Show findings of these codes alone
    #[arg(long, value_name = "CODE", value_delimiter = ',', value_parser = parse_code)]
    only: Vec<Code>,

    /// The least severity that is shown
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
    /// Shows no more than the policy and this together.
    pub fn narrow(&self, policy: &mut Policy) {
        let is_named = |code: &Code| self.only.is_empty() || self.only.contains(code);
        policy.codes.retain(|code| is_named(code) && !self.ignore.contains(code));
        policy.least = policy.least.max(self.severity.0);
    }
}

fn severity(name: &str) -> LeastSeverity {
    Severity::ALL.into_iter().find(|s| s.name() == name).map_or_else(LeastSeverity::default, LeastSeverity)
}

/// A code by its name, whatever its case.
///
/// *Errors*: in words for the user, with what was probably meant.
pub(super) fn parse_code(text: &str) -> Result<Code, String> {
    let wanted = text.trim().to_uppercase();
    let ids: Vec<String> = Code::ALL.iter().map(|code| code.id()).collect();
    match ids.iter().position(|id| *id == wanted) {
        Some(known) => Ok(Code::ALL[known]),
        None => Err(match nearest(&wanted, ids.iter().map(String::as_str)) {
            Some(near) => format!("no finding has this code; did you mean {near}?"),
            None => format!("no finding has this code; codes are {} to {}", ids[0], ids[ids.len() - 1]),
        }),
    }
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

    #[test]
    fn codes_are_read_and_slips_are_told() {
        assert_eq!((parse_code("RIG010"), parse_code(" rig022")), (Ok(Code::WeightSum), Ok(Code::JointUnused)));
        assert!(parse_code("RIG10").unwrap_err().contains("did you mean RIG010?"));
        assert!(parse_code("RGI022").unwrap_err().contains("did you mean RIG022?"));
        for text in ["", "weights", "010"] {
            let said = parse_code(text).unwrap_err();
            assert!(said.contains("codes are RIG001 to RIG"), "{text}: {said}");
        }
    }
}
