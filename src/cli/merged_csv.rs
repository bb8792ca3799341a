use std::path::Path;
use std::sync::{Arc, Mutex};

use super::Console;
use super::output::save;
use crate::files::is_standard;
use crate::jobs::lock;
use crate::rows::{csv_of_cells, csv_records};

/// The CSV of all files in one table, whose first column is the file. Clones share the table.
#[derive(Clone, Debug)]
pub(super) struct MergedCsv {
    path: Arc<Path>,
    table: Arc<Mutex<Table>>,
}

#[derive(Debug, Default)]
struct Table {
    header: Vec<String>,
    rows: Vec<Vec<String>>,
}

impl MergedCsv {
    /// Creates an empty table for a file, or for standard output.
    pub(super) fn new(path: &Path) -> Self {
        Self { path: path.into(), table: Arc::default() }
    }

    /// Returns true if standard output receives the table.
    pub(super) fn is_printed(&self) -> bool {
        is_standard(&self.path)
    }

    /// Adds the CSV of a file. *Errors*: its columns differ from those of the files before.
    pub(super) fn add(&self, file: &str, csv: &str) -> Result<(), String> {
        let mut rows = csv_records(csv).into_iter();
        let header = rows.next().unwrap_or_default();
        let mut table = lock(&self.table);
        if table.header.is_empty() {
            table.header.clone_from(&header);
        } else if table.header != header {
            return Err("The columns differ from those of the files before. Write a CSV for each file, as in --csv '{stem}.csv'.".to_owned());
        }
        table.rows.extend(rows.map(|row| [vec![file.to_owned()], row].concat()));
        Ok(())
    }

    /// Writes the table.
    pub(super) fn save(&self, console: &Console) -> Result<(), String> {
        let Table { header, rows } = std::mem::take(&mut *lock(&self.table));
        let header = std::iter::once("file".to_owned()).chain(header);
        save(&self.path, csv_of_cells(header, rows).as_bytes(), "numbers were", console)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tables_with_other_columns_are_refused_even_if_there_are_as_many() {
        let all = MergedCsv::new(Path::new("-"));
        assert_eq!(all.add("a.glb", "joint,loss\nHips,1\n"), Ok(()));
        assert!(all.add("b.glb", "joint,angle\nHips,2\n").unwrap_err().starts_with("The columns differ"));
        assert!(all.add("c.glb", "joint\nHips\n").is_err());
        assert_eq!(all.add("d.glb", "joint,loss\nHips,3\n"), Ok(()));
        let files: Vec<String> = lock(&all.table).rows.iter().map(|row| row[0].clone()).collect();
        assert_eq!(files, ["a.glb", "d.glb"]);
    }
}
