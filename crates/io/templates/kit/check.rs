//! Compares your points with a sample of this kit: check lbs/SAMPLE.json MINE.f32 [TOLERANCE]

type Point = [f64; 3];

/// Reads all lists "positions":[[x,y,z],...], one list after the other. Each ends at the next key.
fn positions(json: &str) -> Vec<Point> {
    let lists = json.split("\"positions\":").skip(1).map(|rest| rest.split(['"', '}']).next().unwrap_or(""));
    let numbers: Vec<f64> = lists.flat_map(|list| list.split(['[', ']', ',']).filter_map(|word| word.parse().ok())).collect();
    numbers.chunks_exact(3).map(|point| [point[0], point[1], point[2]]).collect()
}

fn distance(a: &Point, b: &Point) -> f64 {
    a.iter().zip(b).map(|(a, b)| (a - b) * (a - b)).sum::<f64>().sqrt()
}

/// Returns the largest distance as a fraction of the size; infinite if a coordinate is not a number.
pub fn largest_error(mine: &[Point], expected: &[Point]) -> f64 {
    assert_eq!(mine.len(), expected.len(), "number of vertices");
    let corner = |pick: fn(f64, f64) -> f64| [0, 1, 2].map(|axis| expected.iter().map(|point| point[axis]).reduce(pick).unwrap_or(0.0));
    let diagonal = distance(&corner(f64::min), &corner(f64::max));
    let size = if diagonal > 0.0 { diagonal } else { 1.0 };
    let errors = mine.iter().zip(expected).map(|(a, b)| distance(a, b) / size);
    errors.map(|error| if error.is_nan() { f64::INFINITY } else { error }).fold(0.0, f64::max)
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let args: Vec<String> = std::env::args().collect();
    let [_, sample, mine, rest @ ..] = &args[..] else { return Err("check lbs/SAMPLE.json MINE.f32 [TOLERANCE]".into()) };
    let expected = positions(&std::fs::read_to_string(sample)?);
    let numbers: Vec<f64> = std::fs::read(mine)?.chunks_exact(4).map(|b| f32::from_le_bytes([b[0], b[1], b[2], b[3]]).into()).collect();
    let mine: Vec<Point> = numbers.chunks_exact(3).map(|point| [point[0], point[1], point[2]]).collect();
    let (error, tolerance) = (largest_error(&mine, &expected), rest.first().map_or(Ok(1e-4), |text| text.parse())?);
    println!("largest error: {error:.2e} of the size");
    if error <= tolerance { Ok(()) } else { Err("the points differ".into()) }
}
