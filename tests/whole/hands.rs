//! Random user actions, chosen from the visible controls.

use std::path::PathBuf;

use egui::accesskit::{self, Action as Assist, Role};
use egui::{Event, Key, Modifiers, MouseWheelUnit, PointerButton, Pos2, Rect, Vec2, pos2, vec2};
use rigscope::state::{ACTIONS, Action, Preset};

use crate::common::fuzz::Random;

/// One action on the program.
#[derive(Clone, Debug)]
pub enum Act {
    /// Pointer and key events, one per frame.
    Events(&'static str, String, Vec<Event>),
    /// Files dropped on the window together, or only dragged over it.
    Drop {
        files: Vec<PathBuf>,
        lets_go: bool,
    },
    Resize(Vec2),
    /// Changes the pixels per point.
    Scale(f32),
    /// Actions that have no key or menu entry, one per frame.
    Script(Vec<Action>),
    /// Lets some frames pass.
    Wait(usize),
    /// Replaces the first file with the second, as another program would, or deletes it if there is no second file.
    Rewrite(PathBuf, Option<PathBuf>),
    /// Asks the program to end.
    Close,
}

/// A widget in the accessibility tree.
#[derive(Clone, Debug)]
pub struct Widget {
    pub name: String,
    pub role: Role,
    pub rect: Rect,
    pub node: (accesskit::NodeId, accesskit::TreeId),
}

/// Inputs for choosing an action.
pub struct Sight<'a> {
    pub widgets: &'a [Widget],
    pub size: Vec2,
    /// Valid and invalid files to open.
    pub files: &'a [PathBuf],
    /// Paths that may be written.
    pub places: &'a [PathBuf],
    pub copied: &'a str,
}

impl Act {
    /// Returns the kind of the action, for counting.
    pub fn kind(&self) -> &'static str {
        match self {
            Self::Events(kind, ..) => kind,
            Self::Drop { .. } => "drop files",
            Self::Resize(_) => "resize",
            Self::Scale(_) => "scale",
            Self::Script(_) => "script",
            Self::Wait(_) => "wait",
            Self::Rewrite(..) => "file changed outside",
            Self::Close => "close",
        }
    }

    /// Describes the action in one line.
    pub fn told(&self) -> String {
        match self {
            Self::Events(kind, what, _) => format!("{kind}: {what}"),
            other => format!("{other:?}"),
        }
    }
}

/// Chooses random actions.
pub struct Hands {
    pub random: Random,
    /// Number of uses of each widget, by name, so that rarely used ones are preferred.
    used: std::collections::BTreeMap<String, usize>,
}

impl Hands {
    pub fn new(seed: u64) -> Self {
        Self { random: Random::new(seed), used: std::collections::BTreeMap::new() }
    }

    /// Returns the names of widgets that were used.
    pub fn widgets_used(&self) -> impl Iterator<Item = &str> {
        self.used.keys().map(String::as_str)
    }

    pub fn act(&mut self, sight: &Sight<'_>) -> Act {
        match self.random.below(100) {
            0..36 => self.click(sight),
            36..45 => self.assist(sight),
            45..60 => self.shortcut(),
            60..65 => self.key(),
            65..73 => self.drag_in_view(sight),
            73..78 => self.drag_widget(sight),
            78..82 => self.wheel(sight),
            82..89 => self.text(sight),
            89..92 => self.drop(sight),
            92 => self.resize(),
            93 => Act::Scale(self.one(&[1.0, 0.75, 1.25, 1.5, 2.0, 3.0])),
            94 => self.script(),
            95 => self.pins(),
            96 => self.clipboard(sight),
            97 => Act::Wait(1 + self.random.below(40)),
            98 => self.rewrite(sight),
            _ => self.leave(),
        }
    }

    fn one<T: Clone>(&mut self, of: &[T]) -> T {
        of[self.random.below(of.len())].clone()
    }

    fn chance(&mut self, percent: usize) -> bool {
        self.random.below(100) < percent
    }

    fn between(&mut self, a: f32, b: f32) -> f32 {
        a + (b - a) * self.random.below(10_001) as f32 / 10_000.0
    }

    fn within(&mut self, rect: Rect) -> Pos2 {
        pos2(self.between(rect.left(), rect.right()), self.between(rect.top(), rect.bottom()))
    }

