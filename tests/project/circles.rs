//! Modules of one folder don't import each other in cycles, except where there is a reason.

#![expect(clippy::unwrap_used, reason = "a failed helper is a failed test")]

use rigscope_tests::{SOURCES, crate_names};

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// Name that stands for a folder's own `mod.rs` among its modules.
const OWN: &str = "mod";

/// Stands for any modules of the folder.
const ANY: &str = "*";

/// Folder, modules of that folder that may import each other in a cycle, and the reason.
const ARGUED_CIRCLES: &[(&str, &[&str], &str)] = &[
    ("analysis/sides", &[OWN, "overlay_evaluator"], "the overlay of a measurement reads the job that it is a part of"),
    (
        "analysis/lint/rules",
        &["counts", "inventory", "measure", "measurement", "rule", "skeleton", "soles", "vrm"],
        "a row of the table of measures names the function that measures it",
    ),
    (
        "analysis/weight_problems",
        &[OWN, "regions"],
        "the search ranks what it finds, and what it gives are the ranked regions",
    ),
    (
        "app",
        &[OWN, "pictures"],
        "saving and copying images are methods of the application, which waits for their results",
    ),
    ("cli/check", &[OWN, "one_file"], "the check of one file reads the options"),
    (
        "cli/console",
        &[OWN, "of_file", "progress", "timeout"],
        "the console itself reports progress, and has one for each file",
    ),
    ("cli/many_files", &[ANY], "the run of all files consists of its inputs, outputs and threads"),
    ("cli/render", &[OWN, "sheet"], "a sheet is drawn with the options of the subcommand"),
    (
        "import",
        &[
            OWN,
            "decoding",
            "error",
            "fbx",
            "file_info",
            "format",
            "gltf",
            "images",
            "job",
            "ktx2",
            "points",
            "tangents",
        ],
        "the message about a format that is not read names those of the table, which names how each is read; all of them warn in one way",
    ),
    (
        "posing/clip_transfer",
        &[OWN, "shared_joints", "skeletons"],
        "the steps of one transfer read what it begins with, and ask it what stays at rest",
    ),
    ("view", &[OWN, "selection"], "the selection is part of the view and has its methods for it"),
    ("render/gl", &["gpu_buffer", "vertex_pool"], "a small buffer is a range of a large one that many share"),
    (
        "rig",
        &[
            OWN,
            "anchor",
            "behaviours",
            "bones",
            "clip_root",
            "front",
            "ik",
            "kinematics",
            "morph",
            "pins",
            "pose",
            "reach",
            "world_from_node",
        ],
        "a rig is made with what these find out about it, once for all",
    ),
    (
        "rig/behaviours/springs",
        &[OWN, "order", "run", "simulation"],
        "springs are made in the order in which they swing, and what swings reads them",
    ),
    (
        "skinning/simd",
        &[OWN, "avx2", "dual_quaternion", "linear_blend", "vectors"],
        "kernels are one source for all widths, which the widths compile again each",
    ),
    (
        "stage",
        &[ANY],
        "a stage is one value: its files hold its parts and the functions that bring them up to date with each other",
    ),
    (
        "state",
        &[ANY],
        "commands, requests and results carry what these folders are about, the open document holds it, and these folders change the open document",
    ),
];

/// A source file: its module path, such as `["skinning", "avx2", "lanes"]`, and its code without comments and tests.
struct Module {
    path: Vec<String>,
    code: String,
}

fn modules() -> Vec<Module> {
    let mut modules = Vec::new();
    each_source(|path, text| {
        let is_test = path.ends_with("tests.rs") || path.ends_with("testing.rs");
        let names = path.with_extension("");
        let names = names.iter().map(|name| name.to_str().unwrap().to_owned());
        let code = text.split("#[cfg(test)]\nmod tests {").next().unwrap_or_default();
        let code = code.lines().map(|l| l.split("//").next().unwrap_or_default()).collect::<Vec<_>>().join("\n");
        if !is_test {
            modules.push(Module { path: names.filter(|name| name != "mod").collect(), code });
        }
    });
    modules
}

impl Module {
    /// Returns the paths that the module imports with `super::`, `crate::` or the name of one of our crates, relative
    /// to the crate root. A list in braces gives one path per entry.
    fn imports(&self) -> Vec<Vec<String>> {
        let mut imports = Vec::new();
        for root in crate_names().map(|name| name + "::") {
            for (at, _) in self.code.match_indices(&root) {
                imports.extend(paths(&[], &self.code[at + root.len()..]));
            }
        }
        for (at, _) in self.code.match_indices("super::").filter(|(at, _)| !self.code[..*at].ends_with("super::")) {
            let mut rest = &self.code[at..];
            let mut above = self.path.as_slice();
            while let Some(behind) = rest.strip_prefix("super::") {
                (rest, above) = (behind, &above[..above.len().saturating_sub(1)]);
            }
            imports.extend(paths(above, rest));
        }
        imports
    }

