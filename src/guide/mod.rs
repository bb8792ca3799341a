//! The guide: the pages of `docs/`, which are built into the program, and their export as HTML.
//!
//! Each page becomes a self-contained file (see [`crate::page`]) with relative links. A location in the guide is either
//! a page, such as `posing`, or a heading on a page, such as `posing#limit-joints`.

use std::io::{Error, ErrorKind, Result};
use std::path::{Path, PathBuf};
use std::sync::LazyLock;

use crate::files::write_together;
use crate::page::markdown::{self, LinkTarget};
use crate::page::{Element, Page, escaped};

struct GuidePage {
    /// File name without extension.
    name: &'static str,
    text: &'static str,
}

macro_rules! pages {
    ($($name:literal),* $(,)?) => {
        /// Pages of the guide, in reading order.
        const PAGES: &[GuidePage] =
            &[$(GuidePage { name: $name, text: include_str!(concat!("../../docs/", $name, ".md")) }),*];
    };
}

pages![
    "README",
    "first-ten-minutes",
    "installing",
    "posing",
    "comparing",
    "shading",
    "measuring",
    "diff",
    "bend-tests",
    "refit",
    "diagnose",
    "weights",
    "clips",
    "retargeting",
    "clip-checks",
    "images",
    "pipeline",
    "lint-codes",
    "profiles",
    "formats",
    "json",
    "sessions-and-poses",
    "command-line",
    "python",
    "blender",
    "mathematics",
    "glossary",
    "architecture",
];

/// Names and contents of other files that pages link to.
const FURTHER: [(&str, &str); 3] = [
    ("schemas/pose.schema.json", include_str!("../../docs/schemas/pose.schema.json")),
    ("schemas/rigscope.schema.json", include_str!("../../docs/schemas/rigscope.schema.json")),
    ("schemas/session.schema.json", include_str!("../../docs/schemas/session.schema.json")),
];

/// A heading of the guide.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GuideHeading {
    /// Page and anchor, such as `posing#limit-joints`.
    pub place: String,
    /// Page title, followed by the heading unless the heading is the page title.
    pub title: String,
}

/// Returns all headings in page order.
pub fn headings() -> &'static [GuideHeading] {
    static HEADINGS: LazyLock<Vec<GuideHeading>> = LazyLock::new(|| PAGES.iter().flat_map(page_headings).collect());
    &HEADINGS
}

fn page_headings(page: &GuidePage) -> Vec<GuideHeading> {
    let headings = markdown::headings(page.text);
    let of_page = title(page);
    let heading = |heading: &markdown::Heading| GuideHeading {
        place: format!("{}#{}", page.name, heading.anchor),
        title: if heading.level == 1 { of_page.clone() } else { format!("{of_page} > {}", heading.title) },
    };
    headings.iter().map(heading).collect()
}

fn title(page: &GuidePage) -> String {
    markdown::headings(page.text).into_iter().next().map_or_else(String::new, |heading| heading.title)
}

/// Writes the guide into a folder, creating the folder if needed. Returns the file to open for `place`, or by default
/// the list of pages.
/// *Errors*: an unknown place; the folder cannot be written.
pub fn write(folder: &Path, place: Option<&str>) -> Result<PathBuf> {
    if let Some(place) = place.filter(|place| !headings().iter().any(|heading| heading.place == **place)) {
        return Err(Error::new(ErrorKind::NotFound, format!("the guide has no {place}")));
    }
    std::fs::create_dir_all(folder.join("schemas"))?;
    let pages = PAGES.iter().map(|page| (format!("{}.html", page.name), html(page)));
    let further = FURTHER.map(|(name, text)| (name.to_owned(), text.to_owned()));
    let jump = place.map(|place| ("open.html".to_owned(), jump(place)));
    let files: Vec<(PathBuf, String)> =
        pages.chain(further).chain(jump).map(|(name, text)| (folder.join(name), text)).collect();
    let bytes: Vec<(&Path, &[u8])> = files.iter().map(|(path, text)| (path.as_path(), text.as_bytes())).collect();
    write_together(&bytes)
        .map_err(|(path, problem)| Error::new(problem.kind(), format!("{}: {problem}", path.display())))?;
    Ok(match place {
        Some(_) => folder.join("open.html"),
        None => folder.join(format!("{}.html", PAGES[0].name)),
    })
}

fn html(page: &GuidePage) -> String {
    let link = |other: &GuidePage| {
        let link = Element::new("a").with("href", &format!("{}.html", other.name)).text(&title(other));
        if other.name == page.name { link.with("aria-current", "page") } else { link }
    };
    let mut html = Page::untitled(&format!("{} - Rigscope", title(page)));
    html.push(Element::new("nav").children(PAGES.iter().map(link)));
    html.push(markdown::element(page.text, &target));
    html.html()
}

