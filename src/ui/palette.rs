//! The command palette: every action, shading, light, theme and source of weights, found by a few letters, and the guide's headings, by their words.

use std::cmp::Reverse;

use egui::{
    Align, Align2, Area, Button, Context, Frame, Id, Key, Modifiers, Order, RichText, ScrollArea, TextEdit, Ui,
};

use super::fuzzy;
use super::key_map::KeyMap;
use crate::guide::{self, GuideHeading};
use crate::state::{ACTIONS, Action, AppState, Command, ThemeChoice};
use crate::view::{Display, Environment, Lighting, Look, Shading, Side};
use crate::weights::{Recipe, WeightChoice, Weighting};

/// What is typed and what is marked, while it is open.
#[derive(Default)]
pub struct CommandPalette {
    open: Option<PaletteSearch>,
}

#[derive(Default)]
struct PaletteSearch {
    query: String,
    /// The marked row.
    at: usize,
    /// It was marked in this frame, and may stand outside the list's window.
    is_moved: bool,
    is_new: bool,
}

/// Something that can be chosen.
#[derive(Clone, Copy, Debug, PartialEq)]
enum PaletteEntry {
    Do(Action),
    Shade(Shading),
    Light(Environment),
    Exposure(Exposure),
    Theme(ThemeChoice),
    /// `None` for those of the file.
    Weights(Side, Option<Weighting>),
    Read(&'static GuideHeading),
}

/// What becomes of the exposure.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Exposure {
    More,
    Less,
    None,
}

impl Exposure {
    const ALL: [Self; 3] = [Self::More, Self::Less, Self::None];

    /// The stops that it makes of others.
    fn of(self, stops: f32) -> f32 {
        let changed = match self {
            Self::More => stops + 1.0,
            Self::Less => stops - 1.0,
            Self::None => 0.0,
        };
        changed.clamp(*Lighting::EXPOSURES.start(), *Lighting::EXPOSURES.end())
    }
}

impl PaletteEntry {
    fn all() -> impl Iterator<Item = Self> {
        let actions = ACTIONS.iter().map(|spec| spec.action).filter(|action| *action != Action::TogglePalette);
        // Clay is an action too.
        let shadings = Shading::all().filter(|shading| *shading != Shading::Look(Look::Clay));
        let themes = [ThemeChoice::Dark, ThemeChoice::Light, ThemeChoice::System];
        let sources = || [None].into_iter().chain(Weighting::ALL.map(Some));
        let weights = Side::ALL.into_iter().flat_map(move |side| sources().map(move |from| Self::Weights(side, from)));
        let lights = Environment::ALL.map(Self::Light).into_iter().chain(Exposure::ALL.map(Self::Exposure));
        let looks = shadings.map(Self::Shade).chain(lights).chain(themes.map(Self::Theme));
        actions.map(Self::Do).chain(looks).chain(weights)
    }

    fn name(self) -> String {
        match self {
            Self::Do(action) => action.spec().name.to_owned(),
            Self::Shade(shading) => format!("Shading: {}", shading.name()),
            Self::Light(environment) => format!("Light: {}", environment.name().to_lowercase()),
            Self::Exposure(Exposure::More) => "Exposure: one stop more".to_owned(),
            Self::Exposure(Exposure::Less) => "Exposure: one stop less".to_owned(),
            Self::Exposure(Exposure::None) => "Exposure: 0 stops".to_owned(),
            Self::Theme(theme) => format!("Theme: {}", format!("{theme:?}").to_lowercase()),
            Self::Weights(side, from) => {
                let source = from.map_or("file", |weighting| weighting.spec().title);
                format!("Weights of {side:?}: {source}")
            }
            Self::Read(heading) => format!("Guide: {}", heading.title),
        }
    }

