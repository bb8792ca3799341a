use std::sync::Arc;

use rigscope_core::actor::{Actor, ShownActor};
use rigscope_core::rig::{Pose, Rig};
use rigscope_core::skinning::{RecomputedNormals, Skinning};
use rigscope_core::view::{Compare, Ghost, HiddenItems, Layout, OverlayValues, PerSide, Trails, View, Wipe};

/// A tile of an image that is too large to render at once, in pixels from the image's lower left corner. Origin and
/// size are even except at the image border, so that pixel quads (2x2) are the same as in the full image.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Tile {
    /// Left and bottom edge, in pixels.
    pub origin: [u32; 2],
    /// Width and height, in pixels.
    pub size: [u32; 2],
}

/// Input of a frame: actors, panes, camera and size.
#[derive(Clone)]
pub struct FrameInput<'a> {
    /// The open character with the file's weights. Pose and view use this rig's joint indices, and all actors stand on
    /// its ground.
    pub open: &'a Arc<Rig>,
    /// Actors shown in this frame or a later one. The scene frees the GPU data of all other characters.
    pub actors: Vec<ShownActor<'a>>,
    /// Panes of the image. The first actor of the first pane casts the ground shadow.
    pub panes: Vec<PaneInput>,
    /// Pose of the open character, for marking joints that the user has moved.
    pub pose: &'a Pose,
    /// Camera and display options. Skinning and hidden meshes come from each actor.
    pub view: &'a View,
    /// Width and height, in pixels.
    pub size: [u32; 2],
    /// Tile to draw; `None` draws the whole image.
    pub tile: Option<Tile>,
    /// Pixels per point.
    pub pixels_per_point: f32,
    /// Changes whenever the rig, pose, centres or posed matrices of an actor change.
    pub version: u64,
}

/// A viewport within the image, in pixels from the image's lower left corner. All panes share the frame's camera.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PaneInput {
    /// Left and bottom edge, in pixels.
    pub origin: [u32; 2],
    /// Width and height, in pixels.
    pub size: [u32; 2],
    /// Actors in the pane, and their layout.
    pub shows: PaneContent,
}

/// Actors of a pane, as indices into [`FrameInput::actors`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum PaneContent {
    /// A single actor.
    One(usize),
    /// Two actors, one on each side of a line.
    Wipe(PerSide<usize>, Wipe),
    /// Actor B over actor A.
    Ghost(PerSide<usize>, Ghost),
}

impl PaneContent {
    fn actors(self) -> impl Iterator<Item = usize> {
        let (first, second) = match self {
            Self::One(actor) => (actor, None),
            Self::Wipe(PerSide { a, b }, _) | Self::Ghost(PerSide { a, b }, _) => (a, Some(b)),
        };
        [Some(first), second].into_iter().flatten()
    }

    fn solids(self) -> impl Iterator<Item = usize> {
        self.actors().take(if matches!(self, Self::Ghost(..)) { 1 } else { 2 })
    }
}

impl PaneInput {
    /// Creates the panes of an image that compares two sides (actors 0 and 1).
    pub fn for_sides(compare: &Compare, size: [u32; 2]) -> Vec<Self> {
        let whole = |shows| vec![Self { origin: [0; 2], size, shows }];
        let sides = PerSide { a: 0, b: 1 };
        match compare.shown_layout() {
            Layout::Single => whole(PaneContent::One(sides[compare.leading()])),
            Layout::Wipe => whole(PaneContent::Wipe(sides, compare.wipe)),
            Layout::Ghost => whole(PaneContent::Ghost(sides, compare.ghost)),
            Layout::SideBySide => {
                let [width, height] = size;
                // Halves are equal even for an odd width; the dividing line covers the middle column.
                let half = (width / 2).max(1);
                let pane =
                    |actor, left| Self { origin: [left, 0], size: [half, height], shows: PaneContent::One(actor) };
                vec![pane(sides.a, 0), pane(sides.b, width - half)]
            }
        }
    }
}

