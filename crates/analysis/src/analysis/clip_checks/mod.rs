//! Project rules for clips (`[[clips]]` in the settings), such as looping, staying in place and not sliding.
//!
//! The result is a [`ProfileReport`], as for a profile: one row per rule and clip, and a finding for each failed rule.
//! A rule that cannot be checked does not pass; its row and finding explain why.

mod clip_rule;
mod measures;

use std::collections::BTreeSet;
use std::sync::Arc;

use super::lint::rules::{
    Limits, Measure, Measurement, NamedObjectKind, Pattern, Profile, ProfileReport, Rule, RuleOutcome, RuleResult,
    pass_fail_rank,
};
use super::lint::{Code, Finding, FindingList, NodeList, Severity, Target, short};
pub use clip_rule::{ClipRule, LOOP_GAP, LOOP_SEAM_DEG, RootMotion};
use clip_rule::{ClipRuleResult, clip_name};
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
    /// Rules that every matching clip must meet.
    pub rules: Vec<ClipRule>,
    /// True if at least one clip must match.
    pub must_exist: bool,
    /// Severity of the findings.
    pub severity: Severity,
}

const SHEET: &str = "clips";

const MAX_LISTED: usize = 6;

impl ClipRules {
    /// Checks the clips of a rig; `None` if cancelled. Rules about seams, roots or feet require skinning every frame of
    /// a clip.
    pub fn check_clips(contracts: &[Self], rig: &Arc<Rig>, progress: &Progress) -> Option<ProfileReport> {
        let meant: Vec<Vec<usize>> = contracts.iter().map(|contract| contract.matching_clips(rig)).collect();
        let clips = |is_asked: fn(&ClipRule) -> bool| -> Vec<usize> {
            let all = contracts.iter().zip(&meant).flat_map(|(contract, clips)| contract.pairs(clips));
            let clips: BTreeSet<usize> = all.filter(|(_, rule)| is_asked(rule)).map(|(clip, _)| clip).collect();
            clips.into_iter().collect()
        };
        let (of_seams, of_feet) = (clips(ClipRule::is_of_seam), clips(ClipRule::is_of_feet));
        let measured = ClipMeasures::new(rig, of_seams, &of_feet, progress)?;
        let (mut rows, mut findings) = (Vec::new(), FindingList::default());
        for (contract, clips) in contracts.iter().zip(&meant) {
            contract.judge_names(rig, clips.len(), &mut rows, &mut findings);
            for (clip, rule) in contract.pairs(clips) {
                let judged = rule.check_clip(rig, clip, &measured);
                contract.add_rule_result(rig, (clip, rule), judged, &mut rows, &mut findings);
            }
        }
        let (name, title) = (SHEET.to_owned(), "Project rules for clips".to_owned());
        Some(Profile { name, title, ..Profile::default() }.build_report(rows, findings.into_list()))
    }

    fn matching_clips(&self, rig: &Rig) -> Vec<usize> {
        let is_meant = |name: &str| self.names.iter().any(|pattern| pattern.fits(name));
        (0..rig.clips.len()).filter(|&clip| is_meant(&rig.clips[clip].name)).collect()
    }

    fn pairs<'a>(&'a self, clips: &'a [usize]) -> impl Iterator<Item = (usize, &'a ClipRule)> {
        clips.iter().flat_map(|&clip| self.rules.iter().map(move |rule| (clip, rule)))
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
            ..Rule::new(&names, Measure::Names, Limits { min: vec![1.0], max: Vec::new() })
        };
        if found == 0 {
            let message = format!("No clip is called {names} ({}); {}.", self.place, listed(rig));
            // Omits the rule's line and the rig's clips, so that the baseline still matches when they change.
            let spot = Some(format!("No clip is called {names}"));
            findings.push_finding(Finding { severity, spot, ..Finding::new(rule.code, message, Target::File) });
        }
        let outcome = match (found, self.must_exist) {
            (0, false) => RuleOutcome::Unknown("no clip has this name".to_owned()),
            (0, true) => RuleOutcome::Rank(pass_fail_rank(severity)),
            _ => RuleOutcome::Rank(0),
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
        (clip, clip_rule): (usize, &ClipRule),
        judged: Result<ClipRuleResult, String>,
        rows: &mut Vec<RuleResult>,
        findings: &mut FindingList,
    ) {
        let name = clip_name(rig, clip);
        let label = if rig.clips[clip].name.is_empty() { clip.to_string() } else { short(&rig.clips[clip].name) };
        let measure = clip_rule.measure();
        let rule = Rule {
            severity: self.severity,
            advice: Some(clip_rule.code().advice().to_owned()),
            why: Some(format!("{} ({})", measure.about(), self.place)),
            code: clip_rule.code(),
            ..Rule::new(&format!("{label}: {}", clip_rule.name()), measure, clip_rule.limits(rig))
        };
        let target = |joint| Target::Clip { clip, nodes: NodeList::new(&rig.hierarchy, joint) };
        let (outcome, reading) = match judged {
            Err(why) => {
                let message = format!("{name}: {} cannot be checked: {why} ({}).", clip_rule.name(), self.place);
                let severity = self.severity.min(Code::ClipUndecided.severity());
                findings.push_finding(Finding { severity, ..Finding::new(Code::ClipUndecided, message, target(None)) });
                (RuleOutcome::Unknown(why), None)
            }
            Ok(ClipRuleResult { value, is_met, clause, detail, joint }) => {
                if !is_met {
                    let message = format!("{name} {clause}; {} ({}).", clip_rule.requirement(rig), self.place);
                    let finding = Finding::new(clip_rule.code(), message, target(joint));
                    findings.push_finding(Finding { severity: self.severity, ..finding });
                }
                let outcome = RuleOutcome::Rank(if is_met { 0 } else { pass_fail_rank(self.severity) });
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
