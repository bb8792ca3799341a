//! Self-contained HTML pages without external resources. Elements escape all text, so only the page's own script runs.
//! Pages follow the reader's theme, scroll wide tables on narrow screens, and print completely.

mod common;
mod element;
#[cfg(feature = "window")]
pub mod markdown;

use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use sha2::{Digest, Sha256};

#[cfg(feature = "window")]
use common::data_url;
pub use common::{bar, figure, grid, heading, paragraph, picture, section, table, text};
pub use element::{Element, escaped};

#[derive(Clone, Debug)]
pub struct Page {
    title: String,
    body: Vec<Element>,
    script: String,
}

const STYLE: &str = include_str!("style.css");
/// Content security policy that allows only inline styles and embedded images.
const POLICY: &str = "default-src 'none'; style-src 'unsafe-inline'; img-src data:";

impl Page {
    pub fn new(title: &str) -> Self {
        Self { title: title.to_owned(), body: vec![heading(1, title)], script: String::new() }
    }

    /// Creates a page without a heading. Only the browser's tab shows the title.
    pub fn untitled(title: &str) -> Self {
        Self { title: title.to_owned(), body: Vec::new(), script: String::new() }
    }

    pub fn push(&mut self, element: Element) {
        self.body.push(element);
    }

    /// Adds one of the program's scripts. It runs after the elements have loaded.
    #[must_use]
    pub fn with_script(self, script: &'static str) -> Self {
        // Normalises line ends, because browsers do so before hashing the script.
        Self { script: script.replace("\r\n", "\n"), ..self }
    }

    /// Renders the page as an HTML file.
    /// ```
    /// use rigscope::page::{Page, paragraph};
    ///
    /// let mut page = Page::new("Hips & spine");
    /// page.push(paragraph("1 < 2"));
    /// let html = page.html();
    /// assert!(html.starts_with("<!DOCTYPE html>") && html.contains("<h1>Hips &amp; spine</h1><p>1 &lt; 2</p>"));
    /// ```
    pub fn html(self) -> String {
        let meta = |name: &'static str, value: &str, content: &str| {
            Element::new("meta").with(name, value).with("content", content)
        };
        let head = Element::new("head")
            .child(Element::new("meta").with("charset", "utf-8"))
            .child(meta("http-equiv", "Content-Security-Policy", &policy(&self.script)))
            .child(meta("name", "viewport", "width=device-width, initial-scale=1"))
            // An empty icon, because browsers request a missing one.
            .child(Element::new("link").with("rel", "icon").with("href", "data:,"))
            .child(Element::new("title").text(&self.title))
            .child(Element::with_raw("style", STYLE.to_owned()));
        let script = (!self.script.is_empty()).then(|| Element::with_raw("script", self.script));
        let body = Element::new("body").child(Element::new("main").children(self.body)).children(script);
        format!("<!DOCTYPE html>\n{}\n", Element::new("html").with("lang", "en").child(head).child(body).html())
    }
}

/// Returns [`POLICY`], extended by the hash of the allowed script.
fn policy(script: &str) -> String {
    if script.is_empty() {
        return POLICY.to_owned();
    }
    format!("{POLICY}; script-src 'sha256-{}'", BASE64_STANDARD.encode(Sha256::digest(script)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_one_script_that_may_run_is_the_page_s_own() {
        let html = Page::new("a").with_script("alert(1)\r\n").html();
        assert!(html.ends_with("</main><script>alert(1)\n</script></body></html>\n"), "{html}");
        // printf 'alert(1)\n' | openssl sha256 -binary | base64
        assert!(html.contains("script-src &#39;sha256-MaeD7tQk/YNyd6Pm9J12ROmv0Z93QwNN4VH7v3gI+RI=&#39;\">"), "{html}");
        assert!(!Page::new("a").html().contains("script"));
    }
}