impl<'a> FrameInput<'a> {
    /// Creates a frame of the two compared sides in the view's layout, with version 0 and no tile.
    pub fn for_sides(
        open: &'a Arc<Rig>,
        sides: PerSide<ShownActor<'a>>,
        (pose, view): (&'a Pose, &'a View),
        size: [u32; 2],
    ) -> Self {
        let panes = PaneInput::for_sides(&view.compare, size);
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

    /// Creates a frame of one character with the skinning of the view's sides. See [`Self::for_sides`].
    pub fn for_actor(actor: &'a Actor, (pose, view): (&'a Pose, &'a View), size: [u32; 2]) -> Self {
        let sides = view.sides.each_ref().map(|side| ShownActor::new(actor, &side.skinning));
        Self::for_sides(&actor.rig, sides, (pose, view), size)
    }

    /// Returns the tile to draw, or the whole image if no tile is set.
    pub(super) fn drawn_part(&self) -> Tile {
        self.tile.unwrap_or(Tile { origin: [0; 2], size: self.size })
    }

    /// Returns the actors of all panes. An actor that is in several panes is returned several times.
    pub(super) fn shown(&self) -> impl Iterator<Item = usize> {
        self.panes.iter().flat_map(|pane| pane.shows.actors())
    }

    pub(super) fn solids(&self) -> impl Iterator<Item = usize> {
        self.panes.iter().flat_map(|pane| pane.shows.solids())
    }

    /// Returns the first solid actor of each pane. This actor casts the pane's ground shadow.
    pub(super) fn leading(&self) -> impl Iterator<Item = usize> {
        self.panes.iter().filter_map(|pane| pane.shows.solids().next())
    }

    /// Returns the rig whose geometry the actor uses. For the open character, this is the open rig, whatever weights
    /// the actor has.
    pub(super) fn geometry(&self, shown: &ShownActor<'a>) -> &'a Arc<Rig> {
        if shown.actor.is_open() { self.open } else { &shown.actor.rig }
    }

    /// Returns the first actor with the same geometry for which `is_like` returns true, or `actor` itself.
    pub(super) fn first_like(&self, actor: usize, is_like: impl Fn(&ShownActor<'a>, &ShownActor<'a>) -> bool) -> usize {
        let this = &self.actors[actor];
        let is_alike =
            |other: &ShownActor<'a>| Arc::ptr_eq(self.geometry(other), self.geometry(this)) && is_like(other, this);
        self.actors[..actor].iter().position(is_alike).unwrap_or(actor)
    }
}

/// Everything that the rendered image depends on, except the rigs themselves.
#[derive(Clone, PartialEq)]
pub(super) struct FrameKey {
    version: u64,
    actors: Vec<ActorKey>,
    panes: Vec<PaneInput>,
    view: View,
    size: [u32; 2],
    tile: Option<Tile>,
    pixels_per_point: f32,
}

#[derive(Clone)]
struct ActorKey {
    skinning: Skinning,
    hidden: Arc<HiddenItems>,
    normals: Option<RecomputedNormals>,
    painted: Option<OverlayValues>,
    trails: Option<Arc<Trails>>,
}

impl PartialEq for ActorKey {
    fn eq(&self, other: &Self) -> bool {
        let trails = |drawn: &Self| drawn.trails.as_ref().map(Arc::as_ptr);
        (&self.skinning, &self.hidden) == (&other.skinning, &other.hidden)
            && (&self.normals, &self.painted) == (&other.normals, &other.painted)
            && trails(self) == trails(other)
    }
}

impl ActorKey {
    fn new(shown: &ShownActor<'_>) -> Self {
        Self {
            skinning: Skinning::clone(&shown.skinning),
            hidden: Arc::clone(&shown.actor.hidden),
            normals: shown.normals.cloned(),
            painted: shown.painted.cloned(),
            trails: shown.trails.map(|shown| Arc::clone(shown.trails)),
        }
    }
}

impl FrameKey {
    pub(super) fn new(frame: &FrameInput<'_>) -> Self {
        Self {
            version: frame.version,
            actors: frame.actors.iter().map(ActorKey::new).collect(),
            panes: frame.panes.clone(),
            view: frame.view.clone(),
            size: frame.size,
            tile: frame.tile,
            pixels_per_point: frame.pixels_per_point,
        }
    }
}
