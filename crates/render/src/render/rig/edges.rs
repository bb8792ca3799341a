//! Wireframe line lists, built on another thread on first use.

use std::sync::Arc;
use std::sync::mpsc::{Receiver, sync_channel};

use super::upload::Wake;
use rigscope_core::rig::Rig;

pub(super) struct WireframeEdges {
    pub mesh: usize,
    pub primitive: usize,
    /// Vertex indices, two per edge.
    pub ends: Vec<u32>,
}

pub(super) fn start_edges(rig: &Arc<Rig>, meshes: Vec<usize>, wake: &Wake) -> Option<Receiver<WireframeEdges>> {
    let (sender, edges) = sync_channel(1);
    let (rig, wake) = (Arc::clone(rig), Arc::clone(wake));
    let made = std::thread::Builder::new().name("wireframe".to_owned()).spawn(move || {
        // Stop when the receiver is dropped, because another rig was opened.
        meshes.into_iter().try_for_each(|mesh| {
            let primitives = rig.meshes[mesh].primitives.iter().enumerate();
            primitives
                .map(|(primitive, p)| WireframeEdges { mesh, primitive, ends: unique_edges(&p.indices) })
                .try_for_each(|e| sender.send(e).map(|()| wake()))
        })
    });
    if let Err(e) = &made {
        log::error!("the wireframe is not shown: no thread could be started: {e}");
    }
    made.is_ok().then_some(edges)
}

fn unique_edges(triangles: &[u32]) -> Vec<u32> {
    let mut edges: Vec<[u32; 2]> = triangles
        .chunks_exact(3)
        .flat_map(|t| [[t[0], t[1]], [t[1], t[2]], [t[2], t[0]]])
        .map(|[a, b]| [a.min(b), a.max(b)])
        .collect();
    edges.sort_unstable();
    edges.dedup();
    edges.into_flattened()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shared_edges_are_drawn_once() {
        assert_eq!(unique_edges(&[0, 1, 2, 2, 1, 3]), [0, 1, 0, 2, 1, 2, 1, 3, 2, 3]);
    }
}
