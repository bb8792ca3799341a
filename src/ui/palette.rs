//! Command palette: search for actions, settings, tabs, shadings, weight sources, clips, joints and guide headings.

use std::cmp::Reverse;

use egui::{
    Align, Align2, Area, Button, Context, Frame, Id, Key, Modifiers, Order, RichText, ScrollArea, TextEdit, Ui,
};

use super::key_map::{KeyMap, consume};
use super::outliner::role;
use super::preferences::{SCALES, scale_text};
use super::search::{Filter, fuzzy_score, search_key};
use super::side_tabs;
use crate::fonts::drawn;
use crate::guide::{self, GuideHeading};
use crate::rig::{NodeIndex, Rig};
use crate::state::{ACTIONS, Action, AppState, Command, Commands, PanelEdge, SidePanel, ThemeChoice};
use crate::view::{Display, Environment, Lighting, Shading, ShadingMode, Side};
use crate::weights::{Recipe, Repair, WeightChoice, Weighting};

#[derive(Default)]
pub(super) struct CommandPalette {
    open: Option<PaletteSearch>,
}

#[derive(Default)]
struct PaletteSearch {
    query: String,
    at: usize,
    /// True if the marked row changed, so that the list must scroll to it.
    is_moved: bool,
    is_new: bool,
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum PaletteEntry {
    Do(Action),
    Shade(Shading),
    Light(Environment),
    Exposure(Exposure),
    Theme(ThemeChoice),
    /// Interface scale.
    Scale(f32),
    Tab(SidePanel),
    Dock(SidePanel, PanelEdge),
    Repair(Repair),
    /// Weights of a side; `None` for the file's weights.
    Weights(Side, Option<Weighting>),
    Read(&'static GuideHeading),
    Clip(usize),
    Joint(NodeIndex),
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Exposure {
    More,
    Less,
    None,
}

impl Exposure {
    const ALL: [Self; 3] = [Self::More, Self::Less, Self::None];

    fn applied_to(self, stops: f32) -> f32 {
        let changed = match self {
            Self::More => stops + 1.0,
            Self::Less => stops - 1.0,
            Self::None => 0.0,
        };
        changed.clamp(*Lighting::EXPOSURES.start(), *Lighting::EXPOSURES.end())
    }
}

impl PaletteEntry {
    /// Returns all entries that don't depend on the file, that is, all except clips and joints.
    fn all() -> impl Iterator<Item = Self> {
        let actions = ACTIONS.iter().map(|spec| spec.action).filter(|action| *action != Action::TogglePalette);
        // Clay shading is already listed as an action.
        let shadings = Shading::all().filter(|shading| *shading != Shading::Mode(ShadingMode::Clay));
        let sources = || [None].into_iter().chain(Weighting::ALL.map(Some));
        let weights = Side::ALL.into_iter().flat_map(move |side| sources().map(move |from| Self::Weights(side, from)));
        let lights = Environment::ALL.map(Self::Light).into_iter().chain(Exposure::ALL.map(Self::Exposure));
        let looks = shadings.map(Self::Shade).chain(lights).chain(ThemeChoice::ALL.map(Self::Theme));
        // Tabs with an action of their own are already listed.
        let tabs = side_tabs::TABS.iter().filter(|tab| tab.action.is_none());
        let docks = SidePanel::ALL.into_iter().flat_map(|tab| PanelEdge::ALL.map(|edge| Self::Dock(tab, edge)));
        let window = SCALES.map(Self::Scale).into_iter().chain(tabs.map(|tab| Self::Tab(tab.panel)));
        let repairs = Repair::ALL.map(Self::Repair);
        actions.map(Self::Do).chain(looks).chain(window).chain(weights).chain(repairs).chain(docks)
    }

    fn name(self, rig: &Rig) -> String {
        match self {
            Self::Do(action) => action.spec().name.to_owned(),
            Self::Shade(shading) => format!("Shading: {}", shading.name()),
            Self::Light(environment) => format!("Light: {}", environment.name().to_lowercase()),
            Self::Exposure(Exposure::More) => "Exposure: +1 stop".to_owned(),
            Self::Exposure(Exposure::Less) => "Exposure: -1 stop".to_owned(),
            Self::Exposure(Exposure::None) => "Exposure: reset".to_owned(),
            Self::Theme(theme) => format!("Theme: {}", theme.name().to_lowercase()),
            Self::Scale(scale) => format!("Interface scale: {}", scale_text(scale)),
            Self::Tab(panel) => format!("Tab: {}", side_tabs::spec(panel).name),
            Self::Dock(panel, edge) => format!("Move {} to the {}", side_tabs::spec(panel).name, edge.name()),
            Self::Repair(repair) => format!("Repair weights of A: {}", repair_name(repair)),
            Self::Weights(side, from) => {
                let source = from.map_or("file", |weighting| weighting.spec().title);
                format!("Weights of {side:?}: {source}")
            }
            Self::Read(heading) => format!("Guide: {}", heading.title),
            Self::Clip(clip) => format!("Clip: {}", drawn(rig.clip_name(clip))),
            Self::Joint(node) => format!("Select {}", drawn(rig.hierarchy.name(node))),
        }
    }

    fn hint(self, rig: &Rig) -> &str {
        match self {
            Self::Do(action) => action.spec().hint,
            Self::Shade(shading) => shading.hint(),
            Self::Light(environment) => environment.hint(),
            Self::Exposure(Exposure::None) => "No exposure change",
            Self::Exposure(_) => "Double or halve the light on materials",
            Self::Theme(_) => "Colours of the window",
            Self::Scale(_) => "Size of text, buttons and panels",
            Self::Tab(panel) => side_tabs::spec(panel).hint,
            Self::Dock(..) => "Dock this tab at another edge of the window",
            Self::Repair(_) => "Fix a weight fault that lint reports",
            Self::Weights(_, None) => "The weights in the file",
            Self::Weights(_, Some(weighting)) => weighting.spec().hint,
            Self::Read(_) => "Open this page of the guide in the browser",
            Self::Clip(_) => "Show this clip",
            Self::Joint(node) => role(rig, node).unwrap_or("Joint"),
        }
    }

    fn words(self) -> &'static str {
        match self {
            Self::Do(action) => action.spec().words,
            Self::Shade(Shading::Overlay(overlay)) => overlay.spec().words,
            Self::Shade(_) => "textures look",
            Self::Light(_) => "lighting environment preset sky sun materials",
            Self::Exposure(_) => "light brightness brighter darker materials",
            Self::Theme(_) => "background appearance mode settings colour color",
            Self::Scale(_) => "ui zoom size dpi hidpi font text settings",
            Self::Tab(_) => "panel show properties",
            Self::Dock(..) => "panel tab dock layout side",
            Self::Repair(_) => "normalize normalise clean limit total influences fix skin vertex groups",
            Self::Weights(..) => "skin influences automatic bind heat voxel",
            Self::Clip(_) => "animation action play take",
            Self::Read(_) | Self::Joint(_) => "",
        }
    }

    fn key_text(self, ctx: &Context) -> Option<String> {
        if let Self::Do(action) = self { action.spec().key_text(ctx) } else { None }
    }

    fn obstacle(self, state: &AppState) -> Option<&'static str> {
        match self {
            Self::Do(action) => state.obstacle(action),
            Self::Tab(panel) => side_tabs::obstacle(panel, state),
            Self::Dock(panel, edge) if state.settings.layout.edge(panel) == edge => Some("It is already there"),
            Self::Dock(_, edge) => side_tabs::dock_obstacle(edge, state),
            Self::Weights(..) | Self::Repair(_) if state.open.stage.rig().skins.is_empty() => {
                Some("This file has no skin")
            }
            _ => None,
        }
    }

    fn command(self, state: &AppState) -> Command {
        let display = state.open.stage.view.display;
        let lit = |light| Command::SetDisplay(Display { light, ..display });
        match self {
            Self::Do(action) => Command::Do(action),
            Self::Shade(shading) => Command::Shade(shading),
            Self::Light(environment) => Command::SetEnvironment(environment),
            Self::Exposure(change) => {
                lit(Lighting { exposure: change.applied_to(display.light.exposure), ..display.light })
            }
            Self::Theme(theme) => Command::SetTheme(theme),
            Self::Scale(scale) => Command::SetScale(scale),
            Self::Tab(panel) => Command::SetSidePanel(panel),
            Self::Dock(panel, edge) => Command::DockTab(panel, edge),
            Self::Repair(repair) => Command::RepairWeights(repair),
            Self::Weights(side, from) => Command::SetWeights(side, weight_choice(from)),
            Self::Read(heading) => Command::OpenGuide(heading.place.clone()),
            Self::Clip(clip) => Command::SetClip(Some(clip)),
            Self::Joint(node) => Command::Select(Some(node)),
        }
    }
}

fn repair_name(repair: Repair) -> &'static str {
    match repair {
        Repair::Normalize => "normalise",
        Repair::Weight => "weight unweighted vertices",
        Repair::Merge => "merge repeated joints",
        Repair::Prune => "remove tiny influences",
        Repair::Limit => "limit to four influences",
    }
}

