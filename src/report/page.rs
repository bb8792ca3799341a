use std::cmp::Reverse;

use glam::Vec3;

use super::bend_section::bend_section;
use super::interactive_view::InteractiveView;
use super::measures::{Measures, WorstJoint};
use super::options::ReportOptions;
use super::pictures::{Pictures, jpeg};
use super::refit_section::refit_section;
use crate::analysis::lint::rules::{ProfileReport, RuleOutcome, RuleResult};
use crate::analysis::lint::{Finding, SuppressedFinding};
use crate::analysis::twist::{JointRank, RankError, RotationKind, Sweep, SweepRow};
use crate::analysis::weight_problems::WeightProblem;
use crate::page::{Element, Page, figure, grid, heading, paragraph, section, table, text};
use crate::rig::{Bounds, NodeIndex, Rig};
use crate::skinning::{InfluenceLimit, WeightPrecision};
use crate::stage::Stage;
use crate::text::counted;
use crate::view::Side;

const MAX_ROWS: usize = 500;
const MAX_RANKED: usize = 20;
const MAX_OF_A_CODE: usize = 100;
const DEEPEST: usize = 24;
/// Maximum number of failed profiles in the verdict.
const MAX_FAILED: usize = 3;

const SCRIPT: &str =
    concat!(include_str!("player/skin.js"), include_str!("player/surface.js"), include_str!("player/view.js"));

