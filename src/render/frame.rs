//! Input of a picture, and how to detect changes of it.

use std::sync::Arc;

use crate::actor::{Actor, ShownActor};
use crate::rig::{Pose, Rig};
use crate::skinning::{RecomputedNormals, Skinning};
use crate::view::{Compare, Ghost, Hidden, Layout, Painted, PerSide, Trails, View, Wipe};

/// A rectangle of a picture that is too large to be drawn in one piece, pixels from its lower left corner.
///
/// Both are even where not at the picture's border: triangles are shaded by squares of two pixels, which are then those of the whole picture.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Tile {
    /// Left and bottom edge, pixels.
    pub origin: [u32; 2],
    /// Width and height, pixels.
    pub size: [u32; 2],
}

/// Input of a picture: actors, panes, camera and size.
#[derive(Clone)]
pub struct FrameInput<'a> {
    /// The open character with its file's weights: pose and view refer to its joints, and all actors stand on its ground.
    pub open: &'a Arc<Rig>,
    /// Actors that panes show now or soon: only their characters are kept on the graphics card.
    pub actors: Vec<ShownActor<'a>>,
    /// Parts of the picture. The first actor of the first pane casts the shadow on the ground.
    pub panes: Vec<PaneInput>,
    /// Pose of the open character, used to mark joints moved by the user.
    pub pose: &'a Pose,
    /// Camera and display. Actors bring their own skinning and hidden parts.
    pub view: &'a View,
    /// Width and height, pixels.
    pub size: [u32; 2],
    /// The part of the picture that is drawn; `None` for all of it.
    pub tile: Option<Tile>,
    /// Pixels per point; bones are sized in points.
    pub pixels_per_point: f32,
    /// Number that changes whenever the rig, the pose, the centres or the posed matrices of an actor do.
    pub version: u64,
}

/// A rectangle of the picture with a view of the world by the frame's camera, pixels from the picture's lower left corner.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PaneInput {
    /// Left and bottom edge, pixels.
    pub origin: [u32; 2],
    /// Width and height.
    pub size: [u32; 2],
    /// Actors in the pane, and how they share it.
    pub shows: Shows,
}

/// The actors of a pane, by index into [`FrameInput::actors`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Shows {
    /// One actor alone.
    One(usize),
    /// Two actors, each on its side of a line.
    Wipe(PerSide<usize>, Wipe),
    /// Actor B over actor A.
    Ghost(PerSide<usize>, Ghost),
}

impl Shows {
    /// All actors of the pane; a second one is beside or over the first.
    fn actors(self) -> impl Iterator<Item = usize> {
        let (first, second) = match self {
            Self::One(actor) => (actor, None),
            Self::Wipe(PerSide { a, b }, _) | Self::Ghost(PerSide { a, b }, _) => (a, Some(b)),
        };
        [Some(first), second].into_iter().flatten()
    }

    /// The actors drawn solid, not as ghosts.
    fn solids(self) -> impl Iterator<Item = usize> {
        self.actors().take(if matches!(self, Self::Ghost(..)) { 1 } else { 2 })
    }
}

impl PaneInput {
    /// Panes of a picture of this size shared by two sides, the actors 0 and 1.
    pub fn of_sides(compare: &Compare, size: [u32; 2]) -> Vec<Self> {
        let whole = |shows| vec![Self { origin: [0; 2], size, shows }];
        let sides = PerSide { a: 0, b: 1 };
        match compare.shown_layout() {
            Layout::Single => whole(Shows::One(sides[compare.leading()])),
            Layout::Wipe => whole(Shows::Wipe(sides, compare.wipe)),
            Layout::Ghost => whole(Shows::Ghost(sides, compare.ghost)),
            Layout::SideBySide => {
                let [width, height] = size;
                // Equal halves even for an odd width, whose middle column is under the dividing line.
                let half = (width / 2).max(1);
                let pane = |actor, left| Self { origin: [left, 0], size: [half, height], shows: Shows::One(actor) };
                vec![pane(sides.a, 0), pane(sides.b, width - half)]
            }
        }
    }
}