fn weight_choice(from: Option<Weighting>) -> WeightChoice {
    let recipe = |weighting| Recipe { weighting, ..Recipe::default() };
    from.map_or(WeightChoice::File, |weighting| WeightChoice::Computed(recipe(weighting)))
}

impl CommandPalette {
    pub(super) fn toggle(&mut self) {
        self.open = self.open.is_none().then(|| PaletteSearch { is_new: true, ..PaletteSearch::default() });
    }

    pub(super) fn is_open(&self) -> bool {
        self.open.is_some()
    }

    pub(super) fn ui(&mut self, ctx: &Context, state: &AppState, commands: &mut Commands) {
        let Some(search) = &mut self.open else { return };
        let found = found(ctx, &search.query, state.open.stage.rig());
        search.keys(ctx, found.len());
        let entered = ctx.input_mut(|i| i.consume_key(Modifiers::NONE, Key::Enter));
        let area = Area::new(Id::unique("palette"))
            .order(Order::Foreground)
            .pivot(Align2::CENTER_TOP)
            .fixed_pos(ctx.content_rect().center_top() + egui::vec2(0.0, 72.0))
            .show(ctx, |ui| Frame::popup(ui.style()).show(ui, |ui| search.ui(ui, &found, state)).inner);
        let chosen = area.inner.or_else(|| found.get(search.at).copied().filter(|_| entered));
        let keys = KeyMap::keys(ctx, Action::TogglePalette);
        let is_left =
            ctx.input_mut(|i| i.consume_key(Modifiers::NONE, Key::Escape) || keys.iter().any(|k| consume(i, *k)));
        let is_left = is_left || area.response.clicked_elsewhere();
        let can_run = chosen.filter(|choice| choice.obstacle(state).is_none());
        commands.extend(can_run.map(|choice| choice.command(state)));
        if is_left || can_run.is_some() {
            self.open = None;
        }
    }
}

