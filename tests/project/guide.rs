//! The README and the guide refer to things that exist: links, anchors, images, and menu items of the program.

#![expect(clippy::unwrap_used, reason = "a failed helper is a failed test")]

use std::fs::read_to_string;
use std::path::{Path, PathBuf};

use crate::common::files_below;
use crate::common::markdown::{anchors, links, without_blocks};

fn root() -> &'static Path {
    Path::new(rigscope_tests::ROOT)
}

fn guide() -> Vec<PathBuf> {
    files_below(&root().join("docs"), &["md"])
}

/// Returns the pages of the guide, and all other Markdown files with links.
fn pages() -> Vec<PathBuf> {
    let others =
        ["README.md", "CHANGELOG.md", "CONTRIBUTING.md", "assets/README.md", "benches/README.md", "python/README.md"];
    guide().into_iter().chain(others.map(|page| root().join(page))).collect()
}

/// Returns the file and the heading that a link on a page refers to; `None` if the link leaves the project.
fn target<'a>(page: &Path, link: &'a str) -> Option<(PathBuf, Option<&'a str>)> {
    if link.starts_with("https://") {
        return None;
    }
    let (file, anchor) = link.split_once('#').map_or((link, None), |(file, anchor)| (file, Some(anchor)));
    let file = if file.is_empty() { page.to_owned() } else { page.parent().unwrap().join(file) };
    Some((file, anchor))
}

/// Returns the broken links in a text, which is treated as the content of `page`.
fn broken(page: &Path, text: &str) -> Vec<String> {
    let is_broken = |link: &String| {
        let Some((file, anchor)) = target(page, link) else { return false };
        let leads = |anchor: &str| {
            let text = if file == page { text.to_owned() } else { read_to_string(&file).unwrap_or_default() };
            anchors(&text).iter().any(|a| a == anchor)
        };
        !file.exists() || anchor.is_some_and(|anchor| !leads(anchor))
    };
    links(text).into_iter().filter(is_broken).map(|link| format!("{}: {link}", page.display())).collect()
}

#[test]
fn readme_has_the_number_of_lint_codes() {
    let count = rigscope::analysis::lint::Code::ALL.len();
    let readme = read_to_string(root().join("README.md")).unwrap();
    assert!(readme.contains(&format!("[{count} built-in checks](docs/lint-codes.md)")), "there are {count} codes");
}

#[test]
fn every_link_leads_somewhere() {
    let broken: Vec<String> = pages().iter().flat_map(|page| broken(page, &read_to_string(page).unwrap())).collect();
    assert!(broken.is_empty(), "{broken:#?}");
}

#[test]
fn a_broken_link_is_found() {
    let page = root().join("docs/posing.md");
    let text = "# A & b\n[a](#a--b) [b](#b) [c](clips.md#play-and-step) [d](clips.md#nowhere) ![e](../gone.png) `[f](g)`\n```\n[h](i)\n```\n";
    let found = broken(&page, text);
    let ends = ["#b", "clips.md#nowhere", "../gone.png"];
    assert!(found.len() == 3 && found.iter().zip(ends).all(|(link, end)| link.ends_with(end)), "{found:?}");
}

#[test]
fn the_list_of_pages_has_each_once_with_a_line_about_it() {
    let readme = read_to_string(root().join("README.md")).unwrap();
    assert!(links(&readme).contains(&"docs/README.md".to_owned()));
    let list = read_to_string(root().join("docs/README.md")).unwrap();
    for page in guide() {
        let name = page.file_name().unwrap().to_str().unwrap();
        if name == "README.md" {
            continue;
        }
        let lines: Vec<&str> =
            list.lines().filter(|line| line.starts_with("- [") && line.contains(&format!("]({name})"))).collect();
        assert!(lines.len() == 1 && lines[0].contains("): "), "{name}: {lines:?}");
    }
}

#[test]
fn every_picture_is_on_a_page() {
    let shown: String = pages().iter().map(|page| links(&read_to_string(page).unwrap()).join("\n") + "\n").collect();
    for picture in files_below(&root().join("screenshots"), &["png"]) {
        let name = picture.file_name().unwrap().to_str().unwrap();
        assert!(shown.contains(&format!("screenshots/{name}\n")), "no page shows {name}");
    }
}

/// Returns the steps of each menu path on a page, such as **File > Open**. A path may continue on the next line.
fn menu_paths(page: &str) -> Vec<Vec<String>> {
    let text = without_blocks(page);
    let bold = text.split("**").skip(1).step_by(2).filter(|bold| bold.contains(" > ") || bold.contains(" >\n"));
    bold.map(|path| path.split('>').map(|step| step.split_whitespace().collect::<Vec<_>>().join(" ")).collect())
        .collect()
}

#[test]
fn menus_that_pages_name_are_in_the_program() {
    let sources: String = files_below(&root().join("src"), &["rs"])
        .iter()
        .filter(|path| ["src/ui", "src/state"].iter().any(|folder| path.starts_with(root().join(folder))))
        .map(|path| read_to_string(path).unwrap())
        .collect();
    let is_known = |step: &str| sources.contains(&format!("\"{step}\"")) || sources.contains(&format!("\"{step}…\""));
    let mut count = 0;
    for page in pages() {
        for step in menu_paths(&read_to_string(&page).unwrap()).into_iter().flatten() {
            assert!(is_known(&step), "{} names {step:?}, which no menu has", page.display());
            count += 1;
        }
    }
    assert!(count > 40 && !is_known("Open sesame"), "{count}");
}
