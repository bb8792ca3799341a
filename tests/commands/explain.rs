//! `rigscope explain`, the list of rules, and other places with the same texts.

use std::collections::BTreeSet;
use std::path::Path;

use serde_json::Value;

use crate::common::command::{Run, rigscope};
use crate::common::json_schema::faults;
use crate::common::markdown::anchors;
use rigscope::analysis::lint::Code;

fn lines(run: &Run) -> Vec<Value> {
    run.stdout.lines().map(|line| serde_json::from_str(line).unwrap_or_else(|e| panic!("{e}: {line}"))).collect()
}

#[test]
fn codes_are_explained_in_the_order_in_which_they_are_named() {
    let run = rigscope(&["explain", "rig010", "RIG022"]).ok();
    let said: Vec<&str> = run.stdout.lines().collect();
    assert_eq!(said[..3], ["RIG010  error  Weights do not sum to 1", "", "What it means"]);
    let headings = ["What it means", "Why it matters", "What to do", "In Blender", "In Maya", "In Rigscope"];
    let found: Vec<&str> = said.iter().copied().filter(|line| headings.contains(line)).collect();
    assert_eq!(found, headings.repeat(2));
    assert!(said.contains(&"RIG022  note  Joint that moves no vertex"), "{}", run.stdout);
    assert_eq!(rigscope(&["explain", "RIG010,RIG022"]).stdout, run.stdout);
}

#[test]
fn explain_rejects_an_unknown_code_with_a_suggestion() {
    for (name, said) in [
        ("RIG10", "did you mean RIG010?"),
        ("weights", "codes are RIG001 to RIG199"),
        ("vrchat-pc/triangles", "rigscope profiles vrchat-pc"),
    ] {
        let run = rigscope(&["explain", "RIG010", name]);
        assert_eq!((run.code, run.stdout.as_str()), (Some(2), ""), "{name}");
        assert!(run.stderr.contains(said), "{name}: {}", run.stderr);
    }
}

#[test]
fn all_forms_agree_and_have_every_code() {
    let explained = lines(&rigscope(&["explain", "--json"]).ok());
    let listed = lines(&rigscope(&["check", "--list-rules", "--json"]).ok());
    let text = rigscope(&["check", "--list-rules"]).ok().stdout;
    assert_eq!([explained.len(), listed.len(), text.lines().count()], [Code::ALL.len(); 3]);
    for (((code, explained), listed), line) in Code::ALL.iter().zip(&explained).zip(&listed).zip(text.lines()) {
        for key in ["version", "code", "severity", "title"] {
            assert_eq!(explained[key], listed[key], "{code}");
        }
        for key in ["meaning", "why", "advice", "blender", "maya"] {
            assert!(explained[key].as_str().unwrap().ends_with('.'), "{code} {key}");
        }
        let (id, severity, title) = (code.id(), code.severity().name(), code.title());
        assert_eq!(line, format!("{id}  {severity:<9}{title}"));
        assert_eq!((&listed["code"], &listed["severity"]), (&Value::from(id), &Value::from(severity)));
    }
}

#[test]
fn sarif_has_the_text_of_each_code() {
    let run = rigscope(&["check", "builtin:tube", "--sarif"]).ok();
    let log: Value = serde_json::from_str(&run.stdout).unwrap();
    let rules = log["runs"][0]["tool"]["driver"]["rules"].as_array().unwrap();
    for (code, rule) in Code::ALL.iter().zip(rules) {
        let help = [&rule["help"]["text"], &rule["help"]["markdown"]].map(|text| text.as_str().unwrap());
        assert_eq!((rule["id"].as_str(), help), (Some(code.id().as_str()), [&*code.plain_text(), &*code.markdown()]));
    }
}

