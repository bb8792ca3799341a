use std::path::Path;

use egui::containers::menu::MenuButton;
use egui::{Atom, Button, Image, MenuBar, Response, Slider, TextStyle, Ui, Vec2};

use super::actions::{menu_item, menu_items, menu_radio, menu_toggle};
use super::inspector::{fields_row, number};
use super::names::{self, Name};
use super::split_row::split_row;
use super::thumbnails::thumbnail_texture;
use super::{compare, image_menu, mirror_plane, saved_views, theme};
use crate::gizmo::GizmoSize;
use crate::stage::{BuiltIn, Source};
use crate::state::{
    Action, AppState, Command, Commands, ExportKind, PanelEdge, ShowMe, SidePanel, Smoothing, ThemeChoice,
    clip_correction, is_first_person,
};
use crate::view::{BoneStyle, FOV_RANGE, FOVS, Layout as SideLayout, VisibleNames};

pub(super) fn ui(ui: &mut Ui, state: &AppState, commands: &mut Commands) {
    MenuBar::new().ui(ui, |ui| {
        ui.menu_button("File", |ui| file_menu(ui, state, commands));
        ui.menu_button("Edit", |ui| edit_menu(ui, state, commands));
        ui.menu_button("Pose", |ui| pose_menu(ui, state, commands));
        ui.menu_button("View", |ui| view_menu(ui, state, commands));
        ui.menu_button("Compare", |ui| compare_menu(ui, state, commands));
        ui.menu_button("Show me", |ui| show_me_menu(ui, commands));
        ui.menu_button("Help", |ui| {
            let actions = [Action::StartTour, Action::OpenGuide, Action::TogglePalette, Action::ToggleHelp];
            menu_items(ui, &actions, state, commands);
            ui.separator();
            menu_item(ui, Action::ToggleAbout, state, commands);
        });
        if compare::has_room_for_extras(ui) {
            let hint = Action::TogglePalette.spec().hover_text(ui.ctx());
            let find = ui.add(Button::new("🔍").frame(false));
            if find.accessible_name("Find a command").on_hover_text(hint).clicked() {
                commands.push(Command::Do(Action::TogglePalette));
            }
        }
        ui.add_space(8.0);
        split_row(
            ui,
            commands,
            |ui, commands| file_switch(ui, state, commands),
            |ui, commands| compare::switch_ui(ui, state, commands),
        );
    });
}

const ROOM_FOR_NUMBER: f32 = 120.0;

fn file_switch(ui: &mut Ui, state: &AppState, commands: &mut Commands) {
    let (open, files) = (&state.open.stage.document.source, state.files.sources());
    if files.is_empty() {
        let weak = ui.visuals().weak_text_color();
        Name::new(&open.name()).label_in(ui, &TextStyle::Body, weak).on_hover_text(open.full_name());
        return;
    }
    for (action, arrow) in [(Action::PreviousFile, "⏴"), (Action::NextFile, "⏵")] {
        let info = action.spec();
        if ui.small_button(arrow).accessible_name(info.name).on_hover_text(info.hover_text(ui.ctx())).clicked() {
            commands.push(Command::Do(action));
        }
    }
    let room = ui.available_width();
    if let Some(at) = files.iter().position(|f| f == open).filter(|_| room > ROOM_FOR_NUMBER) {
        ui.weak(format!("{} of {}", at + 1, files.len()));
    }
    let name = names::shortened(ui, &open.name(), ui.available_width() - 40.0, &TextStyle::Button);
    let button = MenuButton::from_button(Button::new(format!("{name} ⏷")).truncate());
    let (response, _) = button.ui(ui, |ui| {
        egui::ScrollArea::vertical().max_height(480.0).show(ui, |ui| {
            for file in files {
                let button = Button::selectable(file == open, file_label(file));
                if ui.add(button).on_hover_text(file.full_name()).clicked() {
                    commands.push_and_close(true, Command::Open(file.clone()), ui);
                }
            }
        });
    });
    response.accessible_name(format!("{} ⏷", open.name())).on_hover_text(open.full_name());
}

fn file_label(source: &Source) -> String {
    match source {
        Source::File(path) => with_folder(path),
        Source::BuiltIn(_) => source.name(),
    }
}

