use glam::{Affine2, DVec2, Vec2};
use percent_encoding::{AsciiSet, CONTROLS, utf8_percent_encode};
use serde_json::{Value, json};

use super::attributes::{WrittenSet, coord_sets};
use super::buffer::GlbBuffer;
use crate::export::missing::ImageSource;
use crate::export::picture::encoded_image;
use crate::export::{ExportError, MissingTextures};
use rigscope_core::jobs::Progress;
use rigscope_core::rig::{CoordSet, MapKind, Material, Primitive, Rig, Texture, Wrap};

pub(super) const TRANSFORM: &str = "KHR_texture_transform";

/// `n` of `TEXCOORD_n` for the two UV sets of a primitive; `None` for a set that no texture uses.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct CoordSets {
    first: Option<usize>,
    second: Option<usize>,
}

impl CoordSets {
    pub(super) const ALL: Self = Self { first: Some(0), second: Some(1) };

    pub(super) fn new(primitive: &Primitive, material: &Material, missing: MissingTextures) -> Self {
        let written = coord_sets(primitive);
        let number = |set: CoordSet| written.iter().position(|w| matches!(w, WrittenSet::Drawn(own, _) if *own == set));
        let mut textures = missing.textures(material).peekable();
        let is_textured = textures.peek().is_some();
        let has_second = textures.any(|t| t.coords == CoordSet::Second);
        Self {
            first: number(CoordSet::First).filter(|_| is_textured),
            second: number(CoordSet::Second).filter(|_| has_second),
        }
    }

    fn number(self, set: CoordSet) -> Option<usize> {
        match set {
            CoordSet::First => self.first,
            CoordSet::Second => self.second,
        }
    }
}

/// Returns the index of a value in the list, adding the value if it is missing.
fn index_of<T: PartialEq>(values: &mut Vec<T>, value: T) -> usize {
    values.iter().position(|v| *v == value).unwrap_or_else(|| {
        values.push(value);
        values.len() - 1
    })
}

#[derive(Default)]
pub(super) struct GlbTextures<'a> {
    missing: MissingTextures,
    images: Vec<ImageSource<'a>>,
    samplers: Vec<([Wrap; 2], bool)>,
    list: Vec<Value>,
    pub has_transform: bool,
}

impl<'a> GlbTextures<'a> {
    pub(super) fn new(missing: MissingTextures) -> Self {
        Self { missing, ..Self::default() }
    }

    /// Returns a reference to the material's texture of this kind (`None` is the base colour). Returns `None` if the
    /// texture or its UV set is missing, or if the texture cannot be written.
    pub(super) fn named(&mut self, material: &'a Material, kind: Option<MapKind>, sets: CoordSets) -> Option<Value> {
        let (texture, image) = self.missing.texture(material, kind)?;
        let set = sets.number(texture.coords)?;
        let transform = texture.transform.as_ref().map(transform);
        if transform == Some(None) {
            return None;
        }
        let image = index_of(&mut self.images, image);
        let sampler = index_of(&mut self.samplers, (texture.wrap, texture.is_nearest));
        let texture = json!({"source": image, "sampler": sampler});
        let mut named = json!({"index": index_of(&mut self.list, texture)});
        if set > 0 {
            named["texCoord"] = json!(set);
        }
        if let Some(transform) = transform.flatten().filter(|words| *words != json!({})) {
            named["extensions"] = json!({TRANSFORM: transform});
            self.has_transform = true;
        }
        Some(named)
    }

    pub(super) fn json(
        self,
        rig: &Rig,
        buffer: &mut GlbBuffer,
        progress: &Progress,
    ) -> Result<[(&'static str, Vec<Value>); 3], ExportError> {
        let image = |source: &ImageSource<'_>| {
            buffer.check()?;
            let index = match *source {
                ImageSource::Own(index) => index,
                ImageSource::Missing(file) => return Ok(json!({"uri": uri(file)})),
            };
            let (kind, bytes) = encoded_image(rig, index, progress)?;
            Ok(json!({"bufferView": buffer.view(&bytes), "mimeType": kind}))
        };
        let images: Result<_, ExportError> = self.images.iter().map(image).collect();
        let samplers = self.samplers.iter().map(|(wrap, is_nearest)| sampler(*wrap, *is_nearest)).collect();
        Ok([("images", images?), ("samplers", samplers), ("textures", self.list)])
    }
}

fn uri(file: &str) -> String {
    const ESCAPED: &AsciiSet = &CONTROLS.add(b' ').add(b'%').add(b'"').add(b'#').add(b'?').add(b'<').add(b'>');
    if file.contains("://") { file.to_owned() } else { utf8_percent_encode(file, ESCAPED).to_string() }
}

