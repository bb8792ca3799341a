use super::measures::RigSummary;
use super::origin::Origin;
use super::pictures::jpeg;
use crate::page::{Element, Page, paragraph, section, text};

#[derive(Clone, Debug)]
pub struct IndexRow {
    pub name: String,
    /// File name of the report page; empty if there is none.
    pub page: String,
    /// JPEG thumbnail; empty if there is no page.
    pub thumbnail: Vec<u8>,
    /// Summary of the rig, or why there is no page.
    pub facts: Result<RigSummary, String>,
}

const HEADS: [&str; 9] =
    ["File", "Errors", "Warnings", "Notes", "Joints", "Vertices", "Triangles", "Influences", "Worst loss"];

/// Renders a page with a table of all reports. Clicking a heading sorts the table.
pub fn index(title: &str, rows: &[IndexRow], origin: &Origin) -> String {
    let mut page = Page::new(title).with_script(include_str!("sort.js"));
    page.push(paragraph(&format!("{} {}", rows.len(), if rows.len() == 1 { "file" } else { "files" })));
    let profiles = profiles(rows);
    let heads = HEADS.into_iter().chain(profiles.iter().map(String::as_str));
    let head = heads.map(|head| Element::new("th").with("scope", "col").child(Element::new("button").text(head)));
    let head = Element::new("tr").child(Element::new("td")).children(head);
    let table = Element::new("table").with("class", "sorted").child(Element::new("thead").child(head));
    let table = table.child(Element::new("tbody").children(rows.iter().map(|row| line(row, &profiles))));
    page.push(Element::new("div").with("class", "wide").child(table));
    page.push(section("made", "Date", [origin.lines()]));
    page.html()
}

fn profiles(rows: &[IndexRow]) -> Vec<String> {
    let ranks = rows.iter().filter_map(|row| row.facts.as_ref().ok()).flat_map(|facts| &facts.ranks);
    ranks.fold(Vec::new(), |mut found, rank| {
        if !found.contains(&rank.profile) {
            found.push(rank.profile.clone());
        }
        found
    })
}

fn line(row: &IndexRow, profiles: &[String]) -> Element {
    let cell = || Element::new("td");
    let facts = match &row.facts {
        Err(problem) => {
            let span = (HEADS.len() + profiles.len() - 1).to_string();
            let problem = cell().with("class", "error").with("colspan", &span).with("data-value", "-1").text(problem);
            return Element::new("tr").child(cell()).child(cell().child(text(&row.name))).child(problem);
        }
        Ok(facts) => facts,
    };
    let link = |inside: Element| cell().child(Element::new("a").with("href", &row.page).child(inside));
    let image = jpeg(&row.thumbnail, "").with("width", "100").with("height", "75");
    let counts = [facts.counts.error, facts.counts.warning, facts.counts.note];
    let numbers = [facts.joints, facts.vertices, facts.triangles, facts.influences];
    let loss = cell().with("data-value", &facts.worst_loss.unwrap_or(0.0).to_string());
    Element::new("tr")
        .child(link(image))
        .child(link(text(&row.name)))
        .children(counts.iter().chain(&numbers).zip(&HEADS[1..]).map(|(number, head)| {
            // On narrow screens, each row becomes a card in which every cell shows its column heading.
            cell().with("data-label", head).text(&number.to_string())
        }))
        .child(
            loss.with("data-label", HEADS[HEADS.len() - 1])
                .text(&facts.worst_loss.map_or(String::new(), |loss| format!("{:.0} %", loss * 100.0))),
        )
        .children(profiles.iter().map(|profile| {
            let rank = facts.ranks.iter().find(|rank| rank.profile == *profile);
            let value = rank.map_or("-1".to_owned(), |rank| rank.position.to_string());
            let words = rank.map_or("", |rank| rank.rank.as_str());
            cell().with("data-value", &value).with("data-label", profile).text(words)
        }))
}
