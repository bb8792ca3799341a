use super::nearest_bones::nearest_bones;
use crate::jobs::Progress;
use crate::weights::body::*;
use crate::weights::segment::Segment;
use crate::rig::NodeIndex;
use glam::Vec3;
pub fn load(path: &str) -> Body {
    let mut body = Body::default();
    for line in std::fs::read_to_string(path).unwrap().lines() {
        let n: Vec<&str> = line.split(' ').collect();
        let f = |i: usize| n[i].parse::<f32>().unwrap();
        let u = |i: usize| n[i].parse::<u32>().unwrap();
        match n[0] {
            "p" => body.points.push(Vec3::new(f(1), f(2), f(3))),
            "t" => body.triangles.push([u(1), u(2), u(3)]),
            _ => {
                let b = u(1) as usize;
                if body.bones.len() <= b { body.bones.push(BodyBone { node: NodeIndex(b as u32), segments: vec![] }); }
                body.bones[b].segments.push(Segment { head: Vec3::new(f(2), f(3), f(4)), tail: Vec3::new(f(5), f(6), f(7)) });
            }
        }
    }
    body
}
#[test]
fn profile() {
    let Ok(paths) = std::env::var("BODY") else { return };
    for path in paths.split(',') {
        let body = load(path);
        for _ in 0..2 {
        let t = std::time::Instant::now();
        let inside = super::Inside::of(&body, None, &Progress::default()).unwrap();
        let ti = t.elapsed();
        let near = nearest_bones(&body, &inside, &Progress::default()).unwrap();
        println!("{path}: {} points {} bones {:?} {}: inside {:?} all {:?} unreached {} ", body.points.len(), body.bones.len(), inside.solid.frame.size, inside.solid.len(), ti, t.elapsed(), near.unreached);
        }
    }
}