impl PaletteSearch {
    fn keys(&mut self, ctx: &Context, count: usize) {
        let pressed = |key| ctx.input_mut(|i| i.consume_key(Modifiers::NONE, key));
        let last = count.saturating_sub(1);
        let (is_down, is_up) = (pressed(Key::ArrowDown), pressed(Key::ArrowUp));
        self.is_moved = is_down || is_up;
        if is_down {
            self.at = if self.at >= last { 0 } else { self.at + 1 };
        }
        if is_up {
            self.at = self.at.checked_sub(1).unwrap_or(last);
        }
        self.at = self.at.min(last);
    }

    fn ui(&mut self, ui: &mut Ui, found: &[PaletteEntry], state: &AppState) -> Option<PaletteEntry> {
        ui.set_width(520.0);
        let field = TextEdit::singleline(&mut self.query)
            .hint_text("Search commands, settings, clips and joints")
            .desired_width(f32::INFINITY);
        let field = ui.add(field);
        if std::mem::take(&mut self.is_new) || !field.has_focus() {
            field.request_focus();
        }
        if field.changed() {
            self.at = 0;
            self.is_moved = true;
        }
        ui.add_space(4.0);
        if found.is_empty() {
            ui.weak("No matching command, clip or joint");
        }
        let mut clicked = None;
        ScrollArea::vertical().max_height(360.0).min_scrolled_height(360.0).auto_shrink([false, true]).show(ui, |ui| {
            for (number, &choice) in found.iter().enumerate() {
                let response = row(ui, choice, number == self.at, state);
                if number == self.at && self.is_moved {
                    response.scroll_to_me(None);
                }
                if response.clicked() {
                    clicked = Some(choice);
                }
            }
        });
        clicked
    }
}

