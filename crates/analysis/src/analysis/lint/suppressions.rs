//! Findings that the file itself suppresses, and errors in its suppressions.

use std::collections::{BTreeMap, BTreeSet};

use super::finding::short;
use super::{Code, Finding, Target};
use rigscope_core::rig::{Rig, Suppression, SuppressionTarget, VertexList};

/// Finding that the file suppresses.
#[derive(Clone, Debug, PartialEq)]
pub struct SuppressedFinding {
    /// The suppressed finding.
    pub finding: Finding,
    /// Reason given by the file.
    pub reason: String,
}

pub(super) struct Suppressions<'a> {
    rig: &'a Rig,
    reasons: BTreeMap<(SuppressionTarget, String), &'a str>,
    needed: BTreeSet<(SuppressionTarget, String)>,
}

impl<'a> Suppressions<'a> {
    pub(super) fn new(rig: &'a Rig) -> Self {
        let usable =
            rig.suppressions.iter().take(Suppression::MAX_COUNT).filter(|suppression| fault(suppression).is_none());
        let reasons = usable.map(|s| ((s.place, s.code.clone()), s.reason.as_str())).collect();
        Self { rig, reasons, needed: BTreeSet::new() }
    }

    pub(super) fn apply(mut self, found: &mut Vec<Finding>) -> Vec<SuppressedFinding> {
        let (mut suppressed, mut rest) = (Vec::new(), Vec::new());
        for finding in found.drain(..) {
            match self.reason(&finding) {
                Some(reason) => suppressed.push(SuppressedFinding { finding, reason }),
                None => rest.push(finding),
            }
        }
        rest.extend(self.faults());
        // If findings were left out, a suppression that seems unused may apply to one of them.
        if !rest.iter().any(|finding| finding.code == Code::MoreFindings) {
            rest.extend(self.unused());
        }
        *found = rest;
        suppressed
    }

    /// Returns the reason for suppressing a finding; `None` if it is not suppressed. Suppressions may be set on the
    /// file, on the finding's mesh, or on all of its nodes.
    fn reason(&mut self, finding: &Finding) -> Option<String> {
        if self.reasons.is_empty() {
            return None;
        }
        let id = finding.id();
        let by_file = self.at(SuppressionTarget::File, &id);
        let by_mesh = match finding.target {
            Target::Primitive { mesh, .. } => self.at(SuppressionTarget::Mesh(mesh), &id),
            _ => None,
        };
        let nodes = finding.target.nodes();
        let by_nodes: Vec<Option<&str>> =
            nodes.iter().map(|node| self.at(SuppressionTarget::Node(*node), &id)).collect();
        by_file.or(by_mesh).map(str::to_owned).or_else(|| {
            let is_listed_whole = !nodes.is_empty() && finding.target.node_count() == nodes.len();
            let mut reasons = by_nodes.into_iter().collect::<Option<Vec<&str>>>().filter(|_| is_listed_whole)?;
            reasons.dedup();
            Some(reasons.join(" "))
        })
    }

    fn at(&mut self, place: SuppressionTarget, code: &str) -> Option<&'a str> {
        let key = (place, code.to_owned());
        let reason = *self.reasons.get(&key)?;
        self.needed.insert(key);
        Some(reason)
    }

    fn faults(&self) -> impl Iterator<Item = Finding> {
        let faulty = self.rig.suppressions.iter().take(Suppression::MAX_COUNT);
        let faults = faulty.filter_map(|suppression| {
            Some(self.finding(Code::SuppressionUnusable, suppression.place, &fault(suppression)?))
        });
        let more = (self.rig.suppressions.len() > Suppression::MAX_COUNT).then(|| {
            let said =
                format!("suppresses more than {} kinds of findings, and the others count", Suppression::MAX_COUNT);
            self.finding(Code::SuppressionUnusable, SuppressionTarget::File, &said)
        });
        faults.chain(more)
    }

    /// Returns a finding for each unused suppression. Skips suppressions of project rules, because they may be needed
    /// with a different config.
    fn unused(&self) -> impl Iterator<Item = Finding> {
        let unneeded = self.reasons.keys().filter(|key| !self.needed.contains(*key));
        let of_lint = unneeded.filter(|(_, code)| parse_code(code).is_some_and(|code| !code.is_on_request()));
        of_lint.map(|(place, code)| {
            self.finding(Code::SuppressionUnused, *place, &format!("suppresses {code}, which is not found there"))
        })
    }

    fn finding(&self, code: Code, place: SuppressionTarget, said: &str) -> Finding {
        let rig = self.rig;
        let named = |kind: &str, number: usize, name: Option<&str>| match name.filter(|name| !name.is_empty()) {
            Some(name) => format!("{kind} {number} \"{}\"", short(name)),
            None => format!("{kind} {number}"),
        };
        let (name, target) = match place {
            SuppressionTarget::File => ("The file".to_owned(), Target::File),
            SuppressionTarget::Node(node) => {
                let name = rig.hierarchy.by_source(node).map(|node| rig.hierarchy.name(node));
                (named("Node", node, name), Target::for_nodes([node]))
            }
            SuppressionTarget::Mesh(mesh) => {
                let name = rig.meshes.iter().find(|known| known.source == mesh).map(|known| known.name.as_str());
                let vertices = VertexList::default();
                (named("Mesh", mesh, name), Target::Primitive { mesh, primitive: 0, vertices, joint: None })
            }
        };
        let message = format!("{name} {said}.");
        Finding { spot: Some(message.clone()), ..Finding::new(code, message, target) }
    }
}

