//! Unused baseline entries in `rigscope check`.

#![expect(clippy::unwrap_used, reason = "a failed helper is a failed test")]

use serde_json::{Value, json};

use crate::check_pipeline::{Project, clean, heavy};

/// Creates a project whose baseline `known.json` accepts three vertices of `b.glb` and two of `c.glb`.
fn project() -> Project {
    let project = Project::new();
    project.write("b.glb", heavy(3));
    project.write("c.glb", heavy(2));
    assert_eq!(project.check(&[".", "--write-baseline", "known.json"]).code, Some(0));
    project
}

fn baseline(project: &Project) -> Value {
    serde_json::from_slice(&std::fs::read(project.path("known.json")).unwrap()).unwrap()
}

fn unused(project: &Project, options: &[&str]) -> Value {
    let run = project.check(&[&["--json", "--baseline", "known.json"], options].concat());
    let lines = run.stdout.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
    lines.filter(|line| line.get("unused").is_some()).map(|line| line["unused"].clone()).collect()
}

#[test]
fn unused_baseline_entries_are_reported_without_changing_the_exit_code() {
    let project = project();
    let quiet = project.check(&[".", "--baseline", "known.json"]);
    assert!(quiet.code == Some(0) && quiet.stderr.is_empty() && !quiet.stdout.contains("unused"), "{quiet:?}");
    project.write("b.glb", heavy(1));
    project.write("c.glb", clean());
    let spot = baseline(&project)["files"]["b.glb"]["RIG010"].as_object().unwrap().keys().next().unwrap().clone();
    let entry = |accepted, found| json!([{"code": "RIG010", "spot": spot, "accepted": accepted, "found": found}]);
    assert_eq!(unused(&project, &["."]), json!([entry(3, 1), entry(2, 0)]));
    assert_eq!(unused(&project, &[".", "--ignore", "RIG010"]), json!([entry(3, 1), entry(2, 0)]));
    assert_eq!(unused(&project, &["a.glb"]), json!([]), "what was not checked is not known");
    assert_eq!(unused(&project, &[".", "--profile", "all"]), json!([]), "nothing was looked for");
    let run = project.check(&[".", "--baseline", "known.json"]);
    assert_eq!(run.code, Some(0));
    let told: Vec<&str> = run.stdout.lines().filter(|line| line.contains("unused  ")).collect();
    let expected = [
        format!("  unused  RIG010  {spot}: 3 accepted by the baseline, and 1 found."),
        format!("  unused  RIG010  {spot}: in the baseline, but no longer found."),
    ];
    assert_eq!(told, expected);
    assert!(run.stdout.lines().last().unwrap().ends_with("; 1 accepted; 2 unused"), "{}", run.stdout);
    assert!(
        run.stderr.contains("known.json has unused entries: --update-baseline removes 2 entries"),
        "{}",
        run.stderr
    );
}

#[test]
fn an_update_takes_out_what_is_unused_and_adds_nothing() {
    let project = project();
    let before = std::fs::read(project.path("known.json")).unwrap();
    let update =
        |options: &[&str]| project.check(&[&["--baseline", "known.json", "--update-baseline"], options].concat());
    let nothing = update(&["."]);
    assert!(nothing.code == Some(0) && nothing.stderr.contains("no unused entries"), "{nothing:?}");
    project.write("b.glb", heavy(1));
    project.write("c.glb", clean());
    project.write("d.glb", heavy(1));
    assert_eq!(update(&["a.glb"]).code, Some(0));
    assert_eq!(std::fs::read(project.path("known.json")).unwrap(), before, "files that are not checked stay");
    let run = update(&["."]);
    assert_eq!(run.code, Some(1), "d.glb is new");
    assert!(run.stderr.contains("saved: known.json (without 2 entries and 0 files that are gone)"), "{}", run.stderr);
    let left = baseline(&project);
    let files: Vec<&String> = left["files"].as_object().unwrap().keys().collect();
    assert_eq!(files, ["b.glb"]);
    assert_eq!(left["files"]["b.glb"]["RIG010"].as_object().unwrap().values().next(), Some(&json!(1)));
    assert_eq!(update(&["b.glb"]).code, Some(0));
    project.write("b.glb", heavy(2));
    assert_eq!(update(&["b.glb"]).code, Some(1), "what was taken out is not accepted again");
    assert_eq!(baseline(&project), left);
    assert_eq!(std::fs::read_dir(project.path(".")).unwrap().count(), 5, "no temporary file is left");
}

#[test]
fn files_that_are_gone_go_and_those_that_cannot_be_read_stay() {
    let project = project();
    project.write("b.glb", &heavy(1)[..100]);
    std::fs::remove_file(project.path("c.glb")).unwrap();
    let told = project.check(&["a.glb", "--baseline", "known.json", "-v"]).stderr;
    assert!(told.contains("known.json: c.glb is gone") && told.contains("1 file that is gone"), "{told}");
    let run = project.check(&[".", "--baseline", "known.json", "--update-baseline"]);
    assert_eq!(run.code, Some(2));
    let files: Vec<String> = baseline(&project)["files"].as_object().unwrap().keys().cloned().collect();
    assert_eq!(files, ["b.glb"]);
}

#[test]
fn rules_of_profiles_are_unused_only_where_they_are_judged() {
    let project = Project::new();
    project.write("limits.toml", "[about]\nname = 'own'\n[[rule]]\nname = 'few'\nmeasure = 'triangles'\nmax = 1\n");
    let by_rule = ["a.glb", "--profile", "limits.toml"];
    assert_eq!(project.check(&[&by_rule[..], &["--write-baseline", "known.json"]].concat()).code, Some(0));
    assert!(baseline(&project)["files"]["a.glb"]["own/few"].is_object(), "{}", baseline(&project));
    assert_eq!(unused(&project, &["a.glb"]), json!([]));
    assert_eq!(unused(&project, &by_rule), json!([]));
    project
        .write("limits.toml", "[about]\nname = 'own'\n[[rule]]\nname = 'few'\nmeasure = 'triangles'\nmax = 100000\n");
    assert_eq!(unused(&project, &by_rule)[0][0]["code"], "own/few");
}

#[test]
fn invalid_baseline_updates_are_rejected() {
    let project = project();
    for options in [
        &["--update-baseline"][..],
        &["--update-baseline", "--write-baseline", "known.json"],
        &["--update-baseline", "--baseline", "."],
        &["--update-baseline", "--baseline", "-"],
        &["--update-baseline", "--baseline", "gone.json"],
        &["--update-baseline", "--baseline", "a.glb"],
    ] {
        let run = project.check(&[&["a.glb"], options].concat());
        assert_eq!((run.code, run.stdout.as_str()), (Some(2), ""), "{options:?}");
    }
}
