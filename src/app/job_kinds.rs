use crate::jobs::JobKind;

pub(super) const IMPORT: JobKind =
    JobKind::new("import", "Opening a file", "The file was not opened; what was open before stays open.");

pub(super) const EDITING: JobKind =
    JobKind::new("editing weights", "Editing weights", "The weights stay as they were; try another operation.");

pub(super) const MEASURE: JobKind = JobKind::new(
    "measure",
    "Measuring the sides",
    "This file has no numbers and overlays until File > Reload; everything else works.",
);

pub(super) const TEST: JobKind =
    JobKind::new("twist test", "Testing twist and bend", "All else works; test another joint or pose.");

pub(super) const SIMULATION: JobKind =
    JobKind::new("simulation", "Simulating engines", "All else works; try another pose or method.");

pub(super) const LIBRARY: JobKind = JobKind::new(
    "pose library",
    "Drawing the pose library",
    "Poses may be without a picture; File > Open pose still opens them.",
);

pub(super) const EXPORT: JobKind = JobKind::new(
    "export",
    "Exporting",
    "No file was replaced; try another format, or rigscope bake and convert on the command line.",
);

pub(super) const RECENT: JobKind = JobKind::unlisted(
    "recent files",
    "Drawing the open file",
    "The list of recent files may lack a picture; all else works.",
);

pub(super) const AUTOSAVE: JobKind = JobKind::unlisted(
    "autosave",
    "Keeping the session",
    "The next edit tries again. To be safe, save the pose by File > Save pose.",
);

pub(super) const WATCH: JobKind =
    JobKind::unlisted("file changes", "Noticing changes of the file", "File > Reload reads it again.");

pub(super) const DIALOG: JobKind =
    JobKind::unlisted("file dialog", "The file dialog", "Nothing was chosen; try again, or drop a file on the window.");

pub(super) const FILES: JobKind = JobKind::unlisted(
    "files",
    "Working with a file",
    "The file may be as it was before; try again, or save under another name.",
);

pub(super) const SETTINGS: JobKind =
    JobKind::unlisted("settings", "Keeping the settings", "The next change tries again; everything else works.");

pub(super) const LETTERS: JobKind = JobKind::unlisted(
    "fonts",
    "Looking for fonts",
    "Letters that are shown as boxes stay boxes; everything else works.",
);