    fn modifiers(&mut self) -> Modifiers {
        let command = Modifiers::COMMAND | Modifiers::CTRL;
        self.one(&[Modifiers::SHIFT, command, Modifiers::ALT, command | Modifiers::SHIFT])
    }

    /// Returns the least used of a few random widgets on the screen.
    fn widget(&mut self, sight: &Sight<'_>, is_fit: impl Fn(&Widget) -> bool) -> Option<Widget> {
        let screen = Rect::from_min_size(Pos2::ZERO, sight.size);
        let fit: Vec<&Widget> =
            sight.widgets.iter().filter(|w| screen.contains(w.rect.center()) && is_fit(w)).collect();
        if fit.is_empty() {
            return None;
        }
        let few: Vec<&Widget> = (0..4).map(|_| fit[self.random.below(fit.len())]).collect();
        let widget = few.into_iter().min_by_key(|w| self.used.get(&w.name).copied().unwrap_or(0))?.clone();
        *self.used.entry(widget.name.clone()).or_default() += 1;
        Some(widget)
    }

    fn click(&mut self, sight: &Sight<'_>) -> Act {
        let Some(widget) = self.widget(sight, is_usable) else { return self.key() };
        let pos = if self.chance(70) { widget.rect.center() } else { self.within(widget.rect) };
        let button = if self.chance(10) { PointerButton::Secondary } else { PointerButton::Primary };
        let modifiers = if self.chance(8) { self.modifiers() } else { Modifiers::NONE };
        let times = if self.chance(8) { 2 } else { 1 };
        let mut events = vec![Event::PointerMoved(pos)];
        for _ in 0..times {
            events.extend([true, false].map(|pressed| Event::PointerButton { pos, button, pressed, modifiers }));
        }
        Act::Events("click", format!("{button:?} {modifiers:?} {times}x on {:?} {}", widget.role, widget.name), events)
    }

    /// Uses a widget through the accessibility interface, even if it is off the screen.
    fn assist(&mut self, sight: &Sight<'_>) -> Act {
        let Some(widget) = self.widget(sight, is_usable) else { return self.key() };
        let action = self.one(&[
            Assist::Click,
            Assist::Click,
            Assist::Click,
            Assist::Focus,
            Assist::Increment,
            Assist::Decrement,
            Assist::SetValue,
            Assist::ScrollIntoView,
        ]);
        let value = self.one(&[0.0, 1.0, -1.0, 45.0, 1e9, -1e30, f64::NAN, f64::INFINITY]);
        let data = (action == Assist::SetValue).then_some(accesskit::ActionData::NumericValue(value));
        let told = format!("{action:?} {data:?} on {:?} {}", widget.role, widget.name);
        let (target_node, target_tree) = widget.node;
        let request = accesskit::ActionRequest { target_node, target_tree, action, data };
        Act::Events("assist", told, vec![Event::AccessKitActionRequest(request)])
    }

    fn shortcut(&mut self) -> Act {
        let preset = self.one(&[Preset::Viewer, Preset::Viewer, Preset::Blender, Preset::Maya]);
        let keys: Vec<(&str, &str)> =
            ACTIONS.iter().flat_map(|spec| spec.keys(preset).iter().map(|key| (spec.id, *key))).collect();
        let (id, text) = self.one(&keys);
        let mut modifiers = Modifiers::NONE;
        let mut key = None;
        for part in text.split('+') {
            match part {
                "Ctrl" => modifiers |= Modifiers::COMMAND | Modifiers::CTRL,
                "Alt" => modifiers |= Modifiers::ALT,
                "Shift" => modifiers |= Modifiers::SHIFT,
                name => key = Key::from_name(name),
            }
        }
        Act::Events("shortcut", format!("{text} ({id})"), press(key.expect("a key"), modifiers))
    }

    fn key(&mut self) -> Act {
        let common = [
            Key::Escape,
            Key::Enter,
            Key::Tab,
            Key::ArrowUp,
            Key::ArrowDown,
            Key::ArrowLeft,
            Key::ArrowRight,
            Key::Space,
            Key::Delete,
            Key::Backspace,
        ];
        let key = if self.chance(70) { self.one(&common) } else { self.one(Key::ALL) };
        let modifiers = if self.chance(20) { self.modifiers() } else { Modifiers::NONE };
        Act::Events("key", format!("{modifiers:?} {key:?}"), press(key, modifiers))
    }

