//! A report as HTML.

use std::fmt::Write as _;

use super::html::{framed, section, table};
use super::measures::{Measures, WorstJoint};
use super::model::Model;
use super::pictures::Pictures;
use super::plot;
use crate::analysis::lint::Finding;
use crate::analysis::twist::{Motion, Ranked};
use crate::page::escaped;
use crate::rig::{NodeIndex, Rig};
use crate::skinning::{InfluenceLimit, WeightPrecision};
use crate::state::AppState;

/// As many joints, findings and rows of the ranking are listed.
const MOST_ROWS: usize = 500;
const MOST_RANKED: usize = 20;
/// Joints that are deeper are told apart no further.
const DEEPEST: usize = 24;

/// The whole page.
pub(super) fn page(state: &AppState, measures: &Measures, pictures: &Pictures, model: Option<&Model>) -> String {
    let name = state.open.document.source.name();
    let parts = [
        ("pictures", "Pictures", shown(measures, pictures)),
        ("view", "In three dimensions", view(state, measures, model)),
        ("findings", "Findings", findings(measures, pictures)),
        ("twist", "Twist and bend", twist(measures, pictures)),
        ("weights", "Weights", weights(pictures)),
        ("cost", "Sizes and cost", cost(measures)),
        ("skeleton", "Skeleton", skeleton(&measures.rig)),
    ];
    let link = |(id, title, _): &(&str, &str, String)| format!("<a href=\"#{id}\">{title}</a>");
    let links: String = parts.iter().map(link).collect::<Vec<_>>().join("\n");
    let head = format!("<h1>{}</h1>\n<p>{}</p>\n<nav>{links}</nav>\n", escaped(&name), summary(measures));
    let body = parts.iter().fold(head, |body, (id, title, inside)| body + &section(id, title, inside));
    let model = model.map_or(String::new(), |model| {
        format!("<script type=\"application/json\" id=\"model\">{}</script>\n", model.json())
    });
    framed(&format!("{name} - Rigscope"), &(body + &model), include_str!("view.js"))
}

fn summary(measures: &Measures) -> String {
    let facts = &measures.facts;
    let counts = [("error", facts.counts.error), ("warning", facts.counts.warning), ("note", facts.counts.note)];
    let counts = counts.map(|(name, count)| format!("<span class=\"{name}\">{}</span>", counted(count, name)));
    format!(
        "{}, {}, {}, {}. {}. Size {:.3} m.",
        counted(facts.joints, "joint"),
        counted_as(facts.vertices, "vertex", "vertices"),
        counted(facts.triangles, "triangle"),
        counted(facts.clips, "clip"),
        counts.join(", "),
        measures.rig.size()
    )
}

fn counted(count: usize, what: &str) -> String {
    counted_as(count, what, &format!("{what}s"))
}

fn counted_as(count: usize, one: &str, many: &str) -> String {
    format!("{count} {}", if count == 1 { one } else { many })
}

fn figure(address: &str, what: &str) -> String {
    let what = escaped(what);
    format!("<figure><img src=\"{address}\" alt=\"{what}\"><figcaption>{what}</figcaption></figure>\n")
}

fn grid(figures: &str) -> String {
    if figures.is_empty() { "<p>None.</p>\n".to_owned() } else { format!("<div class=\"grid\">\n{figures}</div>\n") }
}

fn shown(measures: &Measures, pictures: &Pictures) -> String {
    grid(&(figure(&pictures.rest, "At rest") + &figure(&pictures.posed, &measures.compared.title)))
}

fn view(state: &AppState, measures: &Measures, model: Option<&Model>) -> String {
    let Some(model) = model else { return "<p>There is no surface to show.</p>\n".to_owned() };
    let title = escaped(&measures.compared.title);
    let mut text = format!(
        "<p>{title}: drag to turn, scroll or pinch to come nearer. {} of {}.</p>\n",
        counted(model.triangle_count(), "triangle"),
        measures.facts.triangles
    );
    let yaw = state.open.view.camera.yaw;
    let _ = writeln!(
        text,
        "<canvas width=\"800\" height=\"600\" tabindex=\"0\" data-yaw=\"{yaw}\" aria-label=\"{title}, to be turned with the arrow keys\"></canvas>\n\
         <p id=\"no-view\" hidden>This browser draws no WebGL 2; the pictures above show the same pose.</p>\n\
         <div class=\"controls\"><label><span class=\"a\">LBS</span> <input id=\"share\" type=\"range\" min=\"0\" max=\"1\" step=\"0.01\" value=\"0\" aria-label=\"From linear blend skinning to dual quaternion skinning\"> <span class=\"b\">DQS</span></label>\n\
         <label><input id=\"painted\" type=\"checkbox\"> Paint the distance</label></div>"
    );
    text
}

fn findings(measures: &Measures, pictures: &Pictures) -> String {
    let all = &measures.findings;
    let text: String =
        all.iter().take(MOST_ROWS).enumerate().map(|(i, finding)| one_finding(finding, i, pictures)).collect();
    let more = all.len().saturating_sub(MOST_ROWS);
    let more = if more > 0 { format!("<p>And {more} more.</p>\n") } else { String::new() };
    grid(&text) + &more
}

