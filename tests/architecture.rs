//! Imports run one way: reads the sources and fails on an edge that the map in `lib.rs` does not have.

#![expect(clippy::unwrap_used, reason = "a failed helper is a failed test")]

use std::path::{Path, PathBuf};

/// Module, and the modules it may import.
const ALLOWED: &[(&str, &[&str])] = &[
    ("rig", &[]),
    ("files", &[]),
    ("jobs", &[]),
    ("skinning", &["jobs", "rig"]),
    ("posing", &["rig"]),
    ("view", &["rig", "skinning"]),
    ("analysis", &["jobs", "rig", "skinning", "view"]),
    ("import", &["files", "jobs", "rig"]),
    ("export", &["files", "rig", "skinning"]),
    ("gizmo", &["rig", "view"]),
    ("render", &["rig", "skinning", "view"]),
    ("state", &["files", "jobs", "rig", "skinning", "posing", "view", "analysis", "import", "export", "gizmo"]),
    ("ui", &["rig", "skinning", "posing", "view", "analysis", "gizmo", "state"]),
    (
        "app",
        &["files", "jobs", "rig", "skinning", "view", "analysis", "import", "export", "gizmo", "render", "state", "ui"],
    ),
    ("cli", &["files", "jobs", "rig", "skinning", "view", "analysis", "import", "export", "gizmo", "render", "state"]),
];

/// Crates that only one module may use.
const SOLE_USERS: &[(&str, &[&str])] = &[
    ("three_d", &["render"]),
    ("glutin", &["render"]),
    ("gltf", &["import"]),
    ("basisu", &["import"]),
    ("draco_core", &["import"]),
    ("signal_hook", &["files"]),
    ("image", &["import", "export", "render"]),
    ("egui", &["ui", "app"]),
    ("eframe", &["app"]),
    ("rfd", &["app"]),
    ("clap", &["cli"]),
    ("clap_complete", &["cli"]),
    ("clap_mangen", &["cli"]),
    ("anstream", &["cli"]),
    ("anstyle", &["cli"]),
];

fn sources(folder: &Path) -> Vec<PathBuf> {
    let mut files = Vec::new();
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            files.extend(sources(&path));
        } else if path.extension().is_some_and(|e| e == "rs") {
            files.push(path);
        }
    }
    files
}

/// The names that follow `prefix` in code, comments left out.
fn names_after<'a>(text: &'a str, prefix: &'a str) -> impl Iterator<Item = String> + 'a {
    let code = text.lines().map(|l| l.split("//").next().unwrap_or_default());
    code.flat_map(move |line| line.match_indices(prefix).map(move |(at, _)| &line[at + prefix.len()..])).flat_map(
        |rest| {
            let end = rest.find([';', ' ', '(', ')']).unwrap_or(rest.len());
            let list = rest.strip_prefix('{').map_or(&rest[..end], |inner| inner.split('}').next().unwrap_or(inner));
            list.split(',').map(|n| n.trim().split("::").next().unwrap_or_default().to_owned()).collect::<Vec<_>>()
        },
    )
}

fn each_source(mut check: impl FnMut(&str, &Path, &str)) {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    for path in sources(&root) {
        let inside = path.strip_prefix(&root).unwrap();
        let module =
            inside.components().next().unwrap().as_os_str().to_str().unwrap().trim_end_matches(".rs").to_owned();
        if module != "main" && module != "lib" {
            check(&module, inside, &std::fs::read_to_string(&path).unwrap());
        }
    }
}

#[test]
fn imports_run_one_way() {
    let mut checked = 0;
    each_source(|module, path, text| {
        let (_, allowed) =
            ALLOWED.iter().find(|(m, _)| *m == module).unwrap_or_else(|| panic!("{module} is not in the map"));
        for name in names_after(text, "crate::") {
            let is_module = ALLOWED.iter().any(|(m, _)| *m == name);
            assert!(
                !is_module || name == module || allowed.contains(&name.as_str()),
                "{} imports {name}",
                path.display()
            );
            checked += usize::from(is_module);
        }
    });
    assert!(checked > 30, "the search for imports found only {checked}");
}

#[test]
fn each_foreign_crate_has_its_own_users() {
    each_source(|module, path, text| {
        let code: String =
            text.lines().map(|l| l.split("//").next().unwrap_or_default()).collect::<Vec<_>>().join("\n");
        for (name, users) in SOLE_USERS {
            let is_used = code.contains(&format!(" {name}::")) || code.contains(&format!("({name}::"));
            assert!(!is_used || users.contains(&module), "{} uses {name}", path.display());
        }
    });
}