fn file_menu(ui: &mut Ui, state: &AppState, commands: &mut Commands) {
    menu_item(ui, Action::Open, state, commands);
    ui.menu_button("Open recent", |ui| recent_menu(ui, state, commands));
    ui.menu_button("Open built-in", |ui| {
        for built_in in BuiltIn::ALL {
            commands.push_and_close(ui.button(built_in.name()).clicked(), Command::Open(Source::BuiltIn(built_in)), ui);
        }
    });
    menu_item(ui, Action::UseClips, state, commands);
    if clip_correction(&state.open.stage).is_some() {
        menu_item(ui, Action::CorrectClips, state, commands);
        menu_item(ui, Action::RemoveClipCorrection, state, commands);
    }
    ui.separator();
    menu_items(ui, &[Action::PreviousFile, Action::NextFile], state, commands);
    menu_item(ui, Action::Reload, state, commands);
    menu_toggle(ui, Action::ToggleReloadOnChange, state.settings.reload_on_change, commands);
    ui.separator();
    menu_items(ui, &[Action::OpenPose, Action::SavePose, Action::SavePoseToLibrary], state, commands);
    ui.separator();
    for action in ExportKind::ALL.map(|exported| exported.spec().action) {
        if ![Action::ExportMeshOfB, Action::ExportRigOfB].contains(&action) || state.can(action) {
            menu_item(ui, action, state, commands);
        }
    }
    ui.menu_button("Images", |ui| image_menu::ui(ui, state, commands));
    menu_items(ui, &[Action::SaveReport, Action::SaveReportWithBendTest], state, commands);
    ui.separator();
    menu_items(ui, &[Action::OpenSession, Action::SaveSession, Action::RestoreSession], state, commands);
    ui.separator();
    menu_item(ui, Action::Quit, state, commands);
}

const RECENT_PICTURE: f32 = 40.0;

fn recent_menu(ui: &mut Ui, state: &AppState, commands: &mut Commands) {
    if state.settings.recent_files.is_empty() {
        ui.weak("No files yet");
        return;
    }
    egui::ScrollArea::vertical().max_height(480.0).show(ui, |ui| {
        for path in &state.settings.recent_files {
            let size = Vec2::splat(RECENT_PICTURE);
            let texture = state.recent_pictures.get(path).map(|thumbnail| thumbnail_texture(ui.ctx(), thumbnail));
            let picture: Atom<'_> = match &texture {
                Some(texture) => Image::new(texture).fit_to_exact_size(size).corner_radius(4).into(),
                None => Atom::paint(size, |_, _| {}),
            };
            let button = ui.add(Button::new((picture, with_folder(path))).frame_when_inactive(false));
            if button.on_hover_text(path.display().to_string()).clicked() {
                commands.push_and_close(true, Command::Open(Source::File(path.clone())), ui);
            }
        }
    });
    ui.separator();
    commands.push_and_close(ui.button("Clear list").clicked(), Command::ClearRecent, ui);
}

/// Returns the file name with its folder, because many files are named scene.gltf.
fn with_folder(path: &Path) -> String {
    let name = Source::File(path.to_owned()).name();
    match path.parent().and_then(Path::file_name) {
        Some(folder) => format!("{}/{name}", folder.to_string_lossy()),
        None => name,
    }
}

fn skeleton_menu(ui: &mut Ui, state: &AppState, commands: &mut Commands) {
    menu_items(
        ui,
        &[
            Action::PoseAsRest,
            Action::BindAsRest,
            Action::ResetBinds,
            Action::FreezeScale,
            Action::FreezeRoot,
            Action::TurnUpright,
            Action::ConvertToMetres,
        ],
        state,
        commands,
    );
    ui.separator();
    menu_items(
        ui,
        &[
            Action::AddRoot,
            Action::AttachOutfit,
            Action::AddTwistJoints,
            Action::DropUnusedJoints,
            Action::MergeSkins,
            Action::LimitInfluences,
        ],
        state,
        commands,
    );
    ui.separator();
    menu_items(
        ui,
        &[
            Action::RenameToVrm,
            Action::RenameToMixamo,
            Action::RenameToUnreal,
            Action::RenameToUnity,
            Action::RenameToGodot,
            Action::RenameToRigify,
            Action::RenameToArkit,
        ],
        state,
        commands,
    );
}

