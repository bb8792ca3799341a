//! The program with its window: runs the event loop, applies commands and owns the renderer.

mod allocator;
mod autosave;
mod bend_thumbnails;
mod console;
mod dialogs;
mod draw_retries;
mod drop;
mod exports;
mod file_jobs;
mod guide;
mod headless_app;
mod letter_search;
mod loader;
mod measurer;
mod pictures;
mod placement;
mod playback_pace;
mod pose_library_jobs;
mod recent_pictures;
mod refinement;
mod reuse;
mod scheduler;
mod settings_file;
mod thumbnail_studio;
mod watcher;

use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use egui::{Rect, ViewportCommand};

use crate::files::before_process_ends;
use crate::fonts::Fonts;
use crate::jobs::{Jobs, lock};
use crate::render::{Card, FrameInput, Scene, SceneHost, SkinningDevice};
use crate::state::{Command, GraphicsDriver, ThemeChoice, WindowRequest};
use crate::ui::{Interface, install_fonts, install_theme};
use crate::view::{Display, PerSide};
pub use allocator::return_free_memory;
pub use console::show_problem;
use dialogs::Dialogs;
use draw_retries::DrawRetries;
use drop::drop_hint;
pub use drop::opened_by_drop;
pub use headless_app::{AppliedCommands, HeadlessApp, Startup};
use letter_search::{LetterSearch, Letters};
use pictures::CopiedPicture;
use playback_pace::{PlaybackPace, Step};
use refinement::Refinement;
pub use reuse::hand_over;

pub struct App {
    headless: HeadlessApp,
    interface: Interface,
    dialogs: Dialogs,
    scene: SharedScene,
    /// Draws images for other threads. `None` once the OpenGL context is being destroyed.
    host: Option<SceneHost>,
    refinement: Refinement,
    /// Image that is being drawn for the clipboard.
    copied: Option<CopiedPicture>,
    draw_retries: DrawRetries,
    letters: LetterSearch,
    /// Receives files from other programs; `None` if another window already does.
    reuse: Option<reuse::Listener>,
    playback_pace: PlaybackPace,
    /// Viewport size in pixels, and pixels per point.
    viewport: ([u32; 2], f32),
    title: String,
    is_leaving: bool,
}

/// Scene shared with egui's paint callbacks. `None` once the OpenGL context is being destroyed.
type SharedScene = Arc<Mutex<Option<Scene>>>;

/// Maximum upload time per frame, so that a frame still takes less than 1/60 s.
const TIME_TO_UPLOAD: Duration = Duration::from_millis(8);

/// Runs the window until it is closed. `memory_limit` is the maximum decoded size per file, in bytes. `device` selects
/// the device that skins vertices; by default, the faster one. *Errors*: the window or an OpenGL 3.3 context could not
/// be created.
pub fn run(opened: Startup, memory_limit: u64, device: Option<SkinningDevice>) -> eframe::Result {
    return_free_memory();
    let viewport = egui::ViewportBuilder::default()
        .with_title("Rigscope")
        .with_app_id("rigscope")
        .with_inner_size([1440.0, 900.0])
        .with_min_inner_size([800.0, 500.0])
        .with_drag_and_drop(true);
    let viewport = match eframe::icon_data::from_png_bytes(include_bytes!("../../assets/icons/256.png")) {
        Ok(icon) => viewport.with_icon(icon),
        Err(_) => viewport,
    };
    // egui's own font search would block a frame; `LetterSearch` searches fonts in the background.
    let options = eframe::NativeOptions {
        viewport,
        system_font_fallback: false,
        // The interface has no gradients, and dithering is slow with a software renderer.
        dithering: false,
        ..eframe::NativeOptions::default()
    };
    eframe::run_native(
        "rigscope",
        options,
        Box::new(move |creation| Ok(Box::new(App::new(creation, opened, memory_limit, device)?))),
    )
}

