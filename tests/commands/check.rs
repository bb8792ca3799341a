//! `rigscope check`, run as a user or a script would.

#![expect(clippy::unwrap_used, reason = "a failed helper is a failed test")]

use crate::common;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use common::character::Character;
use common::command::{Run, rigscope};
use serde_json::Value;

fn check(paths: &[&Path], options: &[&str]) -> Run {
    let mut args: Vec<PathBuf> = vec!["check".into()];
    args.extend(options.iter().map(PathBuf::from));
    args.extend(paths.iter().map(|p| p.to_path_buf()));
    rigscope(&args)
}

fn lines(run: &Run) -> Vec<Value> {
    run.stdout.lines().map(|l| serde_json::from_str(l).unwrap_or_else(|e| panic!("{e}: {l}"))).collect()
}

/// Creates a folder with `a.glb` (clean), `b.glb` (with an error), `c.glb` (broken), `deep/d.GLB` (clean) and files of
/// other types.
fn folder() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, bytes: &[u8]| std::fs::write(folder.path().join(name), bytes).unwrap();
    let clean = || Character::default().builder().build();
    let mut heavy = Character::default();
    heavy.weigh(0, [0; 4], [2.0, 0.0, 0.0, 0.0]);
    std::fs::create_dir(folder.path().join("deep")).unwrap();
    write("a.glb", &clean());
    write("b.glb", &heavy.builder().build());
    write("c.glb", &clean()[..100]);
    write("deep/d.GLB", &clean());
    write("notes.txt", b"no rig");
    folder
}

#[test]
fn exit_codes_distinguish_clean_faulty_and_unreadable_files() {
    let folder = folder();
    let at = |name: &str| folder.path().join(name);
    let code = |names: &[&str]| {
        let paths: Vec<PathBuf> = names.iter().map(|n| at(n)).collect();
        check(&paths.iter().map(PathBuf::as_path).collect::<Vec<_>>(), &[]).code
    };
    assert_eq!(code(&["a.glb"]), Some(0));
    assert_eq!(code(&["a.glb", "b.glb"]), Some(1));
    assert_eq!(code(&["c.glb", "b.glb", "a.glb"]), Some(2));
    assert_eq!(code(&["missing.glb"]), Some(2));
    assert_eq!(rigscope(&["check", "builtin:figure", "builtin:tube"]).code, Some(0));
    assert_eq!(rigscope(&["check", "builtin:nobody"]).code, Some(2));
    assert_eq!(rigscope(&["check"]).code, Some(2), "nothing to check is a mistake of the caller");
}

#[test]
fn text_names_file_severity_code_and_advice_and_ends_with_a_sum() {
    let folder = folder();
    let run = check(&[&folder.path().join("b.glb"), &folder.path().join("c.glb")], &[]);
    assert!(run.stderr.is_empty(), "{}", run.stderr);
    let lines: Vec<&str> = run.stdout.lines().collect();
    assert!(lines[0].ends_with("b.glb"), "{}", run.stdout);
    assert!(lines[1].starts_with("  error   RIG010  Mesh 0 \"Tube\", primitive 0: the weights of 1 "), "{}", lines[1]);
    assert_eq!(lines[2].trim(), "Normalise the weights before export.");
    assert!(lines[4].starts_with("  unreadable      The binary glTF file is broken"), "{}", lines[4]);
    assert_eq!(lines[5], "2 files: 1 with errors, 1 unreadable; 1 error, 0 warnings, 0 notes");
}

#[test]
fn a_folder_is_walked_in_order_and_a_broken_file_stops_nothing() {
    let folder = folder();
    let run = check(&[folder.path()], &["--json"]);
    assert_eq!(run.code, Some(2));
    let found = lines(&run);
    let file = |l: &Value| Path::new(l["file"].as_str().unwrap()).strip_prefix(folder.path()).unwrap().to_owned();
    let expected = ["a.glb", "b.glb", "c.glb", "deep/d.GLB"].map(PathBuf::from);
    assert_eq!(found.iter().map(file).collect::<Vec<_>>(), expected);
    let status: Vec<&str> = found.iter().map(|l| l["status"].as_str().unwrap()).collect();
    assert_eq!(status, ["ok", "errors", "unreadable", "ok"]);
    assert!(found[2]["reason"].as_str().unwrap().contains("cut short"));
    assert_eq!(found[2]["findings"], Value::Array(Vec::new()));
}

