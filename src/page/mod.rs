//! Pages for a browser, each one file: nothing is fetched, no script runs, whatever names from files are on it.
//!
//! A [`Page`] is a title and [`Element`]s, of HTML or SVG. Text and attributes are escaped where they enter an element, and there is no other way in.
//! Colours follow the reader's choice of light or dark, tables scroll on narrow screens, and print loses neither.

mod element;
mod parts;

pub use element::{Element, escaped};
pub use parts::{bar, heading, paragraph, picture, table};

/// A page to write into a file.
#[derive(Clone, Debug)]
pub struct Page {
    title: String,
    body: Vec<Element>,
}

const STYLE: &str = include_str!("style.css");
/// What a browser may load: the styles and pictures of the page itself.
const POLICY: &str = "default-src 'none'; style-src 'unsafe-inline'; img-src data:";

impl Page {
    /// An empty page, with its title as the first heading.
    pub fn new(title: &str) -> Self {
        Self { title: title.to_owned(), body: vec![heading(1, title)] }
    }

    /// Puts an element at the end.
    pub fn push(&mut self, element: Element) {
        self.body.push(element);
    }

    /// The whole file, UTF-8.
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
            .child(meta("http-equiv", "Content-Security-Policy", POLICY))
            .child(meta("name", "viewport", "width=device-width, initial-scale=1"))
            .child(Element::new("title").text(&self.title))
            .child(Element::style(STYLE));
        let body = Element::new("body").child(Element::new("main").children(self.body));
        format!("<!DOCTYPE html>\n{}\n", Element::new("html").with("lang", "en").child(head).child(body).html())
    }
}