impl App {
    fn new(
        creation: &eframe::CreationContext<'_>,
        opened: Startup,
        memory_limit: u64,
        device: Option<SkinningDevice>,
    ) -> Result<Self, Box<dyn std::error::Error + Send + Sync>> {
        let ctx = &creation.egui_ctx;
        install_theme(ctx);
        let fonts = Fonts::default();
        install_fonts(ctx, &fonts);
        placement::keep_on_monitor(creation);
        let gl = creation.gl.clone().ok_or("the window has no OpenGL context")?;
        let mut scene = Scene::new(Arc::clone(&gl))?;
        // Errors until here are printed.
        console::release();
        if let Some(device) = device {
            scene.set_skinning_device(device);
        }
        scene.limit_uploads(TIME_TO_UPLOAD);
        let playback_pace = PlaybackPace::new(scene.draws_on_processor());
        let woken = ctx.clone();
        scene.wake_by(move || woken.request_repaint());
        let woken = ctx.clone();
        // With a software renderer, job results wait for the next frame of the clip instead of requesting a frame at
        // once.
        let jobs = Jobs::new(move || woken.request_repaint_after(playback_pace.min_interval()));
        let woken = ctx.clone();
        let (host, scenes) = SceneHost::new(gl, TIME_TO_UPLOAD, move || woken.request_repaint());
        let mut headless = HeadlessApp::new(jobs, eframe::storage_dir("rigscope").as_deref(), opened, memory_limit)?;
        headless.scenes = scenes;
        if let Some(end) = headless.ender() {
            before_process_ends(end);
        }
        set_theme(ctx, headless.state.settings.theme);
        headless.state.driver = driver(&scene);
        let woken = ctx.clone();
        Ok(Self {
            reuse: reuse::Listener::start(move || woken.request_repaint()),
            headless,
            interface: Interface::default(),
            dialogs: Dialogs::default(),
            scene: Arc::new(Mutex::new(Some(scene))),
            host: Some(host),
            refinement: Refinement::default(),
            copied: None,
            draw_retries: DrawRetries::default(),
            letters: LetterSearch::new(fonts),
            playback_pace,
            viewport: ([0, 0], 1.0),
            title: String::new(),
            is_leaving: false,
        })
    }

    fn apply(&mut self, ctx: &egui::Context) -> AppliedCommands {
        let mut applied = self.headless.apply();
        for request in std::mem::take(&mut applied.requests) {
            self.fulfil(request, ctx);
        }
        applied
    }

    fn receive(&mut self, ctx: &egui::Context) {
        if ctx.input(|i| i.viewport().close_requested()) && !self.is_leaving && !self.headless.may_close() {
            ctx.send_viewport_cmd(ViewportCommand::CancelClose);
        }
        self.headless.pixels_per_point = ctx.pixels_per_point();
        self.headless.exchange();
        self.receive_letters(ctx);
        self.receive_picture(ctx);
        if self.headless.state.loading.is_some() {
            ctx.request_repaint_after(Duration::from_millis(50));
        }
        if !self.headless.jobs.running(Duration::ZERO).is_empty() {
            ctx.request_repaint_after(Duration::from_millis(100));
        }
        self.headless.commands.extend(self.dialogs.answers().into_iter().map(Command::Path));
        let dropped = ctx.input(|i| i.raw.dropped_files.iter().map(|f| f.path().to_owned()).collect());
        self.headless.commands.extend(opened_by_drop(dropped));
        self.receive_from_programs(ctx);
        let is_dark = ctx.theme() == egui::Theme::Dark;
        let display = self.headless.state.open.stage.view.display;
        if display.is_dark != is_dark {
            self.headless.commands.push(Command::SetDisplay(Display { is_dark, ..display }));
        }
    }

    /// Opens files from `rigscope --reuse` and other programs, and raises the window.
    fn receive_from_programs(&mut self, ctx: &egui::Context) {
        let shown = &self.headless.state.open.stage.document.source;
        let handed = self.reuse.as_ref().map(|listener| listener.commands(shown)).unwrap_or_default();
        if !handed.is_empty() {
            ctx.send_viewport_cmd(ViewportCommand::Minimized(false));
            ctx.send_viewport_cmd(ViewportCommand::Focus);
            self.headless.commands.extend(handed);
        }
    }

    fn receive_letters(&mut self, ctx: &egui::Context) {
        let Letters { has_new, notice } = self.letters.poll();
        if has_new {
            install_fonts(ctx, &self.letters.fonts);
        }
        if let Some(notice) = notice {
            self.headless.tell(notice.kind, notice.text);
        }
    }

