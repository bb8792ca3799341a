//! Project rules for clips (`[[clips]]` in the settings), such as looping, staying in place and not sliding.
//!
//! The result is a [`ProfileReport`], like that of a profile: one row per rule and clip, and a finding for each failed rule.
//! A rule that cannot be checked has not passed; its row and finding give the reason.

mod demand;
mod measures;

use std::collections::BTreeSet;
use std::sync::Arc;

use super::lint::rules::{
    Limits, Measure, Measurement, NamedObjectKind, Outcome, Pattern, Profile, ProfileReport, Rule, RuleResult, unranked,
};
use super::lint::{Code, Finding, FindingList, NodeList, Severity, Target, short};
pub use demand::{ClipRule, LOOP_GAP, LOOP_SEAM_DEG, RootMotion};
use demand::{ClipRuleResult, clip_name};
use measures::ClipMeasures;
use rigscope_core::jobs::Progress;
use rigscope_core::rig::Rig;
use rigscope_core::text;

/// Rules for clips selected by name.
#[derive(Clone, Debug, PartialEq)]
pub struct ClipRules {
    /// Source location of the rules, such as `rigscope.toml, line 3`.
    pub place: String,
    /// Name patterns of the clips to check.
    pub names: Vec<Pattern>,
    /// Rules for each clip that matches.
    pub demands: Vec<ClipRule>,
    /// True if at least one clip must match.
    pub must_exist: bool,
    /// Severity of the findings.
    pub severity: Severity,
}

const SHEET: &str = "clips";

const MAX_LISTED: usize = 6;

impl ClipRules {
    /// Checks the clips of a rig; `None` if cancelled. Rules about seams, roots and feet skin every frame of their clips.
    pub fn judge_all(contracts: &[Self], rig: &Arc<Rig>, progress: &Progress) -> Option<ProfileReport> {
        let meant: Vec<Vec<usize>> = contracts.iter().map(|contract| contract.clips_of(rig)).collect();
        let clips = |is_asked: fn(&ClipRule) -> bool| -> Vec<usize> {
            let all = contracts.iter().zip(&meant).flat_map(|(contract, clips)| contract.pairs(clips));
            let clips: BTreeSet<usize> = all.filter(|(_, demand)| is_asked(demand)).map(|(clip, _)| clip).collect();
            clips.into_iter().collect()
        };
        let (of_seams, of_feet) = (clips(ClipRule::is_of_seam), clips(ClipRule::is_of_feet));
        let measured = ClipMeasures::new(rig, of_seams, &of_feet, progress)?;
        let (mut rows, mut findings) = (Vec::new(), FindingList::default());
        for (contract, clips) in contracts.iter().zip(&meant) {
            contract.judge_names(rig, clips.len(), &mut rows, &mut findings);
            for (clip, demand) in contract.pairs(clips) {
                let judged = demand.judge(rig, clip, &measured);
                contract.add_rule_result(rig, (clip, demand), judged, &mut rows, &mut findings);
            }
        }
        let (name, title) = (SHEET.to_owned(), "Project rules for clips".to_owned());
        Some(Profile { name, title, ..Profile::default() }.sheet(rows, findings.into_list()))
    }

    fn clips_of(&self, rig: &Rig) -> Vec<usize> {
        let is_meant = |name: &str| self.names.iter().any(|pattern| pattern.fits(name));
        (0..rig.clips.len()).filter(|&clip| is_meant(&rig.clips[clip].name)).collect()
    }

    fn pairs<'a>(&'a self, clips: &'a [usize]) -> impl Iterator<Item = (usize, &'a ClipRule)> {
        clips.iter().flat_map(|&clip| self.demands.iter().map(move |demand| (clip, demand)))
    }

    fn judge_names(&self, rig: &Rig, found: usize, rows: &mut Vec<RuleResult>, findings: &mut FindingList) {
        if found > 0 && !self.must_exist {
            return;
        }
        let names = self.names.iter().map(|pattern| format!("\"{}\"", short(pattern.text()))).collect::<Vec<_>>();
        let names = names.join(" or ");
        let severity = if self.must_exist { self.severity } else { Severity::Note };
        let rule = Rule {
            kind: NamedObjectKind::Clips,
            severity,
            why: Some(format!("Clips of this name ({}).", self.place)),
            code: if self.must_exist { Code::ClipMissing } else { Code::ClipUnmatched },
            ..Rule::new(&names, Measure::Names, Limits { least: vec![1.0], most: Vec::new() })
        };
        if found == 0 {
            let message = format!("No clip is called {names} ({}); {}.", self.place, listed(rig));
            // Omits the rule's line and the rig's clips, so that the baseline still matches when they change.
            let spot = Some(format!("No clip is called {names}"));
            findings.push_rule(Finding { severity, spot, ..Finding::new(rule.code, message, Target::File) });
        }
        let outcome = match (found, self.must_exist) {
            (0, false) => Outcome::Unknown("no clip has this name".to_owned()),
            (0, true) => Outcome::Rank(unranked(severity)),
            _ => Outcome::Rank(0),
        };
        let reading = Measurement {
            value: found as f64,
            clause: format!("Clips are called {names}"),
            detail: String::new(),
            target: Target::File,
        };
        rows.push(RuleResult { rule, outcome, reading: Some(reading) });
    }

    fn add_rule_result(
        &self,
        rig: &Rig,
        (clip, demand): (usize, &ClipRule),
        judged: Result<ClipRuleResult, String>,
        rows: &mut Vec<RuleResult>,
        findings: &mut FindingList,
    ) {
        let name = clip_name(rig, clip);
        let label = if rig.clips[clip].name.is_empty() { clip.to_string() } else { short(&rig.clips[clip].name) };
        let measure = demand.measure();
        let rule = Rule {
            severity: self.severity,
            advice: Some(demand.code().advice().to_owned()),
            why: Some(format!("{} ({})", measure.about(), self.place)),
            code: demand.code(),
            ..Rule::new(&format!("{label}: {}", demand.name()), measure, demand.limits(rig))
        };
        let target = |joint| Target::Clip { clip, nodes: NodeList::new(&rig.hierarchy, joint) };
        let (outcome, reading) = match judged {
            Err(why) => {
                let message = format!("{name}: {} cannot be checked: {why} ({}).", demand.name(), self.place);
                let severity = self.severity.min(Code::ClipUndecided.severity());
                findings.push_rule(Finding { severity, ..Finding::new(Code::ClipUndecided, message, target(None)) });
                (Outcome::Unknown(why), None)
            }
            Ok(ClipRuleResult { value, is_met, clause, detail, joint }) => {
                if !is_met {
                    let message = format!("{name} {clause}; {} ({}).", demand.requirement(rig), self.place);
                    let finding = Finding::new(demand.code(), message, target(joint));
                    findings.push_rule(Finding { severity: self.severity, ..finding });
                }
                let outcome = Outcome::Rank(if is_met { 0 } else { unranked(self.severity) });
                let clause = format!("{name} {clause}");
                (outcome, Some(Measurement { value, clause, detail, target: target(joint) }))
            }
        };
        rows.push(RuleResult { rule, outcome, reading });
    }
}

fn listed(rig: &Rig) -> String {
    let names: Vec<String> = rig.clips.iter().map(|clip| format!("\"{}\"", short(&clip.name))).collect();
    if names.is_empty() {
        return "the file has no clips".to_owned();
    }
    format!("there are {}", text::listed(&names, MAX_LISTED))
}
