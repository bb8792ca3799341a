use serde_json::json;

use super::appearance::Appearance;
use super::measures::Measures;
use super::model::Model;
use super::motions::{RecordedMotion, RecordedMotions, rounding};
use super::skin::PageSkin;
use crate::jobs::Progress;
use crate::page::{Element, paragraph, table, text};
use crate::rig::evaluate;
use crate::stage::Stage;
use crate::text::counted;

/// A simplified surface that the browser skins, in the compared pose and in clips.
pub(super) struct InteractiveView {
    skin: PageSkin,
    motions: RecordedMotions,
    looks: Appearance,
    triangles: usize,
    /// Maximum distance between an original vertex and the displayed surface in the compared pose, metres.
    off: f32,
    is_collapsed: bool,
}

impl InteractiveView {
    pub(super) fn new(stage: &Stage, measures: &Measures, progress: &Progress) -> Option<Self> {
        progress.enter("Simplifying", 0, 1);
        let (model, numbering) = Model::new_fitting(measures, progress)?;
        let (rig, compared) = (&*measures.rig, &measures.compared);
        let posed = evaluate(rig, compared.moment, &compared.pose);
        let vertices: Vec<_> = model.surface.sources.iter().map(|vertex| numbering.place(*vertex)).collect();
        let skin = PageSkin::new(rig, &vertices, &posed.morph_weights);
        let motions = RecordedMotions::new(measures, stage.pose(), &skin, &posed, progress)?;
        let looks = Appearance::new(rig, &model.surface, &numbering);
        let off = model.farthest + rounding(&skin, &motions.pose, &model.surface.poses);
        let triangles = model.triangle_count();
        Some(Self { skin, motions, looks, triangles, off, is_collapsed: model.is_collapsed })
    }

    pub(super) fn json(self) -> String {
        json!({ "skin": self.skin.json(), "motions": self.motions.json(), "surface": self.looks.json() }).to_string()
    }

    pub(super) fn section(&self, stage: &Stage, measures: &Measures) -> Vec<Element> {
        let title = &measures.compared.title;
        let turn = [
            ("id", "turn"),
            ("tabindex", "0"),
            ("role", "img"),
            ("data-yaw", &stage.view.camera.yaw.to_string()),
            ("aria-label", &format!("The character by both methods, at first in the pose: {title}")),
            ("aria-describedby", "keys"),
        ];
        let said = [self.simplified(measures.facts.triangles)].into_iter().chain(self.left_out());
        let said = paragraph(&said.collect::<Vec<_>>().join(" ")).with("class", "quiet").with("title", SIMPLIFIED);
        let keys = if self.motions.clips.is_empty() { KEYS.to_owned() } else { format!("{KEYS} {CLIP_KEYS}") };
        // Hidden until the script draws the first frame.
        let player = Element::new("div").with("id", "player").with("hidden", "").children([
            with_all("canvas", turn),
            self.choice(),
            playing(),
            self.looking(),
            paragraph(&keys).with("id", "keys").with("class", "quiet"),
            said,
        ]);
        let why = paragraph("").with("id", "no-view").with("hidden", "");
        let lacking = paragraph("The view to turn needs JavaScript; the pictures above show the same pose.");
        [player, why, Element::new("noscript").child(lacking)].into_iter().chain(self.clips()).collect()
    }

    fn choice(&self) -> Element {
        let option = |(number, motion): (usize, &RecordedMotion)| {
            Element::new("option").with("value", &number.to_string()).text(&motion.name)
        };
        let all = std::iter::once(&self.motions.pose).chain(&self.motions.clips);
        let select = Element::new("select").with("id", "motion").children(all.enumerate().map(option));
        let choice = controls([Element::new("label").text("Pose or clip ").child(select)]);
        if self.motions.clips.is_empty() { choice.with("hidden", "") } else { choice }
    }