    fn frame(&self) -> FrameInput<'_> {
        let (state, (size, pixels_per_point)) = (&self.headless.state, self.viewport);
        let sides = PerSide::from_fn(|side| state.open.stage.shown(side));
        let shown = (state.open.stage.pose(), &state.open.stage.view);
        let frame = FrameInput::for_sides(state.open.stage.rig(), sides, shown, size);
        FrameInput { pixels_per_point, version: state.open.stage.characters.version(), ..frame }
    }

    /// Draws the scene offscreen if an input of the frame changed.
    fn draw_scene(&mut self, viewport: Rect, ctx: &egui::Context) {
        let pixels_per_point = ctx.pixels_per_point();
        // Rounds to whole pixels like egui, because the image is copied without scaling.
        let [min, max] = [viewport.min, viewport.max].map(|corner| (corner.to_vec2() * pixels_per_point).round());
        let size = max - min;
        self.viewport = ([size.x as u32, size.y as u32], pixels_per_point);
        let frame = self.frame();
        if !self.draw_retries.is_due(&frame, self.headless.state.draw_fault.as_ref()) {
            return;
        }
        let mut scene = lock(&self.scene);
        let mut refinement = self.refinement;
        let mut draw_retries = self.draw_retries.clone();
        let settings = &self.headless.state.settings;
        let start = Instant::now();
        let drawn = scene.as_mut().map(|scene| refinement.draw(scene, &frame, settings.smoothing, ctx));
        let fault = drawn.as_ref().and_then(|drawn| draw_retries.outcome(&frame, drawn));
        if let Some(scene) = scene.as_ref().filter(|_| settings.frame_times) {
            // Waits for the driver, which draws asynchronously, so that the measured time includes the drawing.
            scene.finish();
        }
        let picture = start.elapsed();
        let is_interrupted = scene.as_ref().is_some_and(Scene::is_interrupted);
        std::mem::drop(scene);
        (self.refinement, self.draw_retries) = (refinement, draw_retries);
        if matches!(drawn, Some(Ok(true))) {
            self.headless.state.frame_times.picture = picture;
        }
        if is_interrupted {
            ctx.request_repaint();
        }
        if self.headless.state.draw_fault != fault {
            self.headless.state.draw_fault = fault;
            ctx.request_repaint();
        }
    }

    /// Uploads a portion of the next document. The current document is shown until the upload is complete.
    fn upload_arriving(&mut self, ctx: &egui::Context) {
        let scene = &self.scene;
        let is_uploading = self.headless.upload(|document| {
            let mut scene = lock(scene);
            match (scene.as_mut(), document) {
                (Some(scene), Some(document)) => scene.prepare(&document.rig),
                // Loading the next document was cancelled, or the document could not be drawn.
                (Some(scene), None) => {
                    scene.drop_prepared();
                    Ok(1.0)
                }
                (None, _) => Ok(1.0),
            }
        });
        if is_uploading {
            ctx.request_repaint();
        }
    }

    /// Spends a short time drawing images for other threads, even while the window is hidden. Uploads of the next
    /// document take precedence.
    fn draw_for_others(&mut self, ctx: &egui::Context) {
        let is_free = self.headless.state.loading.is_none() && ctx.current_pass_index() == 0;
        if let Some(host) = self.host.as_mut().filter(|_| is_free)
            && host.go_on(TIME_TO_UPLOAD)
        {
            ctx.request_repaint();
        }
    }

    fn advance(&mut self, ctx: &egui::Context) {
        let open = &mut self.headless.state.open;
        if !open.stage.playback.is_playing && !open.stage.springs.are_moving(&open.stage.document) {
            self.playback_pace.rest();
            return;
        }
        match self.playback_pace.step(Instant::now()) {
            Step::By(moved) => {
                self.headless.state.advance(moved.as_secs_f32());
                ctx.request_repaint_after(self.playback_pace.min_interval());
            }
            Step::In(rest) => ctx.request_repaint_after(rest),
        }
    }

    fn update_title(&mut self, ctx: &egui::Context) {
        let posed = if self.headless.state.open.stage.pose().is_any_posed() { " · posed" } else { "" };
        let title = format!("{}{posed} - Rigscope", self.headless.state.open.stage.document.source.name());
        if title != self.title {
            ctx.send_viewport_cmd(ViewportCommand::Title(title.clone()));
            self.title = title;
        }
    }

    fn fulfil(&mut self, request: WindowRequest, ctx: &egui::Context) {
        match request {
            WindowRequest::PickPath(question) => self.dialogs.ask(&self.headless.jobs, question),
            WindowRequest::SaveImage(path) => self.save_image(path),
            WindowRequest::CopyImage => self.copy_image(),
            WindowRequest::ToggleFullScreen => {
                let is_full = ctx.input(|i| i.viewport().fullscreen.unwrap_or(false));
                ctx.send_viewport_cmd(ViewportCommand::Fullscreen(!is_full));
            }
            WindowRequest::TogglePalette => self.interface.toggle_palette(),
            WindowRequest::Copy(text) => ctx.copy_text(text),
            WindowRequest::Paste { is_mirrored } => {
                self.interface.await_paste(ctx, is_mirrored);
                ctx.send_viewport_cmd(ViewportCommand::RequestPaste);
            }
            WindowRequest::ToggleHelp => self.interface.toggle_help(),
            WindowRequest::TogglePreferences => self.interface.toggle_preferences(),
            WindowRequest::ToggleAbout => self.interface.toggle_about(),
            WindowRequest::FilterJoints => self.interface.filter_joints(),
            WindowRequest::SetTheme(theme) => set_theme(ctx, theme),
            // egui stores the scale, which Ctrl + and Ctrl - also change.
            WindowRequest::SetScale(scale) => ctx.set_zoom_factor(scale),
            WindowRequest::Quit => {
                self.is_leaving = true;
                ctx.send_viewport_cmd(ViewportCommand::Close);
            }
        }
    }
}

