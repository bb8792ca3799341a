//! OBJ, and tables of numbers.

use std::collections::BTreeMap;

use glam::DVec3;

use rigscope_core::rig::{PointFrame, PointGroup};
use rigscope_core::text::shortened;

pub(super) fn points(bytes: &[u8]) -> Result<Vec<PointFrame>, String> {
    let text = std::str::from_utf8(bytes).map_err(|_invalid| "its format is unknown")?;
    let is_obj = text.lines().any(|line| line.starts_with("v ") || line.starts_with("v\t"));
    if is_obj { obj(text).map(|frame| vec![frame]) } else { table(text) }
}

/// Reads the vertices of an OBJ file, and its normals if there is one per vertex.
fn obj(text: &str) -> Result<PointFrame, String> {
    let (mut positions, mut normals) = (Vec::new(), Vec::new());
    for (number, line) in (1..).zip(text.lines()) {
        let mut words = line.split_whitespace();
        let list = match words.next() {
            Some("v") => &mut positions,
            Some("vn") => &mut normals,
            _ => continue,
        };
        list.push(point(words).ok_or_else(|| not_numbers(number, line))?);
    }
    let normals = Some(normals).filter(|normals| normals.len() == positions.len());
    Ok(PointFrame { groups: vec![PointGroup { primitive: None, positions, normals }], number: None })
}

fn point<'a>(mut words: impl Iterator<Item = &'a str>) -> Option<DVec3> {
    let mut number = || words.next()?.parse::<f64>().ok();
    Some(DVec3::new(number()?, number()?, number()?))
}

fn not_numbers(number: usize, line: &str) -> String {
    format!("line {number} is not three numbers: {}", shortened(line, 60))
}

/// Columns of a table.
struct Columns {
    point: [usize; 3],
    normal: Option<[usize; 3]>,
    frame: Option<usize>,
}

/// Maximum number of characters of headings in a message; the first line may be prose.
const MAX_HEADINGS: usize = 40;

impl Columns {
    /// Finds columns by their headings.
    fn named(headings: &[String]) -> Result<Self, String> {
        let place = |name: &str| headings.iter().position(|heading| heading == name);
        let three = |names: [&str; 3]| {
            let [Some(x), Some(y), Some(z)] = names.map(place) else { return None };
            Some([x, y, z])
        };
        let point = [["x", "y", "z"], ["px", "py", "pz"], ["pos_x", "pos_y", "pos_z"]].into_iter().find_map(three);
        let point = point.ok_or_else(|| {
            format!("no columns are called x, y and z, but {}", shortened(&headings.join(", "), MAX_HEADINGS))
        })?;
        let normal = three(["nx", "ny", "nz"]);
        Ok(Self { point, normal, frame: place("frame") })
    }

    /// Guesses columns from their number: points, points and normals, or a running number and points.
    fn counted(count: usize) -> Result<Self, String> {
        let (point, normal) = match count {
            3 => ([0, 1, 2], None),
            4 => ([1, 2, 3], None),
            6 => ([0, 1, 2], Some([3, 4, 5])),
            _ => return Err(format!("it has {count} columns; write a first line with their names, such as x,y,z")),
        };
        Ok(Self { point, normal, frame: None })
    }
}

fn table(text: &str) -> Result<Vec<PointFrame>, String> {
    // Empty fields between commas count, so that the others keep their columns.
    let words = |line: &str| -> Vec<String> {
        let mark = [',', ';'].into_iter().find(|mark| line.contains(*mark));
        match mark {
            Some(mark) => line.split(mark).map(|word| word.trim().to_owned()).collect(),
            None => line.split_whitespace().map(str::to_owned).collect(),
        }
    };
    let mut columns: Option<Columns> = None;
    let mut frames: BTreeMap<i64, PointGroup> = BTreeMap::new();
    for (number, line) in (1..).zip(text.lines()) {
        let words = words(line.trim());
        if words.iter().all(String::is_empty) || line.trim_start().starts_with('#') {
            continue;
        }
        let parsed = |word: &String| if word.is_empty() { Some(f64::NAN) } else { word.parse().ok() };
        let numbers: Vec<f64> = words.iter().map_while(parsed).collect();
        let is_heading = numbers.len() < words.len();
        if is_heading && columns.is_none() {
            let headings: Vec<String> = words.iter().map(|word| word.trim_matches('"').to_lowercase()).collect();
            columns = Some(Columns::named(&headings)?);
            continue;
        }
        if is_heading {
            return Err(not_numbers(number, line));
        }
        let columns = match &mut columns {
            Some(columns) => columns,
            none => none.insert(Columns::counted(numbers.len())?),
        };
        let three = |places: [usize; 3]| {
            let [Some(x), Some(y), Some(z)] = places.map(|place| numbers.get(place).copied()) else { return None };
            Some(DVec3::new(x, y, z))
        };
        let frame = columns.frame.and_then(|place| numbers.get(place)).map_or(0, |frame| *frame as i64);
        let group = frames.entry(frame).or_default();
        group.positions.push(three(columns.point).ok_or_else(|| not_numbers(number, line))?);
        if let Some(normal) = columns.normal.and_then(three) {
            group.normals.get_or_insert_default().push(normal);
        }
    }
    let has_numbers = columns.is_some_and(|columns| columns.frame.is_some());
    let frame = |(number, mut group): (i64, PointGroup)| {
        group.normals = group.normals.filter(|normals| normals.len() == group.positions.len());
        PointFrame { groups: vec![group], number: has_numbers.then_some(number) }
    };
    Ok(frames.into_iter().map(frame).collect())
}
