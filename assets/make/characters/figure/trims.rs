//! The trims of the clothes: collar, sleeve hems, shirt hem, turned-up trousers.

use glam::DVec3;

use super::super::loft::Loft;
use super::super::math::{cos_deg, sin_deg, v};
use super::super::mesh::Paint;
use super::super::sdf::strand;
use super::super::sweep::Band;
use super::body::{ALONG, arm_point};
use super::piece::{Material, Piece};
use super::{shirt, trousers};

/// Builds the left half of each trim.
pub fn trims() -> Vec<Piece> {
    vec![collar(), sleeve_hem(), shirt_hem(), cuff()]
}

fn piece(material: Material, band: &Band<'_>, paint: Paint) -> Piece {
    let line = band.line();
    let field = move |p: DVec3| strand(v(p.x.abs(), p.y, p.z), &line, 0.001);
    Piece::new(material, band.mesh(paint), Box::new(field), band.is_half)
}

fn collar() -> Piece {
    let shape = shirt::Shirt::new();
    let neckline = |angle: f64| shape.neckline(angle);
    // The collar leans against the neck, most in front.
    let up = |angle: f64| v(-0.85 * sin_deg(angle), 1.0, -0.25 - 0.60 * cos_deg(angle));
    let band =
        Band { centre: &neckline, up: &up, half_height: 0.0085, half_thickness: 0.0042, sections: 60, is_half: true };
    piece(Material::Shirt, &band, Paint::ShirtTrim)
}

fn sleeve_hem() -> Piece {
    let centre = |angle: f64| {
        let radius = shirt::SLEEVE_RADIUS - 0.0005;
        arm_point(v(shirt::SLEEVE - 0.006, radius * sin_deg(angle), radius * cos_deg(angle)))
    };
    let band = Band {
        centre: &centre,
        up: &|_| -ALONG,
        half_height: 0.0105,
        half_thickness: 0.0036,
        sections: 36,
        is_half: false,
    };
    piece(Material::Shirt, &band, Paint::ShirtTrim)
}

fn shirt_hem() -> Piece {
    let body = shirt::body();
    let centre = |angle: f64| around(&body, shirt::HEM + 0.004, angle, 0.0);
    let band = Band {
        centre: &centre,
        up: &|_| DVec3::Y,
        half_height: 0.0105,
        half_thickness: 0.0042,
        sections: 72,
        is_half: true,
    };
    piece(Material::Shirt, &band, Paint::ShirtTrim)
}

fn cuff() -> Piece {
    let leg = trousers::leg();
    let centre = |angle: f64| around(&leg, trousers::HEM + 0.019, angle, 0.0012);
    let band = Band {
        centre: &centre,
        up: &|_| DVec3::Y,
        half_height: 0.0225,
        half_thickness: 0.0040,
        sections: 36,
        is_half: false,
    };
    piece(Material::Trousers, &band, Paint::TrousersSeam)
}

/// Returns a point outside a loft along y. The first direction of the loft's sections is z, the second x.
fn around(loft: &Loft, height: f64, angle: f64, beyond: f64) -> DVec3 {
    let s = loft.at(height);
    let (z, x) = (cos_deg(angle), sin_deg(angle));
    let k = loft.roundness((z / s.radii[0]).abs(), (x / s.radii[1]).abs());
    let reach = 1.0 / k + beyond;
    v(s.centre[1] + x * reach, height, s.centre[0] + z * reach)
}
