//! Profiles: rules with ranks, and their results for a rig.

use std::path::PathBuf;
use std::sync::Arc;

use super::super::finding::FindingList;
use super::super::{BrokenRule, Code, Finding, Severity, Target};
use super::inventory::Inventory;
use super::measurement::measure;
use super::{Measure, Measurement, Rule, counts};
use rigscope_core::text::capitalized;

/// Rules of a platform or a project.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Profile {
    /// Name on the command line and in finding IDs.
    pub name: String,
    /// Short description of the profile.
    pub title: String,
    /// Version of the source, such as a commit; may be empty.
    pub version: String,
    /// Date of the source, such as `2026-11-24`; may be empty.
    pub date: String,
    /// URLs of the source.
    pub sources: Vec<String>,
    /// Notes about the rules.
    pub notes: Vec<String>,
    /// Names of ranks, best first; empty for a profile that passes or fails.
    pub ranks: Vec<String>,
    /// Name of the result for rigs worse than the last rank.
    pub beyond: String,
    /// Rules in display order.
    pub rules: Vec<Rule>,
    /// Files with the rules; none for built-in profiles.
    pub files: Vec<PathBuf>,
}

/// Result of a rule.
#[derive(Clone, Debug, PartialEq)]
pub enum RuleOutcome {
    /// Index of the rank reached, or the number of ranks if none is reached.
    Rank(usize),
    /// Why the rule cannot be checked.
    Unknown(String),
}

/// Rule and its result.
#[derive(Clone, Debug, PartialEq)]
pub struct RuleResult {
    /// The checked rule.
    pub rule: Rule,
    /// Result of the check.
    pub outcome: RuleOutcome,
    /// Worst measurement, if any.
    pub reading: Option<Measurement>,
}

/// Results of a profile for a rig.
#[derive(Clone, Debug, PartialEq)]
pub struct ProfileReport {
    /// Name of the profile.
    pub profile: String,
    /// Title of the profile.
    pub title: String,
    /// Names of ranks, best first, then the name for rigs worse than the last rank. If the profile has no ranks:
    /// passed, passed with warnings and failed.
    pub ranks: Vec<String>,
    /// True if the profile has ranks.
    pub is_ranked: bool,
    /// Worst rank of all rows, an index into `ranks`.
    pub rank: usize,
    /// Worst rank that passes, an index into `ranks`.
    pub demanded: usize,
    /// One result per rule.
    pub rows: Vec<RuleResult>,
    /// Findings for violated rules.
    pub findings: Vec<Finding>,
}

impl Profile {
    /// Returns the number of ranks, at least 1.
    pub fn rank_count(&self) -> usize {
        self.ranks.len().max(1)
    }

    /// Finds a rank by name. Ignores case and treats spaces as hyphens.
    pub fn rank_named(&self, name: &str) -> Option<usize> {
        let plain = |text: &str| text.to_lowercase().replace(' ', "-");
        self.ranks.iter().position(|rank| plain(rank) == plain(name))
    }

    /// Checks a rig. If `at_least` is given, ranks worse than this index are errors, whatever the rule's severity.
    /// *Cost*: linear in the size of the rig, for each rule.
    pub fn check_rig(&self, inventory: &Inventory<'_>, at_least: Option<usize>) -> ProfileReport {
        let count = self.rank_count();
        let demanded = at_least.unwrap_or(count - 1).min(count - 1);
        let mut findings = FindingList::default();
        let mut rows = Vec::new();
        for rule in &self.rules {
            let found = measure(inventory, rule);
            let found = match found {
                Ok(found) => found,
                Err(why) => {
                    rows.push(RuleResult { rule: rule.clone(), outcome: RuleOutcome::Unknown(why), reading: None });
                    continue;
                }
            };
            let ranked: Vec<(usize, Measurement)> =
                found.into_iter().map(|reading| (rule.limits.rank(reading.value, count), reading)).collect();
            for (rank, reading) in ranked.iter().filter(|(rank, _)| *rank > 0) {
                let short = if at_least.is_some() { Severity::Error } else { rule.severity };
                let severity = if *rank > demanded { short } else { Severity::Note };
                self.find(inventory, rule, (*rank, reading), severity, demanded, &mut findings);
            }
            let worst = ranked.into_iter().reduce(|worst, next| {
                let is_worse = next.0 > worst.0 || (next.0 == worst.0 && next.1.value > worst.1.value);
                if is_worse { next } else { worst }
            });
            let (rank, reading) = worst.map_or((0, None), |(rank, reading)| (rank, Some(reading)));
            let rank = if self.ranks.is_empty() && rank > 0 { pass_fail_rank(rule.severity) } else { rank };
            rows.push(RuleResult { rule: rule.clone(), outcome: RuleOutcome::Rank(rank), reading });
        }
        let sheet = self.build_report(rows, findings.into_list());
        ProfileReport { demanded: at_least.map_or(sheet.demanded, |_| demanded), ..sheet }
    }

