//! User interface panels. They draw the state and push commands, but never change the state themselves and never access
//! files or the GPU.

mod about;
mod actions;
mod area;
mod axis_widget;
mod box_selection;
mod changes_panel;
mod columns;
mod compare;
mod counts;
mod expression;
mod face_panel;
mod fallback_fonts;
mod gizmo;
mod help;
mod history_panel;
mod image_menu;
mod input_queue;
mod inspector;
mod joint_marks;
mod joint_rows;
mod key_map;
mod limit_arcs;
mod lint_panel;
mod look_at_target;
mod menu_bar;
mod mirror_plane;
mod morph_panel;
mod names;
mod notices;
mod outliner;
mod palette;
mod panel_grip;
mod path_field;
mod pins;
mod pose_library;
mod pose_panel;
mod preferences;
mod probe;
mod profile_view;
mod question;
mod saved_views;
mod search;
mod shading;
mod shortcut_editor;
mod side_panel;
mod side_tabs;
mod split_row;
mod spring_marks;
mod status_bar;
mod theme;
mod thumbnails;
mod timeline;
mod tool_icons;
mod toolbar;
mod tour;
mod tracks;
mod twist;
mod video;
mod view_labels;
mod viewport;
mod visibility;
mod weight_row;
mod weights;

use egui::{CentralPanel, Event, Frame, Id, Key, Margin, Panel, Rangef, Rect, Stroke, StrokeKind, Ui, UiBuilder};

pub use fallback_fonts::install as install_fonts;
pub use theme::install as install_theme;

use crate::gizmo::Tool;
use crate::stage::TrackPlan;
use crate::state::{
    Action, AppState, Command, Commands, Notice, NoticeKind, PanelEdge, PanelSizes, Preset, SidePanel, TrackDrawer,
};
use panel_grip::PanelGrip;

#[derive(Default)]
pub struct Interface {
    outliner: outliner::Outliner,
    inspector: inspector::Inspector,
    history: history_panel::HistoryPanel,
    lint: lint_panel::LintPanel,
    bend_test: compare::BendTestList,
    changes: changes_panel::ChangesPanel,
    pose_library: pose_library::PoseLibraryPanel,
    morphs: morph_panel::MorphPanel,
    weights: weights::WeightsSection,
    viewport: viewport::Viewport,
    help: help::Help,
    palette: palette::CommandPalette,
    preferences: preferences::Preferences,
    about: about::About,
    path_field: path_field::PathField,
    twist: twist::TwistTestPanel,
    timeline: timeline::Timeline,
    tracks: tracks::Tracks,
    paste: Option<AwaitedPaste>,
    /// True if a text field had the focus in the last frame and therefore handles Esc.
    was_typing: bool,
    /// True after a tool key was pressed. Blender users press an axis key next.
    awaits_axis: bool,
    is_blinking: bool,
}

type PanelSizeField = fn(&mut PanelSizes) -> &mut f32;

/// Edges of the open panels, which are drawn after the viewport.
#[derive(Default)]
struct Grips {
    list: Vec<(PanelGrip, PanelSizeField)>,
    /// Areas of the open panels with tabs.
    panels: Vec<(PanelEdge, Rect)>,
}

impl Grips {
    fn add(&mut self, grip: PanelGrip, size: PanelSizeField) {
        self.list.push((grip, size));
    }
}

/// A paste from the clipboard, with the egui pass in which it was requested.
#[derive(Clone, Copy)]
struct AwaitedPaste {
    is_mirrored: bool,
    pass: u64,
}

