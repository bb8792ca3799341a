//! The program with a window: runs the loop, loads beside it, applies commands, owns the renderer.

mod dialogs;
mod linter;
mod loader;

use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use egui::{Rect, ViewportCommand};
use rfd::AsyncFileDialog;

use crate::export::save_png;
use crate::render::{Frame, RenderError, Scene};
use crate::state::{AppState, BuiltIn, Command, Document, Notice, Request, Settings, Severity, Source, ThemeChoice};
use crate::ui::{Interface, install_theme};
use dialogs::{Answer, Dialogs};
use linter::Linter;
use loader::Loader;

/// The program.
pub struct App {
    state: AppState,
    interface: Interface,
    commands: Vec<Command>,
    loader: Loader,
    linter: Linter,
    dialogs: Dialogs,
    scene: SharedScene,
    title: String,
}

/// The renderer, shared with the paint callbacks of a frame; `None` once the OpenGL context is about to go.
type SharedScene = Arc<Mutex<Option<Scene>>>;

/// Key of the settings in eframe's store.
const SETTINGS: &str = "settings";

/// Opens the window on a character and runs until it is closed.
///
/// *Errors*: no window or no OpenGL 3.3 could be had.
pub fn run(source: Option<Source>) -> eframe::Result {
    let viewport = egui::ViewportBuilder::default()
        .with_title("Rigscope")
        .with_app_id("rigscope")
        .with_inner_size([1440.0, 900.0])
        .with_min_inner_size([800.0, 500.0])
        .with_drag_and_drop(true);
    let viewport = match eframe::icon_data::from_png_bytes(include_bytes!("../../assets/icon.png")) {
        Ok(icon) => viewport.with_icon(icon),
        Err(_) => viewport,
    };
    let options = eframe::NativeOptions { viewport, ..eframe::NativeOptions::default() };
    eframe::run_native("rigscope", options, Box::new(|creation| Ok(Box::new(App::new(creation, source)?))))
}

impl App {
    fn new(
        creation: &eframe::CreationContext<'_>,
        source: Option<Source>,
    ) -> Result<Self, Box<dyn std::error::Error + Send + Sync>> {
        let ctx = &creation.egui_ctx;
        install_theme(ctx);
        let settings: Settings = creation.storage.and_then(|s| eframe::get_value(s, SETTINGS)).unwrap_or_default();
        set_theme(ctx, settings.theme);
        let gl = creation.gl.clone().ok_or("the window has no OpenGL context")?;
        let scene = Scene::new(gl)?;
        let figure = Document::open(&Source::BuiltIn(BuiltIn::Figure), &crate::import::Job::default())?;
        let mut app = Self {
            state: AppState::new(figure, settings),
            interface: Interface::default(),
            commands: Vec::new(),
            loader: Loader::default(),
            linter: Linter::default(),
            dialogs: Dialogs::default(),
            scene: Arc::new(Mutex::new(Some(scene))),
            title: String::new(),
        };
        app.linter.start(&app.state.document, ctx);
        app.commands.extend(source.map(Command::Open));
        Ok(app)
    }

    /// Carries out everything that was asked for since the last time; true where something was.
    fn apply_commands(&mut self, ctx: &egui::Context) -> bool {
        let commands = std::mem::take(&mut self.commands);
        let is_any = !commands.is_empty();
        for command in commands {
            if let Some(request) = self.state.apply(command) {
                self.fulfil(request, ctx);
            }
        }
        self.state.refresh();
        is_any
    }