fn edit_menu(ui: &mut Ui, state: &AppState, commands: &mut Commands) {
    named_step(ui, Action::Undo, state.open.history.undo_label(), commands);
    named_step(ui, Action::Redo, state.open.history.redo_label(), commands);
    ui.separator();
    menu_items(ui, &[Action::CopyPose, Action::CopyMorphs, Action::PastePose, Action::PasteMirrored], state, commands);
    ui.separator();
    menu_item(ui, Action::MirrorJoints, state, commands);
    menu_item(ui, Action::MirrorPose, state, commands);
    menu_toggle(ui, Action::ToggleSymmetry, state.settings.posing.symmetry, commands);
    let plane = ui.menu_button("Mirror plane", |ui| mirror_plane::menu(ui, state, commands));
    plane.response.on_hover_text(mirror_plane::HINT);
    ui.separator();
    menu_toggle(ui, Action::ToggleIk, state.settings.posing.ik, commands);
    menu_items(ui, &[Action::TogglePin, Action::ApplyPins], state, commands);
    ui.separator();
    ui.menu_button("Weights", |ui| weights_menu(ui, state, commands));
    ui.menu_button("Skeleton", |ui| skeleton_menu(ui, state, commands));
    ui.separator();
    menu_items(
        ui,
        &[
            Action::SelectParent,
            Action::SelectChild,
            Action::SelectSubtree,
            Action::ToggleIsolated,
            Action::ClearSelection,
            Action::FilterJoints,
        ],
        state,
        commands,
    );
    ui.separator();
    menu_item(ui, Action::TogglePreferences, state, commands);
}

fn weights_menu(ui: &mut Ui, state: &AppState, commands: &mut Commands) {
    menu_toggle(ui, Action::ToggleWeightEditing, state.open.stage.editing.is_on, commands);
    let groups: [&[Action]; 4] = [
        &[
            Action::SelectPieces,
            Action::GrowVertices,
            Action::ShrinkVertices,
            Action::InvertVertices,
            Action::ClearVertices,
            Action::SelectFindingVertices,
        ],
        &[Action::RigidToJoint, Action::AssignWeight, Action::AddWeight, Action::SubtractWeight, Action::LockWeights],
        &[Action::SmoothWeights, Action::CopyNearestWeights, Action::MirrorWeights],
        &[Action::TransferWeights],
    ];
    for group in groups {
        ui.separator();
        menu_items(ui, group, state, commands);
    }
}

fn pose_menu(ui: &mut Ui, state: &AppState, commands: &mut Commands) {
    menu_items(ui, &[Action::RestPose, Action::BindPose, Action::ClipPose, Action::UserPose], state, commands);
    ui.menu_button("Behaviours", |ui| {
        let off = state.open.stage.document.switched_off;
        for (action, is_off) in [
            (Action::ToggleLookAt, off.look_at),
            (Action::ToggleExpressions, off.expressions),
            (Action::ToggleConstraints, off.constraints),
            (Action::ToggleSprings, off.springs),
        ] {
            let is_there = state.can(action);
            ui.add_enabled_ui(is_there, |ui| menu_toggle(ui, action, !is_off && is_there, commands));
        }
        ui.separator();
        menu_item(ui, Action::SettleSprings, state, commands);
        menu_item(ui, Action::ResetSprings, state, commands);
        ui.add_enabled_ui(state.can(Action::SettleSprings), |ui| wind_row(ui, state, commands));
    });
    ui.separator();
    menu_items(
        ui,
        &[
            Action::ResetRotation,
            Action::ResetTranslation,
            Action::ResetScale,
            Action::ResetTranslationAndScale,
            Action::ResetJoint,
            Action::ResetSubtree,
            Action::ResetMorphs,
            Action::ResetAll,
        ],
        state,
        commands,
    );
}

fn wind_row(ui: &mut Ui, state: &AppState, commands: &mut Commands) {
    ui.set_max_width(260.0);
    let mut wind = state.open.stage.springs.settings().wind;
    let hint = "Constant wind on springs, metres per second; not saved";
    let edit: [Response; 3] = fields_row(ui, "Wind, m/s", hint, |ui, i: usize| {
        let name = ["Wind along X", "Wind along Y", "Wind along Z"][i];
        number(ui, &mut wind[i], name, 0.01, 2, "", Some(theme::AXES[i]))
    });
    commands.push_if(edit.iter().any(Response::changed), Command::SetWind(wind));
}

fn named_step(ui: &mut Ui, action: Action, label: Option<&str>, commands: &mut Commands) {
    let info = action.spec();
    let text = label.map_or(info.name.to_owned(), |l| format!("{} {l}", info.name));
    let button = Button::new(text).shortcut_text(info.key_text(ui.ctx()).unwrap_or_default());
    commands.push_and_close(ui.add_enabled(label.is_some(), button).clicked(), Command::Do(action), ui);
}

const BONE_STYLES: [Action; 3] = [Action::BonesOctahedral, Action::BonesStick, Action::BonesLine];
pub(super) const GIZMO_SIZES: [Action; 3] = [Action::GizmoSmall, Action::GizmoMedium, Action::GizmoLarge];
const FIELDS_OF_VIEW: [Action; 4] =
    [Action::FieldOfView20, Action::FieldOfView35, Action::FieldOfView50, Action::FieldOfView75];