/// Returns matching entries, best match first, followed by matching guide headings. Without a query, returns all
/// entries except clips, joints and headings.
fn found(ctx: &Context, query: &str, rig: &Rig) -> Vec<PaletteEntry> {
    let mut found: Vec<_> = PaletteEntry::all().filter_map(|c| Some((Reverse(rank(ctx, query, c, rig)?), c))).collect();
    found.extend(joints(query, rig).into_iter().map(|(rank, node)| (Reverse(rank), PaletteEntry::Joint(node))));
    found.extend(clips(query, rig).into_iter().map(|(rank, clip)| (Reverse(rank), PaletteEntry::Clip(clip))));
    found.sort_by_key(|(rank, _)| *rank);
    let (exact, about): (Vec<_>, Vec<_>) = about(query).into_iter().partition(|(_, is_exact)| *is_exact);
    let read = |headings: Vec<(PaletteEntry, bool)>| headings.into_iter().map(|(heading, _)| heading);
    read(exact).chain(found.into_iter().map(|(_, choice)| choice)).chain(read(about)).collect()
}

/// Returns the words of a text as search keys, without punctuation.
fn words(text: &str) -> Vec<String> {
    let key = search_key(text);
    key.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()).map(str::to_owned).collect()
}

/// Returns the guide headings in which each query word is the start of a word, and whether the query is the whole
/// heading of at least two words.
fn about(query: &str) -> Vec<(PaletteEntry, bool)> {
    let wanted = words(query);
    let fits = |heading: &'static GuideHeading| {
        let words = words(&heading.title);
        let is_found = wanted.iter().all(|wanted| words.iter().any(|word| word.starts_with(wanted)));
        is_found.then(|| (PaletteEntry::Read(heading), wanted.len() > 1 && words.ends_with(&wanted)))
    };
    guide::headings().iter().filter(|_| !wanted.is_empty()).filter_map(fits).collect()
}

/// Returns the best matching joints.
fn joints(query: &str, rig: &Rig) -> Vec<(i32, NodeIndex)> {
    let wanted = Filter::new(query.trim());
    let rank = |node| {
        let bone = rig.human_bone(node).filter(|bone| wanted.is_in_joined(bone));
        let name = Some(rig.hierarchy.name(node)).filter(|name| wanted.is_in(name));
        bone.into_iter().chain(name).filter_map(|text| fuzzy_score(query, text)).max()
    };
    let is_joint = |node: &NodeIndex| rig.is_joint(*node) || rig.human_bone(*node).is_some();
    let nodes = rig.hierarchy.nodes().filter(|node| !wanted.is_empty() && is_joint(node));
    best(nodes.filter_map(|node| Some((rank(node)? * 3, node))))
}

/// Returns the clips whose names contain all query words, best match first.
fn clips(query: &str, rig: &Rig) -> Vec<(i32, usize)> {
    let wanted = words(query);
    let rank = |clip: usize| {
        let name = search_key(rig.clip_name(clip));
        let has_all = !wanted.is_empty() && wanted.iter().all(|word| name.contains(word));
        has_all.then(|| wanted.iter().filter_map(|word| fuzzy_score(word, &name)).sum::<i32>() * 6)
    };
    best((0..rig.clips.len()).filter_map(|clip| Some((rank(clip)?, clip))))
}

