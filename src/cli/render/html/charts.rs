//! Small drawings within a line: how games ended, shares, differences with their errors.

use super::escape;

/// Wins, draws and losses.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ResultBar {
    /// Games won.
    pub won: u64,
    /// Games drawn.
    pub drawn: u64,
    /// Games lost.
    pub lost: u64,
}

/// A share of something.
#[derive(Debug, Clone, PartialEq)]
pub struct ShareBar {
    /// The share, from 0 to 1.
    pub share: f64,
    /// What stands beside it.
    pub label: String,
}

/// A difference with its error.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Whisker {
    /// The difference.
    pub value: f64,
    /// How far it may be off, to either side.
    pub error: f64,
    /// The difference at the end of the drawing, to either side: the same for all of a column.
    pub scale: f64,
    /// Whether it stands out, and gets a colour.
    pub is_notable: bool,
}

/// Units of a drawing.
const WIDTH: f64 = 120.0;
const HEIGHT: f64 = 14.0;

impl ResultBar {
    pub(super) fn html(self) -> String {
        let all = self.won + self.drawn + self.lost;
        if all == 0 {
            return String::new();
        }
        let part = |games: u64| games as f64 / all as f64 * WIDTH;
        let (won, drawn) = (part(self.won), part(self.drawn));
        format!(
            "<svg class=\"chart results\" viewBox=\"0 0 {WIDTH} {HEIGHT}\" role=\"img\"><title>{} won, {} \
             drawn, {} lost</title><rect class=\"won\" width=\"{won:.1}\" height=\"{HEIGHT}\"/>\
             <rect class=\"drawn\" x=\"{won:.1}\" width=\"{drawn:.1}\" height=\"{HEIGHT}\"/>\
             <rect class=\"lost\" x=\"{:.1}\" width=\"{:.1}\" height=\"{HEIGHT}\"/></svg>",
            self.won,
            self.drawn,
            self.lost,
            won + drawn,
            part(self.lost),
        )
    }
}

impl ShareBar {
    pub(super) fn html(&self) -> String {
        let width = self.share.clamp(0.0, 1.0) * WIDTH;
        format!(
            "<svg class=\"chart share\" viewBox=\"0 0 {WIDTH} {HEIGHT}\" aria-hidden=\"true\"><rect \
             class=\"track\" width=\"{WIDTH}\" height=\"{HEIGHT}\"/><rect class=\"part\" \
             width=\"{width:.1}\" height=\"{HEIGHT}\"/></svg> <span>{}</span>",
            escape(&self.label)
        )
    }
}

impl Whisker {
    pub(super) fn html(self) -> String {
        if !(self.value.is_finite() && self.error.is_finite() && self.scale > 0.0) {
            return String::new();
        }
        let place =
            |value: f64| (value / self.scale).clamp(-1.0, 1.0) * (WIDTH / 2.0 - 3.0) + WIDTH / 2.0;
        let class = match (self.is_notable, self.value > 0.0) {
            (true, true) => "up",
            (true, false) => "down",
            _ => "even",
        };
        let (middle, zero) = (HEIGHT / 2.0, WIDTH / 2.0);
        let [low, value, high] =
            [self.value - self.error, self.value, self.value + self.error].map(place);
        format!(
            "<svg class=\"chart whisker {class}\" viewBox=\"0 0 {WIDTH} {HEIGHT}\" aria-hidden=\"true\">\
             <line class=\"zero\" x1=\"{zero}\" y1=\"0\" x2=\"{zero}\" y2=\"{HEIGHT}\"/>\
             <line x1=\"{low:.1}\" y1=\"{middle}\" x2=\"{high:.1}\" y2=\"{middle}\"/>\
             <circle cx=\"{value:.1}\" cy=\"{middle}\" r=\"3.2\"/></svg>"
        )
    }
}
