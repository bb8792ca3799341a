//! Reports: what is in a page, and that it works in a browser without asking anything of anybody.

#![expect(clippy::unwrap_used, reason = "a failed helper is a failed test")]

use crate::common;

use std::path::Path;
use std::process::Command;

use common::character::Character;
use common::command::rigscope;

const PARTS: [&str; 9] = ["pictures", "view", "findings", "twist", "weights", "suspicious", "cost", "skeleton", "made"];

/// The text of a page once its scripts have run, and what went to the console; `None` where there is no browser, which is said.
fn in_browser(page: &Path) -> Option<(String, String)> {
    let profile = tempfile::tempdir().unwrap();
    let names = ["chromium", "chromium-browser", "google-chrome"];
    let started = names.iter().find_map(|name| {
        Command::new(name)
            .args(["--headless=new", "--no-sandbox", "--no-first-run", "--disable-background-networking"])
            .args(["--use-angle=swiftshader", "--enable-unsafe-swiftshader", "--host-resolver-rules=MAP * ~NOTFOUND"])
            .args(["--enable-logging=stderr", "--v=0", "--virtual-time-budget=5000", "--dump-dom"])
            .arg(format!("--user-data-dir={}", profile.path().display()))
            .arg(format!("file://{}", page.display()))
            .output()
            .ok()
    });
    let Some(output) = started else {
        common::skipped("there is no Chromium");
        return None;
    };
    let log = String::from_utf8_lossy(&output.stderr);
    let console = log.lines().filter(|line| line.contains("CONSOLE")).collect::<Vec<_>>().join("\n");
    Some((String::from_utf8_lossy(&output.stdout).into_owned(), console))
}

/// Every part is there, the view is drawn, and nothing is loaded or complained of.
fn assert_whole(page: &Path) -> String {
    let html = std::fs::read_to_string(page).unwrap();
    for part in PARTS {
        assert!(html.contains(&format!("<section id=\"{part}\">")), "{part}");
    }
    for address in html.split("src=\"").skip(1).chain(html.split("href=\"").skip(1)) {
        assert!(address.starts_with("data:") || address.starts_with('#'), "{}", &address[..60]);
    }
    assert!(!html.contains("url(") && !html.contains("@import") && !html.contains("fetch("));
    let view = html.split("id=\"model\">").nth(1).unwrap().split("</script>").next().unwrap();
    assert!(view.len() < 300_000, "{}", view.len());
    if let Some((dom, console)) = in_browser(page) {
        assert_eq!(console, "");
        assert!(dom.contains("data-state=\"drawn\""), "the view is not drawn");
    }
    html
}

#[test]
fn the_page_of_the_figure_has_all_parts_and_works_in_a_browser() {
    let folder = tempfile::tempdir().unwrap();
    let page = folder.path().join("figure.html");
    rigscope(&["report".as_ref(), "builtin:figure".as_ref(), "-o".as_ref(), page.as_os_str()]).ok();
    let html = assert_whole(&page);
    assert!(html.contains("m high, ") && html.contains("no vertex of the file is farther than "), "what it measures");
    assert!(html.contains("rigscope report builtin:figure -o "), "how it was made");
    assert!(html.contains("<h3>LeftShoulder</h3>") && html.matches("<svg").count() == 6);
    assert_eq!(
        html.matches("data:image/jpeg;base64,").count(),
        14,
        "rest, posed, three joints, three kinds of weights, six suspicious regions"
    );
}

/// Text of a page without its elements, white space collapsed.
fn said(html: &str) -> String {
    let texts = html.split('<').filter_map(|piece| piece.split_once('>')).map(|(_, text)| text);
    texts.collect::<Vec<_>>().join(" ").split_whitespace().collect::<Vec<_>>().join(" ")
}

#[test]
fn the_joints_of_a_page_are_ranked_as_on_the_command_line() {
    let folder = tempfile::tempdir().unwrap();
    let page = folder.path().join("tube.html");
    rigscope(&["report".as_ref(), "builtin:tube".as_ref(), "-o".as_ref(), page.as_os_str()]).ok();
    let page = said(&std::fs::read_to_string(&page).unwrap());
    let printed = rigscope(&["compare", "builtin:tube", "--rank", "--json"]).ok().stdout;
    let ranked: serde_json::Value = serde_json::from_str(&printed).unwrap();
    for row in &ranked["rank"].as_array().unwrap()[..3] {
        let [loss, angle] = ["volume_loss", "angle_deg"].map(|key| row[key].as_f64().unwrap());
        let [joint, motion] = ["joint", "motion"].map(|key| row[key].as_str().unwrap());
        let told = format!("{joint} {:.1} % {motion} {angle:.0}°", loss * 100.0);
        assert!(page.contains(&told), "{told}");
    }
}

