//! Imports go in one direction. Reads the sources and fails on imports that the module maps in the `lib.rs` files don't
//! list. Cargo itself checks imports between crates.

#![expect(clippy::unwrap_used, reason = "a failed helper is a failed test")]

use crate::common;

use std::collections::BTreeSet;
use std::fs::{read_dir, read_to_string};
use std::path::{Path, PathBuf};

use common::paths::{paths, top_module};
use rigscope_tests::SOURCES;

/// Crates that only these modules may use.
const SOLE_USERS: &[(&str, &[&str])] = &[
    ("three_d", &["render"]),
    ("glutin", &["render"]),
    ("gltf", &["import"]),
    ("basisu", &["import"]),
    ("csv", &["rows"]),
    ("draco_core", &["import"]),
    ("signal_hook", &["files"]),
    ("windows_sys", &["app", "files", "render"]),
    ("raw_window_handle", &["render"]),
    ("ab_glyph", &["caption", "fonts"]),
    ("fontdb", &["fonts"]),
    ("harfrust", &["caption", "fonts"]),
    ("unicode_bidi", &["fonts"]),
    ("unicode_normalization", &["fonts", "ui"]),
    ("image", &["import", "export", "render", "caption", "studio", "report", "app"]),
    ("png", &["export"]),
    ("pulldown_cmark", &["page"]),
    ("open", &["app"]),
    ("egui", &["ui", "app"]),
    ("eframe", &["app"]),
    ("rfd", &["app"]),
    ("clap", &["cli"]),
    ("clap_complete", &["cli"]),
    ("clap_mangen", &["cli"]),
    ("anstream", &["cli"]),
    ("anstyle", &["cli"]),
];

/// A row of the map: a module, and the modules that it may import.
struct Row {
    module: String,
    imports: BTreeSet<String>,
}

/// Parses the rows of the map in a `lib.rs`, in order.
fn map(lib: &str) -> Vec<Row> {
    let mut rows: Vec<Row> = Vec::new();
    for line in lib.lines().filter_map(|l| l.strip_prefix("//! | [`")) {
        let (module, rest) = line.split_once("`]").unwrap();
        let cell = rest.trim().trim_end_matches('|').rsplit('|').next().unwrap();
        let named: BTreeSet<String> = cell.split('`').skip(1).step_by(2).map(str::to_owned).collect();
        let above = || rows.iter().map(|r| r.module.clone()).collect::<BTreeSet<_>>();
        let strangers: Vec<_> = named.difference(&above()).cloned().collect();
        assert!(strangers.is_empty(), "{module}: {strangers:?} do not stand above it");
        let imports = if cell.trim().starts_with("all above") { &above() - &named } else { named };
        rows.push(Row { module: module.to_owned(), imports });
    }
    rows
}

/// Returns the top-level modules that a source uses but its module may not import.
fn forbidden(rows: &[Row], module: &str, inside: &Path, text: &str) -> BTreeSet<String> {
    let own = rows.iter().find(|r| r.module == module).unwrap_or_else(|| panic!("{module} is not in the map"));
    let paths = paths(text);
    let used = paths.iter().filter_map(|path| top_module(path, inside));
    let is_forbidden =
        |name: &&str| *name != module && rows.iter().any(|r| r.module == *name) && !own.imports.contains(*name);
    used.filter(is_forbidden).map(str::to_owned).collect()
}

/// Returns the rows of the maps of all crates, lowest crate first.
fn maps() -> Vec<Row> {
    let texts =
        SOURCES.map(|folder| read_to_string(Path::new(rigscope_tests::ROOT).join(folder).join("lib.rs")).unwrap());
    map(&texts.join("\n"))
}

fn sources(folder: &Path) -> Vec<PathBuf> {
    let entries = read_dir(folder).unwrap().map(|e| e.unwrap().path());
    let files = entries.flat_map(|path| if path.is_dir() { sources(&path) } else { vec![path] });
    files.filter(|p| p.extension().is_some_and(|e| e == "rs")).collect()
}

