use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;

use super::Element;

pub fn heading(level: u8, text: &str) -> Element {
    let name = match level {
        1 => "h1",
        2 => "h2",
        _ => "h3",
    };
    Element::new(name).text(text)
}

pub fn section(id: &str, title: &str, inside: impl IntoIterator<Item = Element>) -> Element {
    Element::new("section").with("id", id).child(heading(2, title)).children(inside)
}

pub fn text(text: &str) -> Element {
    Element::new("span").text(text)
}

pub fn paragraph(text: &str) -> Element {
    Element::new("p").text(text)
}

/// Creates a table that scrolls sideways if it is too wide. Each row must have one cell per column.
pub fn table(columns: &[&str], rows: impl IntoIterator<Item = Vec<Element>>) -> Element {
    let head = columns.iter().map(|column| Element::new("th").with("scope", "col").text(column));
    let head = Element::new("thead").child(Element::new("tr").children(head));
    let cell = |content: Element| Element::new("td").child(content);
    let rows = rows.into_iter().map(|row| Element::new("tr").children(row.into_iter().map(cell)));
    let table = Element::new("table").child(head).child(Element::new("tbody").children(rows));
    Element::new("div").with("class", "wide").child(table)
}

/// Embeds an image. `kind` is its media type, such as `image/png`.
pub fn picture(kind: &str, bytes: &[u8], alt: &str) -> Element {
    Element::new("img").with("src", &data_url(kind, bytes)).with("alt", alt)
}

pub(super) fn data_url(kind: &str, bytes: &[u8]) -> String {
    format!("data:{kind};base64,{}", BASE64_STANDARD.encode(bytes))
}

pub fn figure(shown: Element, caption: Element) -> Element {
    Element::new("figure").child(shown).child(Element::new("figcaption").child(caption))
}

pub fn grid(figures: impl IntoIterator<Item = Element>) -> Element {
    Element::new("div").with("class", "grid").children(figures)
}

/// Creates a bar. `share` is the filled fraction, 0 to 1.
pub fn bar(share: f64) -> Element {
    let length = if share.is_finite() { share.clamp(0.0, 1.0) * 100.0 } else { 0.0 };
    let filled = Element::new("rect").with("width", &format!("{length:.1}")).with("height", "8");
    let svg = Element::new("svg").with("class", "bar").with("viewBox", "0 0 100 8").with("aria-hidden", "true");
    svg.child(filled)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_table_has_its_cells_in_order() {
        let html = table(&["a", "b"], [vec![text("1"), text("<2")]]).html();
        let expected = "<thead><tr><th scope=\"col\">a</th><th scope=\"col\">b</th></tr></thead>\
            <tbody><tr><td><span>1</span></td><td><span>&lt;2</span></td></tr></tbody>";
        assert_eq!(html, format!("<div class=\"wide\"><table>{expected}</table></div>"));
    }

    #[test]
    fn pictures_and_bars_are_within_the_page() {
        assert_eq!(
            picture("image/png", b"Man", "a \"b\"").html(),
            "<img src=\"data:image/png;base64,TWFu\" alt=\"a &quot;b&quot;\">"
        );
        assert!(bar(0.255).html().contains("<rect width=\"25.5\" height=\"8\">"));
        assert!(bar(7.0).html().contains("\"100.0\"") && bar(f64::NAN).html().contains("\"0.0\""));
    }
}
