//! Rigscope: open a rigged character, pose it, and see what skinning does to it.
//!
//! # In a program of your own
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
//! // `import_file` reads a path. `imported.warnings` lists oddities of the file.
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
//! | antipodality: choice of the sign | `crates/core/src/skinning/dqs.rs` | `motions` |
//! | antipodality: setting | `crates/core/src/skinning/summing.rs` | `Antipodality` |
//! | autosave | `src/app/autosave.rs` | `MAX_KEPT` |
//! | axes of the twist and bend test | `crates/analysis/src/analysis/twist/axes.rs` | `natural` |
//! | baseline of known findings | `crates/analysis/src/analysis/lint/baseline.rs` | `Baseline` |
//! | bone of a leaf, as drawn | `crates/core/src/rig/bones.rs` | `leaf_tip` |
//! | built-in tube, how it is made | `assets/make/characters/tube.rs` | `tube` |
//! | cache of check | `src/cli/check/cache.rs` | `MAX_BYTES` |
//! | circles of constraints | `crates/core/src/rig/behaviours/order.rs` | `ordered` |
//! | colours and sizes of the interface | `src/ui/theme.rs` | `SELECTION` |
//! | colours of the sides | `crates/core/src/view/side.rs` | `color` |
//! | demands on clips: limits of a loop | `crates/analysis/src/analysis/clip_checks/demand.rs` | `LOOP_SEAM_DEG` |
//! | environment map: reading, light that casts shadows | `crates/core/src/environment/equirectangular.rs` | `take_key` |
//! | exit code 1 of check | `src/cli/check/report.rs` | `exit_code` |
//! | exit code 2 | `src/cli/args.rs` | `ExitCode` |
//! | frame rate of a clip | `crates/core/src/rig/keys.rs` | `FrameRate` |
//! | front of a character | `crates/core/src/rig/front.rs` | `FORWARD` |
//! | gizmo size | `crates/core/src/gizmo/frame.rs` | `RADIUS` |
//! | key presets | `src/state/settings.rs` | `Preset` |
//! | largest picture | `src/studio/picture.rs` | `MAX_SIDE` |
//! | largest texture | `crates/io/src/import/pixels.rs` | `MAX_SIDE` |
//! | legend of painted values | `src/caption/legend_content.rs` | `Legend` |
//! | memory limit of a file | `crates/io/src/import/job.rs` | `DEFAULT_MEMORY_LIMIT` |
//! | motion over clips: frames that are kept | `crates/analysis/src/analysis/motion/mod.rs` | `MAX_NUMBERS` |
//! | motion over clips: frames that are measured | `crates/analysis/src/analysis/motion/frames.rs` | `MAX_FRAMES` |
//! | names of joints in files | `crates/core/src/rig/joint_names.rs` | `joint_names` |
//! | pictures of recent files | `src/app/recent_pictures.rs` | `MAX_KEPT` |
//! | PNG | `crates/io/src/export/png_rows.rs` | `write_png` |
//! | ramps | `crates/core/src/view/ramp.rs` | `Ramp` |
//! | rank of a file in a profile | `crates/analysis/src/analysis/lint/rules/profile.rs` | `rank` |
//! | reload on change | `src/app/watcher.rs` | `Watcher` |
//! | reports: most clips, frames and bytes of them | `src/report/motions.rs` | `MAX_BYTES` |
//! | seams of clips: spikes | `crates/analysis/src/analysis/spikes.rs` | `MAX_TIMES` |
//! | Show me | `src/state/compare/show_me.rs` | `ShowMe` |
//! | snap angle | `src/ui/gizmo/running.rs` | `snap` |
//! | socket of an open window | `src/app/reuse.rs` | `socket` |
//! | soles and contacts of feet | `crates/analysis/src/analysis/feet/sole.rs` | `HEIGHT` |
//! | specks | `crates/analysis/src/analysis/region/mod.rs` | `MIN_TRIANGLES` |
//! | steps of springs | `crates/core/src/rig/behaviours/springs/simulation.rs` | `step` |
//! | steps of springs: longest clips | `crates/core/src/rig/behaviours/springs/mod.rs` | `MAX_WORK` |
//! | suppressions in a file | `crates/analysis/src/analysis/lint/suppressions.rs` | `Suppressions` |
//! | suspicious regions: poses, limits of each kind | `crates/analysis/src/analysis/weight_problems/mod.rs` | `MAX_SUSPECTS` |
//! | thread that measures volume | `src/app/measurer.rs` | `MEASURE` |
//! | tour | `src/state/tour/steps.rs` | `STEPS` |
//! | tracks over a clip: how many are kept | `src/stage/tracks.rs` | `MAX_KEPT_TRACKS` |
//! | tracks over a clip: measures | `crates/analysis/src/analysis/tracks/kind.rs` | `TrackKind` |
//! | trails: most points | `crates/analysis/src/analysis/trails.rs` | `MAX_MOMENTS` |
//! | undo limit | `src/state/edit/history.rs` | `MAX_BYTES` |
//! | unit and axes of FBX | `crates/io/src/import/fbx/scene.rs` | `target_unit_meters` |
//! | weight leak | `crates/core/src/weights/leak.rs` | `leak_score` |
//! | weights made to sum to 1 | `crates/io/src/import/influences.rs` | `clean_vertex` |
//! | wipe | `crates/core/src/view/compare.rs` | `Wipe` |
//!
//! # Map
//! A module imports only from the modules in its third column, which are above it; `tests/project/architecture.rs` checks this.
//!
//! | module | responsibility | imports |
//! | --- | --- | --- |
//! | [`page`] | HTML pages: one self-contained file each, escaped, light and dark, printable | |
//! | [`guide`] | the guide: the pages of `docs/`, their headings, and their conversion to HTML | `files`, `page` |
//! | [`render`] | pictures of actors in panes, with or without a window; sole user of three-d | `rig`, `skinning`, `environment`, `view`, `actor` |
//! | [`fonts`] | installed fonts for letters that the program's own font lacks; order of right-to-left text | `text` |
//! | [`stage`] | the open character, its clip time, the two sides and everything derived of them: the content of pictures, reports and videos | all above but `gizmo` and `render` |
//! | [`caption`] | captions over a picture: labels of the sides, legends | `fonts`, `text`, `stage`, `view` |
//! | [`studio`] | pictures and videos of a stage, without a window, on any thread | all above but `posing` and `gizmo` |
//! | [`report`] | one self-contained page for a rig, and an index of many | `analysis`, `export`, `files`, `import`, `jobs`, `page`, `project`, `rig`, `skinning`, `stage`, `studio`, `text`, `view` |
//! | [`cli`] | the subcommands, without a window | all above but `posing` |
//! | [`state`] | a stage with undo, settings, questions and the tour; commands, and the one place that applies them | all above but `render`, `caption`, `studio`, `report` and `cli` |
//! | [`ui`] | panels that read the state and push commands | `fonts`, `guide`, `state`, `stage`, `project`, `caption`, `gizmo`, `analysis`, `diff`, `matching`, `posing`, `view`, `weights`, `skinning`, `rig`, `text` |
//! | [`app`] | the window: its loop, loading and measuring beside it; owns the renderer | all above but `cli` |
//!
//! [`view`] is a module of its own so that `render` and `state` share camera and display options without knowing each other.
//!
//! Imports inside a module run one way too; allowed cycles are listed in `tests/project/circles.rs`, each with its reason.
//!
//! A program that embeds Rigscope builds on the three crates that this one re-exports, and on [`render`], [`stage`] and [`studio`]. What only `main`, tests and benches reach
//! besides (`app`, `caption`, `cli`, `fonts`, `gizmo`,
//! `page`, `report`, `state`, `ui`) is the program itself: public so that they can reach it, left out of the documentation, and free to change.
//!
//! # Recipes
//! | to add | write | and it automatically is |
//! | --- | --- | --- |
//! | a skinning method | a file in [`skinning`] with formula, kernel and `SPEC`, its `mod`, its row in `crates/core/src/skinning/method.rs`, its function in `src/render/skinning/skinning.glsl` | in menus, help, files and tests, with its colour |
//! | a weighting method | a file in [`weights`] with its paper, its row in `crates/core/src/weights/weighting.rs` | in the panel, on the command line, in tests |
//! | a measure of clips | a folder in [`analysis`] with its rows by `rows!`, its option in `src/cli/motion/mod.rs` with its row of `JSON`, its table beside that, its method in `python/src/rig.rs` and `python/package/rigscope/__init__.pyi` | CSV and JSON, in `rigscope explain json`, held to the list of keys and to Python by tests; types of Python and `docs/json.md` are written anew by their tests |
//! | an overlay | its row in `crates/core/src/view/overlay.rs`, values and range in `crates/analysis/src/analysis/sides/painter.rs`, new formulas in `crates/analysis/src/analysis/field` | in menus, help, files and the legend |
//! | a file format | a folder beside `crates/io/src/import/gltf` and its row in `crates/io/src/import/format.rs` | opened, checked, dropped and offered in dialogs |
//! | a lint code | its row in `crates/core/src/findings/code.rs`, its rule in [`analysis::lint`] or its warning in the importer, a faulty file and its twin in `tests/numbers/lint.rs` | in the panel, in `check` and `explain`, in SARIF and in the table of F1; the page `docs/lint-codes.md` is written anew by its test |
//! | an export | an `Export` in `src/state/save`, its row in `src/state/save/mod.rs`, its action in `src/state/action.rs` and `src/state/act.rs` | in the menu and the palette, checked, never written over inputs, atomic, reported and cancellable |
//! | a setting of a side | its field, row and name in `crates/core/src/view/side.rs`, its row in `src/state/edit/choices.rs`, its entry of session files in `src/stage/session/sides.rs`, its control in `src/ui/compare/side.rs`, and its effect where it is drawn | swapped with the sides, a step of undo with its name, kept by sessions |
//! | a subcommand | a file in `cli` or a folder, its `mod` in `src/cli/mod.rs`, its help text and its call in `src/cli/args.rs` | in help, the man page and completions, with time limit and exit codes |
//! | a pane of the picture | its [`render::PaneInput`] in [`render::FrameInput`], and its actor beside those of the sides | uploaded, skinned, lit, cut into tiles and freed like the others |
//! | a derived value | its plan, which implements `stage::Derived` in a file of `stage`, and its line in `src/stage/derived_kinds.rs` | run beside the frame loop, listed, cancellable, and reported where it panics |
//! | an action | its row in `src/state/action.rs`, its effect in `src/state/act.rs`, and its place in a menu, `src/ui/menu_bar.rs` | in the palette and the sheet of keys, and disabled with a reason |
//!
//! Most are rows of tables; a forgotten one does not compile.
//!
//! # Features
//! | feature | adds |
//! | --- | --- |
//! | `cli` (default) | [`cli`] and the program |
//! | `window` (default) | [`ui`], [`app`], [`guide`] and `gl`; egui, dialogs, watching of files |
//! | `fbx` (default) | reading of FBX in [`import`], by a library in C |
//! | `gl` | [`render`], [`fonts`], [`caption`], [`studio`] and [`report`]: pictures and skinning by OpenGL, without a window |
//! | `inspection` | a window driven by tests and scripts; only for `make test` |
//!
//! Without any, the library alone is a quarter of the crates; `cli` adds the subcommands but `render`, `report` and `bench`. The package in `python/` wraps the library for Python; nothing here knows of it.
//!
//! # One frame
//! ```text
//! Rig (immutable) ─┐
//! clip at a time ──┼─> evaluate: clip, behaviours, forward kinematics ─> palettes ──┬─> shader or kernels ─> skinned vertices ─> every pass ─> pixels
//! Pose (Ul_j) ─────┘                                                                └─> kernels: analysis, picking, export
//! ```
//! The vertices of an actor are skinned only when something that moves them changes, not when the camera orbits or for further passes; see [`render`].
//!
//! # One command
//! ```text
//! widget, key, menu ─> Command: what the user wants ──> AppState::apply ───┬─> Stage, History, Settings ─> Stage::refresh: what follows from pose and time
//!          ┌───────> JobResult: what a job brought ───> AppState::receive ─┤
//!          └── job beside the window: reads, writes, measures <── Request ─┴─ what only the program around can do
//! ```
//! Nothing of this reads or writes files on the interface's thread: a `state::DiskJob` is requested, done in its turn, and arrives.
//! Everything that belongs to the open character is one value, `state::OpenDocument`, a [`stage::Stage`] with undo and what panels keep of it: opening a file, a step of the tour and reading a file again each make
//! another. What is to be done with a file once it is read travels with the request to read it, as `state::AfterLoad`.
//!
//! # One background task
//! A job runs on a named thread of its own by [`jobs`]: a `Task` once, a `Worker` for the newest input. Its `Progress` tells how far it is and is asked whether to go on;
//! dropping the task cancels it. A panic in a job ends only that job, and becomes one notice.
//!
//! # Words
//! | word | meaning |
//! | --- | --- |
//! | joint | node that a skin lists; a bone is the drawn segment from a joint to its child |
//! | rest pose | local transforms as stored in the file, `L_j` |
//! | bind pose | the pose that the inverse bind matrices encode, `B_j`; may differ from the rest pose |
//! | user local transform | `Ul_j`: what the user added on top of the rest pose or the clip |
//! | behaviour, constraint | what moves parts of a rig by itself, in the order of [`rig::Behaviours`]; a joint's rotation that follows another joint, `C_j` |
//! | spring, tail | a joint that swings after what moves it; the point that it swings towards |
//! | morph | every morph target of one name, on all meshes; what the user adds to its weight lies on top of the clip's or the file's, as `Ul_j` does |
//! | skinning matrix, palette | `T_j = W_j * IB_j`, world from skin; all of them in the order of the skin's joints |
//! | influence | (joint, weight) of one vertex; weights sum to 1 after import |
//! | anchor | origin of world space in the file's coordinates: the file's own origin, or for a rig far from that a point near the rig |
//! | finding, code | something odd in a rig, with its place; its kind, such as `RIG012`, whose meaning never changes |
//! | policy, contract | requirements of a project for its rigs; the part of them that prescribes the skeleton |
//! | baseline | known findings that a project accepts |
//! | LBS, DQS | linear blend skinning, dual quaternion skinning |
//! | Blend | for each vertex the point at a given share of the way from LBS to DQS |
//! | weighted blend | Blend with a DQ blend weight for each vertex, painted by riggers and stored in the file; older files call the method `painted` |
//! | authored method | the skinning method that a file declares; side A starts with it |
//! | `cor`, `sclerp` | skinning with optimised centres of rotation; by screw interpolation of the joints' motions |
//! | centre of rotation | the point about which `cor` rotates a vertex: one for each vertex, in skin space, computed once for a mesh |
//! | actor | a character as a side shows it: the open one with some weights, or another one, in its pose |
//! | subject | which character a side shows: the open one, that of another file, or the open one as it was before a reload |
//! | side | A or B, one of two ways of skinning that are compared; orange and teal everywhere |
//! | layout | how the sides share the picture: single, wipe, side by side, ghost |
//! | pane | a rectangle of the picture with one actor, or two that share it by a wipe or as a ghost |
//! | overlay | values painted over a side in place of the material, with a ramp and a range |
//! | probe | a vertex that is looked at: its influences, where each joint would take it, where the methods put it |
//! | weighting | a method that makes weights from the mesh and its bones |
//! | body | the welded points and bones of the skins that were bound together: what weights are made from |
//! | region | the triangles that a joint and its parent move; what the twist and bend test measures |
//! | cap, rim | the fan that closes an opening where a region is cut out of the surface; the edges around it |
//! | too thin to tell | a loss that other caps would change by more than half, ranked apart |
//! | speck | a region of hardly any surface, ranked apart |
//! | suspicious region, suspect | connected vertices whose skin behaves oddly in random poses, see [`analysis::weight_problems`] |
//! | seam, spike | what is between the end of a clip and its start, played round and round; a frame that a vertex goes to and comes back from |
//! | sole, contact, skate | the vertices that a foot stands on; a time in which it does; how fast soles near the floor move, see [`analysis::feet`] |
//! | trail | the path of a joint, a vertex or the root over the shown part of a clip, with a tick a frame |
//! | front | the horizontal axis along which a character looks at rest; it is first seen from there |
//!
//! Matrices are named `a_from_b` and multiply column vectors. Metres, radians, seconds; right-handed, +Y up, as in glTF.
//!
//! # Failure
//! Each boundary has one error type that says what, where and what to do: `ImportError`, `RenderError`, `PoseFileError`, `SessionError`, `ExportError`. What
//! is merely odd in a file is an `ImportWarning` and shown among the findings of `analysis::lint`. After import nothing checks again: indices are in range, weights normalised, the
//! hierarchy a tree.

// Items not reachable from outside the crate need no docs. Test programs, whose modules only they reach, are exempt.
#![warn(unreachable_pub)]

pub use rigscope_analysis::{analysis, diff, project};
pub use rigscope_core::{
    actor, environment, files, findings, gizmo, jobs, matching, posing, rig, rows, skinning, text, view, weights,
};
pub use rigscope_io::{export, import};

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
pub mod render;
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