/// Returns the entries with the highest ranks, limited in number so that commands stay visible.
fn best<T>(found: impl Iterator<Item = (i32, T)>) -> Vec<(i32, T)> {
    const MAX: usize = 20;
    let mut found: Vec<_> = found.collect();
    found.sort_by_key(|(rank, _)| Reverse(*rank));
    found.truncate(MAX);
    found
}

/// Returns the rank of an entry. Matches rank in this order: key, name, search words, single letters, hint.
fn rank(ctx: &Context, query: &str, choice: PaletteEntry, rig: &Rig) -> Option<i32> {
    let wanted = search_key(query.trim());
    let is_key = choice.key_text(ctx).is_some_and(|key| search_key(&key) == wanted);
    let name = choice.name(rig);
    let letters = fuzzy_score(query, &name).map(|score| score * 3);
    let by_words = rank_by_words(&words(query), [(&name, 6), (choice.words(), 5), (choice.hint(rig), 1)]);
    let by_words = by_words.map(|rank| rank + letters.unwrap_or_default());
    is_key.then_some(1000).max(letters).max(by_words)
}

/// Ranks texts that together contain each query word, in any order, as the start of a word. Each text has a factor.
fn rank_by_words(wanted: &[String], texts: [(&str, i32); 3]) -> Option<i32> {
    let texts = texts.map(|(text, times)| (words(text), times));
    let rank = |wanted: &String| {
        let in_text = |(words, times): &(Vec<String>, i32)| {
            let starts = words.iter().filter(|word| word.starts_with(wanted));
            Some(starts.filter_map(|word| fuzzy_score(wanted, word)).max()? * times)
        };
        texts.iter().filter_map(in_text).max()
    };
    (!wanted.is_empty()).then(|| wanted.iter().map(rank).sum::<Option<i32>>()).flatten()
}

fn row(ui: &mut Ui, choice: PaletteEntry, is_marked: bool, state: &AppState) -> egui::Response {
    let (rig, obstacle) = (state.open.stage.rig(), choice.obstacle(state));
    let told = obstacle.unwrap_or_else(|| choice.hint(rig));
    let mut text = egui::text::LayoutJob::default();
    let name = RichText::new(choice.name(rig));
    let name = if obstacle.is_some() { name.weak() } else { name };
    for part in [name, RichText::new(format!("   {told}")).small().weak()] {
        part.append_to(&mut text, ui.style(), egui::FontSelection::Default, Align::Center);
    }
    let button = Button::selectable(is_marked, text)
        .shortcut_text(choice.key_text(ui.ctx()).unwrap_or_default())
        .truncate()
        .min_size(egui::vec2(ui.available_width(), 22.0));
    ui.add(button).accessible_name(choice.name(rig))
}

#[cfg(test)]
mod tests {
    use super::*;
    use glam::Affine3;

    use crate::rig::testing::chain;
    use crate::rig::{Hierarchy, NodeDescription, RigData, Skin, Trs};
    use crate::stage::{BuiltIn, Document, Source};
    use crate::state::{Request, Settings, Shortcuts};
    use crate::view::Overlay;

    fn search(query: &str) -> Vec<PaletteEntry> {
        let ctx = Context::default();
        KeyMap::install(&ctx, &Shortcuts::default());
        found(&ctx, query, &Rig::new(RigData::default()))
    }

    fn named(entry: PaletteEntry) -> String {
        entry.name(&Rig::new(RigData::default()))
    }

    fn state() -> AppState {
        let rig = Rig::new(RigData { hierarchy: chain(1, Trs::IDENTITY), ..RigData::default() });
        AppState::new(Document::new(Source::BuiltIn(BuiltIn::Tube), rig, Vec::new()), Settings::default())
    }

    fn first(query: &str) -> PaletteEntry {
        search(query)[0]
    }

    #[test]
    fn names_keys_and_hints_are_found() {
        assert_eq!(first("reset rot"), PaletteEntry::Do(Action::ResetRotation));
        assert_eq!(first("frall"), PaletteEntry::Do(Action::FrameAll));
        assert_eq!(first("ctrl+shift+s"), PaletteEntry::Do(Action::SaveImage));
        assert_eq!([first("ctrl+f"), first("filter")], [PaletteEntry::Do(Action::FilterJoints); 2]);
        assert_eq!(first("png"), PaletteEntry::Do(Action::SaveImage));
        assert!(search("qqqq").is_empty());
        assert_eq!(search("").len(), PaletteEntry::all().count());
    }

