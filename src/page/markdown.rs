//! Renders Markdown: headings with anchors, lists, tables, code, links and images. Embedded HTML is shown as text.

use pulldown_cmark::{CodeBlockKind, Event, HeadingLevel, Options, Parser, Tag, TagEnd};

use super::{Element, picture};

pub enum Target {
    Link(String),
    /// Media type and bytes of an image to embed.
    Picture(&'static str, &'static [u8]),
    /// The link goes nowhere; its text is shown without a link.
    Nothing,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Heading {
    /// 1 to 6.
    pub level: u8,
    /// Plain text.
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
                headings.push(Heading { level: number(level), anchor: anchor(&title), title });
            }
            _ => {}
        }
    }
    headings
}

/// Renders a text to one element. `resolve` maps link and image addresses to targets.
/// ```
/// use rigscope::page::markdown::{Target, element};
///
/// let html = element("# A b\n[c](d.md) & `e`", &|address| Target::Link(address.replace(".md", ".html"))).html();
/// assert_eq!(html, "<article><h1 id=\"a-b\">A b</h1><p><a href=\"d.html\">c</a> &amp; <code>e</code></p></article>");
/// ```
pub fn element(markdown: &str, resolve: &dyn Fn(&str) -> Target) -> Element {
    let mut writer = Writer { resolve, open: vec![Element::new("article")], picture: None, heading: None, cell: "td" };
    parser(markdown).for_each(|event| writer.event(event));
    while writer.open.len() > 1 {
        writer.close();
    }
    writer.open.swap_remove(0)
}

struct Writer<'a> {
    resolve: &'a dyn Fn(&str) -> Target,
    /// Open elements, innermost last; never empty.
    open: Vec<Element>,
    /// Target and alternative text of the current image.
    picture: Option<(Target, String)>,
    heading: Option<String>,
    /// Cell element of the current row, `th` or `td`.
    cell: &'static str,
}

impl Writer<'_> {
    fn event(&mut self, event: Event<'_>) {
        match event {
            Event::Start(tag) => self.start(tag),
            Event::End(tag) => self.end(tag),
            Event::Text(text) | Event::Html(text) | Event::InlineHtml(text) => self.text(&text),
            Event::Code(code) => {
                self.heading.iter_mut().for_each(|heading| heading.push_str(&code));
                self.add(Element::new("code").text(&code));
            }
            Event::SoftBreak => self.text("\n"),
            Event::HardBreak => self.add(Element::new("br")),
            Event::Rule => self.add(Element::new("hr")),
            // The parser's options don't enable these.
            Event::FootnoteReference(_) | Event::TaskListMarker(_) | Event::InlineMath(_) | Event::DisplayMath(_) => {}
        }
    }

    fn start(&mut self, tag: Tag<'_>) {
        let name = match tag {
            Tag::Heading { level, .. } => {
                self.heading = Some(String::new());
                ["h1", "h2", "h3", "h4", "h5", "h6"][usize::from(number(level)) - 1]
            }
            Tag::Table(_) => {
                self.open.push(Element::new("div").with("class", "wide"));
                "table"
            }
            Tag::TableHead => {
                self.cell = "th";
                self.open.push(Element::new("thead"));
                "tr"
            }
            Tag::TableRow => "tr",
            Tag::TableCell => self.cell,
            Tag::CodeBlock(kind) => {
                self.open.push(Element::new("pre").with("class", language(&kind)));
                "code"
            }
            Tag::List(Some(_)) => "ol",
            Tag::List(None) => "ul",
            Tag::Item => "li",
            Tag::BlockQuote(_) => "blockquote",
            Tag::Emphasis => "em",
            Tag::Strong => "strong",
            Tag::Link { dest_url, .. } => return self.start_link(&dest_url),
            Tag::Image { dest_url, .. } => {
                self.picture = Some(((self.resolve)(&dest_url), String::new()));
                return;
            }
            _ => "p",
        };
        self.open.push(Element::new(name));
    }

    fn start_link(&mut self, address: &str) {
        self.open.push(match (self.resolve)(address) {
            Target::Link(address) => Element::new("a").with("href", &address),
            Target::Picture(..) | Target::Nothing => Element::new("span"),
        });
    }

    fn end(&mut self, tag: TagEnd) {
        match tag {
            TagEnd::Image => {
                if let Some((Target::Picture(kind, bytes), shown)) = self.picture.take() {
                    self.add(picture(kind, bytes, &shown));
                }
                return;
            }
            TagEnd::Heading(_) => {
                let id = anchor(&self.heading.take().unwrap_or_default());
                if let Some(heading) = self.open.pop() {
                    self.open.push(heading.with("id", &id));
                }
            }
            TagEnd::TableHead => {
                self.close();
                self.close();
                self.cell = "td";
                return self.open.push(Element::new("tbody"));
            }
            TagEnd::Table => {
                self.close();
                self.close();
            }
            TagEnd::CodeBlock => self.close(),
            _ => {}
        }
        self.close();
    }

    fn text(&mut self, text: &str) {
        self.heading.iter_mut().for_each(|heading| heading.push_str(text));
        if let Some((_, shown)) = &mut self.picture {
            shown.push_str(text);
        } else if let Some(open) = self.open.pop() {
            self.open.push(open.text(text));
        }
    }

    fn add(&mut self, child: Element) {
        if let Some(open) = self.open.pop() {
            self.open.push(open.child(child));
        }
    }

    fn close(&mut self) {
        if self.open.len() > 1
            && let Some(done) = self.open.pop()
        {
            self.add(done);
        }
    }
}

fn language<'a>(kind: &'a CodeBlockKind<'_>) -> &'a str {
    match kind {
        CodeBlockKind::Fenced(marks) => marks.split_whitespace().next().unwrap_or("text"),
        CodeBlockKind::Indented => "text",
    }
}

fn number(level: HeadingLevel) -> u8 {
    level as u8
}

/// Returns the anchor of a heading, as code hosts generate it.
fn anchor(heading: &str) -> String {
    let kept = heading.chars().filter(|c| c.is_alphanumeric() || matches!(c, ' ' | '-' | '_'));
    kept.map(|c| if c == ' ' { '-' } else { c }).flat_map(char::to_lowercase).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn html(markdown: &str) -> String {
        let resolve = |address: &str| match address.strip_suffix(".png") {
            Some(_) => Target::Picture("image/png", b"Man"),
            None if address == "gone" => Target::Nothing,
            None => Target::Link(address.to_owned()),
        };
        let html = element(markdown, &resolve).html();
        html.strip_prefix("<article>").unwrap().strip_suffix("</article>").unwrap().to_owned()
    }

    #[test]
    fn what_the_manual_has_becomes_elements() {
        for (markdown, expected) in [
            ("a **b** *c*\nd", "<p>a <strong>b</strong> <em>c</em>\nd</p>"),
            ("- a\n- b", "<ul><li>a</li><li>b</li></ul>"),
            ("1. a\n2. b", "<ol><li>a</li><li>b</li></ol>"),
            ("```sh\na <b\n```", "<pre class=\"sh\"><code>a &lt;b\n</code></pre>"),
            ("![a b](c.png)", "<p><img src=\"data:image/png;base64,TWFu\" alt=\"a b\"></p>"),
            ("[`a`](b#c) [d](gone)", "<p><a href=\"b#c\"><code>a</code></a> <span>d</span></p>"),
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