impl<'a> FrameInput<'a> {
    /// Frame of the two sides of a comparison, laid out as the view says; version 0, in one piece.
    pub fn of_sides(
        open: &'a Arc<Rig>,
        sides: PerSide<ShownActor<'a>>,
        (pose, view): (&'a Pose, &'a View),
        size: [u32; 2],
    ) -> Self {
        let panes = PaneInput::of_sides(&view.compare, size);
        Self {
            open,
            actors: <[_; 2]>::from(sides).into(),
            panes,
            pose,
            view,
            size,
            tile: None,
            pixels_per_point: 1.0,
            version: 0,
        }
    }

    /// [`Self::of_sides`] for one character, skinned as on either side of the view.
    pub fn of_actor(actor: &'a Actor, (pose, view): (&'a Pose, &'a View), size: [u32; 2]) -> Self {
        let sides = view.sides.each_ref().map(|side| ShownActor::new(actor, &side.skinning));
        Self::of_sides(&actor.rig, sides, (pose, view), size)
    }

    /// The part of the picture that is drawn.
    pub(super) fn drawn_part(&self) -> Tile {
        self.tile.unwrap_or(Tile { origin: [0; 2], size: self.size })
    }

    /// The actors in the picture, some more than once.
    pub(super) fn shown(&self) -> impl Iterator<Item = usize> {
        self.panes.iter().flat_map(|pane| pane.shows.actors())
    }

    /// The solid actors in the picture, some more than once.
    pub(super) fn solids(&self) -> impl Iterator<Item = usize> {
        self.panes.iter().flat_map(|pane| pane.shows.solids())
    }

    /// The first solid actor of each pane, whose shadow falls on the pane's ground.
    pub(super) fn leading(&self) -> impl Iterator<Item = usize> {
        self.panes.iter().filter_map(|pane| pane.shows.solids().next())
    }

    /// The rig with the geometry of an actor: for the open character with any weights the open rig.
    pub(super) fn geometry(&self, shown: &ShownActor<'a>) -> &'a Arc<Rig> {
        if shown.actor.is_open() { self.open } else { &shown.actor.rig }
    }

    /// The first actor that has the geometry of `actor` and is alike; `actor` itself where none before it is.
    pub(super) fn first_like(&self, actor: usize, is_like: impl Fn(&ShownActor<'a>, &ShownActor<'a>) -> bool) -> usize {
        let this = &self.actors[actor];
        let is_alike =
            |other: &ShownActor<'a>| Arc::ptr_eq(self.geometry(other), self.geometry(this)) && is_like(other, this);
        self.actors[..actor].iter().position(is_alike).unwrap_or(actor)
    }
}

/// Everything that the drawn picture depends on, apart from the rigs themselves.
#[derive(Clone, PartialEq)]
pub(super) struct Drawn {
    version: u64,
    actors: Vec<DrawnAs>,
    panes: Vec<PaneInput>,
    view: View,
    size: [u32; 2],
    tile: Option<Tile>,
    pixels_per_point: f32,
}

/// How an actor was drawn.
#[derive(Clone)]
struct DrawnAs {
    skinning: Skinning,
    hidden: Arc<Hidden>,
    normals: Option<RecomputedNormals>,
    painted: Option<Painted>,
    trails: Option<Arc<Trails>>,
}

impl PartialEq for DrawnAs {
    fn eq(&self, other: &Self) -> bool {
        let trails = |drawn: &Self| drawn.trails.as_ref().map(Arc::as_ptr);
        (&self.skinning, &self.hidden) == (&other.skinning, &other.hidden)
            && (&self.normals, &self.painted) == (&other.normals, &other.painted)
            && trails(self) == trails(other)
    }
}

impl DrawnAs {
    fn of(shown: &ShownActor<'_>) -> Self {
        Self {
            skinning: Skinning::clone(&shown.skinning),
            hidden: Arc::clone(&shown.actor.hidden),
            normals: shown.normals.cloned(),
            painted: shown.painted.cloned(),
            trails: shown.trails.map(|shown| Arc::clone(shown.trails)),
        }
    }
}

impl Drawn {
    pub(super) fn of(frame: &FrameInput<'_>) -> Self {
        Self {
            version: frame.version,
            actors: frame.actors.iter().map(DrawnAs::of).collect(),
            panes: frame.panes.clone(),
            view: frame.view.clone(),
            size: frame.size,
            tile: frame.tile,
            pixels_per_point: frame.pixels_per_point,
        }
    }
}
