use super::super::console::{BOLD, Line, severity_style};
use super::arkit::Arkit;
use super::facts::{ClipFacts, ExtensionFacts, Extents, Fbx, FileCounts, FileFacts, ImageFacts, UnrunFacts, VrmFacts};
use crate::analysis::lint::Severity;
use crate::text::{counted, number};

/// Maximum number of list items to name without `--verbose`.
const FIRST: usize = 5;

pub(super) fn lines(file: &str, result: Result<&FileFacts, &str>, is_all: bool) -> Vec<Line> {
    let mut lines = vec![Line::default().styled(BOLD, file)];
    match result {
        Ok(facts) => lines.extend(rows(facts, is_all).map(|(what, text)| row(what, &text))),
        Err(reason) => {
            let unreadable = Line::plain("  ").styled(severity_style(Severity::Error), "unreadable");
            lines.push(unreadable.and("    ").and(reason));
        }
    }
    lines
}

fn row(what: &str, text: &str) -> Line {
    Line::plain(&format!("  {what:<14}")).and(text)
}

fn rows(facts: &FileFacts, is_all: bool) -> impl Iterator<Item = (&'static str, String)> {
    let counts = &facts.counts;
    let clips: Vec<String> = facts.clips.iter().map(clip).collect();
    let images: Vec<String> = facts.images.iter().map(image).collect();
    let extensions: Vec<String> = facts.extensions.iter().map(extension).collect();
    let joints =
        format!("{}, {} of them joints of {}", counts.nodes, counts.joints, counted(counts.skins, "skin", "skins"));
    let of_meshes = format!(
        "{} of {}",
        counted(counts.primitives, "primitive", "primitives"),
        counted(counts.meshes, "mesh", "meshes")
    );
    [
        ("file", Some(file(facts))),
        ("space", facts.fbx.as_ref().map(space)),
        ("extensions", facts.gltf.as_ref().map(|_| listed(&extensions, true))),
        ("scenes", facts.gltf.as_ref().map(|_| scenes(facts))),
        ("nodes", Some(joints)),
        ("meshes", Some(of_meshes)),
        ("drawn", Some(drawn(counts))),
        ("influences", facts.influences.as_ref().map(influences)),
        ("morph targets", Some(counts.morph_targets.to_string())),
        ("materials", Some(counts.materials.to_string())),
        ("images", Some(listed(&images, is_all))),
        ("clips", Some(listed(&clips, is_all))),
        ("expressions", Some(&facts.expressions).filter(|names| !names.is_empty()).map(|names| listed(names, is_all))),
        ("look-at", facts.look_at.map(|by| format!("by {by}"))),
        ("ARKit", facts.arkit.as_ref().map(|arkit| arkit_text(arkit, is_all))),
        ("constraints", Some(counts.constraints).filter(|count| *count > 0).map(|count| format!("{count}, evaluated"))),
        ("springs", Some(counts.springs).filter(|count| *count > 0).map(|count| format!("{count}, evaluated"))),
        ("not run", unrun(&facts.unrun_constraints, is_all)),
        ("vrm", facts.vrm.as_ref().map(vrm)),
        ("terms of use", facts.vrm.as_ref().filter(|vrm| !vrm.terms.is_empty()).map(terms)),
        ("extents", facts.extents.as_ref().map(|e| extents(e, facts.gltf.is_some()))),
    ]
    .into_iter()
    .filter_map(|(what, text)| Some((what, text?)))
}

/// Lists constraints that aren't evaluated, and the nodes that they follow.
fn unrun(constraints: &[UnrunFacts], is_all: bool) -> Option<String> {
    let phrase = |UnrunFacts { node, kind, followed, .. }: &UnrunFacts| {
        let of_kind = if kind.is_empty() { String::new() } else { format!(" ({kind})") };
        format!("{node} follows {followed}{of_kind}")
    };
    let phrases: Vec<String> = constraints.iter().map(phrase).collect();
    (!phrases.is_empty())
        .then(|| format!("constraints, which programs that write FBX bake into clips: {}", listed(&phrases, is_all)))
}

fn vrm(vrm: &VrmFacts) -> String {
    let VrmFacts { version, title, model_version, authors, contact, .. } = vrm;
    let parts = [
        (title, "\"", "\""),
        (model_version, "version ", ""),
        (&authors.join(", "), "by ", ""),
        (contact, "contact ", ""),
    ];
    let known = parts.into_iter().filter(|(text, ..)| !text.is_empty());
    let known = known.map(|(text, before, after)| format!("{before}{text}{after}"));
    std::iter::once(format!("version {version}")).chain(known).collect::<Vec<_>>().join(", ")
}