/// Resolves the address of a link or image on a page. All pages are exported to one folder.
fn target(address: &str) -> LinkTarget {
    if let Some(bytes) = image(address) {
        return LinkTarget::Picture("image/png", bytes);
    }
    let (file, anchor) = address.split_once('#').map_or((address, None), |(file, anchor)| (file, Some(anchor)));
    let file = match file.strip_suffix(".md") {
        Some(name) if PAGES.iter().any(|page| page.name == name) => format!("{name}.html"),
        None if file.is_empty() || file.starts_with("https://") || FURTHER.iter().any(|(name, _)| *name == file) => {
            file.to_owned()
        }
        _ => return LinkTarget::Nothing,
    };
    LinkTarget::Link(anchor.map_or(file.clone(), |anchor| format!("{file}#{anchor}")))
}

/// Creates a page that redirects to `place`. A redirect is needed because programs that open files drop the part after
/// `#`.
fn jump(place: &str) -> String {
    let (page, anchor) = place.split_once('#').unwrap_or((place, ""));
    let address = escaped(&format!("{page}.html#{anchor}"));
    format!(
        "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\
        <meta http-equiv=\"refresh\" content=\"0; url={address}\"><title>Rigscope</title></head>\
        <body><a href=\"{address}\">Guide</a></body></html>\n"
    )
}

macro_rules! images {
    ($($name:literal),* $(,)?) => {
        /// PNG files by their address in the guide.
        const IMAGES: &[(&str, &[u8])] = &[$((
            concat!("../screenshots/", $name, ".png"),
            include_bytes!(concat!("../../screenshots/", $name, ".png")),
        )),*];
    };
}

images![
    "bend-test",
    "clips",
    "face",
    "figure",
    "fingers",
    "formats",
    "lint",
    "palette",
    "poses",
    "probe",
    "python",
    "render",
    "report",
    "session",
    "side-by-side",
    "tour",
    "tracks",
    "trails",
    "twist-test",
    "weights",
    "wipe",
];

fn image(address: &str) -> Option<&'static [u8]> {
    IMAGES.iter().find(|(known, _)| *known == address).map(|(_, bytes)| *bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_page_and_picture_of_the_manual_is_shipped() {
        let docs = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs");
        let names = std::fs::read_dir(&docs).unwrap().map(|entry| entry.unwrap().path());
        let pages: Vec<_> = names.filter(|path| path.extension().is_some_and(|end| end == "md")).collect();
        assert_eq!(pages.len(), PAGES.len(), "{pages:?}");
        for page in PAGES {
            let resolve = |address: &str| {
                let target = target(address);
                // This file exists only in the repository.
                assert!(
                    address == "../CONTRIBUTING.md" || !matches!(target, LinkTarget::Nothing),
                    "{} leads to {address}, which is not shipped",
                    page.name
                );
                target
            };
            _ = markdown::element(page.text, &resolve);
        }
        assert!(matches!(target("../README.md"), LinkTarget::Nothing));
    }

    #[test]
    fn links_between_files_lead_to_what_is_written() {
        let folder = tempfile::tempdir().unwrap();
        let place = "posing#limit-joints";
        assert_eq!(write(folder.path(), None).unwrap(), folder.path().join("README.html"));
        let opened = write(folder.path(), Some(place)).unwrap();
        let jump = std::fs::read_to_string(opened).unwrap();
        assert!(jump.contains("content=\"0; url=posing.html#limit-joints\""), "{jump}");
        let read = |name: &str| std::fs::read_to_string(folder.path().join(name)).unwrap();
        let mut count = 0;
        for page in PAGES {
            let html = read(&format!("{}.html", page.name));
            for link in html.split("href=\"").skip(1).map(|rest| rest.split('"').next().unwrap()) {
                if link.starts_with("https://") || link.starts_with("data:") {
                    continue;
                }
                let (file, anchor) = link.split_once('#').unwrap_or((link, ""));
                let there = if file.is_empty() { html.clone() } else { read(file) };
                assert!(anchor.is_empty() || there.contains(&format!("id=\"{anchor}\"")), "{}: {link}", page.name);
                count += 1;
            }
        }
        assert!(count > 150, "{count} links");
    }

    #[test]
    fn headings_have_places_and_others_are_refused() {
        let found = |place: &str| headings().iter().find(|heading| heading.place == place).map(|h| h.title.as_str());
        assert_eq!(found("posing#posing"), Some("Posing"));
        assert_eq!(found("posing#limit-joints"), Some("Posing > Limit joints"));
        let folder = tempfile::tempdir().unwrap();
        let refused = write(folder.path(), Some("posing#nowhere")).unwrap_err();
        assert!(refused.to_string().contains("posing#nowhere"), "{refused}");
    }
}