impl Interface {
    /// Draws the whole interface. `paint` draws the 3D view into the viewport's rectangle.
    pub fn ui(&mut self, ui: &mut Ui, state: &AppState, commands: &mut Commands, paint: &mut dyn FnMut(&mut Ui, Rect)) {
        ui.ctx().add_plugin(input_queue::InputQueue::default());
        key_map::KeyMap::install(ui.ctx(), &state.settings.shortcuts);
        self.keys(ui.ctx(), state, commands);
        let bar = Frame::new().fill(ui.visuals().panel_fill).inner_margin(Margin::symmetric(8, 4));
        Panel::top("menu bar").frame(bar).resizable(false).show(ui, |ui| menu_bar::ui(ui, state, commands));
        Panel::bottom("status bar").frame(bar).resizable(false).show(ui, |ui| {
            status_bar::ui(ui, self.viewport.status(state), state, commands);
        });
        tour::ui(ui, state, commands);
        let mut drawer = None;
        if state.has_timeline() {
            let timeline = Panel::bottom("timeline").frame(bar).resizable(false);
            let across = timeline.show(ui, |ui| self.timeline.ui(ui, state, commands)).inner;
            drawer = self.tracks.ui(ui, across, state, commands);
        }
        let body = ui.available_rect_before_wrap();
        let mut grips = Grips::default();
        self.bottom_panel(ui, state, &mut grips, commands);
        self.side_panels(ui, state, &mut grips, commands);
        CentralPanel::no_frame().show(ui, |ui| {
            self.viewport.ui(ui, state, commands, paint);
        });
        let mut sizes = state.settings.panels;
        for (grip, size) in &grips.list {
            if let Some(new) = grip.ui(ui) {
                *size(&mut sizes) = new;
            }
        }
        commands.push_if(sizes != state.settings.panels, Command::SetPanelSizes(sizes));
        side_tabs::drop_ui(ui, body, &grips.panels, state, commands);
        if let Some(height) = drawer.and_then(|grip| grip.ui(ui)) {
            commands.push(Command::SetTrackDrawer(TrackDrawer { height, ..state.settings.tracks.clone() }));
        }
        self.help.ui(ui.ctx(), state, commands);
        self.palette.ui(ui.ctx(), state, commands);
        self.preferences.ui(ui.ctx(), state, commands);
        self.about.ui(ui.ctx(), state, commands);
        // A question is shown only after the path prompt has closed.
        if state.paths.prompt.is_none() {
            question::ui(ui, state, commands);
        }
        video::ui(ui, state, commands);
        self.path_field.ui(ui.ctx(), state, commands);
        focus_ring(ui);
        self.was_typing = ui.ctx().text_edit_focused();
        let hovered = commands.iter().rev().find_map(|c| if let Command::Hover(node) = c { *node } else { None });
        commands.retain(|c| !matches!(c, Command::Hover(_)));
        commands.push_if(hovered != state.open.stage.view.hovered, Command::Hover(hovered));
    }

    /// Handles keys that no widget uses.
    fn keys(&mut self, ctx: &egui::Context, state: &AppState, commands: &mut Commands) {
        let is_taken =
            self.viewport.owns_keys() || self.twist.owns_keys() || self.palette.is_open() || self.help.is_open();
        let is_taken = is_taken || self.preferences.is_open() || self.about.is_open();
        if is_taken || state.question.is_some() || state.paths.prompt.is_some() || state.video.plan.is_some() {
            return;
        }
        if self.was_typing || ctx.text_edit_focused() {
            commands.extend(actions::pressed(ctx, true).into_iter().map(Command::Do));
            return;
        }
        // Must run before the actions, which also use Esc, Left and Right.
        commands.extend(self.tracks.consumes_escape(ctx, state).then_some(Command::request::<TrackPlan>(false)));
        self.outliner.row_keys(ctx, state, commands);
        let pressed = actions::pressed(ctx, false);
        self.transform(&pressed, state);
        commands.extend(self.axis_hint(ctx, &pressed, state));
        commands.push_if(leaves_full_screen(ctx, &pressed, state), Command::Do(Action::ToggleFullScreen));
        commands.extend(pressed.into_iter().filter(|action| state.can(*action)).map(Command::Do));
        commands.extend(self.clipboard(ctx));
        commands.extend(self.blink(ctx));
        if !self.lint.keys(ctx, state, commands) && !self.bend_test.keys(ctx, state, commands) {
            self.outliner.keys(ctx, state, commands);
        }
    }

    /// Starts a keyboard drag with a tool, as in Blender.
    fn transform(&mut self, pressed: &[Action], state: &AppState) {
        let tool = pressed.iter().find_map(|action| match action {
            Action::ToolRotate => Some(Tool::Rotate),
            Action::ToolMove => Some(Tool::Move),
            Action::ToolScale => Some(Tool::Scale),
            _ => None,
        });
        let is_wanted =
            state.settings.shortcuts.preset == Preset::Blender && state.open.stage.view.active_joint().is_some();
        if let Some(tool) = tool.filter(|_| is_wanted) {
            self.viewport.transform(tool);
        }
    }