pub(super) const SMOOTHINGS: [Action; 4] =
    [Action::SmoothAutomatic, Action::SmoothOff, Action::SmoothFour, Action::SmoothEight];
fn camera_menu(ui: &mut Ui, state: &AppState, commands: &mut Commands) {
    for (index, camera) in state.open.stage.rig().cameras.iter().enumerate() {
        let is_shown = state.open.stage.camera_tie.file_camera(&state.open.stage.view.camera) == Some(index);
        let is_clicked =
            ui.radio(is_shown, &camera.name).on_hover_text("Look through this camera; a clip may animate it").clicked();
        commands.push_and_close(is_clicked, Command::LookThrough(index), ui);
    }
}

const NAMES: [Action; 3] = [Action::NamesHovered, Action::NamesSelected, Action::NamesAll];

fn gizmo_size_menu(ui: &mut Ui, state: &AppState, commands: &mut Commands) {
    for (size, action) in GizmoSize::ALL.into_iter().zip(GIZMO_SIZES) {
        menu_radio(ui, action, state.settings.gizmo_size == size, commands);
    }
}

fn view_menu(ui: &mut Ui, state: &AppState, commands: &mut Commands) {
    let display = state.open.stage.view.display;
    menu_toggle(ui, Action::ToggleBones, display.bones, commands);
    menu_toggle(ui, Action::ToggleBonesInFront, display.bones_in_front, commands);
    ui.menu_button("Bone style", |ui| {
        for (style, action) in BoneStyle::ALL.into_iter().zip(BONE_STYLES) {
            menu_radio(ui, action, display.bone_style == style, commands);
        }
    });
    ui.menu_button("Gizmo size", |ui| gizmo_size_menu(ui, state, commands));
    ui.menu_button("Joint names", |ui| {
        for (names, action) in VisibleNames::ALL.into_iter().zip(NAMES) {
            menu_radio(ui, action, display.names == names, commands);
        }
    });
    menu_toggle(ui, Action::ToggleAxes, display.axes, commands);
    menu_toggle(ui, Action::ToggleTrails, display.trails, commands);
    menu_toggle(ui, Action::ToggleRootPath, display.root_path, commands);
    ui.add_enabled_ui(state.can(Action::ToggleSpringWires), |ui| {
        menu_toggle(ui, Action::ToggleSpringWires, display.springs, commands);
    });
    ui.add_enabled_ui(state.can(Action::ToggleFirstPerson), |ui| {
        menu_toggle(ui, Action::ToggleFirstPerson, is_first_person(&state.open.stage), commands);
    });
    menu_toggle(ui, Action::ToggleGrid, display.grid, commands);
    menu_toggle(ui, Action::ToggleWireframe, display.wireframe, commands);
    menu_toggle(ui, Action::ToggleClay, state.open.stage.view.is_clay(), commands);
    menu_toggle(ui, Action::ToggleEnvironmentBackground, display.light.backdrop, commands);
    menu_item(ui, Action::LightByFile, state, commands);
    menu_toggle(ui, Action::ToggleAllNodes, state.settings.all_nodes, commands);
    menu_toggle(ui, Action::ToggleOrthographic, state.open.stage.view.camera.is_orthographic, commands);
    ui.menu_button("Field of view", |ui| field_of_view_menu(ui, state, commands));
    ui.separator();
    ui.menu_button("Panels", |ui| panel_menu(ui, state, commands));
    let is_full = ui.input(|i| i.viewport().fullscreen.unwrap_or(false));
    menu_toggle(ui, Action::ToggleFullScreen, is_full, commands);
    ui.separator();
    menu_item(ui, Action::FrameSelected, state, commands);
    menu_item(ui, Action::FrameAll, state, commands);
    menu_toggle(ui, Action::ToggleFollow, state.open.stage.camera_tie.joint().is_some(), commands);
    let stage = &state.open.stage;
    let follows_root = stage.camera_tie.follows(stage.playback.root(stage.rig()));
    menu_toggle(ui, Action::ToggleFollowRoot, follows_root, commands);
    if !state.open.stage.rig().cameras.is_empty() {
        ui.menu_button("Cameras of the file", |ui| camera_menu(ui, state, commands));
    }
    saved_views::menu(ui, state, commands);
    if state.open.stage.document.scenes.len() > 1 {
        ui.menu_button("Scene", |ui| scene_menu(ui, state, commands));
    }
    ui.menu_button("View from", |ui| {
        menu_items(
            ui,
            &[
                Action::ViewFront,
                Action::ViewBack,
                Action::ViewLeft,
                Action::ViewRight,
                Action::ViewTop,
                Action::ViewBottom,
            ],
            state,
            commands,
        );
    });
    ui.separator();
    ui.menu_button("Anti-aliasing", |ui| {
        for (smoothing, action) in Smoothing::ALL.into_iter().zip(SMOOTHINGS) {
            menu_radio(ui, action, state.settings.smoothing == smoothing, commands);
        }
    });
    menu_toggle(ui, Action::ToggleFrameTimes, state.settings.frame_times, commands);
    ui.menu_button("Theme", |ui| {
        for theme in ThemeChoice::ALL {
            let is_clicked = ui.radio(state.settings.theme == theme, theme.name()).clicked();
            commands.push_and_close(is_clicked, Command::SetTheme(theme), ui);
        }
    });
}