    fn hint(self) -> &'static str {
        match self {
            Self::Do(action) => action.spec().hint,
            Self::Shade(shading) => shading.hint(),
            Self::Light(environment) => environment.hint(),
            Self::Exposure(Exposure::None) => "The light on materials as it comes",
            Self::Exposure(_) => "Twice or half the light on materials",
            Self::Theme(_) => "Colours of panels and viewport",
            Self::Weights(_, None) => "The weights that the file has",
            Self::Weights(_, Some(weighting)) => weighting.spec().hint,
            Self::Read(_) => "Opens the guide there, in the browser",
        }
    }

    /// Further words by which people look for it.
    fn words(self) -> &'static str {
        match self {
            Self::Do(action) => action.spec().words,
            Self::Shade(Shading::Painted(overlay)) => overlay.spec().words,
            Self::Shade(_) => "textures look",
            Self::Light(_) => "lighting environment preset sky sun materials",
            Self::Exposure(_) => "light brightness brighter darker materials",
            Self::Theme(_) => "background appearance mode",
            Self::Weights(..) => "skin influences automatic bind heat voxel",
            Self::Read(_) => "",
        }
    }

    fn key_text(self, ctx: &Context) -> Option<String> {
        if let Self::Do(action) = self { action.spec().key_text(ctx) } else { None }
    }

    fn obstacle(self, state: &AppState) -> Option<&'static str> {
        match self {
            Self::Do(action) => state.obstacle(action),
            Self::Weights(..) if state.open.rig().skins.is_empty() => Some("This file has no skin"),
            _ => None,
        }
    }

    fn command(self, state: &AppState) -> Command {
        let display = state.open.view.display;
        let lit = |light| Command::SetDisplay(Display { light, ..display });
        match self {
            Self::Do(action) => Command::Do(action),
            Self::Shade(shading) => Command::Shade(shading),
            Self::Light(environment) => lit(Lighting { environment, ..display.light }),
            Self::Exposure(change) => lit(Lighting { exposure: change.of(display.light.exposure), ..display.light }),
            Self::Theme(theme) => Command::SetTheme(theme),
            Self::Weights(side, from) => Command::SetWeights(side, weight_choice(from)),
            Self::Read(heading) => Command::OpenGuide(heading.place.clone()),
        }
    }
}

/// Those of the file, or of a method with the settings that it begins with.
fn weight_choice(from: Option<Weighting>) -> WeightChoice {
    let recipe = |weighting| Recipe { weighting, ..Recipe::default() };
    from.map_or(WeightChoice::File, |weighting| WeightChoice::Computed(recipe(weighting)))
}

impl CommandPalette {
    /// Opens it empty, or closes it.
    pub fn toggle(&mut self) {
        self.open = self.open.is_none().then(|| PaletteSearch { is_new: true, ..PaletteSearch::default() });
    }

    /// True while it takes the keys.
    pub fn is_open(&self) -> bool {
        self.open.is_some()
    }