#[test]
fn a_list_of_rules_is_narrowed_and_has_those_of_profiles() {
    let listed = |options: &[&str]| -> Vec<String> {
        let run = rigscope(&[&["check", "--list-rules", "--json"], options].concat()).ok();
        lines(&run).iter().map(|line| line["code"].as_str().unwrap().to_owned()).collect()
    };
    assert_eq!(listed(&["--only", "rig010,RIG022"]), ["RIG010", "RIG022"]);
    assert_eq!(listed(&["--only", "RIG010,RIG022", "--severity", "warning"]), ["RIG010"]);
    let (all, fewer) = (listed(&["--profile", "vrm-1"]), listed(&["--profile", "vrm-1", "--ignore", "RIG001"]));
    assert_eq!((all.len() - 1, &all[1..]), (fewer.len(), &fewer[..]));
    assert!(all.len() > Code::ALL.len() && all.iter().any(|name| name.starts_with("vrm-1/")), "{all:?}");
    assert!(listed(&["--profile", "vrm-1", "--only", "vrm-1"]).iter().all(|name| name.starts_with("vrm-1/")));
    for options in [&["builtin:tube"][..], &["--sarif"], &["--strict"], &["--format", "junit"]] {
        let run = rigscope(&[&["check", "--list-rules"], options].concat());
        assert_eq!((run.code, run.stdout.as_str()), (Some(2), ""), "{options:?}");
    }
}

/// Returns the table of all codes as Markdown. Each row links to the code's section.
fn table(codes: &[Value]) -> String {
    let row = |code: &Value| {
        let [id, title, severity, fix] =
            ["code", "title", "severity", "rigscope"].map(|key| code[key].as_str().unwrap_or_default());
        let anchor = anchors(&format!("# {id}: {title}")).remove(0);
        let fixes = [
            ("--fix", "`weights --fix`"),
            ("rigscope weights IN", "`weights`"),
            ("rigscope convert IN", "`convert`"),
            ("Edit weights", "**Edit weights**"),
        ];
        let fix = fixes.iter().find(|(words, _)| fix.contains(words)).map_or("", |(_, by)| by);
        format!("| [{id}](#{anchor}) | {title} | {severity} | {fix} |\n")
    };
    let head = "| code | title | severity | fixed by |\n| --- | --- | --- | --- |\n";
    codes.iter().map(row).fold(head.to_owned(), |table, row| table + &row)
}

#[test]
fn pages_of_the_guide_are_what_explain_prints() {
    for (page, topic, first) in [("docs/lint-codes.md", None, "\n| code |"), ("docs/json.md", Some("json"), "\n## `")] {
        let path = Path::new(rigscope_tests::ROOT).join(page);
        let text = std::fs::read_to_string(&path).unwrap();
        let words: Vec<&str> = ["explain", "--markdown"].into_iter().chain(topic).collect();
        let printed = rigscope(&words).ok().stdout;
        let head = text.split(first).next().unwrap().trim_end();
        let table = if topic.is_none() {
            format!("{}\n", table(&lines(&rigscope(&["explain", "--json"]).ok())))
        } else {
            String::new()
        };
        let wanted = format!("{head}\n\n{table}{printed}");
        if std::env::var_os("UPDATE_GOLDEN").is_some() {
            std::fs::write(&path, &wanted).unwrap();
        } else {
            assert!(text == wanted, "{page} has other texts; UPDATE_GOLDEN=1 writes it again");
        }
    }
}

#[test]
fn keys_of_json_are_listed_alone() {
    let text = rigscope(&["explain", "json"]).ok().stdout;
    assert!(text.contains("\n  seams[].travel.distance_m: number\n      Distance over the floor, metres.\n"), "{text}");
    let listed = lines(&rigscope(&["explain", "json", "--json"]).ok());
    let seams = listed.iter().find(|document| document["key"] == "seams").unwrap();
    assert_eq!(seams["command"], "rigscope motion --seams --json");
    assert!(seams["keys"].as_array().unwrap().iter().any(|key| key["path"] == "seams[].spikes[].worst.joint"));
    let both = rigscope(&["explain", "json", "RIG010"]);
    assert!(both.code == Some(2) && both.stderr.contains("either codes or json"), "{}", both.stderr);
}