    pub(in crate::analysis) fn build_report(&self, rows: Vec<RuleResult>, findings: Vec<Finding>) -> ProfileReport {
        let rank = rows.iter().filter_map(RuleResult::rank).max().unwrap_or(0);
        let (profile, title, ranks) = (self.name.clone(), self.title.clone(), self.rank_names());
        let demanded = ranks.len() - 2;
        ProfileReport { profile, title, ranks, is_ranked: !self.ranks.is_empty(), rank, demanded, rows, findings }
    }

    /// Returns the names of all ranks, then the name for rigs worse than the last rank.
    pub fn rank_names(&self) -> Vec<String> {
        if self.ranks.is_empty() {
            return ["passed", "passed with warnings", "failed"].map(str::to_owned).to_vec();
        }
        let beyond = if self.beyond.is_empty() { "beyond all ranks" } else { &self.beyond };
        self.ranks.iter().cloned().chain([beyond.to_owned()]).collect()
    }

    fn find(
        &self,
        inventory: &Inventory<'_>,
        rule: &Rule,
        (rank, reading): (usize, &Measurement),
        severity: Severity,
        demanded: usize,
        findings: &mut FindingList,
    ) {
        // The goal is the required rank if the rig misses it, otherwise the next better rank.
        let wanted = if rank > demanded { demanded } else { rank - 1 };
        let limit = rule.limits.describe(rule.measure, wanted);
        let (clause, target) = clause_and_target(inventory, rule, reading, wanted);
        let message = if self.ranks.is_empty() {
            format!("{clause}; {}.", limit_clause(rule, &limit, &self.title))
        } else {
            let names = self.rank_names();
            format!("{clause}: {}; {} {} {limit}.", capitalized(&names[rank]), names[wanted], limit_verb(rule))
        };
        findings.push_finding(self.finding(rule, message, target, severity));
    }

    fn finding(&self, rule: &Rule, message: String, target: Target, severity: Severity) -> Finding {
        if rule.code != Code::RuleBroken {
            return Finding { severity, ..Finding::new(rule.code, message, target) };
        }
        let source = if rule.section.is_empty() { String::new() } else { format!(" ({})", rule.section) };
        let why = rule.why.clone().unwrap_or_else(|| rule.measure.about().to_owned());
        let broken = BrokenRule {
            id: format!("{}/{}", self.name, rule.name),
            why: format!("{}{source}: {why}", if self.title.is_empty() { &self.name } else { &self.title }),
            advice: rule.advice().to_owned(),
        };
        Finding { severity, rule: Some(Arc::new(broken)), ..Finding::new(Code::RuleBroken, message, target) }
    }
}

/// Returns the rank of a violated rule in a profile without ranks.
pub(in crate::analysis) fn pass_fail_rank(severity: Severity) -> usize {
    match severity {
        Severity::Note => 0,
        Severity::Warning => 1,
        Severity::Error => 2,
    }
}

fn clause_and_target(inventory: &Inventory<'_>, rule: &Rule, reading: &Measurement, rank: usize) -> (String, Target) {
    let limit = rule.limits.max.get(rank).or(rule.limits.max.last());
    let refined = match (rule.measure, limit) {
        (Measure::Influences, Some(limit)) => counts::over_influences(inventory, reading, *limit),
        _ => None,
    };
    let shares = [
        "triangles",
        "vertices",
        "material-slots",
        "draw-calls",
        "meshes",
        "skinned-meshes",
        "basic-meshes",
        "materials",
    ];
    let with = if rule.code == Code::RuleBroken && shares.contains(&rule.measure.key()) && !reading.detail.is_empty() {
        format!(" ({})", reading.detail)
    } else {
        String::new()
    };
    refined.unwrap_or_else(|| (format!("{}{with}", reading.clause), reading.target.clone()))
}

fn limit_clause(rule: &Rule, limit: &str, title: &str) -> String {
    let of = if rule.code == Code::RuleBroken || title.is_empty() { String::new() } else { format!(" of {title}") };
    match (rule.limits.min.is_empty(), rule.limits.max.is_empty()) {
        (true, _) if limit == "0" => "there may be none".to_owned(),
        (true, _) => format!("the limit{of} is {limit}"),
        _ => format!("it must be {limit}"),
    }
}

fn need_clause(rule: &Rule, limit: &str) -> String {
    if rule.limits.min.is_empty() { format!("limit: {limit}") } else { format!("needs {limit}") }
}

fn limit_verb(rule: &Rule) -> &'static str {
    if rule.limits.min.is_empty() { "takes" } else { "wants" }
}