    fn looking(&self) -> Element {
        let share = [
            ("id", "share"),
            ("type", "range"),
            ("min", "0"),
            ("max", "1"),
            ("step", "0.01"),
            ("value", "0"),
            ("aria-label", "From linear blend skinning to dual quaternion skinning"),
        ];
        let side = |class: &str, name: &str| text(name).with("class", class);
        let share = Element::new("label").child(side("a", "LBS")).text(" ").child(with_all("input", share)).text(" ");
        let own = self.looks.has_colors.then_some(("own", "of the file"));
        let colors = own.into_iter().chain([("sides", "of the sides"), ("apart", "by the distance between the sides")]);
        let option = |(value, name): (&str, &str)| Element::new("option").with("value", value).text(name);
        let select = Element::new("select").with("id", "colors").children(colors.map(option));
        controls([share.child(side("b", "DQS")), Element::new("label").text("Colours ").child(select)])
    }

    fn simplified(&self, all: usize) -> String {
        let (drawn, off) = (self.triangles, self.off * 1e3);
        if drawn == all {
            return format!("All {all} triangles; vertices are within {off:.2} mm in the pose.");
        }
        let why = if self.is_collapsed { "simplified" } else { "the others have no area or lie on one of these" };
        format!(
            "{drawn} of {} ({why}); no vertex of the file is farther than {off:.2} mm from them in the pose.",
            counted(all, "triangle", "triangles")
        )
    }

    fn left_out(&self) -> Vec<String> {
        let RecordedMotions { clips, left_out, pose } = &self.motions;
        let coarse = clips.iter().filter(|clip| clip.is_coarse).count();
        let morphed = clips.iter().filter(|clip| clip.moves_morphs).count();
        let total = clips.len() + left_out;
        let small = "so that the page stays small";
        let mut said = Vec::new();
        if *left_out > 0 {
            said.push(format!("{left_out} of {} left out, {small}.", counted(total, "clip is", "clips are")));
        }
        if coarse > 0 {
            let clips =
                if coarse == clips.len() { "Clips have".to_owned() } else { counted(coarse, "clip has", "clips have") };
            said.push(format!("{clips} fewer frames than in the file, {small}; between them joints are blended."));
        }
        if morphed > 0 {
            let title = &pose.name;
            let clips = counted(morphed, "clip", "clips");
            said.push(format!("Morph targets stay as in the pose “{title}”, though {clips} would move them."));
        }
        if let Some(side) = self.looks.side {
            said.push(format!("Textures show only the base colour, at most {side} pixels wide."));
        }
        if self.looks.left_out > 0 {
            said.push(format!("{} left out, {small}.", counted(self.looks.left_out, "texture is", "textures are")));
        }
        said
    }

    fn clips(&self) -> Option<Element> {
        let row = |clip: &RecordedMotion| {
            let worst = format!("{:.2} s", clip.time_secs(clip.worst));
            let apart = format!("{:.1} mm", clip.max_deviation * 1e3);
            vec![text(&clip.name), text(&format!("{:.2} s", clip.duration_secs)), text(&worst), text(&apart)]
        };
        let heads = ["Clip", "Length", "Sides differ most at", "by"];
        let clips = &self.motions.clips;
        (!clips.is_empty()).then(|| table(&heads, clips.iter().map(row)))
    }
}

const KEYS: &str = "Drag or use the arrow keys to rotate; scroll, pinch or press + and - to zoom.";
const CLIP_KEYS: &str =
    "In a clip, Space plays and pauses, comma and full stop step by frame, W goes to the worst frame.";

const SIMPLIFIED: &str = "Only this view is simplified, to keep the page small: coincident points are joined, then the edges that move the surface \
    least are collapsed (quadric error metrics). Images, findings and measures use all triangles.";

fn playing() -> Element {
    let button = |id: &str, name: &str| Element::new("button").with("type", "button").with("id", id).text(name);
    let time = [("id", "time"), ("type", "range"), ("min", "0"), ("max", "1"), ("step", "any"), ("aria-label", "Time")];
    let played = [
        button("play", "Play"),
        with_all("input", time),
        Element::new("output").with("id", "seconds").with("for", "time").with("aria-live", "off"),
        button("worst", "Worst frame"),
    ];
    controls(played).with("id", "playing").with("hidden", "")
}

fn controls(inside: impl IntoIterator<Item = Element>) -> Element {
    Element::new("div").with("class", "controls").children(inside)
}

fn with_all<const N: usize>(name: &'static str, attributes: [(&'static str, &str); N]) -> Element {
    attributes.into_iter().fold(Element::new(name), |element, (name, value)| element.with(name, value))
}
