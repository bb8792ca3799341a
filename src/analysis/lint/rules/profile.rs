//! Profiles: rules with ranks, and what becomes of a rig under them.

use std::path::PathBuf;
use std::sync::Arc;

use super::super::finding::FindingList;
use super::super::{BrokenRule, Code, Finding, Severity, Target};
use super::inventory::Inventory;
use super::measuring::readings;
use super::{Measure, Reading, Rule, counts};
use crate::text::capitalized;

/// Rules of a platform or a project.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Profile {
    /// Name on the command line and in the ids of findings.
    pub name: String,
    /// What the rules are for, in a few words.
    pub title: String,
    /// Version of the source, such as a commit; may be empty.
    pub version: String,
    /// Day on which the source was looked at, as `2026-11-24`; may be empty.
    pub date: String,
    /// Addresses of the source.
    pub sources: Vec<String>,
    /// What to know of the rules beside them.
    pub notes: Vec<String>,
    /// Names of ranks, the best first; empty where a rig passes or does not.
    pub ranks: Vec<String>,
    /// Name of what is beyond the last rank.
    pub beyond: String,
    /// Rules in the order in which they are told.
    pub rules: Vec<Rule>,
    /// Files that the rules were read from; none where they are inside the program.
    pub files: Vec<PathBuf>,
}

/// What became of a rule.
#[derive(Clone, Debug, PartialEq)]
pub enum Outcome {
    /// Position among the profile's ranks; their count where none is reached.
    Rank(usize),
    /// Why it cannot be told.
    Unknown(String),
}

/// A rule with what a rig has of it.
#[derive(Clone, Debug, PartialEq)]
pub struct Row {
    /// The rule.
    pub rule: Rule,
    /// What became of it.
    pub outcome: Outcome,
    /// The worst of what was measured; `None` where nothing was.
    pub reading: Option<Reading>,
}

/// A rig under a profile.
#[derive(Clone, Debug, PartialEq)]
pub struct Sheet {
    /// Name of the profile.
    pub profile: String,
    /// Title of the profile.
    pub title: String,
    /// Names of ranks, the best first, the last being beyond all others; where the profile has none, passed, passed with warnings and failed.
    pub ranks: Vec<String>,
    /// True where the profile has ranks of its own.
    pub is_ranked: bool,
    /// The worst rank of a row, a position in `ranks`.
    pub rank: usize,
    /// The worst rank that passes, a position in `ranks`.
    pub demanded: usize,
    /// Rules with what the rig has of them.
    pub rows: Vec<Row>,
    /// Findings for rules that are not met.
    pub findings: Vec<Finding>,
}

impl Profile {
    /// Number of ranks that can be reached.
    pub fn rank_count(&self) -> usize {
        self.ranks.len().max(1)
    }

    /// Position of a rank by its name, whatever its case; spaces and hyphens are one.
    pub fn rank_named(&self, name: &str) -> Option<usize> {
        let plain = |text: &str| text.to_lowercase().replace(' ', "-");
        self.ranks.iter().position(|rank| plain(rank) == plain(name))
    }

    /// Judges a rig. `at_least` is the rank that it must have, a position in the ranks; without one any rank will do. Falling short of a rank that was asked for is an
    /// error, whatever the severity of the rule.
    ///
    /// *Cost*: linear in the rig for each rule.
    pub fn judge(&self, inventory: &Inventory<'_>, at_least: Option<usize>) -> Sheet {
        let count = self.rank_count();
        let demanded = at_least.unwrap_or(count - 1).min(count - 1);
        let mut findings = FindingList::default();
        let mut rows = Vec::new();
        for rule in &self.rules {
            let found = readings(inventory, rule);
            let found = match found {
                Ok(found) => found,
                Err(why) => {
                    rows.push(Row { rule: rule.clone(), outcome: Outcome::Unknown(why), reading: None });
                    continue;
                }
            };
            let ranked: Vec<(usize, Reading)> =
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
            let rank = if self.ranks.is_empty() && rank > 0 { unranked(rule.severity) } else { rank };
            rows.push(Row { rule: rule.clone(), outcome: Outcome::Rank(rank), reading });
        }
        let sheet = self.sheet(rows, findings.into_list());
        Sheet { demanded: at_least.map_or(sheet.demanded, |_| demanded), ..sheet }
    }

    /// The sheet of rows that were judged.
    pub(in crate::analysis) fn sheet(&self, rows: Vec<Row>, findings: Vec<Finding>) -> Sheet {
        let rank = rows.iter().filter_map(Row::rank).max().unwrap_or(0);
        let (profile, title, ranks) = (self.name.clone(), self.title.clone(), self.rank_names());
        let demanded = ranks.len() - 2;
        Sheet { profile, title, ranks, is_ranked: !self.ranks.is_empty(), rank, demanded, rows, findings }
    }

