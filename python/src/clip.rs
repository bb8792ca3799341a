//! Animation clips and their channels.

use std::sync::Arc;

use numpy::{PyArray1, PyArray3, PyArrayMethods};
use pyo3::prelude::*;

use crate::arrays::rows;
use crate::rig::SharedRig;
use rigscope::rig::{Interpolation, NodeIndex, Property};

/// An animation clip.
#[pyclass(frozen, module = "rigscope")]
pub(crate) struct Clip {
    shared: Arc<SharedRig>,
    clip: usize,
}

impl Clip {
    pub fn all(shared: &Arc<SharedRig>) -> Vec<Self> {
        (0..shared.rig().clips.len()).map(|clip| Self { shared: Arc::clone(shared), clip }).collect()
    }

    fn clip(&self) -> &rigscope::rig::Clip {
        &self.shared.rig().clips[self.clip]
    }
}

#[pymethods]
impl Clip {
    /// Name in the file, or the clip's number.
    #[getter]
    fn name(&self) -> &str {
        &self.clip().name
    }

    /// Duration in seconds: the time of the last key.
    #[getter]
    fn duration(&self) -> f32 {
        self.clip().duration_secs
    }

    /// Frames per second: the rate that the file states or that all keys fit, otherwise 30.
    #[getter]
    fn fps(&self) -> f32 {
        self.clip().frame_rate().per_sec
    }

    /// Names of the nodes that the clip animates.
    #[getter]
    fn nodes(&self) -> Vec<&str> {
        let mut nodes: Vec<NodeIndex> = self.clip().channels.iter().map(|channel| channel.node).collect();
        nodes.sort_unstable();
        nodes.dedup();
        nodes.into_iter().map(|node| self.shared.name(node)).collect()
    }

    /// Channels in the file's order, with their keys.
    #[getter]
    fn channels(&self) -> Vec<Channel> {
        let channels = 0..self.clip().channels.len();
        channels.map(|number| Channel { shared: Arc::clone(&self.shared), clip: self.clip, number }).collect()
    }

    fn __repr__(&self) -> String {
        format!("<rigscope.Clip {:?}: {} s>", self.name(), self.duration())
    }
}

/// The keys of one property of a node. Arrays are read-only views of the rig's memory.
#[pyclass(frozen, module = "rigscope")]
pub(crate) struct Channel {
    shared: Arc<SharedRig>,
    clip: usize,
    /// Index of the channel in the clip.
    number: usize,
}

impl Channel {
    fn channel(&self) -> &rigscope::rig::Channel {
        &self.shared.rig().clips[self.clip].channels[self.number]
    }
}

#[pymethods]
impl Channel {
    /// Name of the animated node.
    #[getter]
    fn node(&self) -> &str {
        self.shared.name(self.channel().node)
    }

    /// Animated property: ``"translation"`` (metres), ``"rotation"`` (unit quaternions x, y, z, w), ``"scale"`` (factors) or ``"weights"``
    /// (of morph targets), as in glTF.
    #[getter]
    fn path(&self) -> &'static str {
        match self.channel().property {
            Property::Translation => "translation",
            Property::Rotation => "rotation",
            Property::Scale => "scale",
            Property::MorphWeights => "weights",
        }
    }

    /// ``"STEP"``, ``"LINEAR"`` or ``"CUBICSPLINE"``, as in glTF.
    #[getter]
    fn interpolation(&self) -> &'static str {
        match self.channel().interpolation {
            Interpolation::Step => "STEP",
            Interpolation::Linear => "LINEAR",
            Interpolation::CubicSpline => "CUBICSPLINE",
        }
    }

    /// (keys,) float32: times of the keys, seconds.
    #[getter]
    fn times<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyArray1<f32>>> {
        let times = &slf.get().channel().times_secs;
        rows!(slf, times, 1)?.reshape([times.len()])
    }

    /// (keys, parts, numbers) float32. There is one part, the value, or three for ``"CUBICSPLINE"``: in-tangent, value
    /// and out-tangent, per second.
    #[getter]
    fn values<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyArray3<f32>>> {
        let channel = slf.get().channel();
        let parts = if channel.interpolation == Interpolation::CubicSpline { 3 } else { 1 };
        let width = channel.width.max(1);
        let keys = channel.values.len() / (parts * width);
        rows!(slf, &channel.values[..keys * parts * width], width)?.reshape([keys, parts, width])
    }

    fn __repr__(&self) -> String {
        let keys = self.channel().times_secs.len();
        format!("<rigscope.Channel {} of {}: {keys} keys, {}>", self.path(), self.node(), self.interpolation())
    }
}
