//! Rigscope opens rigged characters, poses them, and shows the effects of skinning methods.
//!
//! # In your own program
//! Load, pose, skin, measure:
//! ```
//! use std::sync::Arc;
//!
//! use glam::Quat;
//! use rigscope::analysis::{Topology, measure::SurfaceSize};
//! use rigscope::import::{Job, import_bytes};
//! use rigscope::rig::{Pose, Trs, evaluate};
//! use rigscope::skinning::{Method, Skinner, Skinning, palettes};
//! use rigscope::stage::BuiltIn;
//!
//! // `import_file` reads a path. `imported.warnings` lists problems of the file.
//! let imported = import_bytes(BuiltIn::Tube.bytes(), &Job::default())?;
//! let rig = Arc::new(imported.rig);
//!
//! let middle = rig.hierarchy.node_named("Middle").ok_or("no such joint")?;
//! let mut pose = Pose::rest(&rig.hierarchy);
//! pose.set_user_local(middle, Trs { rotation: Quat::from_rotation_x(170_f32.to_radians()), ..Trs::IDENTITY });
//! let posed = evaluate(&rig, None, &pose); // or at a moment of a clip
//!
//! let mut volumes = [0.0; 2];
//! for (volume, method) in volumes.iter_mut().zip([Method::Lbs, Method::Dqs]) {
//!     let skinner = Skinner::new(&rig, &Skinning::new(method))?; // keep it while the pose changes
//!     let surfaces = skinner.deform(&posed); // positions and normals in world space, by mesh instance and primitive
//!     *volume = SurfaceSize::new(&rig, &Topology::new(&rig), &palettes(&rig, &posed), &surfaces).volume;
//! }
//! let [lbs, dqs] = volumes;
//! assert!(lbs < 0.9 * dqs, "the twisted tube collapses: {lbs} m³ of {dqs}");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Where is…
//! | what | file | there |
//! | --- | --- | --- |
//! | actions: names, keys, hints | `src/state/action.rs` | `actions` |
//! | antipodality: setting | `crates/core/src/skinning/summing.rs` | `Antipodality` |
//! | antipodality: sign selection | `crates/core/src/skinning/dqs.rs` | `motions` |
//! | autosave | `src/app/autosave.rs` | `MAX_KEPT` |
//! | axes of the twist and bend test | `crates/analysis/src/analysis/twist/axes.rs` | `natural` |
//! | baseline of known findings | `crates/analysis/src/analysis/lint/baseline.rs` | `Baseline` |
//! | bend test: limits | `crates/analysis/src/analysis/flex/limits.rs` | `limits` |
//! | bone of a leaf joint, as drawn | `crates/core/src/rig/bones.rs` | `leaf_tip` |
//! | built-in tube: geometry | `assets/make/characters/tube.rs` | `tube` |
//! | cache of `check` | `src/cli/check/cache.rs` | `MAX_BYTES` |
//! | clip rules: default loop limits | `crates/analysis/src/analysis/clip_checks/clip_rule.rs` | `LOOP_SEAM_DEG` |
//! | colours and sizes of the interface | `src/ui/theme.rs` | `SELECTION` |
//! | colours of the sides | `crates/core/src/view/side.rs` | `color` |
//! | constraint cycles and evaluation order | `crates/core/src/rig/behaviours/order.rs` | `ordered` |
//! | environment map: import, key light | `crates/core/src/environment/equirectangular.rs` | `take_key` |
//! | exit code 1 of `check` | `src/cli/check/report.rs` | `exit_code` |
//! | exit code 2 | `src/cli/args.rs` | `ExitCode` |
//! | frame rate of a clip | `crates/core/src/rig/keys.rs` | `FrameRate` |
//! | front of a character | `crates/core/src/rig/front.rs` | `FORWARD` |
//! | gizmo size | `crates/core/src/gizmo/frame.rs` | `GizmoSize` |
//! | key presets | `src/state/settings.rs` | `Preset` |
//! | largest image | `src/studio/picture.rs` | `MAX_SIDE` |
//! | largest texture | `crates/io/src/import/pixels.rs` | `MAX_SIDE` |
//! | legend of an overlay | `src/caption/legend_content.rs` | `Legend` |
//! | memory limit of a file | `crates/io/src/import/job.rs` | `DEFAULT_MEMORY_LIMIT` |
//! | motion over clips: number of measured frames | `crates/analysis/src/analysis/motion/frames.rs` | `MAX_FRAMES` |
//! | motion over clips: number of stored values | `crates/analysis/src/analysis/motion/mod.rs` | `MAX_NUMBERS` |
//! | names of joints in files | `crates/core/src/rig/joint_names.rs` | `joint_names` |
//! | pins: chains and bodies | `crates/core/src/rig/pins/mod.rs` | `PinSet` |
//! | PNG | `crates/io/src/export/png_rows.rs` | `write_png` |
//! | ramps | `crates/core/src/view/ramp.rs` | `Ramp` |
//! | ranges of motion of human joints | `crates/analysis/src/analysis/human_ranges.rs` | `HUMAN` |
//! | rank of a file in a profile | `crates/analysis/src/analysis/lint/rules/profile.rs` | `rank` |
//! | reload on change | `src/app/watcher.rs` | `Watcher` |
//! | reports: limits on clips, frames and bytes | `src/report/motions.rs` | `MAX_BYTES` |
//! | Show me | `src/state/compare/show_me.rs` | `ShowMe` |
//! | snap angle | `src/ui/gizmo/running.rs` | `snap` |
//! | socket of an open window | `src/app/reuse/unix.rs` | `address` |
//! | soles and contacts of feet | `crates/analysis/src/analysis/feet/sole.rs` | `HEIGHT` |
//! | specks | `crates/analysis/src/analysis/region/mod.rs` | `MIN_TRIANGLES` |
//! | spikes in clips | `crates/analysis/src/analysis/spikes.rs` | `MAX_TIMES` |
//! | springs: limit on clip length | `crates/core/src/rig/behaviours/springs/mod.rs` | `MAX_WORK` |
//! | springs: simulation step | `crates/core/src/rig/behaviours/springs/simulation.rs` | `step` |
//! | suppressions in a file | `crates/analysis/src/analysis/lint/suppressions.rs` | `Suppressions` |
//! | thumbnails of recent files | `src/app/recent_pictures.rs` | `MAX_KEPT` |
//! | tour | `src/state/tour/steps.rs` | `STEPS` |
//! | tracks over a clip: measures | `crates/analysis/src/analysis/tracks/kind.rs` | `TrackKind` |
//! | tracks over a clip: number of cached tracks | `src/stage/tracks.rs` | `MAX_KEPT_TRACKS` |
//! | trails: maximum number of points | `crates/analysis/src/analysis/trails.rs` | `MAX_MOMENTS` |
//! | undo limit | `src/state/edit/history.rs` | `MAX_BYTES` |
//! | unit and axes of FBX | `crates/io/src/import/fbx/scene.rs` | `target_unit_meters` |
//! | volume measurement thread | `src/app/measurer.rs` | `MEASURE` |
//! | weight leak | `crates/core/src/weights/leak.rs` | `leak_score` |
//! | weight problems: poses, limits per kind | `crates/analysis/src/analysis/weight_problems/mod.rs` | `MAX_WEIGHT_PROBLEMS` |
//! | weights: normalisation on import | `crates/io/src/import/influences.rs` | `clean_vertex` |
//! | wipe | `crates/core/src/view/compare.rs` | `Wipe` |
//!
//! # Map
//! A module imports only from the modules in its third column, which must be rows above it; `tests/project/architecture.rs` checks this.
//!
//! | module | responsibility | imports |
//! | --- | --- | --- |
//! | [`page`] | self-contained HTML pages: escaped, with a light and a dark theme, printable | |
//! | [`guide`] | the guide: the pages of `docs/`, their headings, and their conversion to HTML | `files`, `page` |
//! | [`fonts`] | installed fonts for letters that the built-in font lacks; order of right-to-left text | `text` |
//! | [`stage`] | the open character, its clip time, the two sides and all values derived from them: the content of images, reports and videos | all above but `gizmo` and `render` |
//! | [`caption`] | captions over an image: labels of the sides, legends | `fonts`, `text`, `stage`, `view` |
//! | [`studio`] | images and videos of a stage, without a window, on any thread | all above but `posing` and `gizmo` |
//! | [`report`] | a self-contained page per rig, and an index page of several reports | `analysis`, `export`, `files`, `import`, `jobs`, `page`, `project`, `refit`, `rig`, `skinning`, `stage`, `studio`, `text`, `view` |
//! | [`cli`] | the subcommands, without a window | all above but `posing` |
//! | [`state`] | a stage with undo, settings, questions and the tour; commands and the function that applies them | all above but `render`, `caption`, `studio`, `report` and `cli` |
//! | [`ui`] | panels, which read the state and push commands | `fonts`, `guide`, `state`, `stage`, `project`, `caption`, `gizmo`, `analysis`, `diff`, `matching`, `posing`, `view`, `weights`, `skinning`, `rig`, `text` |
//! | [`app`] | the window: event loop, background loading and measuring; owns the renderer | all above but `cli` |
//!
//! [`view`] is a separate module, so that `render` and `state` share camera and display options without importing each other.
//!
//! Imports within a module must not form cycles either; `tests/project/circles.rs` lists the exceptions with their reasons.
//!
//! A program that embeds Rigscope builds on the five crates that this crate re-exports, and on [`stage`]
//! and [`studio`]. The other modules (`app`, `caption`, `cli`, `fonts`, `gizmo`, `page`, `report`, `state`, `ui`) are
//! the program itself. They are public only for `main`, tests and benches, are left out of the documentation, and may
//! change at any time.
//!
//! # Recipes
//! | to add | write | to get |
//! | --- | --- | --- |
//! | a skinning method | a file in [`skinning`] with formula, kernel and `SPEC`; its `mod`; its row in `crates/core/src/skinning/method.rs`; its function in `crates/render/src/render/skinning/skinning.glsl` | menu entries, help, files, tests and a colour |
//! | a weighting method | a file in [`weights`] with its paper, its row in `crates/core/src/weights/weighting.rs` | an entry in the panel, a value on the command line, tests |
//! | a measure of clips | a folder in [`analysis`] with its rows by `rows!`; its option in `src/cli/motion/mod.rs` with its row of `JSON`, and its table in the same folder; its method in `python/src/rig.rs` and `python/package/rigscope/__init__.pyi` | CSV and JSON, an entry in `rigscope explain json`, tests of its keys and of its Python method; tests regenerate the Python types and `docs/json.md` |
//! | an overlay | its row in `crates/core/src/view/overlay.rs`; its values and range in `crates/analysis/src/analysis/sides/overlay_evaluator.rs`; new formulas in `crates/analysis/src/analysis/field` | menu entries, help, files and a legend |
//! | a file format | a folder beside `crates/io/src/import/gltf` and its row in `crates/io/src/import/format.rs` | opening, checking, drag and drop, and an entry in dialogs |
//! | a known mistake of `diagnose` | its row in `crates/analysis/src/analysis/diagnose/mistakes.rs`; its switch in `pipeline.rs` beside it and the line that applies it | ranking, pairs, `explain`, tests; a test demands its line in `docs/diagnose.md` |
//! | a format of points | a file in `crates/io/src/import/points` and its line in `points` there | `diagnose --points` |
//! | a lint code | its row in `crates/core/src/findings/code.rs`; its rule in [`analysis::lint`] or its warning in the importer; a faulty file and its correct counterpart in `tests/numbers/lint.rs` | entries in the panel, in `check`, `explain`, SARIF and the F1 table; its test regenerates `docs/lint-codes.md` |
//! | an export | an `Export` in `src/state/save`, its row in `src/state/save/mod.rs`, its action in `src/state/action.rs` and `src/state/act.rs` | entries in the menu and the palette; checked, atomic, reported and cancellable writing that never overwrites inputs |
//! | a file that sets something | its row in `src/state/path_use.rs` with what it reads and sets; its action in `src/state/action.rs` and `src/state/act.rs`; its menu entry in `src/ui/menu_bar.rs` | a dialog with its formats, reading in the background, errors as notices, dropping on the window |
//! | a setting of a side | its field in `SideOptions` and the text of its change in `crates/core/src/view/side.rs`, its control in `src/ui/compare/side.rs`, and its effect in the code that draws it | swapping with the sides, a named undo step, storage in sessions and in their schema (`UPDATE_GOLDEN=1` writes it) |
//! | a subcommand | a file or folder in `cli`, its `mod` in `src/cli/mod.rs`, its help text and its call in `src/cli/args.rs` | help, a man page, completions, time limit and exit codes |
//! | a subcommand over many files | the subcommand for one file, as an implementation of `PerFile` in `src/cli/many_files/mod.rs`; `InputArgs` in its arguments; `run_each` in its `run` | folders, patterns, lists, `--jobs`, placeholders in OUT, one CSV of all files, errors that name the file, the worst exit code |
//! | a pane of the image | its [`render::PaneInput`] in [`render::FrameInput`], and its actor after those of the sides | uploading, skinning, lighting, tiling and freeing like other panes |
//! | a derived value | a plan that implements `stage::Derived` in a file of `stage`, and its line in `src/stage/derived_kinds.rs` | a background job that is listed and cancellable, and whose panics are reported |
//! | a value of each side that a panel requests | a plan that implements `stage::SideValue` in a file of `stage`, its line in `src/stage/derived_kinds.rs`, and a section that pushes `Command::Request` and shows `Stage::value` | the same, caching, and stopping |
//! | an action | its row in `src/state/action.rs`, its effect in `src/state/act.rs`, and its menu entry in `src/ui/menu_bar.rs` | entries in the palette and the list of keys; a reason when it is disabled |
//!
//! Most of these are rows of tables in the code. If a row is missing, the code does not compile.
//!
//! # Features
//! | feature | adds |
//! | --- | --- |
//! | `cli` (default) | [`cli`] and the program |
//! | `window` (default) | [`ui`], [`app`], [`guide`] and `gl`; egui, dialogs, file watching |
//! | `fbx` (default) | reading FBX in [`import`], with a C library |
//! | `gl` | [`render`], [`fonts`], [`caption`], [`studio`] and [`report`]: images and skinning with OpenGL, without a window |
//! | `inspection` | control of the window by tests and scripts; only for `make test` |
//!
//! Without features, only the library is built, with a quarter of the dependencies; `cli` adds all subcommands except `render`, `report` and `bench`. The
//! package in `python/` wraps the library for Python; this crate doesn't depend on it.
//!
//! # One frame
//! ```text
//! Rig (immutable) ─┐
//! clip at a time ──┼─> evaluate: clip, behaviours, forward kinematics ─> palettes ──┬─> shader or kernels ─> skinned vertices ─> every pass ─> pixels
//! Pose (Ul_j) ─────┘                                                                └─> kernels: analysis, picking, export
//! ```
//! An actor's vertices are skinned only after a change that moves them, not when the camera orbits. They are skinned
//! once for all passes; see [`render`].
//!
//! # One command
//! ```text
//! widget, key, menu ─> Command: what the user wants ──> AppState::apply ───┬─> Stage, History, Settings ─> Stage::refresh: values derived from pose and time
//!          ┌───────> JobResult: result of a job ──────> AppState::receive ─┤
//!          └── background job: reads, writes, measures <───────── Request ─┴─ work that only the surrounding program can do
//! ```
//! None of this accesses files on the interface's thread: a `state::DiskJob` is requested, waits for earlier requests, and returns a result. The open
//! character is one value, `state::OpenDocument`: a [`stage::Stage`] with undo and the state of panels. A new `OpenDocument` is
//! created when a file is opened or reloaded, and at each step of the tour. `state::AfterLoad`
//! is the part of a read request that determines how the file is used.
//!
//! # One background task
//! A job of [`jobs`] runs on its own named thread: a `Task` runs once, a `Worker` processes the newest input. A job reports its progress to a `Progress`, which
//! also signals cancellation; dropping the task cancels the job. A panic ends only the job in which it occurs, and is reported in one notice.
//!
//! # Words
//! | word | meaning |
//! | --- | --- |
//! | joint | node that a skin lists; a bone is the drawn segment from a joint to its child |
//! | rest pose | local transforms as stored in the file, `L_j` |
//! | bind pose | pose that the inverse bind matrices store, `B_j`; may differ from the rest pose |
//! | user local transform | `Ul_j`: edit by the user, combined with the rest pose or the clip |
//! | behaviour, constraint | rule of the file that moves nodes, evaluated in the order of [`rig::Behaviours`]; behaviour that makes a joint's rotation follow another joint, `C_j` |
//! | spring, tail | joint that lags behind the motion of its parent; simulated point that the joint points at |
//! | morph | all morph targets with one name, on all meshes; the user's weight is added to that of the clip or file |
//! | skinning matrix, palette | `T_j = W_j * IB_j`, world from skin; the matrices of all joints, in the skin's order |
//! | influence | (joint, weight) pair of a vertex; weights sum to 1 after import |
//! | anchor | origin of world space in the file's coordinates: the file's origin or, for a rig far from it, a point near the rig |
//! | finding, code | problem in a rig, with its location; kind of problem, such as `RIG012`, whose meaning never changes |
//! | config, required skeleton | requirements of a project for its rigs; the requirements for the skeleton |
//! | baseline | known findings that a project accepts |
//! | LBS, DQS | linear blend skinning, dual quaternion skinning |
//! | Blend | method that interpolates each vertex linearly between LBS and DQS, with one weight for all vertices |
//! | weighted blend | Blend with a DQ blend weight per vertex, painted by riggers and stored in the file; `painted` in older files |
//! | authored method | the skinning method that a file declares; side A starts with it |
//! | `cor`, `sclerp` | skinning with optimised centres of rotation; skinning with screw interpolation of the joints' motions |
//! | centre of rotation | point about which `cor` rotates a vertex: one per vertex, in skin space, computed once per mesh |
//! | actor | character as shown on a side, with weights and pose: the open character or another one |
//! | comparison file, comparison character | another file, or the previous version of the open file, shown on a side; the character in it |
//! | side | A or B, the two skinning results that are compared; always orange and teal |
//! | layout | arrangement of the sides in the image: single, wipe, side by side, ghost |
//! | pane | rectangle of the image with one actor, or with two actors as wipe or ghost |
//! | overlay | values shown as colours on a side instead of the material, with a ramp and a range |
//! | probe | inspection of a vertex: its influences, its position under each joint alone, its position with each method |
//! | weighting | method that computes weights from the mesh and its bones |
//! | body | welded points, and the bones of all skins that were bound together: the input of weighting |
//! | region | triangles that a joint and its parent move, measured by the twist and bend test |
//! | cap, rim | triangle fan that closes an opening where a region is cut from the surface; the edges around the opening |
//! | too thin to tell | joint whose volume loss would change by more than half with other caps; ranked separately |
//! | speck | region with hardly any surface; ranked separately |
//! | weight problem | connected vertices whose skin deforms wrongly in random poses; see [`analysis::weight_problems`] |
//! | seam, spike | difference between the end of a looped clip and its start; single frame in which a vertex jumps and returns |
//! | sole, contact, skate | vertices on which a foot stands; period in which it stands; speed of soles near the floor; see [`analysis::feet`] |
//! | trail | path of a joint, a vertex or the root over the shown part of a clip, with one tick per frame |
//! | front | horizontal axis along which a character faces at rest; the camera starts on this side |
//!
//! Matrices are named `a_from_b` and multiply column vectors. Metres, radians, seconds; right-handed, +Y up, as in glTF.
//!
//! # Failure
//! Each boundary has one error type, whose message explains what failed, where, and what to do: `ImportError`,
//! `RenderError`, `PoseFileError`, `SessionError`, `ExportError`. A problem that doesn't prevent opening is an
//! `ImportWarning`, shown among the findings of `analysis::lint`. Code that runs after the import may assume that
//! indices are in range, weights are normalised, and the hierarchy is a tree.

// Items that other crates can't reach need no docs. Modules of test programs are exempt.
#![warn(unreachable_pub)]

pub use rigscope_analysis::{analysis, diff, refit};
pub use rigscope_core::{
    actor, environment, files, findings, gizmo, jobs, matching, posing, rig, rows, skinning, text, view, weights,
};
pub use rigscope_io::{export, import};
pub use rigscope_project::project;
#[cfg(feature = "gl")]
pub use rigscope_render::render;

#[cfg(feature = "window")]
#[doc(hidden)]
pub mod app;
#[cfg(feature = "gl")]
#[doc(hidden)]
pub mod caption;
#[doc(hidden)]
#[cfg(feature = "cli")]
pub mod cli;
#[cfg(feature = "gl")]
#[doc(hidden)]
pub mod fonts;
#[cfg(feature = "window")]
pub mod guide;
#[doc(hidden)]
pub mod page;
#[cfg(feature = "gl")]
#[doc(hidden)]
pub mod report;
pub mod stage;

#[doc(hidden)]
pub mod state;
#[cfg(feature = "gl")]
pub mod studio;
#[cfg(feature = "window")]
#[doc(hidden)]
pub mod ui;