    /// Names of all ranks, the last being what is beyond all others.
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
        (rank, reading): (usize, &Reading),
        severity: Severity,
        demanded: usize,
        findings: &mut FindingList,
    ) {
        // The next better rank is what there is to win; beyond what is demanded, that is.
        let wanted = if rank > demanded { demanded } else { rank - 1 };
        let limit = rule.limits.told(rule.measure, wanted);
        let (clause, target) = placed(inventory, rule, reading, wanted);
        let message = if self.ranks.is_empty() {
            format!("{clause}; {}.", told_limit(rule, &limit, &self.title))
        } else {
            let names = self.rank_names();
            format!("{clause}: {}; {} {} {limit}.", capitalized(&names[rank]), names[wanted], takes(rule))
        };
        findings.push_rule(self.finding(rule, message, target, severity));
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

/// The rank in a profile without ranks of a rule that is not met.
pub(in crate::analysis) fn unranked(severity: Severity) -> usize {
    match severity {
        Severity::Note => 0,
        Severity::Warning => 1,
        Severity::Error => 2,
    }
}

/// The clause and place of a reading; of influences, with the vertices that are over a limit.
fn placed(inventory: &Inventory<'_>, rule: &Rule, reading: &Reading, rank: usize) -> (String, Target) {
    let limit = rule.limits.most.get(rank).or(rule.limits.most.last());
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

fn told_limit(rule: &Rule, limit: &str, title: &str) -> String {
    let of = if rule.code == Code::RuleBroken || title.is_empty() { String::new() } else { format!(" of {title}") };
    match (rule.limits.least.is_empty(), rule.limits.most.is_empty()) {
        (true, _) if limit == "0" => "there may be none".to_owned(),
        (true, _) => format!("the limit{of} is {limit}"),
        _ => format!("it must be {limit}"),
    }
}

fn told_need(rule: &Rule, limit: &str) -> String {
    if rule.limits.least.is_empty() { format!("limit: {limit}") } else { format!("needs {limit}") }
}

fn takes(rule: &Rule) -> &'static str {
    if rule.limits.least.is_empty() { "takes" } else { "wants" }
}

impl Row {
    /// The rank, where there is one.
    pub fn rank(&self) -> Option<usize> {
        match self.outcome {
            Outcome::Rank(rank) => Some(rank),
            Outcome::Unknown(_) => None,
        }
    }

    /// Share of what may be had that the rig has, 1 at the limit of a rank; `None` where there is no number, no upper limit or one of 0.
    pub fn share(&self, rank: usize) -> Option<f64> {
        let most = self.rule.limits.most.get(rank).or(self.rule.limits.most.last()).copied()?;
        let value = self.reading.as_ref()?.value;
        (most > 0.0).then_some(value / most)
    }
}

impl Sheet {
    /// What cannot be told from the file, in words; empty where all can.
    pub fn unchecked(&self) -> String {
        match self.unknown() {
            0 => String::new(),
            1 => "1 rule cannot be checked from the file".to_owned(),
            count => format!("{count} rules cannot be checked from the file"),
        }
    }

    /// Name of the rank; "undecided" where [`Self::is_undecided`].
    pub fn rank_name(&self) -> &str {
        if self.is_undecided() { "undecided" } else { self.ranks.get(self.rank).map_or("", String::as_str) }
    }

    /// True where a profile without ranks has a rule whose breach is an error and which cannot be told, and no other rule fails: the rig has not passed.
    pub fn is_undecided(&self) -> bool {
        !self.is_ranked && !self.is_beyond() && self.undecided().next().is_some()
    }

    fn undecided(&self) -> impl Iterator<Item = &Row> {
        self.rows.iter().filter(|row| row.rank().is_none() && row.rule.severity == Severity::Error)
    }

    /// The rank in words; "excellent at best" where rules that cannot be told from the file may make it worse.
    pub fn verdict(&self) -> String {
        let may_be_worse = self.is_ranked && self.unknown() > 0 && !self.is_beyond();
        format!("{}{}", self.rank_name(), if may_be_worse { " at best" } else { "" })
    }

    /// Rows of the rank of the sheet that keep it from a better one.
    pub fn worst(&self) -> impl Iterator<Item = &Row> {
        self.rows.iter().filter(|row| self.rank > 0 && row.rank() == Some(self.rank))
    }

    /// True where the rig has the rank that is demanded and nothing is left undecided.
    pub fn passes(&self) -> bool {
        self.rank <= self.demanded && !self.is_undecided()
    }

    /// True where the rig has no rank of the profile.
    pub fn is_beyond(&self) -> bool {
        self.rank + 1 >= self.ranks.len()
    }

    /// What the rank comes from, in words: "12 material slots (good: 8)"; of an undecided rig, what cannot be told and why.
    pub fn reason(&self) -> String {
        const MOST: usize = 3;
        let told = |row: &Row| {
            let reading = row.reading.as_ref()?;
            let better = self.rank.checked_sub(1)?;
            let limit = row.rule.limits.told(row.rule.measure, better);
            let limit =
                if self.is_ranked { format!("{}: {limit}", self.ranks[better]) } else { told_need(&row.rule, &limit) };
            // "15 names missing" says nothing without the rule's own name.
            let name = if row.rule.name == row.rule.measure.key() { "" } else { &format!("{}: ", row.rule.name) };
            Some(format!("{name}{} ({limit})", row.rule.measure.told(reading.value)))
        };
        let open = |row: &Row| match &row.outcome {
            Outcome::Unknown(why) => format!("{}: {why}", row.rule.name),
            Outcome::Rank(_) => row.rule.name.clone(),
        };
        let open: Vec<String> = if self.is_undecided() { self.undecided().map(open).collect() } else { Vec::new() };
        let mut reasons: Vec<String> = open.into_iter().chain(self.worst().filter_map(told)).collect();
        let more = reasons.len().saturating_sub(MOST);
        reasons.truncate(MOST);
        if more > 0 {
            reasons.push(format!("{more} more"));
        }
        reasons.join(", ")
    }

    /// Number of rules that cannot be told from the file.
    pub fn unknown(&self) -> usize {
        self.rows.iter().filter(|row| row.rank().is_none()).count()
    }

    /// Orders sheets, the best first: those that may be shipped, by rank among their ranks and by how much fails.
    pub fn order(&self) -> (bool, bool, usize, usize, String) {
        let of_hundred = self.rank * 100 / (self.ranks.len() - 1).max(1);
        let failing = self.rows.iter().filter(|row| row.rank() == Some(self.ranks.len() - 1)).count();
        (self.is_beyond(), self.is_undecided(), of_hundred, failing, self.profile.clone())
    }
}