impl RuleResult {
    /// Returns the index of the rank; `None` if the rule could not be checked.
    pub fn rank(&self) -> Option<usize> {
        match self.outcome {
            RuleOutcome::Rank(rank) => Some(rank),
            RuleOutcome::Unknown(_) => None,
        }
    }

    /// Returns the value as a fraction of a rank's maximum; `None` if there is no value or no positive maximum.
    pub fn share(&self, rank: usize) -> Option<f64> {
        let max = self.rule.limits.max.get(rank).or(self.rule.limits.max.last()).copied()?;
        let value = self.reading.as_ref()?.value;
        (max > 0.0).then_some(value / max)
    }
}

impl ProfileReport {
    /// Describes how many rules cannot be checked; empty if all can be.
    pub fn unchecked(&self) -> String {
        match self.unknown() {
            0 => String::new(),
            1 => "1 rule cannot be checked from the file".to_owned(),
            count => format!("{count} rules cannot be checked from the file"),
        }
    }

    /// Returns the name of the rank, or "undecided" if [`Self::is_undecided`].
    pub fn rank_name(&self) -> &str {
        if self.is_undecided() { "undecided" } else { self.ranks.get(self.rank).map_or("", String::as_str) }
    }

    /// Returns true if the profile has no ranks, no rule fails, and a rule with severity error cannot be checked.
    pub fn is_undecided(&self) -> bool {
        !self.is_ranked && !self.is_beyond() && self.undecided().next().is_some()
    }

    fn undecided(&self) -> impl Iterator<Item = &RuleResult> {
        self.rows.iter().filter(|row| row.rank().is_none() && row.rule.severity == Severity::Error)
    }

    /// Describes the rank, for example as "excellent at best" if some rules cannot be checked.
    pub fn verdict(&self) -> String {
        let may_be_worse = self.is_ranked && self.unknown() > 0 && !self.is_beyond();
        format!("{}{}", self.rank_name(), if may_be_worse { " at best" } else { "" })
    }

    /// Returns the rows that prevent a better rank: those with the same rank as the rig.
    pub fn worst(&self) -> impl Iterator<Item = &RuleResult> {
        self.rows.iter().filter(|row| self.rank > 0 && row.rank() == Some(self.rank))
    }

    /// Returns true if the rig reaches the required rank and is not undecided.
    pub fn passes(&self) -> bool {
        self.rank <= self.demanded && !self.is_undecided()
    }

    /// Returns true if the rig reaches no rank.
    pub fn is_beyond(&self) -> bool {
        self.rank + 1 >= self.ranks.len()
    }

    /// Explains the rank: "12 material slots (good: 8)", or which rules cannot be checked and why.
    pub fn reason(&self) -> String {
        const MAX_REASONS: usize = 3;
        let describe = |row: &RuleResult| {
            let reading = row.reading.as_ref()?;
            let better = self.rank.checked_sub(1)?;
            let limit = row.rule.limits.describe(row.rule.measure, better);
            let limit = if self.is_ranked {
                format!("{}: {limit}", self.ranks[better])
            } else {
                need_clause(&row.rule, &limit)
            };
            // "15 names missing" is unclear without the rule's own name.
            let name = if row.rule.name == row.rule.measure.key() { "" } else { &format!("{}: ", row.rule.name) };
            Some(format!("{name}{} ({limit})", row.rule.measure.phrase(reading.value)))
        };
        let open = |row: &RuleResult| match &row.outcome {
            RuleOutcome::Unknown(why) => format!("{}: {why}", row.rule.name),
            RuleOutcome::Rank(_) => row.rule.name.clone(),
        };
        let open: Vec<String> = if self.is_undecided() { self.undecided().map(open).collect() } else { Vec::new() };
        let mut reasons: Vec<String> = open.into_iter().chain(self.worst().filter_map(describe)).collect();
        let more = reasons.len().saturating_sub(MAX_REASONS);
        reasons.truncate(MAX_REASONS);
        if more > 0 {
            reasons.push(format!("{more} more"));
        }
        reasons.join(", ")
    }

    /// Returns the number of rules that cannot be checked.
    pub fn unknown(&self) -> usize {
        self.rows.iter().filter(|row| row.rank().is_none()).count()
    }

    /// Returns a key that sorts reports from best to worst: reaches a rank, is decided, relative rank, number of failed
    /// rules, name.
    pub fn order(&self) -> (bool, bool, usize, usize, String) {
        let of_hundred = self.rank * 100 / (self.ranks.len() - 1).max(1);
        let failing = self.rows.iter().filter(|row| row.rank() == Some(self.ranks.len() - 1)).count();
        (self.is_beyond(), self.is_undecided(), of_hundred, failing, self.profile.clone())
    }
}