/// Adds the paths of all keys in a value, in the notation of `explain json`.
fn add_paths(value: &Value, path: &str, paths: &mut BTreeSet<String>) {
    match value {
        Value::Array(list) => list.iter().for_each(|item| add_paths(item, &format!("{path}[]"), paths)),
        Value::Object(object) => {
            for (key, value) in object {
                let path = if path.is_empty() { key.clone() } else { format!("{path}.{key}") };
                add_paths(value, &path, paths);
                paths.insert(path);
            }
        }
        _ => {}
    }
}

/// Returns the name of a document's schema.
fn schema_name(document: &Value) -> String {
    let command = document["command"].as_str().unwrap_or_default();
    command.trim_start_matches("rigscope ").trim_end_matches(" --json").replace(" --", "-")
}

/// Returns the arguments of the command that prints a document, applied to a built-in character.
fn words_of(document: &Value) -> Vec<&str> {
    let command = document["command"].as_str().unwrap_or_default();
    let mut words: Vec<&str> = command.split(' ').skip(1).collect();
    match words[0] {
        "diff" => drop(words.splice(1..1, ["builtin:tube", "builtin:figure"])),
        "check" if words[1] == "--list-rules" => {}
        "weights" if words[1] == "--against" => {
            drop(words.splice(1..2, ["builtin:figure", "--against", "builtin:figure"]));
        }
        "compare" if words[1] == "--joint" => drop(words.splice(1..2, ["builtin:tube", "--joint", "Middle"])),
        "bench" => drop(words.splice(1..1, ["builtin:tube", "--frames", "1", "--size", "96x64"])),
        "motion" if words[1] == "--json" => drop(words.splice(1..1, ["builtin:figure", "--fps", "4"])),
        "flex" => drop(words.splice(1..1, ["builtin:figure", "--joint", "*LowerArm"])),
        _ => words.insert(1, "builtin:figure"),
    }
    words
}

#[test]
fn documents_have_the_keys_that_are_listed_and_measures_a_table() {
    for document in lines(&rigscope(&["explain", "json", "--json"]).ok()) {
        let (mut words, key) = (words_of(&document), document["key"].as_str().unwrap());
        if words.contains(&"--with-matrices") {
            // They are in a file; the tests of diagnose compare some.
            continue;
        }
        let mut paths = BTreeSet::new();
        let schema = rigscope(&["schema", &schema_name(&document)]).ok().stdout;
        let schema: Value = serde_json::from_str(&schema).unwrap();
        for found in lines(&rigscope(&words)) {
            add_paths(&found, "", &mut paths);
            assert_eq!(faults(&schema, &found), [""; 0], "{words:?}");
        }
        let listed = document["keys"].as_array().unwrap();
        let is_listed = |path: &String| listed.iter().any(|line| fits(line, path));
        let is_own = |path: &String| path.starts_with(key) && !["version", "file"].contains(&path.as_str());
        let missing: Vec<&String> = paths.iter().filter(|path| is_own(path) && !is_listed(path)).collect();
        assert!(missing.is_empty() && (key.is_empty() || paths.contains(key)), "{words:?}: {missing:?}");
        if ["compare", "motion", "weights"].contains(&words[0]) {
            words.pop();
            // The columns are those of every character. The tube is measured sooner than the figure, but has no feet.
            if !words.contains(&"--feet") {
                words.iter_mut().filter(|word| **word == "builtin:figure").for_each(|word| *word = "builtin:tube");
            }
            assert!(rigscope(&words).ok().stdout.lines().count() > 2, "{words:?}");
            let csv = rigscope(&[&words[..], &["--csv", "-"]].concat()).ok().stdout;
            let columns: BTreeSet<usize> = csv.lines().map(|line| line.split(',').count()).collect();
            assert!(columns.len() == 1 && columns.first() > Some(&6) && csv.lines().count() > 1, "{words:?}: {csv}");
        }
    }
}

/// Returns whether `path` is the path of a line, or is below the path of a line that stands for an object with
/// arbitrary keys.
fn fits(line: &Value, path: &str) -> bool {
    let below = line["path"].as_str().and_then(|listed| path.strip_prefix(listed));
    let has_names = line["value"].as_str().is_some_and(|value| value.starts_with("{name: "));
    below.is_some_and(|below| below.is_empty() || has_names && below.starts_with('.'))
}