impl eframe::App for App {
    fn logic(&mut self, ctx: &egui::Context, _: &mut eframe::Frame) {
        self.receive(ctx);
        self.apply(ctx);
        self.advance(ctx);
        if let Some(rest) = self.headless.follow() {
            ctx.request_repaint_after(rest);
        }
        self.draw_for_others(ctx);
        self.update_title(ctx);
    }

    fn ui(&mut self, ui: &mut egui::Ui, frame: &mut eframe::Frame) {
        self.headless.state.frame_times.frame = Duration::from_secs_f32(frame.info().cpu_usage.unwrap_or_default());
        let ctx = ui.ctx().clone();
        let mut viewport = None;
        let scene = &self.scene;
        self.interface.ui(ui, &self.headless.state, &mut self.headless.commands, &mut |ui, rect| {
            viewport = Some(rect);
            ui.painter().add(paint_callback(scene, rect));
        });
        drop_hint(&ctx);
        let applied = self.apply(&ctx);
        if applied.is_any {
            // Lays out the panels again with the new state, so that numbers, bones and skin change in the same frame.
            ctx.request_discard("the state changed");
            // Jobs start in the next frame. After the last pass, only the next frame shows the new state.
            if applied.may_start_jobs || !ctx.will_discard() {
                ctx.request_repaint();
            }
        }
        if let Some(viewport) = viewport.filter(|_| !ctx.will_discard()) {
            self.draw_scene(viewport, &ctx);
            self.upload_arriving(&ctx);
        }
        self.letters.follow(&self.headless.jobs);
    }

    fn on_exit(&mut self, _: Option<&eframe::glow::Context>) {
        // Frees graphics resources while their OpenGL context exists.
        lock(&self.scene).take();
        self.host = None;
        self.headless.finish();
    }
}

fn paint_callback(scene: &SharedScene, rect: Rect) -> egui::PaintCallback {
    let scene = Arc::clone(scene);
    let callback = eframe::egui_glow::CallbackFn::new(move |info, _| {
        let v = info.viewport_in_pixels();
        if let Some(scene) = lock(&scene).as_ref() {
            scene.paint([v.left_px, v.from_bottom_px, v.width_px, v.height_px]);
        }
    });
    egui::PaintCallback { rect, callback: Arc::new(callback) }
}

fn driver(scene: &Scene) -> GraphicsDriver {
    let Card { renderer, vendor, version, is_software, .. } = scene.card();
    GraphicsDriver { device: renderer, vendor, version, is_software }
}

fn set_theme(ctx: &egui::Context, theme: ThemeChoice) {
    ctx.set_theme(match theme {
        ThemeChoice::Dark => egui::ThemePreference::Dark,
        ThemeChoice::Light => egui::ThemePreference::Light,
        ThemeChoice::System => egui::ThemePreference::System,
    });
}