    #[test]
    fn headings_of_the_guide_lead_to_their_place_and_follow_the_commands_unless_typed_in_full() {
        let found = search("limit joints");
        let first = found[0];
        let PaletteEntry::Read(heading) = first else { panic!("{found:?}") };
        assert_eq!(
            (heading.place.as_str(), &*first.name(&Rig::default())),
            ("posing#limit-joints", "Guide: Posing > Limit joints")
        );
        let mut state = state();
        let command = first.command(&state);
        assert_eq!(state.apply(command), Some(Request::OpenGuide(Some("posing#limit-joints".to_owned()))));

        let first = search("pose").iter().position(|entry| matches!(entry, PaletteEntry::Read(_))).unwrap();
        assert!(first > 3 && search("pose")[first..].iter().all(|entry| matches!(entry, PaletteEntry::Read(_))));
        assert!(!search("").iter().any(|entry| matches!(entry, PaletteEntry::Read(_))));
        assert_eq!(search("guide")[0], PaletteEntry::Do(Action::OpenGuide));
    }

    #[test]
    fn palette_lists_name_matches_before_other_matches() {
        let about = search("weights").into_iter().position(|found| !named(found).to_lowercase().contains("weights"));
        let named = PaletteEntry::all().filter(|entry| named(*entry).to_lowercase().contains("weights")).count();
        assert_eq!(about, Some(named), "{:?}", search("weights"));
    }

    fn jointed(joints: &[(&str, Option<&str>)]) -> Rig {
        let node = |(name, _): &(&str, _)| NodeDescription { name: (*name).to_owned(), ..NodeDescription::default() };
        let hierarchy = Hierarchy::new(&joints.iter().map(node).collect::<Vec<_>>()).unwrap();
        let nodes: Vec<NodeIndex> = hierarchy.nodes().collect();
        let bones = nodes.iter().zip(joints).filter_map(|(node, (_, bone))| Some((*node, bone.as_ref()?.to_string())));
        let skin =
            Skin { inverse_bind: vec![Affine3::IDENTITY; nodes.len()], joints: nodes.clone(), ..Skin::default() };
        Rig::new(RigData { human_bones: bones.collect(), skins: vec![skin], hierarchy, ..RigData::default() })
    }

    #[test]
    fn joints_are_found_by_name_whatever_its_width_and_by_their_bone_of_a_human() {
        let rig = jointed(&[("左腕", Some("leftUpperArm")), ("ﾎﾞｰﾝ\n２", None), ("Tail", None)]);
        let joints = |query: &str| {
            let found = found(&Context::default(), query, &rig).into_iter();
            found
                .filter(|entry| matches!(entry, PaletteEntry::Joint(_)))
                .map(|entry| entry.name(&rig))
                .collect::<Vec<_>>()
        };
        for (query, name) in [
            ("左", "Select 左腕"),
            ("left upper arm", "Select 左腕"),
            ("UPPERARM", "Select 左腕"),
            ("ボーン", "Select ﾎﾞｰﾝ\\n２"),
            ("ｔａｉｌ", "Select Tail"),
        ] {
            assert_eq!(joints(query), [name], "{query}");
        }
        assert_eq!(joints(""), [""; 0], "commands alone until something is typed");
        let many = jointed(&vec![("Tail", None); 100]);
        let tails = super::joints("tail", &many);
        assert!(tails.len() < 50, "and commands stay in sight");
    }

    #[test]
    fn light_and_exposure_are_commands() {
        let mut state = state();
        for (words, changed) in [
            ("outdoor", Lighting { environment: Environment::Outdoor, ..Lighting::default() }),
            ("+1 stop", Lighting { environment: Environment::Outdoor, exposure: 1.0, ..Lighting::default() }),
            ("exposure: reset", Lighting { environment: Environment::Outdoor, ..Lighting::default() }),
        ] {
            state.apply(first(words).command(&state));
            assert_eq!(state.open.stage.view.display.light, changed, "{words}");
        }
        assert_eq!(first("shading: textured"), PaletteEntry::Shade(Shading::Mode(ShadingMode::Textured)));
    }

