//! The jobs beside the window, and how each is described to the user.

use crate::jobs::Kind;

pub(super) const IMPORT: Kind =
    Kind::new("import", "Opening a file", "The file was not opened; what was open before stays open.");

/// Reading another file for a side.
pub(super) const OTHER_FILE: Kind = Kind::new(
    "other file",
    "Opening another file",
    "The open file is shown in its place; choose the other file again to try once more.",
);

pub(super) const LINT: Kind =
    Kind::new("lint", "Looking for findings", "All else works. Look again in the Lint panel, or open another file.");

/// The search for centres of rotation.
pub(super) const CENTERS: Kind = Kind::new(
    "centers",
    "Finding centres of rotation",
    "LBS is shown in their place; methods without such centres work.",
);

pub(super) const WEIGHTS: Kind = Kind::new(
    "weights",
    "Computing weights",
    "The file's weights are shown in their place; try other settings or another method.",
);

/// Quality numbers of weights.
pub(super) const JUDGING: Kind =
    Kind::new("judging weights", "Judging the weights", "All else works; open the numbers again in the Skin panel.");

/// The search for suspicious regions of weights.
pub(super) const SUSPECTS: Kind = Kind::new(
    "suspicious regions",
    "Looking for suspicious regions",
    "All else works; look again in the Compare panel, or by rigscope weights --suspicious on the command line.",
);

/// Reading of a panorama.
pub(super) const ENVIRONMENT: Kind =
    Kind::new("environment", "Reading the panorama", "The light stays as it is; everything else works.");

/// Welding of the points that weight edits select.
pub(super) const EDIT_MESH: Kind =
    Kind::new("edit mesh", "Preparing weight editing", "Weights cannot be edited by hand; everything else works.");

/// A step of the selection of vertices.
pub(super) const SELECTION: Kind =
    Kind::new("vertex selection", "Selecting vertices", "What was selected before stays; try again.");

/// Joints that move the selected vertices.
pub(super) const JOINT_MEANS: Kind = Kind::new(
    "joint means",
    "Adding up the weights of the selected vertices",
    "The Skin panel lists no joints of this selection; everything else works.",
);

/// A weight edit of selected vertices.
pub(super) const EDITING: Kind =
    Kind::new("editing weights", "Editing weights", "The weights stay as they were; try another operation.");

/// The comparison of two files.
pub(super) const CHANGES: Kind = Kind::new(
    "changes",
    "Comparing the files",
    "All else works; compare again in the panel What changed, or by rigscope diff on the command line.",
);

/// Measures of both sides over a clip.
pub(super) const TRACKS: Kind = Kind::new(
    "tracks",
    "Measuring the clip",
    "All else works; press Measure in the tracks, or use rigscope motion on the command line.",
);

/// Rotations of the selected joints over a clip.
pub(super) const JOINT_TRACKS: Kind = Kind::new(
    "joint tracks",
    "Sampling the selected joints",
    "Their rotations are not shown as tracks; everything else works.",
);

/// Measurements of the sides, and overlays.
pub(super) const MEASURE: Kind = Kind::new(
    "measure",
    "Measuring the sides",
    "This file has no numbers and overlays until File > Reload; everything else works.",
);

/// The twist and bend test.
pub(super) const TEST: Kind =
    Kind::new("twist test", "Testing twist and bend", "All else works; test another joint or pose.");

/// The ranking of all joints.
pub(super) const RANKING: Kind = Kind::new("ranking", "Ranking the joints", "All else works; test joints one by one.");

/// The simulation of engines' influence limits.
pub(super) const SIMULATION: Kind =
    Kind::new("simulation", "Simulating engines", "All else works; try another pose or method.");

/// Export of posed meshes and whole rigs.
pub(super) const LIBRARY: Kind = Kind::new(
    "pose library",
    "Drawing the pose library",
    "Poses may be without a picture; File > Open pose still opens them.",
);

/// Export of posed meshes and whole rigs.
pub(super) const EXPORT: Kind = Kind::new(
    "export",
    "Exporting",
    "No file was replaced; try another format, or rigscope bake and convert on the command line.",
);

/// Pictures of recent files.
pub(super) const RECENT: Kind = Kind::unlisted(
    "recent files",
    "Drawing the open file",
    "The list of recent files may lack a picture; all else works.",
);

pub(super) const AUTOSAVE: Kind = Kind::unlisted(
    "autosave",
    "Keeping the session",
    "The next edit tries again. To be safe, save the pose by File > Save pose.",
);

/// Watching the open file for changes.
pub(super) const WATCH: Kind =
    Kind::unlisted("file changes", "Noticing changes of the file", "File > Reload reads it again.");

pub(super) const DIALOG: Kind =
    Kind::unlisted("file dialog", "The file dialog", "Nothing was chosen; try again, or drop a file on the window.");

/// File access for the user.
pub(super) const FILES: Kind = Kind::unlisted(
    "files",
    "Working with a file",
    "The file may be as it was before; try again, or save under another name.",
);

pub(super) const SETTINGS: Kind =
    Kind::unlisted("settings", "Keeping the settings", "The next change tries again; everything else works.");

/// The search for fonts with letters that the window's fonts lack.
pub(super) const LETTERS: Kind =
    Kind::unlisted("fonts", "Looking for fonts", "Letters that are shown as boxes stay boxes; everything else works.");
