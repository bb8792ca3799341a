use crate::jobs::Kind;

pub(super) const IMPORT: Kind =
    Kind::new("import", "Opening a file", "The file was not opened; what was open before stays open.");

pub(super) const EDITING: Kind =
    Kind::new("editing weights", "Editing weights", "The weights stay as they were; try another operation.");

pub(super) const MEASURE: Kind = Kind::new(
    "measure",
    "Measuring the sides",
    "This file has no numbers and overlays until File > Reload; everything else works.",
);

pub(super) const TEST: Kind =
    Kind::new("twist test", "Testing twist and bend", "All else works; test another joint or pose.");

pub(super) const RANKING: Kind = Kind::new("ranking", "Ranking the joints", "All else works; test joints one by one.");

pub(super) const SIMULATION: Kind =
    Kind::new("simulation", "Simulating engines", "All else works; try another pose or method.");

pub(super) const LIBRARY: Kind = Kind::new(
    "pose library",
    "Drawing the pose library",
    "Poses may be without a picture; File > Open pose still opens them.",
);

pub(super) const EXPORT: Kind = Kind::new(
    "export",
    "Exporting",
    "No file was replaced; try another format, or rigscope bake and convert on the command line.",
);

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

pub(super) const WATCH: Kind =
    Kind::unlisted("file changes", "Noticing changes of the file", "File > Reload reads it again.");

pub(super) const DIALOG: Kind =
    Kind::unlisted("file dialog", "The file dialog", "Nothing was chosen; try again, or drop a file on the window.");

pub(super) const FILES: Kind = Kind::unlisted(
    "files",
    "Working with a file",
    "The file may be as it was before; try again, or save under another name.",
);

pub(super) const SETTINGS: Kind =
    Kind::unlisted("settings", "Keeping the settings", "The next change tries again; everything else works.");

pub(super) const LETTERS: Kind =
    Kind::unlisted("fonts", "Looking for fonts", "Letters that are shown as boxes stay boxes; everything else works.");