    #[test]
    fn words_are_found_in_any_order_and_settings_and_tabs_by_theirs() {
        for (words, wanted) in [
            ("light theme", PaletteEntry::Theme(ThemeChoice::Light)),
            ("theme light", PaletteEntry::Theme(ThemeChoice::Light)),
            ("flip pose", PaletteEntry::Do(Action::MirrorPose)),
            ("rotation clear", PaletteEntry::Do(Action::ResetRotation)),
            ("paint weights", PaletteEntry::Do(Action::ToggleWeightEditing)),
            ("normalize weights", PaletteEntry::Repair(Repair::Normalize)),
            ("keyboard", PaletteEntry::Do(Action::ToggleHelp)),
            ("settings", PaletteEntry::Do(Action::TogglePreferences)),
            ("history tab", PaletteEntry::Tab(SidePanel::History)),
            ("scale 130", PaletteEntry::Scale(1.3)),
            ("about", PaletteEntry::Do(Action::ToggleAbout)),
        ] {
            assert_eq!(first(words), wanted, "{words}: {:?}", &search(words)[..3]);
        }
        assert!(matches!(first("ui scale"), PaletteEntry::Scale(_)));
        assert!(search("light qqqq").is_empty());
    }

    #[test]
    fn clips_are_found_by_name_and_chosen() {
        let document = Document::built_in(BuiltIn::Figure);
        let mut state = AppState::new(document, Settings::default());
        let clips = state.open.stage.rig().clips.len();
        let name = state.open.stage.rig().clip_name(clips - 1).to_owned();
        let wanted = PaletteEntry::Clip(clips - 1);
        let found = found(&Context::default(), &name.to_uppercase(), state.open.stage.rig());
        assert!(found.iter().take(3).any(|entry| *entry == wanted), "{name}: {found:?}");
        state.apply(wanted.command(&state));
        assert_eq!(state.open.stage.playback.clip, Some(clips - 1));
    }

    #[test]
    fn words_that_people_know_from_elsewhere_are_found() {
        for (word, wanted) in [
            ("weight paint", PaletteEntry::Shade(Shading::Overlay(Overlay::Weight))),
            ("shape key", PaletteEntry::Shade(Shading::Overlay(Overlay::Morph))),
            ("screenshot", PaletteEntry::Do(Action::SaveImage)),
            ("skeleton", PaletteEntry::Do(Action::ToggleBones)),
            ("onion", PaletteEntry::Do(Action::LayoutGhost)),
            ("light", PaletteEntry::Theme(ThemeChoice::Light)),
            ("playblast", PaletteEntry::Do(Action::SaveVideo)),
            ("graph editor", PaletteEntry::Do(Action::ToggleTracks)),
            ("channel box", PaletteEntry::Do(Action::ToggleRightPanel)),
            ("local view", PaletteEntry::Do(Action::ToggleIsolated)),
            ("isolate select", PaletteEntry::Do(Action::ToggleIsolated)),
            ("paste flipped", PaletteEntry::Do(Action::PasteMirrored)),
            ("go to bind pose", PaletteEntry::Do(Action::BindPose)),
            ("motion paths", PaletteEntry::Do(Action::ToggleTrails)),
            ("shape keys", PaletteEntry::Do(Action::ShowMorphs)),
            ("hotkey editor", PaletteEntry::Do(Action::ToggleHelp)),
            ("limit total", PaletteEntry::Repair(Repair::Limit)),
            ("texture", PaletteEntry::Shade(Shading::Mode(ShadingMode::Textured))),
        ] {
            assert!(search(word).iter().take(5).any(|found| *found == wanted), "{word}: {:?}", search(word));
        }
        for word in ["weight", "paint", "overlay", "names", "axes", "light", "export"] {
            assert!(!search(word).is_empty(), "{word}");
        }
    }
}
