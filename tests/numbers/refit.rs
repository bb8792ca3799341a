//! Skeletons of samples are changed, written and read again, and the skin stays.

use crate::common;

use std::collections::BTreeMap;
use std::sync::Arc;

use rigscope::export::rig_glb;
use rigscope::import::{Job, import_bytes, import_file};
use rigscope::jobs::Progress;
use rigscope::refit::{MAX_DEVIATION, Operation, Pairing, Refitted, prove};
use rigscope::rig::Rig;

const CHAINS: [&[&str]; 4] = [
    &["freeze-root", "freeze-scale", "merge-skins", "add-root=Refit root"],
    &["pose-as-rest=bind", "drop-unused", "rename=vrm-1"],
    &["pose-as-rest=0@0.3", "reset-binds"],
    &["up=z:y", "to-unit=cm:m", "limit-influences=4"],
];

/// Larger samples take too long.
const MAX_VERTICES: usize = 3_300;

fn applied(rig: &Arc<Rig>, texts: &[&str], counts: &mut BTreeMap<String, [usize; 2]>) -> Refitted {
    texts.iter().fold(Refitted::unchanged(Arc::clone(rig)), |done, text| {
        let operation: Operation = text.parse().expect("an operation");
        let count = counts.entry(operation.name().to_owned()).or_default();
        match done.clone().and(&operation, &Job::default()) {
            Ok(next) => {
                count[0] += 1;
                next
            }
            // What can't be carried through is refused by name.
            Err(error) => {
                assert!(error.to_string().starts_with(operation.name()), "{error}");
                count[1] += 1;
                done
            }
        }
    })
}

#[test]
fn every_sample_keeps_its_skin_through_every_operation() {
    let Some(samples) = common::samples() else { return };
    let mut counts = BTreeMap::new();
    for path in common::files_below(&samples, &["glb", "gltf", "vrm", "fbx"]) {
        let Ok(imported) = import_file(&path, &Job::default()) else { continue };
        let rig = Arc::new(imported.rig);
        if rig.skins.is_empty() || rig.vertex_count() > MAX_VERTICES {
            continue;
        }
        for texts in CHAINS {
            let refitted = applied(&rig, texts, &mut counts);
            let name = format!("{} {texts:?}", path.display());
            let proof = prove([&rig, &refitted.rig], &Pairing::with_refitted(&rig, &refitted), &Progress::default());
            let proof = proof.expect("nobody cancels");
            assert!(proof.holds() || refitted.changes_skin, "{name}: {}", proof.summary());
            assert!(proof.joints.max_m <= MAX_DEVIATION * proof.size_m, "{name}: {}", proof.summary());
            let file = rig_glb(&refitted.rig, &Progress::default()).unwrap_or_else(|e| panic!("{name}: {e}"));
            let written = Arc::new(import_bytes(&file.bytes, &Job::default()).expect("what is written is read").rig);
            let pairing = Pairing::with_written(&refitted.rig, &written, &Progress::default());
            let pairing = pairing.expect("nobody cancels").unwrap_or_else(|e| panic!("{name}: {e}"));
            let proof = prove([&refitted.rig, &written], &pairing, &Progress::default()).expect("nobody cancels");
            assert!(proof.holds(), "{name}, written: {}", proof.summary());
        }
    }
    assert!(counts.len() == 11 && counts.values().all(|[done, _]| *done >= 4), "{counts:?}");
}