fn one_finding(finding: &Finding, number: usize, pictures: &Pictures) -> String {
    let (severity, code, message) = (finding.severity, finding.code, escaped(&finding.message));
    let picture = pictures.places.iter().find(|(of, _)| *of == number);
    let picture = picture.map_or(String::new(), |(_, address)| {
        format!("<img src=\"{address}\" alt=\"Where finding {} is\">", number + 1)
    });
    format!(
        "<figure>{picture}<figcaption><strong class=\"{severity}\">{severity} {code}</strong> {message} {}</figcaption></figure>\n",
        escaped(code.advice())
    )
}

fn twist(measures: &Measures, pictures: &Pictures) -> String {
    if measures.ranked.is_empty() {
        return "<p>Nothing loses volume, or nothing could be measured.</p>\n".to_owned();
    }
    let hierarchy = &measures.rig.hierarchy;
    let row = |ranked: &Ranked| {
        let turn = format!("{} {:.0}°", ranked.motion.name(), ranked.angle.to_degrees());
        vec![
            escaped(hierarchy.name(ranked.joint)),
            format!("{:.1} %", ranked.loss * 100.0),
            turn,
            ranked.triangles.to_string(),
        ]
    };
    let heads = ["Joint", "Volume that LBS loses", "Worst turn", "Triangles"];
    let ranked = table(&heads, measures.ranked.iter().take(MOST_RANKED).map(row));
    let worst: String = measures
        .worst
        .iter()
        .zip(&pictures.joints)
        .map(|(worst, picture)| worst_joint(&measures.rig, worst, picture))
        .collect();
    ranked + &worst
}

fn worst_joint(rig: &Rig, WorstJoint { ranked, sweep, .. }: &WorstJoint, picture: &str) -> String {
    let name = rig.hierarchy.name(ranked.joint);
    let what = format!("LBS and DQS, {} by {:.0}°", ranked.motion.name(), ranked.angle.to_degrees());
    let plots = [Motion::Twist, Motion::Bend].map(|motion| {
        let caption =
            format!("Volume left by <span class=\"a\">LBS</span> and <span class=\"b\">DQS</span>: {}", motion.name());
        format!("<figure>{}<figcaption>{caption}</figcaption></figure>\n", plot::volume(sweep, motion))
    });
    format!("<h3>{}</h3>\n{}", escaped(name), grid(&(figure(picture, &what) + &plots.concat())))
}

fn weights(pictures: &Pictures) -> String {
    let figures = pictures.weights.iter().map(|(overlay, address)| {
        let spec = overlay.spec();
        figure(address, &format!("{}. {}", spec.title, spec.hint))
    });
    grid(&figures.collect::<String>())
}

fn cost(measures: &Measures) -> String {
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
        ("Palette for LBS, 3 x 4 numbers a joint", bytes(facts.joints, 48)),
        ("Palette for DQS, 8 numbers a joint", bytes(facts.joints, 32)),
        ("Matrices that are blended a frame, at most", (facts.vertices * facts.influences).to_string()),
        ("Morph targets, in full", bytes(targets, 12)),
        ("Keys of all clips", bytes(keys, 4)),
    ];
    let sizes = table(&["", "Size"], sizes.into_iter().map(|(what, size)| vec![what.to_owned(), size]));
    if measures.losses.is_empty() {
        return sizes;
    }
    let millimetres = |metres: f64| format!("{:.3} mm", metres * 1e3);
    let rows = measures.losses.iter();
    let rows = rows.map(|(limit, error)| vec![limit_name(*limit), millimetres(error.max), millimetres(error.mean)]);
    let title = escaped(&measures.compared.title);
    sizes
        + &format!("<h3>What engines that keep less get wrong ({title})</h3>\n")
        + &table(&["Influences", "At most", "On average"], rows)
}

fn limit_name(limit: InfluenceLimit) -> String {
    match (limit.count, limit.precision) {
        (Some(count), _) => count.to_string(),
        (None, WeightPrecision::Bits16) => "all, 16 bit".to_owned(),
        (None, WeightPrecision::Bits8) => "all, 8 bit".to_owned(),
        (None, WeightPrecision::Float) => "all".to_owned(),
    }
}

fn skeleton(rig: &Rig) -> String {
    let hierarchy = &rig.hierarchy;
    let joints: Vec<NodeIndex> = hierarchy.nodes().filter(|&node| rig.is_joint(node)).collect();
    let row = |&node: &NodeIndex| {
        let depth = hierarchy.ancestors(node).take(DEEPEST).count();
        let rest = hierarchy.rest(node);
        let [x, y, z] = rest.translation.to_array();
        let degrees = 2.0 * rest.rotation.xyz().length().atan2(rest.rotation.w.abs()).to_degrees();
        let name = format!(
            "<span style=\"padding-left:{:.1}rem\">{}</span>",
            depth as f32 * 0.6,
            escaped(hierarchy.name(node))
        );
        vec![name, rig.moved_vertices(node).to_string(), format!("{x:.3}, {y:.3}, {z:.3}"), format!("{degrees:.1}°")]
    };
    let heads = ["Joint", "Moves vertices", "At rest, m", "Turned"];
    let more = joints.len().saturating_sub(MOST_ROWS);
    let more = if more > 0 { format!("<p>And {more} more.</p>\n") } else { String::new() };
    table(&heads, joints.iter().take(MOST_ROWS).map(row)) + &more
}