    fn drag(&mut self, from: Pos2, screen: Rect, what: &str) -> Act {
        let button = self.one(&[
            PointerButton::Primary,
            PointerButton::Primary,
            PointerButton::Primary,
            PointerButton::Secondary,
            PointerButton::Middle,
        ]);
        let modifiers = if self.chance(25) { self.modifiers() } else { Modifiers::NONE };
        let mut pos = from;
        let mut events = vec![Event::PointerMoved(pos), Event::PointerButton { pos, button, pressed: true, modifiers }];
        let reach = self.one(&[12.0, 80.0, 400.0]);
        for _ in 0..=self.random.below(6) {
            pos += vec2(self.between(-reach, reach), self.between(-reach, reach));
            pos = if self.chance(92) { screen.clamp(pos) } else { pos };
            events.push(Event::PointerMoved(pos));
        }
        match self.random.below(10) {
            // Cancelled by the user, or interrupted by the system.
            0 => events.extend(press(Key::Escape, Modifiers::NONE)),
            1 => events.push(Event::WindowFocused(false)),
            2 => events.extend(press(Key::Num4, Modifiers::NONE)),
            _ => {}
        }
        if self.chance(95) {
            events.push(Event::PointerButton { pos, button, pressed: false, modifiers });
        } else {
            events.push(Event::PointerGone);
        }
        Act::Events("drag", format!("{button:?} {modifiers:?} {from:?} to {pos:?} on {what}"), events)
    }

    fn drag_in_view(&mut self, sight: &Sight<'_>) -> Act {
        let screen = Rect::from_min_size(Pos2::ZERO, sight.size);
        let view = sight.widgets.iter().find(|w| w.name == "Viewport").map_or(screen, |w| w.rect);
        // Handles, bones and the character are near the middle.
        let middle = if self.chance(60) { Rect::from_center_size(view.center(), view.size() * 0.4) } else { view };
        let from = self.within(middle);
        self.drag(from, screen, "Viewport")
    }

    fn drag_widget(&mut self, sight: &Sight<'_>) -> Act {
        let screen = Rect::from_min_size(Pos2::ZERO, sight.size);
        let is_draggable = |w: &Widget| {
            matches!(w.role, Role::Slider | Role::SpinButton | Role::Splitter | Role::ScrollBar | Role::Unknown)
                && is_usable(w)
        };
        let Some(widget) = self.widget(sight, is_draggable) else { return self.drag_in_view(sight) };
        let from = self.within(widget.rect);
        self.drag(from, screen, &widget.name)
    }

    fn wheel(&mut self, sight: &Sight<'_>) -> Act {
        let pos = self.within(Rect::from_min_size(Pos2::ZERO, sight.size));
        let delta = vec2(self.between(-20.0, 20.0), self.between(-300.0, 300.0));
        let modifiers = if self.chance(30) { self.modifiers() } else { Modifiers::NONE };
        let (phase, source) = (egui::TouchPhase::Move, egui::MouseWheelSource::Unknown);
        let mut events = vec![Event::PointerMoved(pos)];
        events.push(Event::MouseWheel { unit: MouseWheelUnit::Point, delta, phase, source, modifiers });
        if self.chance(30) {
            events.push(Event::Zoom(self.one(&[0.5, 0.9, 1.2, 3.0])));
        }
        Act::Events("wheel", format!("{delta:?} {modifiers:?} at {pos:?}"), events)
    }

    fn words(&mut self, sight: &Sight<'_>) -> String {
        let words = [
            "45",
            "-170",
            "0.5",
            "1e9",
            "nan",
            "inf",
            "",
            "   ",
            "3 4",
            "1/2",
            "90°",
            "Left",
            "arm",
            "*",
            "Bow",
            "a/b",
            "..",
            "~",
            "頭 العربية 😀",
            "{\"version\":1,\"joints\":{}}",
            "rm",
            "play",
            "paint",
            "save",
        ];
        match self.random.below(10) {
            0 => self.one(sight.files).display().to_string(),
            1 | 2 => self.one(sight.places).display().to_string(),
            3 => "long ".repeat(400),
            _ => self.one(&words).to_owned(),
        }
    }