    /// With presets other than Blender's, returns a notice about keyboard transforms if a tool key is pressed and then
    /// an axis key.
    fn axis_hint(&mut self, ctx: &egui::Context, pressed: &[Action], state: &AppState) -> Option<Command> {
        let preset = state.settings.shortcuts.preset;
        let is_tool = |action: &Action| matches!(action, Action::ToolRotate | Action::ToolMove | Action::ToolScale);
        let keys = ctx.input(|i| {
            let typed = |event: &Event| match event {
                Event::Key { key, pressed: true, modifiers, .. } if modifiers.is_none() => Some(*key),
                _ => None,
            };
            i.events.iter().filter_map(typed).collect::<Vec<_>>()
        });
        let begins =
            preset != Preset::Blender && pressed.iter().any(is_tool) && state.open.stage.view.active_joint().is_some();
        let is_awaited = std::mem::take(&mut self.awaits_axis) || begins;
        let is_axis = keys.iter().any(|key| matches!(key, Key::X | Key::Y | Key::Z));
        // `pressed` contains actions whose keys were removed from the events, such as Esc.
        self.awaits_axis = begins && !is_axis || is_awaited && keys.is_empty() && pressed.is_empty();
        (is_awaited && is_axis && pressed.iter().all(is_tool)).then(|| {
            let text = format!(
                "To rotate with keys alone, choose the Blender preset (F1, Keys). With the {} preset, axis keys and numbers work while you drag a handle.",
                preset.name()
            );
            Command::Notify(Notice::new(NoticeKind::Info, text))
        })
    }

    /// Draws the panel at the bottom and the twist test, next to each other if both are open.
    fn bottom_panel(&mut self, ui: &mut Ui, state: &AppState, grips: &mut Grips, commands: &mut Commands) {
        /// Fraction of the width that the tabs take beside the twist test.
        const TABS: f32 = 1.0 / 3.0;
        const MIN_HEIGHT: f32 = 140.0;
        let has_tabs = state.panels.is_open(PanelEdge::Bottom, &state.settings);
        let has_twist = state.open.twist.is_open;
        if !has_tabs && !has_twist {
            return;
        }
        let range = Rangef::new(MIN_HEIGHT, (ui.available_height() * 0.5).max(MIN_HEIGHT));
        let mut tabs = None;
        let grip = side_panel::open(ui, PanelEdge::Bottom, range, state, |ui| {
            let mut room = ui.max_rect();
            if has_tabs {
                let (left, right) = room.split_left_right_at_fraction(if has_twist { TABS } else { 1.0 });
                let left = if has_twist { left.with_max_x(left.right() - 8.0) } else { left };
                let mut child = ui.new_child(UiBuilder::new().id_salt("tabs").max_rect(left));
                child.shrink_clip_rect(left.expand(4.0));
                self.tabbed(&mut child, PanelEdge::Bottom, state, commands);
                (room, tabs) = (right, Some(left.expand(8.0)));
            }
            if has_twist {
                let mut child = ui.new_child(UiBuilder::new().id_salt("twist").max_rect(room));
                grips.add(self.twist.ui(&mut child, state, commands), |sizes| &mut sizes.ranking);
            }
        });
        grips.panels.extend(tabs.map(|tabs| (PanelEdge::Bottom, tabs)));
        grips.add(grip, |sizes| &mut sizes.bottom);
    }

    /// Draws the side panels. Leaves at least half the width for the viewport.
    fn side_panels(&mut self, ui: &mut Ui, state: &AppState, grips: &mut Grips, commands: &mut Commands) {
        /// Minimum window width at which several panels can be open, points.
        const ROOM_FOR_BOTH: f32 = 1100.0;
        let is_narrow = ui.ctx().content_rect().width() < ROOM_FOR_BOTH;
        commands.push_if(is_narrow != state.panels.is_narrow(), Command::SetNarrow(is_narrow));
        let shares = if state.panels.is_narrow() { [0.5, 0.5] } else { [0.2, 0.3] };
        let [max_left, max_right] = shares.map(|share| ui.available_width() * share);
        for (edge, min, max, size) in [
            (PanelEdge::Left, min_width(PanelEdge::Left, state), max_left, (|sizes| &mut sizes.left) as PanelSizeField),
            (PanelEdge::Right, min_width(PanelEdge::Right, state), max_right, |sizes| &mut sizes.right),
        ] {
            let range = Rangef::new(min.min(max), max);
            let grip = side_panel::show(ui, edge, range, state, commands, |ui, commands| {
                self.tabbed(ui, edge, state, commands);
            });
            if let Some(grip) = grip {
                grips.panels.push((edge, grip.panel));
                grips.add(grip, size);
            }
        }
    }

    /// Draws the tabs of a panel and the content of the open tab.
    fn tabbed(&mut self, ui: &mut Ui, edge: PanelEdge, state: &AppState, commands: &mut Commands) {
        side_tabs::ui(ui, edge, state, commands);
        let Some(tab) = state.panels.front_tab(edge, &state.settings) else { return };
        // A moved tab keeps its scroll position and its open sections.
        let id = Id::unique(("tab", tab));
        let room = ui.available_rect_before_wrap();
        self.tab(&mut ui.new_child(UiBuilder::new().scope_id(id).max_rect(room)), tab, state, commands);
    }