    fn fulfil(&mut self, request: Request, ctx: &egui::Context) {
        match request {
            Request::Load(source, show_me) => {
                if let Err(problem) = self.loader.start(source, show_me, ctx) {
                    self.fail(problem);
                }
            }
            Request::Lint => self.linter.start(&self.state.document, ctx),
            Request::CancelLoad => self.loader.cancel(),
            Request::PickFile => self.dialogs.pick(
                ctx,
                AsyncFileDialog::new().set_title("Open a rig").add_filter("glTF", &["gltf", "glb", "vrm"]),
                |path| Answer::Command(Command::Open(Source::File(path))),
            ),
            Request::PickPose => self.dialogs.pick(
                ctx,
                AsyncFileDialog::new().set_title("Open a pose").add_filter("Pose", &["json"]),
                |path| Answer::Command(Command::LoadPose(path)),
            ),
            Request::PickPoseTarget(name) => {
                self.dialogs.save(ctx, AsyncFileDialog::new().set_title("Save the pose").set_file_name(name), |path| {
                    Answer::Command(Command::WritePose(path))
                });
            }
            Request::PickPictureTarget(name) => self.dialogs.save(
                ctx,
                AsyncFileDialog::new().set_title("Save the picture").set_file_name(name),
                Answer::SavePicture,
            ),
            Request::Copy(text) => ctx.copy_text(text),
            Request::Paste { is_mirrored } => {
                self.interface.await_paste(ctx, is_mirrored);
                ctx.send_viewport_cmd(ViewportCommand::RequestPaste);
            }
            Request::ToggleHelp => self.interface.toggle_help(),
            Request::SetTheme(theme) => set_theme(ctx, theme),
            Request::Quit => ctx.send_viewport_cmd(ViewportCommand::Close),
        }
    }

    fn fail(&mut self, text: String) {
        self.commands.push(Command::Notify(Notice { severity: Severity::Error, text }));
    }

    /// What came from other threads and from outside the window.
    fn receive(&mut self, ctx: &egui::Context) {
        match self.loader.poll() {
            Some(Ok(document)) => self.commands.push(Command::Opened(document)),
            Some(Err(problem)) => self.fail(problem),
            None => {}
        }
        self.commands.extend(self.linter.poll());
        self.state.loading = self.loader.progress();
        if self.state.loading.is_some() {
            ctx.request_repaint_after(Duration::from_millis(50));
        }
        for answer in self.dialogs.answers() {
            match answer {
                Answer::Command(command) => self.commands.push(command),
                Answer::SavePicture(path) => self.save_picture(&path),
            }
        }
        let dropped = ctx.input(|i| i.raw.dropped_files.clone());
        self.commands.extend(dropped.iter().map(|f| dropped_file(f.path().to_owned())));
        let is_dark = ctx.theme() == egui::Theme::Dark;
        let display = self.state.view.display;
        if display.is_dark != is_dark {
            self.commands.push(Command::SetDisplay(crate::view::Display { is_dark, ..display }));
        }
    }

    fn save_picture(&mut self, path: &Path) {
        let scene = self.scene.lock().unwrap_or_else(PoisonError::into_inner);
        let pixels = scene.as_ref().map_or(Err(RenderError::NoPicture), Scene::pixels);
        drop(scene);
        let saved = pixels.map_err(|e| e.to_string());
        let saved = saved.and_then(|picture| save_png(&picture, path).map_err(|e| e.to_string()));
        if let Err(problem) = saved {
            self.fail(format!("The picture was not saved. {problem} ({})", path.display()));
        }
    }

    /// Draws the scene offscreen, if anything in it changed.
    fn draw_scene(&mut self, viewport: Rect, pixels_per_point: f32) {
        let size = (viewport.size() * pixels_per_point).round();
        let frame = Frame {
            rig: self.state.rig(),
            posed: self.state.posed(),
            palettes: self.state.palettes(),
            pose: self.state.pose(),
            view: &self.state.view,
            size: [size.x as u32, size.y as u32],
            pixels_per_point,
            version: self.state.version(),
        };
        let mut scene = self.scene.lock().unwrap_or_else(PoisonError::into_inner);
        let drawn = scene.as_mut().map(|s| s.draw(&frame));
        drop(scene);
        if let Some(Err(problem)) = drawn {
            let text = format!("The picture could not be drawn. {problem}");
            if self.state.notice.as_ref().is_none_or(|n| n.text != text) {
                self.fail(text);
            }
        }
    }