    /// Returns the child modules that the module's code uses, except for re-exports.
    fn used(&self, children: &BTreeSet<&String>) -> BTreeSet<String> {
        let (mut code, mut offered) = (format!("\n{}", self.code), Vec::new());
        for word in ["\npub use ", "\npub(super) use ", "\npub(crate) use "] {
            while let Some(at) = code.find(word) {
                let end = at + code[at..].find(';').unwrap_or_default();
                offered.extend(paths(&[], &code[at + word.len()..=end]));
                code.replace_range(at..=end, "");
            }
        }
        let code = code.lines().filter(|line| !line.contains("mod ")).collect::<Vec<_>>().join("\n");
        let words: Vec<&str> = code.split(|c: char| !c.is_alphanumeric() && c != '_').collect();
        let is_used = |name: &str| words.contains(&name);
        let by_name =
            offered.into_iter().filter(|path| path.len() > 1 && path.last().is_some_and(|name| is_used(name)));
        let by_name = by_name.filter_map(|path| path.into_iter().next());
        let by_path = children.iter().filter(|child| is_path_used(&code, child)).map(|child| (*child).clone());
        by_name.filter(|name| children.contains(name)).chain(by_path).collect()
    }

    /// Returns the child module from which a name is re-exported.
    fn origin(&self, name: &str) -> Option<String> {
        let uses = ["pub use ", "pub(super) use ", "pub(crate) use "];
        let lists = uses.into_iter().flat_map(|word| self.code.split(word).skip(1));
        lists.flat_map(|text| paths(&[], text)).find(|path| path.last().is_some_and(|n| n == name))?.into_iter().next()
    }
}

/// Returns whether code contains a path that starts with `module::` or `self::module::`.
fn is_path_used(code: &str, module: &str) -> bool {
    let is_begin = |at: usize| !code[..at].ends_with(|c: char| c.is_alphanumeric() || c == '_' || c == ':');
    let is_own = |at: usize| code[..at].ends_with("self::");
    code.match_indices(&format!("{module}::")).any(|(at, _)| is_begin(at) || is_own(at))
}

/// Returns the paths at the start of a text, each prefixed with `above`. A list in braces gives one path per entry.
fn paths(above: &[String], text: &str) -> Vec<Vec<String>> {
    let end = text.find(|c: char| !c.is_alphanumeric() && c != '_' && c != ':').unwrap_or(text.len());
    let names = text[..end].split("::").filter(|name| !name.is_empty()).map(str::to_owned);
    let path: Vec<String> = above.iter().cloned().chain(names).collect();
    let Some(list) = text[end..].strip_prefix('{').filter(|_| end == 0 || text[..end].ends_with("::")) else {
        return vec![path];
    };
    let mut depth = 0;
    let is_split = |c: char| {
        depth += i32::from(c == '{') - i32::from(c == '}');
        depth < 0 || depth == 0 && c == ','
    };
    let inside = &list[..closing(list)];
    inside.split(is_split).flat_map(|entry| paths(&path, entry.trim())).collect()
}

/// Returns the position of the brace that closes a list whose opening brace precedes the text.
fn closing(text: &str) -> usize {
    let mut depth = 1;
    let end = text.find(|c: char| {
        depth += i32::from(c == '{') - i32::from(c == '}');
        depth == 0
    });
    end.unwrap_or(text.len())
}

/// Returns the imports among a folder's `mod.rs` and the modules directly below the folder, as (from, to).
fn edges(folder: &[String], modules: &[Module]) -> BTreeSet<(String, String)> {
    let children: BTreeSet<&String> = modules.iter().filter_map(|m| m.path.strip_prefix(folder)?.first()).collect();
    let own = modules.iter().find(|m| m.path == folder);
    let child = |path: &[String]| {
        let inside = path.strip_prefix(folder)?;
        let name = inside.first()?;
        let named = Some(name).filter(|name| children.contains(name)).cloned();
        named.or_else(|| own?.origin(name)).or_else(|| own.map(|_| OWN.to_owned()))
    };
    let inside = modules.iter().filter_map(|m| Some((m, m.path.strip_prefix(folder)?.first()?)));
    let imports = inside.flat_map(|(module, from)| module.imports().into_iter().map(move |path| (from.clone(), path)));
    let among = imports.filter_map(|(from, path)| Some((from, child(&path)?)));
    let of_own = own.into_iter().flat_map(|own| own.used(&children)).map(|to| (OWN.to_owned(), to));
    among.chain(of_own).filter(|(from, to)| from != to).collect()
}

