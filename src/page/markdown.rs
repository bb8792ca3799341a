//! Renders Markdown: headings with anchors, lists, tables, code, links and images. Embedded HTML is shown as text.

use std::mem;

use pulldown_cmark::html::push_html;
use pulldown_cmark::{Event, Options, Parser, Tag, TagEnd};

use super::{Element, data_url};

pub enum LinkTarget {
    Link(String),
    /// An image to embed: media type and bytes.
    Picture(&'static str, &'static [u8]),
    /// No target: only the link's text is shown.
    Nothing,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Heading {
    /// Heading level, 1 to 6.
    pub level: u8,
    /// Title as plain text.
    pub title: String,
    /// URL fragment, without `#`.
    pub anchor: String,
}

fn parser(markdown: &str) -> Parser<'_> {
    Parser::new_ext(markdown, Options::ENABLE_TABLES)
}

pub fn headings(markdown: &str) -> Vec<Heading> {
    let mut headings: Vec<Heading> = Vec::new();
    let mut open: Option<String> = None;
    for event in parser(markdown) {
        match event {
            Event::Start(Tag::Heading { .. }) => open = Some(String::new()),
            Event::Text(text) | Event::Code(text) => open.iter_mut().for_each(|open| open.push_str(&text)),
            Event::End(TagEnd::Heading(level)) => {
                let title = open.take().unwrap_or_default();
                headings.push(Heading { level: level as u8, anchor: anchor(&title), title });
            }
            _ => {}
        }
    }
    headings
}

/// Renders Markdown to one element. `resolve` maps addresses of links and images to targets.
/// ```
/// use rigscope::page::markdown::{LinkTarget, element};
///
/// let html = element("# A b\n[c](d.md) & `e`", &|address| LinkTarget::Link(address.replace(".md", ".html"))).html();
/// let body = "<h1 id=\"a-b\">A b</h1>\n<p><a href=\"d.html\">c</a> &amp; <code>e</code></p>\n";
/// assert_eq!(html, format!("<article>{body}</article>"));
/// ```
pub fn element(markdown: &str, resolve: &dyn Fn(&str) -> LinkTarget) -> Element {
    let mut anchors = headings(markdown).into_iter().map(|heading| heading.anchor);
    // Nesting is at most two deep: an image in a link.
    let mut is_removed = [false; 2];
    let mut map = |event| match event {
        Event::Start(Tag::Heading { level, classes, attrs, .. }) => {
            Some(Event::Start(Tag::Heading { level, id: anchors.next().map(Into::into), classes, attrs }))
        }
        Event::Start(Tag::Link { link_type, dest_url, title, id }) => {
            let LinkTarget::Link(address) = resolve(&dest_url) else {
                is_removed[0] = true;
                return None;
            };
            Some(Event::Start(Tag::Link { link_type, dest_url: address.into(), title, id }))
        }
        Event::Start(Tag::Image { link_type, dest_url, title, id }) => {
            let LinkTarget::Picture(kind, bytes) = resolve(&dest_url) else {
                is_removed[1] = true;
                return None;
            };
            Some(Event::Start(Tag::Image { link_type, dest_url: data_url(kind, bytes).into(), title, id }))
        }
        Event::End(TagEnd::Link) if mem::take(&mut is_removed[0]) => None,
        Event::End(TagEnd::Image) if mem::take(&mut is_removed[1]) => None,
        Event::Html(text) | Event::InlineHtml(text) => Some(Event::Text(text)),
        event => Some(event),
    };
    let in_wide = |event| match event {
        Event::Start(Tag::Table(_)) => vec![Event::Html("<div class=\"wide\">".into()), event],
        Event::End(TagEnd::Table) => vec![event, Event::Html("</div>".into())],
        event => vec![event],
    };
    let mut html = String::new();
    push_html(&mut html, parser(markdown).filter_map(&mut map).flat_map(in_wide));
    Element::with_raw("article", html)
}

/// Returns the anchor of a heading in the form that code hosts use.
fn anchor(heading: &str) -> String {
    let kept = heading.chars().filter(|c| c.is_alphanumeric() || matches!(c, ' ' | '-' | '_'));
    kept.map(|c| if c == ' ' { '-' } else { c }).flat_map(char::to_lowercase).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn html(markdown: &str) -> String {
        let resolve = |address: &str| match address.strip_suffix(".png") {
            Some(_) => LinkTarget::Picture("image/png", b"Man"),
            None if address == "gone" => LinkTarget::Nothing,
            None => LinkTarget::Link(address.to_owned()),
        };
        let html = element(markdown, &resolve).html();
        let html = html.strip_prefix("<article>").unwrap().strip_suffix("</article>").unwrap().to_owned();
        // Ignores line ends outside code.
        html.replace(">\n", ">")
    }

    #[test]
    fn guide_markup_becomes_elements() {
        for (markdown, expected) in [
            ("a **b** *c* d\ne", "<p>a <strong>b</strong> <em>c</em> d\ne</p>"),
            ("- a\n- b", "<ul><li>a</li><li>b</li></ul>"),
            ("1. a\n2. b", "<ol><li>a</li><li>b</li></ol>"),
            ("```sh\na <b\n```", "<pre><code class=\"language-sh\">a &lt;b\n</code></pre>"),
            ("![a b](c.png)", "<p><img src=\"data:image/png;base64,TWFu\" alt=\"a b\" /></p>"),
            ("[`a`](b#c) [d](gone)", "<p><a href=\"b#c\"><code>a</code></a> d</p>"),
            ("![a](gone)", "<p>a</p>"),
            ("> a", "<blockquote><p>a</p></blockquote>"),
            ("<b>a</b>", "<p>&lt;b&gt;a&lt;/b&gt;</p>"),
        ] {
            assert_eq!(html(markdown), expected, "{markdown}");
        }
    }

    #[test]
    fn tables_have_a_head_and_a_body() {
        let expected = "<div class=\"wide\"><table><thead><tr><th>a</th><th>b</th></tr></thead>\
            <tbody><tr><td><code>c | d</code></td><td>e</td></tr></tbody></table></div>";
        assert_eq!(html("| a | b |\n| --- | --- |\n| `c \\| d` | e |"), expected);
    }

    #[test]
    fn headings_are_reached_as_on_code_hosts() {
        let markdown = "# A & b\n\n## What `convert` keeps\n\n### Pipes, paths\n";
        let heading =
            |level, title: &str, anchor: &str| Heading { level, title: title.to_owned(), anchor: anchor.to_owned() };
        assert_eq!(
            headings(markdown),
            [
                heading(1, "A & b", "a--b"),
                heading(2, "What convert keeps", "what-convert-keeps"),
                heading(3, "Pipes, paths", "pipes-paths")
            ]
        );
        for heading in headings(markdown) {
            assert!(html(markdown).contains(&format!("<h{0} id=\"{1}\">", heading.level, heading.anchor)));
        }
    }
}