fn panel_menu(ui: &mut Ui, state: &AppState, commands: &mut Commands) {
    for (action, edge) in [
        (Action::ToggleLeftPanel, PanelEdge::Left),
        (Action::ToggleRightPanel, PanelEdge::Right),
        (Action::ToggleBottomPanel, PanelEdge::Bottom),
    ] {
        let is_open = state.panels.is_open(edge, &state.settings);
        ui.add_enabled_ui(state.can(action), |ui| menu_toggle(ui, action, is_open, commands));
    }
    menu_items(ui, &[Action::TogglePanels, Action::ResetPanelLayout], state, commands);
    ui.add_enabled_ui(state.can(Action::ToggleTracks), |ui| {
        menu_toggle(ui, Action::ToggleTracks, state.is_track_drawer_open(), commands);
    });
    menu_item(ui, Action::ShowMorphs, state, commands);
    menu_toggle(ui, Action::ShowLint, state.panels.is_shown(SidePanel::Lint, &state.settings), commands);
}

fn field_of_view_menu(ui: &mut Ui, state: &AppState, commands: &mut Commands) {
    let mut fov = state.open.stage.view.camera.fov;
    for (action, choice) in FIELDS_OF_VIEW.into_iter().zip(FOVS) {
        menu_radio(ui, action, fov == choice, commands);
    }
    let [min_fov, max_fov] = FOV_RANGE;
    let degrees =
        Slider::new(&mut fov, min_fov..=max_fov).custom_formatter(|fov, _| format!("{:.0}°", fov.to_degrees()));
    let degrees =
        degrees.custom_parser(|text| Some(text.trim_end_matches('°').trim().parse::<f64>().ok()?.to_radians()));
    if ui
        .add(degrees)
        .accessible_name("Field of view")
        .on_hover_text("Vertical field of view; the subject keeps its size")
        .changed()
    {
        commands.push(Command::SetFov(fov));
    }
}

fn compare_menu(ui: &mut Ui, state: &AppState, commands: &mut Commands) {
    for layout in SideLayout::ALL {
        menu_radio(ui, compare::action(layout), state.open.stage.view.compare.layout == layout, commands);
    }
    ui.separator();
    menu_items(ui, &[Action::NextLayout, Action::NextMethod, Action::SwapSides], state, commands);
    ui.separator();
    let others = [Action::CompareWith, Action::ComparePrevious, Action::CompareWithPoints, Action::DiagnosePoints];
    menu_items(ui, &others, state, commands);
    if state.can(Action::StopComparing) {
        menu_item(ui, Action::StopComparing, state, commands);
    }
    menu_toggle(ui, Action::ToggleKeepVersionBefore, state.settings.keeps_version_before, commands);
    ui.separator();
    let twist = (Action::ToggleTwistTest, state.open.twist.is_open);
    for (action, is_on) in [(Action::ToggleProbe, state.open.stage.probes.is_on), twist] {
        ui.add_enabled_ui(state.can(action), |ui| menu_toggle(ui, action, is_on, commands));
    }
    menu_items(ui, &[Action::RankJoints, Action::TestBend], state, commands);
    ui.separator();
    menu_toggle(ui, Action::Blink, state.open.stage.view.compare.is_blinking, commands);
}

fn scene_menu(ui: &mut Ui, state: &AppState, commands: &mut Commands) {
    for (index, name) in state.open.stage.document.scenes.iter().enumerate() {
        let is_shown = state.open.stage.document.scene == Some(index);
        if ui.radio(is_shown, name).clicked() {
            commands.extend((!is_shown).then_some(Command::ShowScene(index)));
            ui.close();
        }
    }
}

fn show_me_menu(ui: &mut Ui, commands: &mut Commands) {
    for show_me in ShowMe::ALL {
        let is_clicked = ui.button(show_me.label()).on_hover_text(show_me.explanation()).clicked();
        commands.push_and_close(is_clicked, Command::ShowMe(show_me), ui);
    }
}