#[test]
fn findings_have_a_picture_of_their_place_and_names_are_text() {
    let folder = tempfile::tempdir().unwrap();
    let mut character = Character::default();
    character.weigh(0, [0; 4], [2.0, 0.0, 0.0, 0.0]);
    character.nodes[3]["name"] = "</script><img src=x onerror=alert(1)>".into();
    let [rig, page] = ["a.glb", "a.html"].map(|name| folder.path().join(name));
    std::fs::write(&rig, character.builder().build()).unwrap();
    rigscope(&["report".as_ref(), rig.as_os_str(), "-o".as_ref(), page.as_os_str()]).ok();
    let html = assert_whole(&page);
    assert!(html.contains("alt=\"Where finding 1 is\"") && html.contains("error RIG010"));
    assert!(html.contains(&rigscope::files::digest(&rig).unwrap()), "the hash of the file");
    assert!(!html.contains("<figure><figcaption>"), "no tile without a picture");
    assert!(html.contains("&lt;/script&gt;&lt;img src=x") && !html.contains("<img src=x"));
    let refused = rigscope(&["report".as_ref(), rig.as_os_str(), "-o".as_ref(), rig.as_os_str()]);
    assert_eq!(refused.code, Some(2), "no page over the model");
    std::fs::write(folder.path().join("rigscope.toml"), "[severity]\nRIG010 = 'note'").unwrap();
    rigscope(&["report".as_ref(), rig.as_os_str(), "-o".as_ref(), page.as_os_str()]).ok();
    let html = assert_whole(&page);
    assert!(html.contains("note RIG010") && !html.contains("error RIG010"), "as check says beside the same settings");
}

#[test]
fn a_folder_has_an_index_with_a_page_for_each_file() {
    let folder = tempfile::tempdir().unwrap();
    let (rigs, pages) = (folder.path().join("rigs"), folder.path().join("pages"));
    std::fs::create_dir_all(rigs.join("deep")).unwrap();
    for name in ["a.glb", "deep/b c.glb"] {
        std::fs::write(rigs.join(name), Character::default().builder().build()).unwrap();
    }
    std::fs::write(rigs.join("broken.glb"), b"junk").unwrap();
    let run = rigscope(&["report".as_ref(), rigs.as_os_str(), "-o".as_ref(), pages.as_os_str()]);
    assert_eq!(run.code, Some(2), "{}", run.stderr);
    assert!(pages.join("a.glb.html").is_file() && pages.join("deep-b-c.glb.html").is_file());
    let index = std::fs::read_to_string(pages.join("index.html")).unwrap();
    assert!(index.contains("<td data-label=\"Errors\">0</td>") && index.contains("id=\"made\""));
    assert!(index.contains("<a href=\"deep-b-c.glb.html\"><span>deep/b c.glb</span></a>"), "{index}");
    assert!(index.matches("data:image/jpeg").count() == 2 && index.contains("broken.glb"));
    if let Some((dom, console)) = in_browser(&pages.join("index.html")) {
        assert!(console.is_empty() && dom.contains("class=\"sorted\""), "{console}");
    }
}

#[test]
fn pages_of_a_folder_are_those_of_the_files_alone() {
    let folder = tempfile::tempdir().unwrap();
    let (rigs, pages) = (folder.path().join("rigs"), folder.path().join("pages"));
    std::fs::create_dir(&rigs).unwrap();
    // Findings have pictures with bones; the second character has fewer joints, and other ones.
    let faulty = |extra: usize| {
        let mut character = Character::default();
        character.weigh(0, [0; 4], [2.0, 0.0, 0.0, 0.0]);
        (0..extra).for_each(|i| _ = character.add_joint(&format!("Further {i}"), Some(1)));
        character.builder().build()
    };
    std::fs::write(rigs.join("a.glb"), faulty(9)).unwrap();
    let long = "b".repeat(240);
    std::fs::write(rigs.join(format!("{long}.glb")), faulty(0)).unwrap();
    let options = |inside: &[&std::ffi::OsStr]| -> Vec<std::ffi::OsString> {
        ["report".as_ref()]
            .iter()
            .chain(inside)
            .chain(&["--clip".as_ref(), "0".as_ref()])
            .map(|s| (*s).to_owned())
            .collect()
    };
    let run = |arguments: Vec<std::ffi::OsString>| {
        let arguments: Vec<&std::ffi::OsStr> = arguments.iter().map(AsRef::as_ref).collect();
        rigscope(&arguments).ok();
    };
    run(options(&[rigs.as_os_str(), "-o".as_ref(), pages.as_os_str()]));
    let page_of = |name: &str| {
        let mut pages = std::fs::read_dir(&pages).unwrap().map(|entry| entry.unwrap().path());
        let page = pages.find(|page| page.file_name().unwrap().to_str().unwrap().starts_with(name)).unwrap();
        std::fs::read_to_string(page).unwrap()
    };
    for name in ["a", &long] {
        let alone = folder.path().join("alone.html");
        let rig = rigs.join(format!("{name}.glb"));
        run(options(&[rig.as_os_str(), "-o".as_ref(), alone.as_os_str()]));
        // Everything before the section on how and when the page was made.
        let made = |page: String| page.split("<section id=\"made\">").next().unwrap().to_owned();
        assert!(made(page_of(&name[..1])) == made(std::fs::read_to_string(&alone).unwrap()), "{name}");
    }
    assert!(page_of("a").contains("Posed"), "the clip is asked for");
}

#[test]
fn the_pages_of_real_rigs_work_in_a_browser() {
    let Some(samples) = common::samples() else { return };
    let folder = tempfile::tempdir().unwrap();
    for name in ["kaykit/Knight.glb", "threejs/RobotExpressive.glb"] {
        let page = folder.path().join("page.html");
        rigscope(&["report".as_ref(), samples.join(name).as_os_str(), "-o".as_ref(), page.as_os_str()]).ok();
        assert_whole(&page);
    }
}