#[test]
fn json_has_the_promised_keys() {
    let folder = folder();
    let run = check(&[&folder.path().join("b.glb")], &["--json"]);
    let line = &lines(&run)[0];
    assert_eq!((&line["version"], &line["reason"]), (&Value::from(1), &Value::Null));
    assert_eq!(line["counts"], serde_json::json!({"error": 1, "warning": 0, "note": 0}));
    let finding = &line["findings"][0];
    assert_eq!((finding["code"].as_str(), finding["severity"].as_str()), (Some("RIG010"), Some("error")));
    let target =
        serde_json::json!({"kind": "primitive", "mesh": 0, "primitive": 0, "joint": null, "vertices": [0], "count": 1});
    assert_eq!(finding["target"], target);
    for key in ["message", "why", "advice"] {
        assert!(finding[key].as_str().is_some_and(|t| t.ends_with('.')), "{key}");
    }
}

#[test]
fn many_files_come_out_in_the_order_of_the_arguments() {
    let folder = folder();
    let paths: Vec<PathBuf> =
        (0..60).map(|i| folder.path().join(["b.glb", "a.glb", "c.glb", "deep/d.GLB"][i % 4])).collect();
    let run = check(&paths.iter().map(PathBuf::as_path).collect::<Vec<_>>(), &["--json"]);
    let files: Vec<PathBuf> = lines(&run).iter().map(|l| l["file"].as_str().unwrap().into()).collect();
    assert_eq!(files, paths);
}

/// Creates a character with five errors (RIG010), one warning (RIG014) and one note (RIG022).
fn several() -> Vec<u8> {
    let mut character = Character::default();
    character.weigh(0, [0; 4], [2.0, 0.0, 0.0, 0.0]);
    character.add_joint("Idle", Some(1));
    let mut builder = character.builder();
    let primitive = builder.json["meshes"][0]["primitives"][0].clone();
    for _ in 0..4 {
        builder.json["meshes"][0]["primitives"].as_array_mut().unwrap().push(primitive.clone());
    }
    builder.build()
}

#[test]
fn findings_of_one_code_are_listed_together_and_all_of_them_where_asked() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("several.glb");
    std::fs::write(&file, several()).unwrap();
    let said = check(&[&file], &["--only", "RIG010"]).stdout;
    let lines: Vec<&str> = said.lines().collect();
    assert_eq!(lines[1], "  error   RIG010  Weights do not sum to 1 (5 times)", "{said}");
    assert!(lines[2..5].iter().all(|l| l.trim_start().starts_with("- Mesh 0 \"Tube\", primitive ")), "{said}");
    assert_eq!(
        lines[5..7].iter().map(|l| l.trim()).collect::<Vec<_>>(),
        ["- and 2 more", "Normalise the weights before export."]
    );
    let all = check(&[&file], &["--only", "RIG010", "--verbose"]).stdout;
    assert_eq!(all.lines().filter(|l| l.contains("- Mesh 0 \"Tube\", primitive ")).count(), 5, "{all}");
    let found = &lines_of_json(&file, &["--only", "RIG010"])[0];
    assert_eq!(found["findings"].as_array().unwrap().len(), 5);
}

fn lines_of_json(file: &Path, options: &[&str]) -> Vec<Value> {
    lines(&check(&[file], &[&["--json"], options].concat()))
}

#[test]
fn filtered_findings_are_counted_without_other_effects() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("several.glb");
    std::fs::write(&file, several()).unwrap();
    let codes = |options: &[&str]| {
        let found = lines_of_json(&file, options).remove(0);
        let list = found["findings"].as_array().unwrap().iter();
        let mut codes: Vec<String> = list.map(|f| f["code"].as_str().unwrap().to_owned()).collect();
        codes.dedup();
        (codes, found["hidden"].as_u64().unwrap())
    };
    let all = lines_of_json(&file, &[])[0]["findings"].as_array().unwrap().len() as u64;
    assert_eq!(codes(&["--severity", "error"]), (vec!["RIG010".to_owned()], all - 5));
    assert_eq!(codes(&["--only", "RIG022"]), (vec!["RIG022".to_owned()], all - 1));
    let (left, hidden) = codes(&["--ignore", "RIG010,rig022", "--ignore", "RIG050"]);
    assert!(!left.iter().any(|code| ["RIG010", "RIG022"].contains(&code.as_str())) && hidden == 6, "{left:?} {hidden}");

    let run = |options: &[&str]| check(&[&file], options);
    assert_eq!(
        [run(&[]).code, run(&["--ignore", "RIG010"]).code, run(&["--only", "RIG022"]).code],
        [Some(1), Some(0), Some(0)]
    );
    let said = run(&["--severity", "error"]).stdout;
    let sum = format!("1 file: 1 with errors, 0 unreadable; 5 errors, 0 warnings, 0 notes; {} hidden", all - 5);
    assert_eq!(said.lines().last(), Some(sum.as_str()));
    let clean = run(&["--only", "RIG063"]);
    assert_eq!(clean.stdout.lines().nth(1), Some(format!("  nothing found, {all} hidden").as_str()));
    let refused = run(&["--ignore", "RIG10"]);
    assert!(refused.code == Some(2) && refused.stderr.contains("did you mean RIG010?"), "{}", refused.stderr);
}