fn sampler(wrap: [Wrap; 2], is_nearest: bool) -> Value {
    let [s, t] = wrap.map(|w| match w {
        Wrap::Repeat => 10497,
        Wrap::Mirror => 33648,
        Wrap::Clamp => 33071,
    });
    // NEAREST and NEAREST_MIPMAP_LINEAR, or LINEAR and LINEAR_MIPMAP_LINEAR.
    let (mag, min) = if is_nearest { (9728, 9986) } else { (9729, 9987) };
    json!({"wrapS": s, "wrapT": t, "magFilter": mag, "minFilter": min})
}

/// Returns whether glTF cannot express a texture's transform, because it has shear or is not finite.
pub(super) fn has_shear(texture: &Texture) -> bool {
    texture.transform.as_ref().is_some_and(|t| transform(t).is_none())
}

/// Returns `KHR_texture_transform`; `None` if the transform has shear or is not finite.
fn transform(given: &Affine2) -> Option<Value> {
    const ROUNDING: f64 = 1e-5;
    let (x, y) = (given.matrix2.x_axis.as_dvec2(), given.matrix2.y_axis.as_dvec2());
    let longest = x.length().max(y.length());
    let turn = if x.length() < longest { DVec2::new(y.y, -y.x) } else { x }.to_angle().to_degrees();
    // Rounded, so that import and export return the same numbers.
    let turn = (turn * 1e4).round() / 1e4;
    // A rotation by 180° is a scale of -1.
    let turn = if turn > 90.0 {
        turn - 180.0
    } else if turn <= -90.0 {
        turn + 180.0
    } else {
        turn
    };
    let along = DVec2::from_angle(turn.to_radians());
    if x.perp_dot(along).abs().max(y.dot(along).abs()) > ROUNDING * longest || !given.is_finite() {
        return None;
    }
    let scale = [x.dot(along) as f32, y.dot(along.perp()) as f32].map(|s| if turn == 0.0 { s } else { rounded(s) });
    let mut transform = json!({});
    if given.translation != Vec2::ZERO {
        transform["offset"] = json!(given.translation.to_array());
    }
    if turn != 0.0 {
        // glTF rotates the image, whose v points down.
        transform["rotation"] = json!(-turn.to_radians() as f32);
    }
    if scale != [1.0; 2] {
        transform["scale"] = json!(scale);
    }
    Some(transform)
}

/// Rounds the mantissa to 20 bits, so that a conversion followed by its inverse returns the same number.
pub(super) fn rounded(x: f32) -> f32 {
    f32::from_bits((x.to_bits() + 8) & !15)
}

pub(super) fn media_type(bytes: &[u8]) -> Option<&'static str> {
    let kinds: [(&[u8], usize, &str); 4] = [
        (b"\x89PNG", 0, "image/png"),
        (b"\xFF\xD8\xFF", 0, "image/jpeg"),
        (b"WEBP", 8, "image/webp"),
        (b"\xABKTX 20\xBB", 0, "image/ktx2"),
    ];
    let is_it = |(start, at, _): &(&[u8], usize, &str)| bytes.get(*at..).is_some_and(|rest| rest.starts_with(start));
    kinds.into_iter().find(is_it).map(|(_, _, name)| name)
}

#[cfg(test)]
mod tests {
    use glam::Mat2;

    use super::*;

    fn placed(scale: Vec2, turn: f32, offset: Vec2) -> Affine2 {
        Affine2::from_scale_angle_translation(Vec2::ONE, turn, offset) * Affine2::from_scale(scale)
    }

    #[test]
    fn texture_transforms_round_trip_through_json() {
        for turn in [0.0, 0.3, -1.2, std::f32::consts::FRAC_PI_2, 2.9, std::f32::consts::PI] {
            for scale in [Vec2::ONE, Vec2::new(0.333_333_34, -7.1), Vec2::new(-2.0, 1e-3)] {
                let given = placed(scale, turn, Vec2::new(0.123_456_7, -5.0));
                let words = transform(&given).unwrap();
                let pair = |name: &str, usual: Vec2| {
                    words.get(name).map_or(usual, |v| Vec2::from_array(serde_json::from_value(v.clone()).unwrap()))
                };
                let turn = words.get("rotation").map_or(0.0, |r| -r.as_f64().unwrap() as f32);
                let read = placed(pair("scale", Vec2::ONE), turn, pair("offset", Vec2::ZERO));
                assert!(read.abs_diff_eq(given, 1e-5), "{given:?} {words}");
                assert_eq!(transform(&read).unwrap(), words);
            }
        }
    }

    #[test]
    fn a_transform_with_shear_has_no_words() {
        let sheared = Affine2::from_mat2(Mat2::from_cols(Vec2::X, Vec2::ONE));
        assert_eq!(transform(&sheared), None);
        assert!(transform(&Affine2::from_mat2(Mat2::from_diagonal(Vec2::new(0.0, 3.0)))).is_some());
    }
}