fn terms(vrm: &VrmFacts) -> String {
    vrm.terms.iter().map(|term| format!("{}: {}", term.term, term.value)).collect::<Vec<_>>().join("; ")
}

fn file(facts: &FileFacts) -> String {
    let written = |program: &Option<String>| program.as_ref().map_or_else(String::new, |p| format!(", written by {p}"));
    match (&facts.gltf, &facts.fbx) {
        (_, Some(fbx)) => format!("FBX {}, {}{}", fbx.version, fbx.container, written(&fbx.generator)),
        (Some(gltf), None) => {
            let form = if gltf.container == "glb" { "binary" } else { "text" };
            format!("glTF {}, {form}{}", gltf.version, written(&gltf.generator))
        }
        (None, None) => String::new(),
    }
}

fn space(fbx: &Fbx) -> String {
    let Fbx { unit_metres, up, front, right, frames_per_sec, .. } = fbx;
    let unit = number(*unit_metres);
    format!("units of {unit} m, {up} up, {front} front, {right} right, {frames_per_sec} frames per second")
}

fn listed(names: &[String], is_all: bool) -> String {
    if names.is_empty() {
        return "none".to_owned();
    }
    let shown = if is_all { names.len() } else { names.len().min(FIRST) };
    let more = if names.len() > shown { format!(", and {} more", names.len() - shown) } else { String::new() };
    format!("{}: {}{more}", names.len(), names[..shown].join(", "))
}

fn scenes(facts: &FileFacts) -> String {
    let shown = |(index, name): (usize, &String)| {
        let mark = if Some(index) == facts.scene && facts.scenes.len() > 1 { " (shown)" } else { "" };
        format!("\"{name}\"{mark}")
    };
    listed(&facts.scenes.iter().enumerate().map(shown).collect::<Vec<_>>(), true)
}

fn drawn(counts: &FileCounts) -> String {
    let parts = [
        (counts.vertices, "vertices", true),
        (counts.triangles, "triangles", true),
        (counts.lines, "lines", false),
        (counts.points, "points", false),
    ];
    let nonzero = parts.into_iter().filter(|(count, _, always)| *always || *count > 0);
    nonzero.map(|(count, what, _)| format!("{count} {what}")).collect::<Vec<_>>().join(", ")
}

fn influences(influences: &super::facts::InfluenceFacts) -> String {
    let super::facts::InfluenceFacts { vertices, max, mean } = influences;
    format!("up to {max} a vertex, {mean:.2} on average of {vertices} skinned vertices")
}

fn extension(extension: &ExtensionFacts) -> String {
    let read = match extension.read {
        "yes" => "read",
        "partly" => "read in part",
        "needless" => "not needed",
        _ => "not read",
    };
    let uses = if extension.uses > 0 { format!(", used {}", times(extension.uses)) } else { String::new() };
    format!("{} ({read}{uses}{})", extension.name, if extension.required { ", required" } else { "" })
}

fn times(count: usize) -> String {
    if count == 1 { "once".to_owned() } else { format!("{count} times") }
}

fn image(image: &ImageFacts) -> String {
    let name = if image.name.is_empty() { String::new() } else { format!("\"{}\" ", image.name) };
    match (image.width, image.height, image.format) {
        (Some(width), Some(height), Some(format)) => format!("{name}{width} x {height} {format}"),
        _ => format!("{name}not readable"),
    }
}

fn arkit_text(Arkit { found, missing }: &Arkit, is_all: bool) -> String {
    let missing: Vec<String> = missing.iter().map(|name| (*name).to_owned()).collect();
    let of = format!("{found} of {} blend shapes", found + missing.len());
    if missing.is_empty() { of } else { format!("{of}; missing {}", listed(&missing, is_all)) }
}

fn clip(clip: &ClipFacts) -> String {
    format!("\"{}\" {:.2} s", clip.name, clip.duration_secs)
}

fn extents(extents: &Extents, is_gltf: bool) -> String {
    let [x, y, z] = extents.size;
    let unit = match extents.unit {
        Some("metre") if is_gltf => "as of a character in metres, which glTF wants".to_owned(),
        Some(unit) if is_gltf => format!("as of a character in {unit}s: glTF wants metres"),
        Some("metre") => "the size of a character".to_owned(),
        Some(unit) => format!("the size of a character if these were {unit}s: the file's unit may be wrong"),
        None => "in no usual unit the size of a character".to_owned(),
    };
    format!("{x:.3} x {y:.3} x {z:.3} m at rest, {unit}")
}