    /// Draws it, if open.
    pub fn ui(&mut self, ctx: &Context, state: &AppState, commands: &mut Vec<Command>) {
        let Some(search) = &mut self.open else { return };
        let found = found(ctx, &search.query);
        search.keys(ctx, found.len());
        let entered = ctx.input_mut(|i| i.consume_key(Modifiers::NONE, Key::Enter));
        let area = Area::new(Id::unique("palette"))
            .order(Order::Foreground)
            .pivot(Align2::CENTER_TOP)
            .fixed_pos(ctx.content_rect().center_top() + egui::vec2(0.0, 72.0))
            .show(ctx, |ui| Frame::popup(ui.style()).show(ui, |ui| search.ui(ui, &found, state)).inner);
        let chosen = area.inner.or_else(|| found.get(search.at).copied().filter(|_| entered));
        let keys = KeyMap::keys(ctx, Action::TogglePalette);
        let is_left = ctx
            .input_mut(|i| i.consume_key(Modifiers::NONE, Key::Escape) || keys.iter().any(|k| i.consume_shortcut(k)));
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
        let field = TextEdit::singleline(&mut self.query).hint_text("Search commands").desired_width(f32::INFINITY);
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
            ui.label(RichText::new("No command has these letters").weak());
        }
        let mut clicked = None;
        ScrollArea::vertical().max_height(360.0).min_scrolled_height(360.0).auto_shrink([false, true]).show(ui, |ui| {
            for (number, &choice) in found.iter().enumerate() {
                let response = row(ui, choice, number == self.at, choice.obstacle(state));
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

/// What fits, best first, and below it what the guide has about it; all commands in the order of the tables while nothing is typed.
fn found(ctx: &Context, query: &str) -> Vec<PaletteEntry> {
    let mut found: Vec<_> = PaletteEntry::all().filter_map(|c| Some((Reverse(rank(ctx, query, c)?), c))).collect();
    found.sort_by_key(|(rank, _)| *rank);
    found.into_iter().map(|(_, choice)| choice).chain(about(query)).collect()
}

/// Headings of the guide that have a word beginning with each word of a query, in the order of the pages.
fn about(query: &str) -> Vec<PaletteEntry> {
    let wanted: Vec<String> = query.split_whitespace().map(str::to_lowercase).collect();
    let words = |title: &str| -> Vec<String> {
        title.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()).map(str::to_lowercase).collect()
    };
    let fits = |heading: &&GuideHeading| {
        let words = words(&heading.title);
        wanted.iter().all(|wanted| words.iter().any(|word| word.starts_with(wanted)))
    };
    let headings = guide::headings().iter().filter(|_| !wanted.is_empty()).filter(fits);
    headings.map(PaletteEntry::Read).collect()
}

/// A key counts for more than words of a name, these for more than further words, then come letters of a name, and a hint last.
fn rank(ctx: &Context, query: &str, choice: PaletteEntry) -> Option<i32> {
    let wanted = query.trim().to_lowercase();
    let name = choice.name();
    let has_words = name.to_lowercase().split_whitespace().any(|word| !wanted.is_empty() && word.starts_with(&wanted));
    let name = fuzzy::score(query, &name).map(|s| s * if has_words { 6 } else { 3 });
    let key = choice.key_text(ctx).and_then(|k| (k.to_lowercase() == wanted).then_some(1000));
    let in_words = |text: &str, times: i32| {
        let is_in = text.to_lowercase().contains(&wanted);
        if is_in { fuzzy::score(query, text).map(|s| s * times) } else { None }
    };
    name.max(key).max(in_words(choice.words(), 5)).max(in_words(choice.hint(), 1))
}

fn row(ui: &mut Ui, choice: PaletteEntry, is_marked: bool, obstacle: Option<&str>) -> egui::Response {
    let told = obstacle.unwrap_or(choice.hint());
    let mut text = egui::text::LayoutJob::default();
    let name = RichText::new(choice.name());
    let name = if obstacle.is_some() { name.weak() } else { name };
    for part in [name, RichText::new(format!("   {told}")).small().weak()] {
        part.append_to(&mut text, ui.style(), egui::FontSelection::Default, Align::Center);
    }
    let button = Button::selectable(is_marked, text)
        .shortcut_text(choice.key_text(ui.ctx()).unwrap_or_default())
        .truncate()
        .min_size(egui::vec2(ui.available_width(), 22.0));
    ui.add(button).accessible_name(choice.name())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rig::testing::chain;
    use crate::rig::{Rig, RigParts, Trs};
    use crate::stage::{BuiltIn, Document, Source};
    use crate::state::{Request, Settings, Shortcuts};
    use crate::view::Overlay;

    fn search(query: &str) -> Vec<PaletteEntry> {
        let ctx = Context::default();
        KeyMap::install(&ctx, &Shortcuts::default());
        found(&ctx, query)
    }

    fn state() -> AppState {
        let rig = Rig::new(RigParts { hierarchy: chain(1, Trs::IDENTITY), ..RigParts::default() });
        AppState::new(Document::new(Source::BuiltIn(BuiltIn::Tube), rig, Vec::new()), Settings::default())
    }

    fn first(query: &str) -> PaletteEntry {
        search(query)[0]
    }

    #[test]
    fn names_keys_and_hints_are_found() {
        assert_eq!(first("reset rot"), PaletteEntry::Do(Action::ResetRotation));
        assert_eq!(first("frall"), PaletteEntry::Do(Action::FrameAll));
        assert_eq!(first("ctrl+shift+s"), PaletteEntry::Do(Action::SavePicture));
        assert_eq!([first("ctrl+f"), first("filter")], [PaletteEntry::Do(Action::FilterJoints); 2]);
        assert_eq!(first("png"), PaletteEntry::Do(Action::SavePicture));
        assert!(search("qqqq").is_empty());
        assert_eq!(search("").len(), PaletteEntry::all().count());
    }

    #[test]
    fn headings_of_the_manual_are_found_below_the_commands_and_lead_to_their_place() {
        let found = search("limit joints");
        let PaletteEntry::Read(heading) = found[found.len() - 1] else { panic!("{found:?}") };
        assert_eq!(
            (heading.place.as_str(), &*found[found.len() - 1].name()),
            ("posing#limit-joints", "Guide: Posing > Limit joints")
        );
        let mut state = state();
        let command = found[found.len() - 1].command(&state);
        assert_eq!(state.apply(command), Some(Request::OpenGuide(Some("posing#limit-joints".to_owned()))));

        let first = search("pose").iter().position(|entry| matches!(entry, PaletteEntry::Read(_))).unwrap();
        assert!(first > 3 && search("pose")[first..].iter().all(|entry| matches!(entry, PaletteEntry::Read(_))));
        assert!(!search("").iter().any(|entry| matches!(entry, PaletteEntry::Read(_))));
        assert_eq!(search("guide")[0], PaletteEntry::Do(Action::OpenGuide));
    }

    #[test]
    fn what_is_named_by_a_word_comes_before_what_has_it_among_further_words() {
        let about = search("weights").into_iter().position(|found| !found.name().to_lowercase().contains("weights"));
        let named = PaletteEntry::all().filter(|entry| entry.name().to_lowercase().contains("weights")).count();
        assert_eq!(about, Some(named), "{:?}", search("weights"));
    }

    #[test]
    fn light_and_exposure_are_commands() {
        let mut state = state();
        for (words, changed) in [
            ("outdoor", Lighting { environment: Environment::Outdoor, ..Lighting::default() }),
            ("stop more", Lighting { environment: Environment::Outdoor, exposure: 1.0, ..Lighting::default() }),
            ("0 stops", Lighting { environment: Environment::Outdoor, ..Lighting::default() }),
        ] {
            state.apply(first(words).command(&state));
            assert_eq!(state.open.view.display.light, changed, "{words}");
        }
        assert_eq!(first("shading: textured"), PaletteEntry::Shade(Shading::Look(Look::Textured)));
    }

    #[test]
    fn words_that_people_know_from_elsewhere_are_found() {
        for (word, wanted) in [
            ("weight paint", PaletteEntry::Shade(Shading::Painted(Overlay::Weight))),
            ("shape key", PaletteEntry::Shade(Shading::Painted(Overlay::Morph))),
            ("screenshot", PaletteEntry::Do(Action::SavePicture)),
            ("skeleton", PaletteEntry::Do(Action::ToggleBones)),
            ("onion", PaletteEntry::Do(Action::LayoutGhost)),
            ("light", PaletteEntry::Theme(ThemeChoice::Light)),
            ("texture", PaletteEntry::Shade(Shading::Look(Look::Textured))),
        ] {
            assert!(search(word).iter().take(5).any(|found| *found == wanted), "{word}: {:?}", search(word));
        }
        for word in ["weight", "paint", "overlay", "names", "axes", "light", "export"] {
            assert!(!search(word).is_empty(), "{word}");
        }
    }
}
