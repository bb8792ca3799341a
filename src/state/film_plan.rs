//! What a film shows: as the user sets it, and from picture to picture.

/// What a film shows and how, as the user sets it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FilmPlan {
    /// The clip goes on, from where it is to its end.
    pub plays_clip: bool,
    /// The camera goes round the character.
    pub turns: bool,
    /// How long once round takes, seconds.
    pub turn_secs: f32,
    /// Pictures a second.
    pub rate: f32,
    /// Pixels.
    pub height: u32,
}

impl Default for FilmPlan {
    fn default() -> Self {
        Self { plays_clip: true, turns: false, turn_secs: 6.0, rate: 30.0, height: 720 }
    }
}

impl FilmPlan {
    /// Heights to choose from, pixels.
    pub const HEIGHTS: [u32; 5] = [480, 720, 1080, 1440, 2160];

    /// Width and height in pixels of a picture as wide, beside its height, as the viewport; videos want even numbers.
    pub fn size(&self, aspect: f32) -> [u32; 2] {
        let half = (self.height as f32 * aspect * 0.5).round().clamp(1.0, 4096.0);
        [2 * half as u32, self.height]
    }

    /// What moves from picture to picture.
    pub fn motion(&self) -> FilmMotion {
        let pictures = (self.turn_secs * self.rate).round().max(2.0) as u32;
        FilmMotion { plays_clip: self.plays_clip, turntable: self.turns.then_some(pictures), rate: self.rate }
    }

    /// True where anything moves.
    pub fn moves(&self) -> bool {
        self.plays_clip || self.turns
    }
}

/// What a film shows from picture to picture.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct FilmMotion {
    /// The clip goes on by real time.
    pub plays_clip: bool,
    /// The camera goes once round the character in so many pictures.
    pub turntable: Option<u32>,
    /// Pictures a second.
    pub rate: f32,
}

/// What one picture of a film shows.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FilmMoment {
    /// From the first picture on, seconds.
    pub seconds: f32,
    /// How far the camera has turned about the vertical, radians.
    pub turn: f32,
}

impl FilmMotion {
    /// Pictures of a film of a clip that goes on for `seconds`: as many as the turntable has, else up to the end of the clip without it, so that a clip that
    /// is played round and round shows its first picture once; at least one.
    /// ```
    /// use rigscope::state::FilmMotion;
    ///
    /// let film = FilmMotion { plays_clip: true, turntable: None, rate: 30.0 };
    /// assert_eq!([film.count(1.0), film.count(1.01), film.count(0.0)], [30, 31, 1]);
    /// ```
    pub fn count(&self, seconds: f32) -> u32 {
        // Of a clip of 2 s at 30 a second, 60.000004 are not 61.
        let of_clip = (f64::from(seconds) * f64::from(self.rate) - 1e-3).ceil();
        self.turntable.unwrap_or(of_clip as u32).max(1)
    }

    /// What a picture shows, counted from 0.
    pub fn moment(&self, picture: u32) -> FilmMoment {
        let seconds = if self.plays_clip { picture as f32 / self.rate } else { 0.0 };
        let turn = self.turntable.map_or(0.0, |all| std::f32::consts::TAU * picture as f32 / all as f32);
        FilmMoment { seconds, turn }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_turntable_goes_round_once_and_ends_before_where_it_began() {
        let film = FilmMotion { plays_clip: false, turntable: Some(4), rate: 10.0 };
        assert_eq!(film.count(2.0), 4);
        let turns: Vec<f32> = (0..4).map(|picture| film.moment(picture).turn.to_degrees().round()).collect();
        assert_eq!(turns, [0.0, 90.0, 180.0, 270.0]);
        assert_eq!(film.moment(3).seconds, 0.0);
    }

    #[test]
    fn a_clip_goes_on_by_real_time_while_the_camera_turns() {
        let film = FilmMotion { plays_clip: true, turntable: Some(36), rate: 24.0 };
        assert_eq!((film.count(1.0), film.moment(12).seconds), (36, 0.5));
    }
}
