//! The table of many reports.

use super::html::framed;
use super::measures::Facts;
use crate::page::escaped;

/// What an index says of one file.
#[derive(Clone, Debug)]
pub struct IndexRow {
    /// The file.
    pub name: String,
    /// The file name of its page beside the index; empty where there is none.
    pub page: String,
    /// A small picture, as a `data:` address.
    pub thumbnail: String,
    /// Its numbers, or why there is no page.
    pub facts: Result<Facts, String>,
}

const HEADS: [&str; 9] =
    ["File", "Errors", "Warnings", "Notes", "Joints", "Vertices", "Triangles", "Influences", "Worst loss"];

/// A page with a table of all reports, which sorts by a click on a heading.
pub fn index(title: &str, rows: &[IndexRow]) -> String {
    let heads: String = HEADS.map(|head| format!("<th><button>{head}</button></th>")).concat();
    let lines: String = rows.iter().map(line).collect();
    let count = rows.len();
    let body = format!(
        "<h1>{}</h1>\n<p>{count} {}</p>\n<div class=\"wide\"><table class=\"sorted\"><thead><tr><th></th>{heads}</tr></thead>\n<tbody>\n{lines}</tbody></table></div>\n",
        escaped(title),
        if count == 1 { "file" } else { "files" },
    );
    framed(title, &body, include_str!("sort.js"))
}

fn line(row: &IndexRow) -> String {
    let name = escaped(&row.name);
    let facts = match &row.facts {
        Err(problem) => {
            let problem = escaped(problem);
            return format!(
                "<tr><td></td><td>{name}</td><td class=\"error\" colspan=\"8\" data-value=\"-1\">{problem}</td></tr>\n"
            );
        }
        Ok(facts) => facts,
    };
    let page = escaped(&row.page);
    let image = format!("<a href=\"{page}\"><img src=\"{}\" alt=\"\" width=\"100\" height=\"75\"></a>", row.thumbnail);
    let counts = [facts.counts.error, facts.counts.warning, facts.counts.note];
    let numbers = [facts.joints, facts.vertices, facts.triangles, facts.influences];
    let cells: Vec<String> = counts.iter().chain(&numbers).map(|number| format!("<td>{number}</td>")).collect();
    let (cells, loss) = (cells.concat(), facts.worst_loss.unwrap_or(0.0));
    let told = facts.worst_loss.map_or(String::new(), |loss| format!("{:.0} %", loss * 100.0));
    format!(
        "<tr><td>{image}</td><td><a href=\"{page}\">{name}</a></td>{cells}<td data-value=\"{loss}\">{told}</td></tr>\n"
    )
}