/// Returns the largest groups of modules in which each one imports all others, directly or indirectly.
fn circles(edges: &BTreeSet<(String, String)>) -> BTreeSet<Vec<String>> {
    let mut reach = edges.clone();
    loop {
        let further = |(a, b): &(String, String)| {
            let (a, b) = (a.clone(), b.clone());
            reach.iter().filter(move |(c, _)| *c == b).map(move |(_, d)| (a.clone(), d.clone())).collect::<Vec<_>>()
        };
        let longer: BTreeSet<_> = reach.iter().flat_map(further).chain(reach.iter().cloned()).collect();
        if longer.len() == reach.len() {
            break;
        }
        reach = longer;
    }
    let members = reach.iter().filter(|(a, b)| a == b).map(|(a, _)| a);
    members
        .map(|a| {
            let both = |b: &&String| reach.contains(&((*b).clone(), a.clone()));
            reach.iter().filter(|(from, _)| from == a).map(|(_, b)| b).filter(both).cloned().collect()
        })
        .collect()
}

#[test]
fn modules_of_a_folder_do_not_import_each_other_unless_it_is_argued_for() {
    let modules = modules();
    let folders: BTreeSet<&[String]> =
        modules.iter().flat_map(|m| (1..m.path.len()).map(|depth| &m.path[..depth])).collect();
    let (mut argued_for, mut unargued) = (BTreeSet::new(), Vec::new());
    for folder in folders {
        let edges = edges(folder, &modules);
        for circle in circles(&edges) {
            let name = folder.join("/");
            let is_argued = |(of, members, _): &&(&str, &[&str], &str)| {
                *of == name && (*members == [ANY] || circle.iter().all(|module| members.contains(&module.as_str())))
            };
            let inside: Vec<_> = edges.iter().filter(|(a, b)| circle.contains(a) && circle.contains(b)).collect();
            let Some((_, members, _)) = ARGUED_CIRCLES.iter().find(is_argued) else {
                unargued.push(format!("{name} has a circle of imports: {inside:?}"));
                continue;
            };
            argued_for.insert((name, *members));
        }
    }
    assert!(unargued.is_empty(), "{unargued:#?}");
    for (folder, members, why) in ARGUED_CIRCLES {
        assert!(argued_for.contains(&((*folder).to_owned(), *members)), "{folder} has no circle any more: {why}");
    }
}

#[test]
fn a_circle_is_found_whichever_way_modules_name_each_other() {
    let module =
        |path: &str, code: &str| Module { path: path.split('/').map(str::to_owned).collect(), code: code.to_owned() };
    let found = |modules: &[Module]| circles(&edges(&["a".to_owned()], modules));
    let own = "mod b;\nmod c;\nmod d;\npub use b::{\n    One,\n    Two,\n};\npub use c::Three;\npub use d::Four;\n";
    let circle = |b: &str, c: &str, d: &str| {
        found(&[
            module("a", own),
            module("a/b", b),
            module("a/c", c),
            module("a/d", d),
            module("a/d/e", "use super::super::One;"),
        ])
    };
    let all: BTreeSet<_> = [["b", "c", "d"].map(str::to_owned).to_vec()].into();
    assert_eq!(circle("use super::{\n    Three, x::{y, z},\n};", "use crate::a::d::Four;", ""), all);
    assert_eq!(circle("super::c::three()", "use super::Four;", ""), all);
    assert!(circle("use crate::{rig::Rig, a};", "use super::Four;", "").is_empty());
    assert!(circle("use super::Three;", "use super::c::inner;", "").is_empty());
    let with_own = |own: &str| found(&[module("a", own), module("a/b", "use super::Own;"), module("a/c", "")]);
    let both: BTreeSet<_> = [["b", OWN].map(str::to_owned).to_vec()].into();
    assert_eq!(with_own("mod b;\nstruct Own(b::Part);"), both);
    assert_eq!(with_own("mod b;\nuse self::b::Part;\nstruct Own(Part);"), both);
    assert_eq!(with_own("mod b;\npub use b::Part;\nstruct Own(Part);"), both);
    assert!(with_own("mod b;\npub use b::Part;\nstruct Own;").is_empty(), "a name that is offered again is no use");
    assert!(with_own("mod b;\nuse other::b::Part;\nstruct Own(Part);").is_empty());
}

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

fn each_source(mut check: impl FnMut(&Path, &str)) {
    for root in SOURCES.map(|folder| Path::new(rigscope_tests::ROOT).join(folder)) {
        for path in sources(&root) {
            let inside = path.strip_prefix(&root).unwrap();
            if inside != Path::new("main.rs") && inside != Path::new("lib.rs") {
                check(inside, &std::fs::read_to_string(&path).unwrap());
            }
        }
    }
}