    fn tab(&mut self, ui: &mut Ui, tab: SidePanel, state: &AppState, commands: &mut Commands) {
        match tab {
            SidePanel::Tree => self.outliner.ui(ui, state, commands),
            SidePanel::Joint => self.inspector.ui(ui, state, commands),
            SidePanel::Pose => {
                pose_panel::ui(ui, state, commands);
                self.pose_library.ui(ui, state, commands);
            }
            SidePanel::Morphs => self.morphs.ui(ui, state, commands),
            SidePanel::Compare => compare::panel_ui(ui, &mut self.bend_test, state, commands),
            SidePanel::Skin => {
                egui::ScrollArea::vertical().auto_shrink(false).show(ui, |ui| {
                    ui.set_max_width(ui.available_width() - 6.0);
                    if let Some(lack) = lack_of_skin(state) {
                        ui.weak(lack);
                    }
                    weights::editing_ui(ui, state, commands);
                    probe::panel(ui, state, commands);
                    self.weights.ui(ui, state, commands);
                    visibility::ui(ui, state, commands);
                });
            }
            SidePanel::History => self.history.ui(ui, state, commands),
            SidePanel::Lint => self.lint.ui(ui, state, commands),
            SidePanel::Changes => self.changes.ui(ui, state, commands),
        }
    }

    pub fn toggle_palette(&mut self) {
        self.palette.toggle();
    }

    /// Waits for requested clipboard text. If `is_mirrored`, the pose in the text is pasted onto the other side of the
    /// body.
    pub fn await_paste(&mut self, ctx: &egui::Context, is_mirrored: bool) {
        self.paste = Some(AwaitedPaste { is_mirrored, pass: ctx.cumulative_pass_nr() });
    }

    fn blink(&mut self, ctx: &egui::Context) -> Option<Command> {
        let is_held = actions::is_held(ctx, Action::Blink);
        (std::mem::replace(&mut self.is_blinking, is_held) != is_held).then_some(Command::Blink(is_held))
    }

    fn clipboard(&mut self, ctx: &egui::Context) -> Option<Command> {
        /// Number of passes after which a requested paste is dropped, because an empty clipboard sends no event.
        const PASSES: u64 = 5;
        let now = ctx.cumulative_pass_nr();
        self.paste = self.paste.filter(|awaited| now <= awaited.pass + PASSES);
        if self.paste.is_some() {
            // The clipboard event arrives after the next frame and doesn't wake the window.
            ctx.request_repaint();
        }
        let command = actions::clipboard(ctx, self.paste.map(|awaited| awaited.is_mirrored))?;
        self.paste = None;
        Some(command)
    }

    pub fn filter_joints(&mut self) {
        self.outliner.go_to_filter();
    }

    pub fn toggle_preferences(&mut self) {
        self.preferences.toggle();
    }

    pub fn toggle_about(&mut self) {
        self.about.toggle();
    }

    pub fn toggle_help(&mut self) {
        self.help.toggle();
    }
}

/// Returns the width below which a side panel is not dragged, points. The joint tree alone can be narrower.
fn min_width(edge: PanelEdge, state: &AppState) -> f32 {
    if state.panels.tabs(edge, &state.settings).eq([SidePanel::Tree]) { 120.0 } else { 240.0 }
}

/// Returns whether Esc leaves the full screen: it was pressed, and there is nothing else to leave.
fn leaves_full_screen(ctx: &egui::Context, pressed: &[Action], state: &AppState) -> bool {
    let is_full = ctx.input(|i| i.viewport().fullscreen.unwrap_or(false));
    is_full && pressed.contains(&Action::ClearSelection) && !state.can(Action::ClearSelection)
}

/// Returns a sentence on what the Skin tab lacks for this file, if it lacks anything.
fn lack_of_skin(state: &AppState) -> Option<&'static str> {
    let rig = state.open.stage.rig();
    match (rig.skins.is_empty(), rig.instances.is_empty()) {
        _ if state.first_loading().is_some() => None,
        (true, true) => Some("This file has no mesh and no skin, so there is nothing to probe or weigh."),
        (true, false) => Some("This file has no skin: its meshes move with their nodes, without weights."),
        (false, _) => None,
    }
}

fn focus_ring(ui: &Ui) {
    let focused = ui.memory(egui::Memory::focused).filter(|_| !ui.ctx().text_edit_focused());
    let Some(response) = focused.and_then(|id| ui.ctx().read_response(id)) else { return };
    let rect = response.interact_rect.intersect(ui.ctx().content_rect().shrink(1.0));
    if rect.is_positive() {
        let stroke = Stroke::new(1.5, ui.visuals().strong_text_color());
        ui.ctx().layer_painter(response.layer_id).rect_stroke(rect, 4.0, stroke, StrokeKind::Inside);
    }
}