    fn update_title(&mut self, ctx: &egui::Context) {
        let posed = if self.state.pose().is_any_posed() { " · posed" } else { "" };
        let title = format!("{}{posed} - Rigscope", self.state.document.source.name());
        if title != self.title {
            ctx.send_viewport_cmd(ViewportCommand::Title(title.clone()));
            self.title = title;
        }
    }
}

impl eframe::App for App {
    fn logic(&mut self, ctx: &egui::Context, _: &mut eframe::Frame) {
        self.receive(ctx);
        self.apply_commands(ctx);
        if self.state.playback.is_playing {
            // A frame that took long must not throw the clip far ahead.
            self.state.advance(ctx.input(|i| i.stable_dt).min(0.1));
            self.state.refresh();
            ctx.request_repaint();
        }
        self.update_title(ctx);
    }

    fn ui(&mut self, ui: &mut egui::Ui, _: &mut eframe::Frame) {
        let ctx = ui.ctx().clone();
        let mut viewport = None;
        let scene = &self.scene;
        self.interface.ui(ui, &self.state, &mut self.commands, &mut |ui, rect| {
            viewport = Some(rect);
            ui.painter().add(paint_callback(scene, rect));
        });
        drop_hint(&ctx);
        if self.apply_commands(&ctx) {
            // Numbers, bones and skin follow in the same frame: the panels are laid out again with the new state.
            ctx.request_discard("the state changed");
            ctx.request_repaint();
        }
        if let Some(viewport) = viewport.filter(|_| !ctx.will_discard()) {
            self.draw_scene(viewport, ctx.pixels_per_point());
        }
    }

    fn on_exit(&mut self, _: Option<&eframe::glow::Context>) {
        // What is on the graphics card must go while its context is still there.
        self.scene.lock().unwrap_or_else(PoisonError::into_inner).take();
    }

    fn save(&mut self, storage: &mut dyn eframe::Storage) {
        eframe::set_value(storage, SETTINGS, &self.state.settings);
    }
}

/// Copies the drawn picture into the window.
fn paint_callback(scene: &SharedScene, rect: Rect) -> egui::PaintCallback {
    let scene = Arc::clone(scene);
    let callback = eframe::egui_glow::CallbackFn::new(move |info, _| {
        let v = info.viewport_in_pixels();
        if let Some(scene) = scene.lock().unwrap_or_else(PoisonError::into_inner).as_ref() {
            scene.paint([v.left_px, v.from_bottom_px, v.width_px, v.height_px]);
        }
    });
    egui::PaintCallback { rect, callback: Arc::new(callback) }
}

fn dropped_file(path: std::path::PathBuf) -> Command {
    let is_pose = path.extension().is_some_and(|e| e.eq_ignore_ascii_case("json"));
    if is_pose { Command::LoadPose(path) } else { Command::Open(Source::File(path)) }
}

/// While a file is held over the window.
fn drop_hint(ctx: &egui::Context) {
    if ctx.input(|i| i.raw.hovered_files.is_empty()) {
        return;
    }
    let layer = egui::LayerId::new(egui::Order::Foreground, egui::Id::unique("drop hint"));
    let painter = ctx.layer_painter(layer);
    let screen = ctx.content_rect();
    painter.rect_filled(screen, 0.0, egui::Color32::from_black_alpha(150));
    let font = egui::FontId::proportional(20.0);
    painter.text(screen.center(), egui::Align2::CENTER_CENTER, "Drop to open", font, egui::Color32::WHITE);
}

fn set_theme(ctx: &egui::Context, theme: ThemeChoice) {
    ctx.set_theme(match theme {
        ThemeChoice::Dark => egui::ThemePreference::Dark,
        ThemeChoice::Light => egui::ThemePreference::Light,
        ThemeChoice::System => egui::ThemePreference::System,
    });
}