/// Describes what is wrong with a suppression, if anything. The result continues a sentence that starts with the
/// location of the suppression.
fn fault(Suppression { code, reason, .. }: &Suppression) -> Option<String> {
    let shown = short(code);
    if code.is_empty() {
        return Some("has invalid suppressions: each needs a code and a reason".to_owned());
    }
    let is_own = |code: Code| matches!(code, Code::SuppressionUnusable | Code::SuppressionUnused);
    if !code.contains('/') && parse_code(code).is_none_or(is_own) {
        return Some(format!("suppresses \"{shown}\", which is no code that can be suppressed"));
    }
    reason.is_empty().then(|| format!("suppresses {shown} without a reason"))
}

fn parse_code(id: &str) -> Option<Code> {
    Code::ALL.iter().copied().find(|code| code.id() == id)
}

#[cfg(test)]
mod tests {
    use super::*;
    use rigscope_core::rig::RigData;

    fn left(suppressions: &[(SuppressionTarget, &str, &str)], found: Vec<Finding>) -> (Vec<String>, Vec<String>) {
        let suppression = |&(place, code, reason): &(SuppressionTarget, &str, &str)| Suppression {
            place,
            code: code.to_owned(),
            reason: reason.to_owned(),
        };
        let suppressions = suppressions.iter().map(suppression).collect();
        let rig = Rig::new(RigData { suppressions, ..RigData::default() });
        let mut found = found;
        let suppressed = Suppressions::new(&rig).apply(&mut found);
        let said = |finding: &Finding| format!("{} {}", finding.id(), finding.message);
        (suppressed.iter().map(|s| s.reason.clone()).collect(), found.iter().map(said).collect())
    }

    fn on_nodes(code: Code, nodes: &[usize]) -> Finding {
        Finding::new(code, "Here.".to_owned(), Target::for_nodes(nodes.iter().copied()))
    }

    #[test]
    fn file_mesh_and_all_nodes_of_a_finding_suppress_it() {
        use SuppressionTarget::{File, Mesh, Node};
        let nodes = || vec![on_nodes(Code::JointUnused, &[3, 4])];
        let nothing = || (Vec::new(), vec!["RIG022 Here.".to_owned()]);
        assert_eq!(left(&[], nodes()), nothing());
        assert_eq!(left(&[(File, "RIG022", "a")], nodes()), (vec!["a".to_owned()], Vec::new()));
        assert_eq!(left(&[(Node(3), "RIG022", "a")], nodes()), nothing(), "the other node is not meant");
        let both = [(Node(3), "RIG022", "a"), (Node(4), "RIG022", "b")];
        assert_eq!(left(&both, nodes()), (vec!["a b".to_owned()], Vec::new()));
        let target = Target::Primitive { mesh: 1, primitive: 0, vertices: VertexList::default(), joint: Some(7) };
        let on_mesh = || vec![Finding::new(Code::ManyInfluences, "Here.".to_owned(), target.clone())];
        for place in [Mesh(1), Node(7)] {
            assert_eq!(left(&[(place, "RIG014", "a")], on_mesh()).0, ["a"]);
        }
    }

    #[test]
    fn suppressions_without_effect_or_reason_are_reported() {
        use SuppressionTarget::{File, Mesh, Node};
        let told = |suppressions: &[_]| left(suppressions, vec![on_nodes(Code::JointUnused, &[3])]).1;
        let here = "RIG022 Here.";
        assert_eq!(told(&[(File, "RIG022", "")]), [here, "RIG180 The file suppresses RIG022 without a reason."]);
        let no_code = "which is no code that can be suppressed.";
        assert_eq!(told(&[(Node(1), "RIG22", "a")]), [here, &format!("RIG180 Node 1 suppresses \"RIG22\", {no_code}")]);
        assert_eq!(told(&[(File, "RIG181", "a")])[1], format!("RIG180 The file suppresses \"RIG181\", {no_code}"));
        assert!(told(&[(File, "", "")])[1].ends_with("each needs a code and a reason."));
        let unused = "RIG181 Mesh 2 suppresses RIG014, which is not found there.";
        assert_eq!(told(&[(Mesh(2), "RIG014", "a")]), [here, unused]);
        for demanded in ["RIG095", "RIG166", "vrm-1/bones"] {
            assert_eq!(told(&[(File, demanded, "a")]), [here], "another project may demand it");
        }
        let cut = vec![Finding::new(Code::MoreFindings, "Much.".to_owned(), Target::File)];
        assert_eq!(left(&[(File, "RIG014", "a")], cut).1, ["RIG008 Much."]);
        let many: Vec<_> = (0..=Suppression::MAX_COUNT).map(|node| (Node(node), "RIG022", "a")).collect();
        assert!(told(&many).iter().any(|said| said.contains("more than 1000 kinds")));
    }
}
