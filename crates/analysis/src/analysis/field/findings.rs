//! Severity of lint findings per vertex.

use std::collections::HashMap;

use crate::analysis::lint::{Finding, Severity, Target};
use rigscope_core::rig::{MeshInstance, Primitive, Rig};

type Graded<'a> = (&'a [u32], f32);

/// Returns the severity of the worst finding at each vertex: 0 none, 1 note, 2 warning, 3 error. A finding with many
/// vertices marks only the first of them; see [`rigscope_core::rig::VertexList`].
pub fn findings(rig: &Rig, findings: &[Finding]) -> Vec<Vec<f32>> {
    let mut by_source: HashMap<(usize, usize), Vec<Graded<'_>>> = HashMap::new();
    for finding in findings {
        if let Target::Primitive { mesh, primitive, vertices, .. } = &finding.target {
            by_source.entry((*mesh, *primitive)).or_default().push((vertices.first(), grade(finding.severity)));
        }
    }
    let of_part = |(instance, primitive): (&MeshInstance, &Primitive)| {
        let mut values = vec![0.0; primitive.positions.len()];
        let key = (rig.meshes[instance.mesh].source, primitive.source);
        for &(vertices, grade) in by_source.get(&key).into_iter().flatten() {
            for &vertex in vertices {
                if let Some(value) = values.get_mut(vertex as usize) {
                    *value = grade.max(*value);
                }
            }
        }
        values
    };
    rig.primitives().map(of_part).collect()
}

fn grade(severity: Severity) -> f32 {
    match severity {
        Severity::Note => 1.0,
        Severity::Warning => 2.0,
        Severity::Error => 3.0,
    }
}