/// Calls `check` for every source file, with its top-level module, its path in `src` and its text.
fn each_source(mut check: impl FnMut(&str, &Path, &str)) {
    let folders = SOURCES.map(|folder| Path::new(rigscope_tests::ROOT).join(folder));
    for (folder, path) in folders.iter().flat_map(|folder| sources(folder).into_iter().map(move |path| (folder, path)))
    {
        let inside = path.strip_prefix(folder).unwrap();
        let first = inside.components().next().unwrap().as_os_str().to_str().unwrap();
        let module = first.trim_end_matches(".rs");
        if module != "main" && module != "lib" {
            check(module, inside, &read_to_string(&path).unwrap());
        }
    }
}

#[test]
fn the_map_has_every_module_and_no_other() {
    let mapped: BTreeSet<String> = maps().into_iter().map(|row| row.module).collect();
    let mut modules = BTreeSet::new();
    each_source(|module, _, _| _ = modules.insert(module.to_owned()));
    assert_eq!(mapped, modules);
}

#[test]
fn imports_run_one_way() {
    let rows = maps();
    each_source(|module, inside, text| {
        assert_eq!(
            forbidden(&rows, module, inside, text),
            BTreeSet::new(),
            "{} may not import these",
            inside.display()
        );
    });
}

#[test]
fn each_foreign_crate_has_its_own_users_and_they_use_it() {
    let mut seen = BTreeSet::new();
    each_source(|module, inside, text| {
        let paths = paths(text);
        for (name, users) in SOLE_USERS {
            // Only the first name of a path counts, because a folder may have the same name as the crate.
            let is_used = paths.iter().any(|path| path.first() == Some(name));
            assert!(!is_used || users.contains(&module), "{} uses {name}", inside.display());
            seen.extend(users.iter().filter(|u| is_used && **u == module).map(|u| (*name, *u)));
        }
    });
    let all: BTreeSet<_> = SOLE_USERS.iter().flat_map(|(name, users)| users.iter().map(move |u| (*name, *u))).collect();
    assert_eq!(all, seen, "a user in the table does not use its crate any more");
}

#[test]
fn a_forbidden_import_is_found_in_whatever_form_it_is_written() {
    let lib = "//! | [`low`] | | |\n//! | [`other`] | a, b | `low` |\n//! | [`top`] | | all above but `other` |\n";
    let rows = map(lib);
    let found =
        |module: &str, inside: &str, text: &str| Vec::from_iter(forbidden(&rows, module, Path::new(inside), text));
    for text in [
        "use crate::top::X;",
        "use crate::{low::{A, B}, top::{self, C as D}};",
        "use crate::{\n    low::{\n        A,\n    },\n    // crate::low\n    top,\n};",
        "use {std::fmt, crate::{low, top}};",
        "pub(crate) use super::super::top::X;",
        "fn f() { let _ = \"\\\"//\"; crate::top::f::<'_', crate::low::A>(); }",
        "#[expect(dead_code)]\nimpl crate :: top :: T for X {}",
        "use rigscope_core::top::X;",
    ] {
        assert_eq!(found("other", "other/file.rs", text), ["top"], "{text}");
    }
    for text in [
        "use crate::low::{top, A};",
        "// use crate::top;\n/* crate::top */ use crate::low as top;",
        "const TEXT: &str = \"crate::top\"; const RAW: &str = r#\"\"crate::top\"#;",
        "use super::top::X;",
        "mod top { pub fn f<'a>(a: &'a str) -> &'a str { a } } use self::top::f;",
    ] {
        assert_eq!(found("other", "other/file.rs", text), [""; 0], "{text}");
    }
    assert_eq!(found("top", "top/mod.rs", "use crate::{low, other};"), ["other"]);
    assert_eq!(found("top", "top/mod.rs", "use super::other;"), ["other"]);
}

#[test]
#[should_panic(expected = "do not stand above it")]
fn a_map_that_imports_downwards_is_refused() {
    map("//! | [`low`] | | `top` |\n//! | [`top`] | | |\n");
}