#[test]
fn strict_minds_warnings_that_are_shown() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("warned.glb");
    let mut bytes = Character::default().builder().build();
    bytes.extend([0; 4]);
    std::fs::write(&file, bytes).unwrap();
    let code = |options: &[&str]| check(&[&file], options).code;
    assert_eq!([code(&[]), code(&["--strict"]), code(&["--strict", "--json"])], [Some(0), Some(1), Some(1)]);
    for options in
        [["--strict", "--ignore", "RIG005"], ["--strict", "--severity", "error"], ["--strict", "--only", "RIG010"]]
    {
        assert_eq!(code(&options), Some(0), "{options:?}");
    }
}

#[test]
fn folders_without_rigs_and_links_in_circles_are_no_trap() {
    let folder = tempfile::tempdir().unwrap();
    let run = check(&[folder.path()], &[]);
    assert_eq!(run.code, Some(2));
    assert!(run.stdout.contains("no .glb, .gltf") && run.stdout.contains("file in this folder"), "{}", run.stdout);
    std::fs::write(folder.path().join("a.glb"), Character::default().builder().build()).unwrap();
    #[cfg(unix)]
    std::os::unix::fs::symlink(folder.path(), folder.path().join("again")).unwrap();
    assert_eq!(lines(&check(&[folder.path()], &["--json"]).ok()).len(), 1);
}

#[test]
fn the_memory_limit_holds() {
    let folder = folder();
    let run = check(&[&folder.path().join("a.glb")], &["--memory-limit", "0"]);
    assert_eq!(run.code, Some(2), "{}", run.stdout);
}

#[test]
fn a_reader_that_goes_away_ends_it_quietly() {
    let folder = folder();
    let paths = vec![folder.path().join("b.glb"); 300];
    let mut program = Command::new(rigscope_tests::program())
        .args(["check", "--json"])
        .args(paths)
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    drop(program.stdout.take());
    let output = program.wait_with_output().unwrap();
    assert_eq!(String::from_utf8_lossy(&output.stderr), "");
    assert!(output.status.code().is_some(), "it ends by itself: {:?}", output.status);
}

/// Sample folders with rigs that are used without problems.
const GOOD: [&str; 8] = ["khronos", "asset-generator", "kaykit", "boy", "threejs", "viverse", "assimp", "derived"];

#[test]
#[expect(clippy::print_stdout, reason = "the table is worth reading")]
fn all_samples_are_checked_and_the_good_ones_have_few_errors() {
    let Some(samples) = common::samples() else { return };
    let run = check(&[&samples], &["--json"]);
    assert!(!run.stderr.contains("panicked"), "{}", run.stderr);
    let found = lines(&run);
    let mut errors: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for line in &found {
        let name = Path::new(line["file"].as_str().unwrap()).strip_prefix(&samples).unwrap().display().to_string();
        let counts = &line["counts"];
        let status = line["status"].as_str().unwrap();
        println!("{name:90} {status:10} {:>3} {:>3} {:>3}", counts["error"], counts["warning"], counts["note"]);
        let is_fault = line["reason"].as_str().is_some_and(|r| r.contains("fault in Rigscope"));
        assert!(!is_fault, "{name}");
        let codes = line["findings"].as_array().unwrap().iter().filter(|f| f["severity"] == "error");
        let codes: Vec<String> = codes.map(|f| f["code"].as_str().unwrap().to_owned()).collect();
        if GOOD.iter().any(|folder| name.starts_with(folder)) && !codes.is_empty() {
            errors.insert(name, codes);
        }
    }
    assert!(found.len() > 400, "{}", found.len());
    // Its weights sum to up to 1.755. The authors of the file know about this.
    assert_eq!(errors.remove("threejs/RobotExpressive.glb"), Some(vec!["RIG010".to_owned(); 4]));
    // Its skin has two roots without a common ancestor node. The Khronos validator also reports this as an error.
    assert_eq!(errors.remove("asset-generator/Animation_Skin/Animation_Skin_06.gltf"), Some(vec!["RIG024".to_owned()]));
    // MetallicRoughness_Nodes.png is missing from their folder.
    errors.retain(|name, codes| {
        !name.starts_with("asset-generator/Node_NegativeScale") || codes.iter().any(|c| c != "RIG070")
    });
    errors.retain(|_, codes| codes.iter().any(|c| c != "RIG001"));
    assert!(errors.is_empty(), "errors of severity error in good rigs: {errors:#?}");
}
