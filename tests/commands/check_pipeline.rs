//! `rigscope check` in a pipeline: configs, baselines, lists of files, and output for code hosts and build servers.

#![expect(clippy::unwrap_used, reason = "a failed helper is a failed test")]

use crate::common;

use std::io::{ErrorKind, Write as _};
use std::path::PathBuf;
use std::process::{Command, Stdio};

use common::character::Character;
use common::command::Run;
use common::json_schema;
use serde_json::{Value, json};

/// A folder in which the program runs.
pub(crate) struct Project(tempfile::TempDir);

impl Project {
    /// Creates a project with a clean file, `a.glb`.
    pub(crate) fn new() -> Self {
        let project = Self(tempfile::tempdir().unwrap());
        project.write("a.glb", clean());
        project
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    pub(crate) fn write(&self, name: &str, bytes: impl AsRef<[u8]>) {
        std::fs::write(self.path(name), bytes).unwrap();
    }

    pub(crate) fn check(&self, options: &[&str]) -> Run {
        self.check_given(options, b"")
    }

    pub(crate) fn check_given(&self, options: &[&str], input: &[u8]) -> Run {
        let mut program = Command::new(rigscope_tests::program())
            .arg("check")
            .args(options)
            .current_dir(self.0.path())
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let sent = program.stdin.take().unwrap().write_all(input);
        // If the program rejects its arguments, it may have exited already.
        assert!(sent.is_ok() || sent.is_err_and(|e| e.kind() == ErrorKind::BrokenPipe));
        run(&program.wait_with_output().unwrap())
    }

    /// Returns the findings of all files from the JSON output.
    fn findings(&self, options: &[&str]) -> Vec<Value> {
        let run = self.check(&[&["--json"], options].concat());
        let findings =
            |line: &str| serde_json::from_str::<Value>(line).unwrap()["findings"].as_array().unwrap().clone();
        run.stdout.lines().flat_map(findings).collect()
    }

    fn codes(&self, options: &[&str]) -> Vec<String> {
        self.findings(options).iter().map(|f| f["code"].as_str().unwrap().to_owned()).collect()
    }
}

fn run(output: &std::process::Output) -> Run {
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    Run { code: output.status.code(), stdout: text(&output.stdout), stderr: text(&output.stderr) }
}

pub(crate) fn clean() -> Vec<u8> {
    Character::default().builder().build()
}

/// Creates a character in which the first `vertices` vertices have weights that sum to 2.
pub(crate) fn heavy(vertices: usize) -> Vec<u8> {
    let mut character = Character::default();
    (0..vertices).for_each(|vertex| character.weigh(vertex, [0; 4], [2.0, 0.0, 0.0, 0.0]));
    character.builder().build()
}

/// Required skeleton with the joints of the clean character: Root, Lower, Upper, Tip and Horn.
const SKELETON: &str = "
[skeleton]
others = false

[skeleton.joints]
Root = { parent = '', translation = [0, 0, 0], rotation = [0, 0, 0, 1], scale = [1, 1, 1] }
Lower = { parent = 'Root', translation = [0, 1, 0] }
Upper = { parent = 'Lower', rotation = [0, 0, 0, -1] }
Tip = { parent = 'Upper' }
Horn = { parent = 'Tip', translation = [0, -3, 0] }
";

#[test]
fn a_contract_violated_in_five_ways_has_five_findings_with_places() {
    let project = Project::new();
    project.write("rigscope.toml", SKELETON);
    assert_eq!(project.codes(&["a.glb"]), [""; 0]);

    let mut broken = Character::default();
    broken.nodes[2]["translation"] = json!([0, 1.25, 0]);
    broken.nodes[3]["rotation"] = json!([0, 0.5, 0, 0.866_025_4]);
    // Horn is a child of Upper, and Tip has another name.
    broken.nodes[4] = json!({"name": "Point", "translation": [0, 1, 0]});
    broken.nodes[3]["children"] = json!([4, 5]);
    project.write("broken.glb", broken.builder().build());
    let found = project.findings(&["broken.glb", "--only", "RIG090,RIG091,RIG092,RIG093"]);
    let told: Vec<_> =
        found.iter().map(|f| (f["code"].as_str().unwrap(), &f["target"], f["message"].as_str().unwrap())).collect();
    let node = |number: usize| json!({"kind": "nodes", "nodes": [number], "count": 1});
    let expected = [
        ("RIG090", node(3), "There is no joint \"Tip\" below \"Upper\"."),
        ("RIG091", node(5), "\"Horn\" is below \"Upper\", not below \"Tip\"."),
        ("RIG092", node(2), "\"Lower\" rests elsewhere: translation off by 0.2500 m."),
        ("RIG092", node(3), "\"Upper\" rests elsewhere: rotation off by 60.00°."),
        ("RIG093", node(4), "The required skeleton has no joint \"Point\"."),
    ];
    assert_eq!(told.len(), expected.len(), "{told:#?}");
    for (told, (code, target, message)) in told.into_iter().zip(&expected) {
        assert_eq!(told, (*code, target, *message));
    }
}

#[test]
fn a_skeleton_may_be_that_of_a_file_and_tolerances_count() {
    let project = Project::new();
    let mut moved = Character::default();
    moved.nodes[2]["translation"] = json!([0, 1.01, 0]);
    moved.nodes[5]["name"] = json!("Tip");
    project.write("moved.glb", moved.builder().build());
    project.write("like.toml", "[skeleton]\nlike = 'a.glb'");
    let contract = ["--config", "like.toml", "--only", "RIG090,RIG091,RIG092,RIG093,RIG094"];
    let codes = |file: &str| project.codes(&[&[file], &contract[..]].concat());
    assert_eq!(codes("a.glb"), [""; 0]);
    assert_eq!(codes("moved.glb"), ["RIG090", "RIG092", "RIG094"]);
    project.write("like.toml", "[skeleton]\nlike = 'a.glb'\ntolerance = { translation = 0.02 }");
    assert_eq!(codes("moved.glb"), ["RIG090", "RIG094"]);
    project.write("like.toml", "[skeleton]\nlike = 'gone.glb'");
    let refused = project.check(&["a.glb", "--config", "like.toml"]);
    assert!(refused.code == Some(2) && refused.stderr.contains("gone.glb"), "{}", refused.stderr);
}

#[test]
fn limits_hold_for_every_file_and_for_each_target() {
    let project = Project::new();
    let limits = |text: &str| {
        project.write("limits.toml", text);
        let found = project.findings(&["a.glb", "--config", "limits.toml"]);
        found.iter().map(|f| f["message"].as_str().unwrap().to_owned()).collect::<Vec<_>>()
    };
    assert_eq!(limits("[limits]\njoints = 5\ninfluences = 2\nvertices = 300\nmorph-vertices = 0"), [""; 0]);
    let over = limits("[limits]\njoints = 4\n[target.mobile]\ninfluences = 1\nvertices = 299");
    assert_eq!(over[0], "Skin 0 has 5 joints; the limit is 4.");
    assert!(
        over[1].starts_with("Mesh 0 \"Tube\", primitive 0: ") && over[1].contains("the limit of mobile is 1"),
        "{over:?}"
    );
    assert_eq!(over[2], "The file has 300 vertices; the limit of mobile is 299.");
}

#[test]
fn morph_targets_have_a_limit_of_their_own() {
    let mut builder = Character::default().builder();
    let mut moved = vec![0.0; 900];
    moved[..6].fill(0.5);
    let positions = builder.floats(&moved, "VEC3");
    builder.json["meshes"][0]["primitives"][0]["targets"] = json!([{"POSITION": positions}]);
    let project = Project::new();
    project.write("face.glb", builder.build());
    for (limit, codes) in [(2, vec![]), (1, vec!["RIG098"])] {
        project.write("limits.toml", format!("[limits]\nmorph-vertices = {limit}"));
        assert_eq!(project.codes(&["face.glb", "--config", "limits.toml"]), codes, "{limit}");
    }
}

#[test]
fn nearest_config_is_found_reported_and_can_be_ignored() {
    let project = Project::new();
    project.write("b.glb", heavy(1));
    project.write("rigscope.toml", "[severity]\nRIG010 = 'warning'");
    let run = project.check(&["b.glb"]);
    assert!(run.code == Some(0) && run.stderr.contains("rigscope.toml"), "{run:?}");
    assert_eq!(project.check(&["b.glb", "--strict"]).code, Some(1));
    assert_eq!(project.check(&["b.glb", "--no-config"]).code, Some(1));
    project.write("rigscope.toml", "strict = true\n[severity]\nRIG010 = 'warning'");
    assert_eq!(project.check(&["b.glb"]).code, Some(1));
    project.write("rigscope.toml", "strict = true\n[severity]\nRIG010 = 'off'");
    assert_eq!(project.check(&["b.glb"]).code, Some(0));
    project.write("rigscope.toml", "[limits]\nvertics = 3");
    let refused = project.check(&["a.glb"]);
    assert_eq!((refused.code, refused.stdout.as_str()), (Some(2), ""));
    assert!(
        refused.stderr.contains("line 2: ") && refused.stderr.contains("did you mean vertices?"),
        "{}",
        refused.stderr
    );
}

#[test]
fn each_file_is_held_to_the_settings_nearest_to_it_everywhere() {
    let project = Project::new();
    for folder in ["mild/deep", "bare", "strict"] {
        std::fs::create_dir_all(project.path(folder)).unwrap();
    }
    project.write("mild/rigscope.toml", "ignore = ['RIG010']");
    project.write("strict/rigscope.toml", "strict = true\n[severity]\nRIG010 = 'warning'");
    for file in ["mild/deep/b.glb", "bare/b.glb", "strict/b.glb"] {
        project.write(file, heavy(1));
    }
    let found = |options: &[&str]| project.findings(options);
    assert_eq!(severities(&found(&["mild/deep/b.glb", "bare/b.glb", "strict/b.glb"])), ["error", "warning"]);
    assert_eq!(severities(&found(&["."])), ["error", "warning"], "in folders too: bare, mild, strict");
    assert_eq!(severities(&found(&[".", "--no-config"])), ["error"; 3]);
    assert_eq!(severities(&found(&[".", "--config", "mild/rigscope.toml"])), [""; 0]);
    let code = |file: &str| project.check(&[file]).code;
    assert_eq!([code("mild/deep/b.glb"), code("strict/b.glb"), code("bare/b.glb")], [Some(0), Some(1), Some(1)]);
    let told = project.check(&["mild", "bare", "-v"]).stderr;
    let lines: Vec<&str> = told.lines().filter(|line| line.starts_with("note: ")).collect();
    assert!(lines.iter().any(|line| line.starts_with("note: config: ") && line.contains("mild")), "{told}");
    assert!(lines.iter().any(|line| line.starts_with("note: no rigscope.toml applies to bare/b.glb")), "{told}");
    // The window reports the same findings as `check`.
    for (file, expected) in [("mild/deep/b.glb", 0), ("bare/b.glb", 1), ("strict/b.glb", 1)] {
        let source = rigscope::stage::Source::File(project.path(file));
        let job = rigscope::import::Job::default();
        let document = rigscope::stage::Document::open(&source, &job).unwrap().in_its_project(&job);
        let found = document.findings(&document.rig, &rigscope::jobs::Progress::default()).unwrap();
        let shown: Vec<&str> = found.iter().map(|finding| finding.severity.name()).collect();
        assert_eq!(shown, severities(&project.findings(&[file])), "{file}");
        assert_eq!(found.len(), expected, "{file}");
    }
    project.write("rigscope.toml", "strict = 'yes'");
    let refused = project.check(&["mild/deep/b.glb", "bare/b.glb"]);
    assert_eq!((refused.code, refused.stdout.as_str()), (Some(2), ""));
    assert!(refused.stderr.contains("line 1: strict: true or false, not text"), "{}", refused.stderr);
    assert_eq!(code("mild/deep/b.glb"), Some(0), "settings that hold for no file do not matter");
}

#[test]
fn a_strict_folder_fails_the_run_whichever_file_comes_last() {
    let project = Project::new();
    for folder in ["a", "b"] {
        std::fs::create_dir(project.path(folder)).unwrap();
        project.write(&format!("{folder}/heavy.glb"), heavy(1));
    }
    let warn = "[severity]\nRIG010 = 'warning'";
    for (strict, mild) in [("a", "b"), ("b", "a")] {
        project.write(&format!("{strict}/rigscope.toml"), format!("strict = true\n{warn}"));
        project.write(&format!("{mild}/rigscope.toml"), warn);
        let code = |files: &[&str]| project.check(files).code;
        assert_eq!([code(&["a", "b"]), code(&[strict]), code(&[mild])], [Some(1), Some(1), Some(0)], "{strict}");
    }
}

fn severities(findings: &[Value]) -> Vec<&str> {
    findings.iter().map(|finding| finding["severity"].as_str().unwrap()).collect()
}

#[test]
fn a_baseline_forgives_what_was_there_wherever_it_has_moved_and_nothing_more() {
    let project = Project::new();
    project.write("b.glb", heavy(2));
    let written = project.check(&[".", "--write-baseline", "known.json"]);
    assert!(written.code == Some(0) && written.stdout.contains("1 accepted"), "{written:?}");
    let code = |options: &[&str]| project.check(&[&["--baseline", "known.json"], options].concat()).code;
    assert_eq!(code(&["a.glb", "b.glb"]), Some(0));
    assert_eq!(code(&[project.path("b.glb").to_str().unwrap()]), Some(0), "by whatever path");

    // The same fault at a vertex with another index, which has the same location relative to its joint.
    let mut elsewhere = Character::default();
    elsewhere.weigh(7, [0; 4], [2.0, 0.0, 0.0, 0.0]);
    let mut builder = elsewhere.builder();
    let mesh = builder.json["meshes"][0].clone();
    builder.json["meshes"] = json!([{"name": "Other", "primitives": [{"attributes": {"POSITION": 0}}]}, mesh]);
    builder.json["nodes"][0]["mesh"] = json!(1);
    project.write("b.glb", builder.build());
    assert_eq!(project.codes(&["b.glb"])[0], "RIG010");
    assert_eq!(code(&["b.glb"]), Some(0));

    project.write("b.glb", heavy(3));
    assert_eq!(code(&["b.glb"]), Some(1), "a vertex more");
    project.write("c.glb", heavy(1));
    assert_eq!(code(&["c.glb"]), Some(1), "another file");
    project.write("b.glb", &heavy(2)[..100]);
    assert_eq!(code(&["b.glb"]), Some(2), "what cannot be read is not accepted");
    project.write("known.json", r#"{"version":2,"files":{}}"#);
    assert_eq!(code(&["a.glb"]), Some(2));
    assert_eq!(project.check(&["a.glb", "--write-baseline", "a.glb"]).code, Some(2), "a model is not a baseline");
    assert_eq!(std::fs::read(project.path("a.glb")).unwrap(), clean());
}

#[test]
fn names_come_from_a_list_too() {
    let project = Project::new();
    project.write("b b.glb", heavy(1));
    let files = |options: &[&str], list: &[u8]| {
        let run = project.check_given(&[&["--json", "--files-from", "-"], options].concat(), list);
        let name = |line: &str| serde_json::from_str::<Value>(line).unwrap()["file"].as_str().unwrap().to_owned();
        (run.code, run.stdout.lines().map(name).collect::<Vec<_>>())
    };
    assert_eq!(files(&[], b"b b.glb\n\na.glb"), (Some(1), vec!["b b.glb".to_owned(), "a.glb".to_owned()]));
    assert_eq!(files(&[], b"b b.glb\r\n\r\na.glb\r\n").1, ["b b.glb", "a.glb"], "as Windows ends lines");
    assert_eq!(files(&["-0", "--jobs", "1"], b"a.glb\0b b.glb\0").1, ["a.glb", "b b.glb"]);
    assert_eq!(files(&["builtin:tube"], b"a.glb\n").1, ["builtin:tube", "a.glb"]);
    assert_eq!(files(&[], b""), (Some(0), vec![]));
    let endless = files(&["-0"], &vec![b'a'; 1 << 17]);
    assert_eq!((endless.0, endless.1.len()), (Some(2), 1));
    assert_eq!(project.check(&["--files-from", "gone.txt"]).code, Some(2));
}

/// Creates a project with a clean file, a file with a finding whose text needs escaping, and an unreadable file.
fn mixed() -> Project {
    let project = Project::new();
    let mut builder = Character::default().builder();
    builder.json["skins"][0]["name"] = json!("<&\"\u{1b}%");
    project.write("ä & b.glb", builder.build());
    project.write("c.glb", b"junk");
    project.write("rigscope.toml", "[limits]\njoints = 4\n[severity]\nRIG095 = 'warning'");
    project.write("only.toml", "only = []");
    project
}

#[test]
fn sarif_is_valid_and_has_every_finding_with_its_place() {
    let project = mixed();
    let run = project.check(&[".", "--sarif"]);
    assert_eq!(run.code, Some(2));
    let log: Value = serde_json::from_str(&run.stdout).unwrap();
    let schema: Value = serde_json::from_str(include_str!("../common/data/sarif-2.1.0.json")).unwrap();
    assert_eq!(json_schema::faults(&schema, &log), [""; 0]);
    let results = log["runs"][0]["results"].as_array().unwrap();
    let uris: Vec<&str> = results
        .iter()
        .map(|r| r["locations"][0]["physicalLocation"]["artifactLocation"]["uri"].as_str().unwrap())
        .collect();
    assert_eq!(uris, ["a.glb", "c.glb", "%C3%A4%20%26%20b.glb"]);
    let rules = log["runs"][0]["tool"]["driver"]["rules"].as_array().unwrap();
    for result in results {
        assert_eq!(rules[result["ruleIndex"].as_u64().unwrap() as usize]["id"], result["ruleId"]);
    }
    assert_eq!((&results[0]["ruleId"], &results[0]["level"]), (&json!("RIG095"), &json!("warning")));
    assert_eq!(results[0]["locations"][0]["logicalLocations"], json!([{"fullyQualifiedName": "skin 0"}]));
    assert_eq!((&results[1]["ruleId"], &results[1]["level"]), (&json!("unreadable"), &json!("error")));
    assert_eq!(log["runs"][0]["invocations"][0]["executionSuccessful"], false);
    let mut broken = log.clone();
    broken["runs"][0]["results"][0]["level"] = json!("fatal");
    broken["runs"][0]["results"][1]["locaton"] = json!([]);
    broken["runs"][0]["tool"] = json!({});
    assert_eq!(json_schema::faults(&schema, &broken).len(), 3, "the schema is looked at");
}

#[test]
fn junit_fails_what_the_exit_code_fails() {
    let project = mixed();
    let xml = |options: &[&str]| project.check(&[&[".", "--format", "junit"], options].concat()).stdout;
    let told = xml(&[]);
    assert!(told.contains(r#"<testsuite name="./a.glb" tests="1" failures="0" errors="0">"#), "{told}");
    assert!(told.contains(r#"<testsuite name="./c.glb" tests="1" failures="0" errors="1">"#), "{told}");
    assert!(told.contains("warning RIG095: Skin 0 &quot;&lt;&amp;&quot;\u{fffd}%&quot; has 5 joints"), "{told}");
    assert!(told.starts_with("<?xml") && told.trim_end().ends_with("</testsuites>"));
    assert!(!told.contains("<failure") && xml(&["--strict"]).matches("<failure").count() == 2);
}

#[test]
fn github_annotations_have_file_title_and_message() {
    let told = mixed().check(&[".", "--format", "github"]).stdout;
    let lines: Vec<&str> = told.lines().collect();
    let title = "title=RIG095 More joints than the limit::Skin 0 ";
    assert!(lines[0].starts_with(&format!("::warning file=a.glb,{title}has 5 joints; the limit is 4.%0A")), "{told}");
    assert!(lines[1].starts_with("::error file=c.glb,title=unreadable::"), "{told}");
    assert!(lines[2].starts_with(&format!("::warning file=ä & b.glb,{title}")) && lines[2].contains("%25"), "{told}");
}

/// Returns the code block of the pipeline page whose first line is `first`.
fn block_of_the_page(first: &str) -> String {
    block(include_str!("../../docs/pipeline.md"), first)
}

/// Returns the block of a page whose first line is `first`.
fn block(page: &str, first: &str) -> String {
    let (_, behind) =
        page.split_once(&format!("\n{first}\n")).unwrap_or_else(|| panic!("no block begins with {first}"));
    format!("{first}\n{}", behind.split_once("\n```").unwrap().0)
}

/// Creates a folder with the program as `rigscope`, and with a fake `cargo` that only records its arguments.
#[cfg(unix)]
fn tools() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let cargo = folder.path().join("cargo");
    std::fs::write(&cargo, "#!/bin/sh\necho \"$@\" >> \"$(dirname \"$0\")/asked\"\n").unwrap();
    std::os::unix::fs::symlink(rigscope_tests::program(), folder.path().join("rigscope")).unwrap();
    std::fs::set_permissions(&cargo, std::os::unix::fs::PermissionsExt::from_mode(0o755)).unwrap();
    folder
}

#[cfg(unix)]
fn in_shell(script: &str, folder: &std::path::Path, tools: &std::path::Path) -> Run {
    let path = format!("{}:{}", tools.display(), std::env::var("PATH").unwrap());
    run(&Command::new("sh").args(["-ec", script]).env("PATH", path).current_dir(folder).output().unwrap())
}

#[test]
fn the_settings_of_the_page_hold() {
    let project = Project::new();
    std::fs::create_dir(project.path("models")).unwrap();
    project.write("models/base.glb", clean());
    project.write("rigscope.toml", block_of_the_page("# rigscope.toml"));
    assert_eq!(
        project.check(&["a.glb"]).ok().stdout.lines().last().unwrap(),
        "1 file: 0 with errors, 0 unreadable; 0 errors, 0 warnings, 0 notes"
    );
    let mut bare = Character::default();
    bare.nodes[5]["name"] = json!("Tail");
    project.write("bare.glb", bare.builder().build());
    assert_eq!(project.codes(&["bare.glb", "--severity", "error"]), ["RIG090"]);
}

/// Returns the commands of a workflow.
#[cfg(unix)]
fn run_steps(workflow: &str) -> Vec<&str> {
    workflow.lines().filter_map(|line| line.trim_start().trim_start_matches("- ").strip_prefix("run: ")).collect()
}

#[cfg(unix)]
#[test]
fn the_workflow_of_bend_tests_fails_where_a_file_bends_worse_than_on_the_target_branch() {
    let workflow = block(include_str!("../../docs/bend-tests.md"), "# .github/workflows/bend.yml");
    let (project, tools) = (Project::new(), tools());
    std::fs::create_dir_all(project.path("previous/models")).unwrap();
    std::fs::create_dir(project.path("models")).unwrap();
    let codes = || {
        let run = |step: &&str| in_shell(step, project.0.path(), tools.path()).code;
        run_steps(&workflow).iter().map(run).collect::<Vec<_>>()
    };
    for file in ["previous/models/a.glb", "models/a.glb", "models/new.glb"] {
        in_shell(&format!("rigscope convert builtin:tube -q -o {file}"), project.0.path(), tools.path()).ok();
    }
    assert_eq!(codes(), [Some(0); 2]);
    in_shell("rigscope weights builtin:tube --max-influences 1 -q -o models/a.glb", project.0.path(), tools.path())
        .ok();
    assert_eq!(codes(), [Some(0), Some(1)]);
}

#[cfg(unix)]
#[test]
fn the_workflow_of_the_page_runs() {
    let workflow = block_of_the_page("# .github/workflows/rigs.yml");
    let steps = run_steps(&workflow);
    assert_eq!(steps.len(), 3, "{workflow}");
    let (project, tools) = (Project::new(), tools());
    std::fs::create_dir(project.path("models")).unwrap();
    project.write("models/a.glb", clean());
    let codes = || steps.iter().map(|step| in_shell(step, project.0.path(), tools.path()).code).collect::<Vec<_>>();
    assert_eq!(codes(), [Some(0); 3]);
    let asked = std::fs::read_to_string(tools.path().join("asked")).unwrap();
    assert!(
        asked.starts_with("install --locked ") && asked.contains("--no-default-features --features cli,fbx"),
        "{asked}"
    );
    project.write("models/b.glb", heavy(1));
    assert_eq!(codes(), [Some(0), Some(1), Some(1)]);
    let log: Value = serde_json::from_slice(&std::fs::read(project.path("rigs.sarif")).unwrap()).unwrap();
    assert_eq!(log["runs"][0]["results"][0]["ruleId"], "RIG010");
}

#[cfg(unix)]
#[test]
fn the_hook_lets_clean_rigs_pass_and_no_others() {
    use std::os::unix::fs::PermissionsExt as _;

    let (project, tools) = (Project::new(), tools());
    let git = |words: &str| {
        in_shell(&format!("git -c user.name=A -c user.email=a@b {words}"), project.0.path(), tools.path())
    };
    git("init -q").ok();
    let hook = project.path(".git/hooks/pre-commit");
    std::fs::write(&hook, include_str!("../../integrations/pre-commit/check-staged.sh")).unwrap();
    std::fs::set_permissions(&hook, std::fs::Permissions::from_mode(0o755)).unwrap();
    project.write("old.glb", heavy(1));
    git("add a.glb").ok();
    git("commit -qm clean").ok();
    project.write("b b.glb", heavy(1));
    git("add 'b b.glb'").ok();
    let refused = git("commit -qm heavy");
    assert_eq!(refused.code, Some(1), "{refused:?}");
    let told = refused.stdout + &refused.stderr;
    assert!(told.contains("b b.glb") && told.contains("RIG010") && !told.contains("old.glb"), "{told}");
    project.write("b b.glb", clean());
    assert_eq!(git("commit -qm clean").code, Some(1), "the index still has the old file");
    git("add 'b b.glb'").ok();
    git("commit -qm clean").ok();
    project.write("notes.txt", "no rig");
    git("add notes.txt").ok();
    git("commit -qm notes").ok();
}

const CLIPS: &str = "\
[[clips]]
match = '*'
loop = true
max-foot-slide-mm = 20
[[clips]]
match = 'walk*'
must-exist = true
";

#[test]
fn clip_rules_appear_in_every_format_and_cost_nothing_if_absent() {
    let project = Project::new();
    project.write("rigscope.toml", CLIPS);
    // The clip rotates a joint by 74° and ends there. The file has no feet.
    let found = project.findings(&["a.glb"]);
    let codes: Vec<&str> = found.iter().map(|f| f["code"].as_str().unwrap()).collect();
    assert_eq!(codes, ["RIG163", "RIG166", "RIG166", "RIG165"], "{found:#?}");
    assert!(found[1]["message"].as_str().unwrap().contains("ends 73.74° away"), "{}", found[1]);
    assert_eq!((&found[1]["target"]["kind"], &found[1]["target"]["clip"]), (&json!("clip"), &json!(0)));
    let line: Value = serde_json::from_str(project.check(&["a.glb", "--json"]).stdout.trim()).unwrap();
    let sheet = &line["profiles"][0];
    assert_eq!(
        (&sheet["profile"], &sheet["rank"], &sheet["passed"]),
        (&json!("clips"), &json!("failed"), &json!(false))
    );
    let unknown: Vec<&Value> = sheet["rows"].as_array().unwrap().iter().map(|row| &row["unknown"]).collect();
    assert_eq!(unknown.iter().filter(|why| why.is_string()).count(), 1, "{sheet:#}");

    let sarif: Value = serde_json::from_str(&project.check(&["a.glb", "--sarif"]).stdout).unwrap();
    let results = sarif["runs"][0]["results"].as_array().unwrap();
    assert_eq!(results.iter().map(|r| r["ruleId"].as_str().unwrap()).collect::<Vec<_>>(), codes);
    assert!(results.iter().all(|result| result["ruleIndex"].is_u64()), "{results:#?}");
    let junit = project.check(&["a.glb", "--format", "junit"]).stdout;
    assert!(junit.contains("failures=\"3\"") && junit.contains("warning RIG165: "), "{junit}");
    assert!(project.check(&["a.glb", "--strict", "--format", "junit"]).stdout.contains("failures=\"4\""));
    let text = project.check(&["a.glb"]);
    assert!(text.code == Some(1) && text.stdout.contains("  clips                 failed: "), "{}", text.stdout);

    project
        .write("rigscope.toml", format!("{CLIPS}[severity]\nRIG165 = 'off'\n[[override]]\nfiles = 'b*'\nclips = []\n"));
    assert_eq!(project.codes(&["a.glb"]), ["RIG163", "RIG166", "RIG166"]);
    project.write("b.glb", clean());
    assert_eq!(project.codes(&["b.glb"]), [""; 0], "no demands for these files");
}