    fn text(&mut self, sight: &Sight<'_>) -> Act {
        let is_field = |w: &Widget| {
            matches!(w.role, Role::TextInput | Role::SpinButton | Role::SearchInput | Role::MultilineTextInput)
        };
        let Some(widget) = self.widget(sight, is_field) else { return self.click(sight) };
        let (pos, text) = (widget.rect.center(), self.words(sight));
        let (button, modifiers) = (PointerButton::Primary, Modifiers::NONE);
        let mut events = vec![Event::PointerMoved(pos)];
        events.extend([true, false].map(|pressed| Event::PointerButton { pos, button, pressed, modifiers }));
        if self.chance(80) {
            events.extend(press(Key::A, Modifiers::COMMAND | Modifiers::CTRL));
        }
        events.push(Event::Text(text.clone()));
        let end = self.one(&[Key::Enter, Key::Enter, Key::Enter, Key::Tab, Key::Escape]);
        events.extend(press(end, Modifiers::NONE));
        Act::Events("type", format!("{:?} {end:?} into {}", &text[..text.floor_char_boundary(60)], widget.name), events)
    }

    fn drop(&mut self, sight: &Sight<'_>) -> Act {
        let count = self.one(&[1, 1, 1, 1, 2, 3]);
        let files = (0..count).map(|_| self.one(sight.files)).collect();
        Act::Drop { files, lets_go: self.chance(90) }
    }

    fn resize(&mut self) -> Act {
        let sizes =
            [[1440.0, 900.0], [1440.0, 900.0], [800.0, 500.0], [1100.0, 700.0], [2560.0, 1440.0], [300.0, 200.0]];
        Act::Resize(self.one(&sizes).into())
    }

    fn script(&mut self) -> Act {
        Act::Script((0..2 + self.random.below(5)).map(|_| self.one(ACTIONS_FOR_SCRIPTS)).collect())
    }

    /// Pins the selected joints and goes on to others.
    fn pins(&mut self) -> Act {
        let steps = [
            Action::SelectParent,
            Action::SelectChild,
            Action::SelectSubtree,
            Action::ToggleSymmetry,
            Action::ToggleIk,
            Action::TogglePin,
        ];
        Act::Script(vec![self.one(&steps), Action::TogglePin, self.one(&steps)])
    }

    fn clipboard(&mut self, sight: &Sight<'_>) -> Act {
        let event = match self.random.below(4) {
            0 => Event::Copy,
            1 => Event::Cut,
            2 => Event::Paste(self.words(sight)),
            _ => Event::Paste(sight.copied.to_owned()),
        };
        let told = format!("{event:?}");
        Act::Events("clipboard", told[..told.floor_char_boundary(80)].to_owned(), vec![event])
    }

    fn rewrite(&mut self, sight: &Sight<'_>) -> Act {
        let other = self.one(sight.files);
        Act::Rewrite(self.one(sight.files), self.chance(85).then_some(other))
    }

    fn leave(&mut self) -> Act {
        match self.random.below(4) {
            0 => Act::Close,
            1 => Act::Events(
                "leave",
                "focus lost".to_owned(),
                vec![Event::WindowFocused(false), Event::WindowFocused(true)],
            ),
            _ => Act::Events("leave", "pointer gone".to_owned(), vec![Event::PointerGone]),
        }
    }
}

/// Every action.
const ACTIONS_FOR_SCRIPTS: &[Action] = &{
    let mut actions = [Action::Open; ACTIONS.len()];
    let mut at = 0;
    while at < ACTIONS.len() {
        actions[at] = ACTIONS[at].action;
        at += 1;
    }
    actions
};

fn is_usable(widget: &Widget) -> bool {
    !widget.name.is_empty() && !matches!(widget.role, Role::Label | Role::Window | Role::GenericContainer)
}

/// Returns the events of pressing and releasing a key with modifiers.
fn press(key: Key, modifiers: Modifiers) -> Vec<Event> {
    let event = |pressed| Event::Key { key, physical_key: None, pressed, repeat: false, modifiers };
    vec![Event::ModifiersChanged(modifiers), event(true), event(false), Event::ModifiersChanged(Modifiers::NONE)]
}