pub(super) fn page(
    (stage, options): (&Stage, ReportOptions<'_>),
    measures: &Measures,
    pictures: &Pictures,
    turned: Option<InteractiveView>,
) -> String {
    let bend_test = measures.bend_test.as_ref().map(|test| match test {
        Ok(test) => bend_section(test, &measures.rig, &pictures.bends),
        Err(problem) => vec![paragraph(&format!("Not tested. {problem}."))],
    });
    let bend_test = bend_test.map(|inside| ("bend", "Bend test", inside));
    let refit = Side::ALL.into_iter().find_map(|side| stage.refit_on(side));
    let refit = refit.map(|refit| ("refit", "Changed skeleton", refit_section(refit)));
    let parts: Vec<(&str, &str, Vec<Element>)> =
        [("pictures", "Pictures", shown(measures, pictures)), ("findings", "Findings", findings(measures, pictures))]
            .into_iter()
            .chain((!measures.sheets.is_empty()).then(|| ("profiles", "Platform profiles", profiles(measures))))
            .chain([
                (
                    "view",
                    "In three dimensions",
                    turned.as_ref().map_or_else(nothing, |turned| turned.section(stage, measures)),
                ),
                ("twist", "Twist and bend", twist(measures, pictures)),
            ])
            .chain(bend_test)
            .chain([
                ("weights", "Weights", vec![weights(pictures)]),
                ("weight-problems", "Weight problems", weight_problems(measures, pictures)),
                ("cost", "Sizes and cost", cost(measures)),
                ("skeleton", "Skeleton", skeleton(&measures.rig)),
            ])
            .chain(refit)
            .chain([("made", "File and date", options.origin.details(stage))])
            .collect();
    let name = stage.document.source.name();
    let mut page = Page::new(options.title.unwrap_or(&name)).with_script(SCRIPT);
    for line in options.note.into_iter().flat_map(str::lines) {
        page.push(paragraph(line));
    }
    page.push(verdict(measures));
    page.push(summary(measures));
    let link = |&(id, title, _): &_| Element::new("a").with("href", &format!("#{id}")).text(title);
    page.push(Element::new("nav").children(parts.iter().map(link)));
    for (id, title, inside) in parts {
        page.push(section(id, title, inside));
    }
    if let Some(turned) = turned {
        page.push(Element::json("model", &turned.json()));
    }
    page.html()
}

fn nothing() -> Vec<Element> {
    vec![paragraph("There is no surface to show.")]
}

/// States whether the character has errors and meets the required profiles.
fn verdict(measures: &Measures) -> Element {
    let counts = measures.facts.counts;
    let failed: Vec<&ProfileReport> = measures.sheets.iter().filter(|sheet| sheet.rank > sheet.demanded).collect();
    let (class, found) = match (counts.error, counts.warning) {
        (0, 0) => ("good", "No errors and no warnings.".to_owned()),
        (0, warnings) => ("warning", format!("No errors, but {}.", counted(warnings, "warning", "warnings"))),
        (errors, _) => ("error", format!("{} to fix.", counted(errors, "error", "errors"))),
    };
    let mut lines = vec![Element::new("p").child(colored(class, &found))];
    lines.extend(failed.iter().take(MAX_FAILED).map(|sheet| {
        let reason = sheet.reason();
        let reason = if reason.is_empty() { String::new() } else { format!(": {reason}") };
        Element::new("p").child(colored("error", &format!("{}, {}{reason}.", sheet.title, sheet.verdict())))
    }));
    if let Some(more @ 1..) = failed.len().checked_sub(MAX_FAILED) {
        lines.push(paragraph(&format!("And {}.", counted(more, "more platform", "more platforms"))));
    }
    let met = measures.sheets.iter().filter(|sheet| sheet.rank <= sheet.demanded);
    let met: Vec<&str> = met.map(|sheet| sheet.title.as_str()).collect();
    if !met.is_empty() {
        lines.push(paragraph(&format!("Meets {}.", met.join(", "))));
    }
    Element::new("div").with("id", "verdict").children(lines)
}

/// Lists the ranks in the profiles that were asked for, and the rules that prevent the best rank.
fn profiles(measures: &Measures) -> Vec<Element> {
    let line = |sheet: &ProfileReport| {
        let class = if sheet.rank > sheet.demanded { "error" } else { "" };
        let unknown = if sheet.unknown() == 0 { String::new() } else { sheet.unknown().to_string() };
        vec![text(&sheet.title), colored(class, &sheet.verdict()), text(&sheet.reason()), text(&unknown)]
    };
    let lines = measures.sheets.iter().map(line);
    let mut inside = vec![table(&["Profile", "Rank", "Reason", "Rules not checked"], lines)];
    for sheet in &measures.sheets {
        inside.push(heading(3, &sheet.title));
        let row = |row: &RuleResult| {
            let rank = row.rank().and_then(|rank| sheet.ranks.get(rank)).map_or("", String::as_str);
            let has = match (&row.reading, &row.outcome) {
                (_, RuleOutcome::Unknown(why)) => why.clone(),
                (Some(reading), _) => row.rule.measure.phrase(reading.value),
                (None, _) => "nothing".to_owned(),
            };
            let may = row.rule.limits.describe(row.rule.measure, sheet.rank.saturating_sub(1));
            let may = if row.rule.measure.is_in_files() { may } else { String::new() };
            let advice = if row.rank().is_some_and(|rank| rank > 0) { row.rule.advice() } else { "" };
            vec![text(&row.rule.name), text(&has), text(&may), text(rank), text(advice)]
        };
        inside.push(table(&["Rule", "Value", "Limit", "Rank", "What to do"], sheet.rows.iter().map(row)));
    }
    inside
}

fn summary(measures: &Measures) -> Element {
    let facts = &measures.facts;
    let counts = [("error", facts.counts.error), ("warning", facts.counts.warning), ("note", facts.counts.note)];
    let sizes = [
        (facts.joints, "joint", "joints"),
        (facts.vertices, "vertex", "vertices"),
        (facts.triangles, "triangle", "triangles"),
        (facts.clips, "clip", "clips"),
    ];
    let sizes = sizes.into_iter().filter(|(count, ..)| *count > 0);
    let mut text = paragraph(&sizes.map(|(count, one, many)| counted(count, one, many)).collect::<Vec<_>>().join(", "));
    if counts.iter().all(|(_, count)| *count == 0) {
        text = text.text(". No findings");
    }
    let found = counts.into_iter().filter(|(_, count)| *count > 0);
    for (number, (name, count)) in found.enumerate() {
        text = text
            .text(if number == 0 { ". " } else { ", " })
            .child(colored(name, &counted(count, name, &format!("{name}s"))));
    }
    text.text(&extent(&measures.rig).map_or(".".to_owned(), |extent| format!(". At rest {extent}.")))
}

fn extent(rig: &Rig) -> Option<String> {
    let Bounds { min, max } = rig.rest_bounds();
    let (extent, front) = (max - min, rig.front());
    let along = |axis: Vec3| extent.dot(axis.abs());
    let [high, wide, deep] = [Vec3::Y, front.cross(Vec3::Y), front].map(along);
    (extent.is_finite() && extent.cmpge(Vec3::ZERO).all())
        .then(|| format!("{high:.3} m high, {wide:.3} m wide, {deep:.3} m deep"))
}

fn colored(class: &str, words: &str) -> Element {
    text(words).with("class", class)
}

fn shot(file: &[u8], what: &str) -> Element {
    figure(jpeg(file, what), text(what))
}

fn more(length: usize, shown: usize) -> Option<Element> {
    length.checked_sub(shown).filter(|more| *more > 0).map(|more| paragraph(&format!("And {more} more.")))
}

fn shown(measures: &Measures, pictures: &Pictures) -> Vec<Element> {
    vec![grid([shot(&pictures.rest, "At rest"), shot(&pictures.posed, &measures.compared.title)])]
}

fn findings(measures: &Measures, pictures: &Pictures) -> Vec<Element> {
    let all = &measures.findings;
    let suppressed = suppressed(&measures.suppressed);
    if all.is_empty() {
        return [paragraph("None.")].into_iter().chain(suppressed).collect();
    }
    let mut numbers: Vec<usize> = (0..all.len()).collect();
    numbers.sort_by_key(|&number| (Reverse(all[number].severity), all[number].code));
    let groups = numbers.chunk_by(|&a, &b| (all[a].severity, all[a].code) == (all[b].severity, all[b].code));
    groups.flat_map(|group| code_section(group, all, pictures)).chain(suppressed).collect()
}

fn suppressed(all: &[SuppressedFinding]) -> Vec<Element> {
    if all.is_empty() {
        return Vec::new();
    }
    let head = Element::new("h3").text(&format!("Suppressed by the file ({})", all.len()));
    let rows = all
        .iter()
        .take(MAX_ROWS)
        .map(|SuppressedFinding { finding, reason }| vec![text(&finding.id()), text(&finding.message), text(reason)]);
    let rows = table(&["Code", "Finding", "Reason"], rows).with("class", "quiet");
    [head, rows].into_iter().chain(more(all.len(), MAX_ROWS)).collect()
}

/// Returns the section about one lint code: explanation, findings with an image, and other findings.
fn code_section(group: &[usize], all: &[Finding], pictures: &Pictures) -> Vec<Element> {
    let Some(&Finding { severity, code, .. }) = group.first().map(|&first| &all[first]) else { return Vec::new() };
    let name = text(&format!("{severity} {code}")).with("class", severity.name());
    let head = Element::new("h3").child(name).text(&format!(" {} ({})", code.title(), group.len()));
    let about = paragraph(&format!("{} {}", code.why(), code.advice()));
    let picture = |number: usize| pictures.places.iter().find(|(of, _)| *of == number).map(|(_, file)| file);
    let (seen, told): (Vec<usize>, Vec<usize>) = group.iter().partition(|&&number| picture(number).is_some());
    let figures = seen.iter().filter_map(|&number| {
        let shown = jpeg(picture(number)?, &format!("Where finding {} is", number + 1));
        Some(figure(shown, text(&all[number].message)))
    });
    let items = told.iter().take(MAX_OF_A_CODE).map(|&number| Element::new("li").text(&all[number].message));
    let figures = (!seen.is_empty()).then(|| grid(figures));
    let list = (!told.is_empty()).then(|| Element::new("ul").children(items));
    [head, about].into_iter().chain(figures).chain(list).chain(more(told.len(), MAX_OF_A_CODE)).collect()
}

fn twist(measures: &Measures, pictures: &Pictures) -> Vec<Element> {
    if measures.ranked.is_empty() && measures.too_thin.is_empty() {
        return vec![paragraph(&none_ranked(&measures.rig))];
    }
    let hierarchy = &measures.rig.hierarchy;
    let row = |ranked: &JointRank| {
        vec![
            text(hierarchy.name(ranked.joint)),
            text(&format!("{:.1} % ± {:.1} %", ranked.loss * 100.0, ranked.uncertainty * 100.0)),
            text(&format!("{} {:.0}°", ranked.motion.name(), ranked.angle.to_degrees())),
            text(&ranked.triangles.to_string()),
        ]
    };
    let heads = ["Joint", "Volume lost with LBS", "Worst rotation", "Triangles"];
    let ranked = table(&heads, measures.ranked.iter().take(MAX_RANKED).map(row));
    let about = paragraph(VOLUME).with("class", "quiet");
    let thin = measures.too_thin.iter().take(MAX_RANKED);
    let thin: Vec<String> = thin
        .map(|joint| {
            let [loss, doubt] = [joint.loss, joint.uncertainty].map(|share| share * 100.0);
            format!("{} ({loss:.0} % ± {doubt:.0} %)", hierarchy.name(joint.joint))
        })
        .collect();
    let thin = (!thin.is_empty()).then(|| paragraph(&format!("Too thin to tell: {}.", thin.join(", "))));
    let worst = measures.worst.iter().zip(&pictures.joints);
    let worst = worst.flat_map(|(worst, picture)| worst_joint(&measures.rig, worst, picture));
    [ranked].into_iter().chain(thin).chain([about]).chain(worst).collect()
}

fn none_ranked(rig: &Rig) -> String {
    match RankError::check(rig) {
        Ok(()) => "Nothing loses volume, or nothing could be measured.".to_owned(),
        Err(refusal) => format!("Not ranked. {refusal}."),
    }
}

const VOLUME: &str = "A volume is enclosed by the triangles that the joint and its parent move; each opening where they are cut out of the \
    surface is closed by a fan from the middle of its rim. Only the change of this volume between poses is meaningful. The ± is how much the loss \
    could change if the openings were closed differently.";

fn worst_joint(rig: &Rig, WorstJoint { ranked, sweep, .. }: &WorstJoint, picture: &[u8]) -> [Element; 2] {
    let turn = format!("{} by {:.0}°", ranked.motion.name(), ranked.angle.to_degrees());
    let what = format!("LBS on side A and DQS on side B, {turn}");
    let plots = [RotationKind::Twist, RotationKind::Bend].map(|motion| {
        let caption = text("Volume left by ").child(colored("a", "LBS")).text(" and ").child(colored("b", "DQS"));
        figure(volume_plot(sweep, motion), caption.text(&format!(": {}", motion.name())))
    });
    [heading(3, rig.hierarchy.name(ranked.joint)), grid([shot(picture, &what)].into_iter().chain(plots))]
}

fn weights(pictures: &Pictures) -> Element {
    if pictures.weights.is_empty() {
        return paragraph("None.");
    }
    grid(pictures.weights.iter().map(|(overlay, file)| {
        let spec = overlay.spec();
        shot(file, &format!("{}. {}", spec.title, spec.hint))
    }))
}

fn weight_problems(measures: &Measures, pictures: &Pictures) -> Vec<Element> {
    let found = &measures.weight_problems;
    let poses = counted(found.poses, "pose", "poses");
    if found.list.is_empty() {
        return vec![paragraph(&format!("None, in {poses}."))];
    }
    let about = format!(
        "{} in {poses} chosen at random, with linear blend skinning; largest and worst first. Each image shows the worst pose.",
        counted(found.count, "region", "regions")
    );
    let row = |problem: &WeightProblem| {
        vec![
            text(problem.kind.title()),
            text(&problem.sentence(&measures.rig)),
            text(&problem.vertex_count().to_string()),
            text(&format!("{:.2} %", problem.area_fraction * 100.0)),
        ]
    };
    let shots = found.list.iter().zip(&pictures.weight_problems);
    let shots = grid(shots.map(|(problem, file)| shot(file, &problem.sentence(&measures.rig))));
    let rows = table(&["What", "Where", "Vertices", "Of the surface"], found.list.iter().map(row));
    [paragraph(&about).with("class", "quiet"), shots, rows]
        .into_iter()
        .chain(more(found.count, found.list.len()))
        .collect()
}

fn cost(measures: &Measures) -> Vec<Element> {
    let (facts, rig) = (&measures.facts, &measures.rig);
    let bytes = |count: usize, each: usize| {
        let total = count as f64 * each as f64;
        if total < 1e6 { format!("{:.1} kB", total / 1e3) } else { format!("{:.2} MB", total / 1e6) }
    };
    let parts = rig.parts().count();
    let targets: usize =
        rig.primitives().flat_map(|(_, p)| &p.morph_targets).map(|t| t.positions.len() + t.normals.len()).sum();
    let keys: usize =
        rig.clips.iter().flat_map(|clip| &clip.channels).map(|c| c.times_secs.len() + c.values.len()).sum();
    let sizes = [
        ("Draw calls", parts.to_string()),
        ("Vertices: position, normal, texture, 4 influences as bytes", bytes(facts.vertices, 12 + 12 + 8 + 8)),
        ("Palette for LBS, 3 x 4 numbers per joint", bytes(facts.joints, 48)),
        ("Palette for DQS, 8 numbers per joint", bytes(facts.joints, 32)),
        ("Matrices blended per frame, at most", (facts.vertices * facts.influences).to_string()),
        ("Morph targets, in full", bytes(targets, 12)),
        ("Keys of all clips", bytes(keys, 4)),
    ];
    let about = paragraph("Estimated from counts; engines add padding, indices and textures.").with("class", "quiet");
    let mut parts = vec![table(&["", "Size"], sizes.map(|(what, size)| vec![text(what), text(&size)])), about];
    if !measures.losses.is_empty() {
        let millimetres = |metres: f64| text(&format!("{:.3} mm", metres * 1e3));
        let rows = measures.losses.iter();
        let rows =
            rows.map(|(limit, error)| vec![text(&limit_name(*limit)), millimetres(error.max), millimetres(error.mean)]);
        parts.push(heading(3, &format!("Error with fewer influences ({})", measures.compared.title)));
        parts.push(table(&["Influences", "At most", "On average"], rows));
    }
    parts
}

fn limit_name(limit: InfluenceLimit) -> String {
    match (limit.count, limit.precision) {
        (Some(count), _) => count.to_string(),
        (None, WeightPrecision::Bits16) => "all, 16 bit".to_owned(),
        (None, WeightPrecision::Bits8) => "all, 8 bit".to_owned(),
        (None, WeightPrecision::Float) => "all".to_owned(),
    }
}

fn skeleton(rig: &Rig) -> Vec<Element> {
    let hierarchy = &rig.hierarchy;
    let joints: Vec<NodeIndex> = hierarchy.nodes().filter(|&node| rig.is_joint(node)).collect();
    let row = |&node: &NodeIndex| {
        let depth = hierarchy.ancestors(node).take(DEEPEST).count();
        let rest = hierarchy.rest(node);
        let [x, y, z] = rest.translation.to_array();
        let degrees = 2.0 * rest.rotation.xyz().length().atan2(rest.rotation.w.abs()).to_degrees();
        vec![
            text(hierarchy.name(node)).with("style", &format!("padding-left:{:.1}rem", depth as f32 * 0.6)),
            text(&rig.moved_vertices(node).to_string()),
            text(&format!("{x:.3}, {y:.3}, {z:.3}")),
            text(&format!("{degrees:.1}°")),
        ]
    };
    let heads = ["Joint", "Moves vertices", "At rest, m", "Turned"];
    let table = table(&heads, joints.iter().take(MAX_ROWS).map(row));
    [table].into_iter().chain(more(joints.len(), MAX_ROWS)).collect()
}

const WIDTH: f32 = 320.0;
const HEIGHT: f32 = 180.0;
const MARGIN: f32 = 34.0;
const MAX_RATIO: f32 = 1.5;

/// Plots the remaining fraction of the volume against the angle, one line per method.
fn volume_plot(sweep: &Sweep, motion: RotationKind) -> Element {
    let rows: Vec<&SweepRow> = sweep.rows.iter().filter(|row| row.motion == motion).collect();
    let name = format!("Volume left at each {} by {}", motion.name(), sweep.methods.join(" and "));
    let plot = Element::new("svg").with("viewBox", &format!("0 0 {WIDTH} {HEIGHT}"));
    let plot = plot.with("role", "img").with("aria-label", &name);
    let (Some(first), Some(last)) = (rows.first(), rows.last()) else { return plot };
    let (from, to) = (first.angle, last.angle);
    let x = |angle: f32| MARGIN + (angle - from) / (to - from).max(1e-3) * (WIDTH - 1.5 * MARGIN);
    let y = |share: f32| HEIGHT - MARGIN * 0.7 - share.clamp(0.0, MAX_RATIO) / MAX_RATIO * (HEIGHT - MARGIN);
    let line = |method: usize| {
        let points = rows.iter().filter(|row| row.losses[method].volume_ratio.is_finite());
        let points: Vec<String> =
            points.map(|row| format!("{:.1},{:.1}", x(row.angle), y(row.losses[method].volume_ratio))).collect();
        Element::new("polyline").with("class", ["at-a", "at-b"][method % 2]).with("points", &points.join(" "))
    };
    let levels = [0.0, 0.5, 1.0, 1.5].into_iter().flat_map(|share| {
        let line = Element::new("line").with("class", "axis").with("x1", &MARGIN.to_string());
        let line = line.with("x2", &format!("{:.0}", WIDTH - MARGIN * 0.5));
        let height = format!("{:.1}", y(share));
        [
            line.with("y1", &height).with("y2", &height),
            plot_label([2.0, y(share) + 4.0], &format!("{:.0} %", share * 100.0)),
        ]
    });
    let angles = [from, (from + to) * 0.5, to].map(|angle| {
        plot_label([x(angle), HEIGHT - 6.0], &format!("{:.0}°", angle.to_degrees())).with("text-anchor", "middle")
    });
    plot.children(levels).children(angles).children((0..sweep.methods.len()).map(line))
}

fn plot_label([x, y]: [f32; 2], text: &str) -> Element {
    Element::new("text").with("x", &format!("{x:.1}")).with("y", &format!("{y:.1}")).text(text)
}

#[cfg(test)]
mod tests {
    use glam::{Affine3, Vec3};

    use super::*;
    use crate::rig::{Hierarchy, Influences, Mesh, MeshInstance, NodeDescription, NodeIndex, Primitive, RigData, Skin};

    /// Returns several instances of a mesh that is skinned to the first joint, the parent of all other joints.
    fn rig(joints: usize, vertices: usize, instances: usize) -> Rig {
        let root = NodeDescription { children: (1..joints).collect(), ..NodeDescription::default() };
        let nodes: Vec<_> = [root].into_iter().chain((1..joints).map(|_| NodeDescription::default())).collect();
        let hierarchy = Hierarchy::new(&nodes).expect("a tree");
        let primitive = Primitive {
            positions: vec![Vec3::ZERO; vertices],
            influences: Some(Influences::new(1, vec![0; vertices], vec![1.0; vertices])),
            ..Primitive::default()
        };
        let instance = MeshInstance { node: NodeIndex(0), mesh: 0, skin: Some(0), morph_weights: Vec::new() };
        let inverse_bind = vec![Affine3::IDENTITY; joints];
        Rig::new(RigData {
            skins: vec![Skin { joints: hierarchy.nodes().collect(), inverse_bind, ..Skin::default() }],
            meshes: vec![Mesh { primitives: vec![primitive], ..Mesh::default() }],
            instances: vec![instance; instances],
            hierarchy,
            ..RigData::default()
        })
    }

    #[test]
    fn empty_joint_table_names_the_limit_that_prevented_the_ranking() {
        assert_eq!(none_ranked(&rig(1, 3, 1)), "Nothing loses volume, or nothing could be measured.");
        for (rig, bound) in [(rig(1200, 30_000, 1), "up to 33554432"), (rig(1, 30_000, 560), "up to 16777216")] {
            let said = none_ranked(&rig);
            assert!(said.starts_with("Not ranked. ") && said.contains(bound), "{said}");
        }
    }
}
