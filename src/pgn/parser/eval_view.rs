//! From whose view a game's evaluations are written. Programs of one form differ: Fritz writes
//! `0.44/22 249` as White sees it, `WinBoard` `+0.44/22 249` as who moved does.

use super::comment::{self, CommandValue};

/// Evaluations nearer to zero than this, in hundredths of a pawn, say nothing.
const TELLING_MIN: i32 = 30;

/// Pairs of evaluations that have a say.
const PAIRS_MIN: u32 = 4;

/// Decimals for each whole number of commands from which on the whole numbers are pawns as well:
/// `1` for `1.00`, as programs write that drop the zeros.
const DECIMALS_MIN: u32 = 3;

/// No program that drops zeros writes more pawns than these.
const PAWNS_MAX: i32 = 30;

/// Whose view it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum EvalSide {
    /// White's.
    White,
    /// That of the side that moved.
    Mover,
}

/// What a number counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum EvalUnit {
    /// Pawns.
    Pawns,
    /// Hundredths of a pawn.
    Centipawns,
}

impl EvalSide {
    /// Its word in files and options.
    pub const fn name(self) -> &'static str {
        match self {
            Self::White => "white",
            Self::Mover => "mover",
        }
    }

    /// The one of that word.
    pub fn named(word: &str) -> Option<Self> {
        [Self::White, Self::Mover]
            .into_iter()
            .find(|side| side.name() == word)
    }
}

impl EvalUnit {
    /// Its word in files and options.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Pawns => "pawns",
            Self::Centipawns => "centipawns",
        }
    }

    /// The one of that word.
    pub fn named(word: &str) -> Option<Self> {
        [Self::Pawns, Self::Centipawns]
            .into_iter()
            .find(|unit| unit.name() == word)
    }
}

/// How evaluations are to be read; `None` where it is not known.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct EvalReading {
    /// The unit of whole numbers in commands; if it was given by hand, of all numbers.
    pub unit: Option<EvalUnit>,
    /// Whose view commands have.
    pub command: Option<EvalSide>,
    /// Whose view scores have that stand in comments without a command.
    pub short: Option<EvalSide>,
}

impl EvalReading {
    /// Nothing is known.
    pub const UNKNOWN: Self = Self {
        unit: None,
        command: None,
        short: None,
    };

    /// Whether nothing is known.
    pub fn is_empty(&self) -> bool {
        *self == Self::UNKNOWN
    }
}

/// What is known of the evaluations of a source. What was given by hand counts first, then what a game
/// shows by itself, then what all games of the source show.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct SourceEvals {
    /// By hand.
    pub by_hand: EvalReading,
    /// By all games of the source.
    pub by_evidence: EvalReading,
}

impl SourceEvals {
    /// Sets one of the two.
    pub const fn put(&mut self, is_by_hand: bool, reading: EvalReading) {
        if is_by_hand {
            self.by_hand = reading;
        } else {
            self.by_evidence = reading;
        }
    }
}

/// The form that an evaluation is written in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum EvalForm {
    /// A field of TCEC, which is White's.
    Named,
    /// A command with decimals and without a depth, as lichess writes it: White's, in pawns.
    Usual,
    /// A command with a depth, or a whole number.
    Command {
        /// Whether the number has no decimals.
        is_whole: bool,
    },
    /// A score with its depth and no name.
    Short,
}

/// How the evaluations of a game are read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct EvalViews {
    /// Of whole numbers in commands.
    unit: EvalUnit,
    /// Of all numbers, given by hand.
    unit_by_hand: Option<EvalUnit>,
    usual: EvalSide,
    command: EvalSide,
    short: EvalSide,
}

impl EvalViews {
    /// Those of a game of a source, by the comments of its main line; each with the plies before it.
    pub fn of<'c>(source: SourceEvals, comments: impl Iterator<Item = (u32, &'c str)>) -> Self {
        let mut evidence = EvalEvidence::default();
        comments.for_each(|(plies, text)| evidence.look_at(plies, text));
        evidence.views(source)
    }

    /// Whether an evaluation after a move of the side that moves second has the other sign.
    pub(super) fn is_turned(self, form: EvalForm) -> bool {
        let side = match form {
            EvalForm::Named => EvalSide::White,
            EvalForm::Usual => self.usual,
            EvalForm::Command { .. } => self.command,
            EvalForm::Short => self.short,
        };
        side == EvalSide::Mover
    }

    /// Hundredths of a pawn, where a number was read as its form has it: whole numbers of commands as
    /// hundredths, all others as pawns.
    pub(super) const fn centipawns(self, form: EvalForm, read: i32) -> i32 {
        match (form, self.unit, self.unit_by_hand) {
            (EvalForm::Command { is_whole: true }, EvalUnit::Pawns, _) => read.saturating_mul(100),
            (EvalForm::Named | EvalForm::Command { is_whole: true }, ..) => read,
            (_, _, Some(EvalUnit::Centipawns)) => (read + 50 * read.signum()) / 100,
            _ => read,
        }
    }
}

/// What the comments of a game, or of all games of a source, show of how their evaluations are meant.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct EvalEvidence {
    command: FormEvidence,
    short: FormEvidence,
    /// Numbers of commands with decimals, and without.
    decimals: u32,
    wholes: u32,
    /// The largest of these.
    whole_max: i32,
}

/// What is seen of one form.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
struct FormEvidence {
    values: u32,
    /// The plies before the last one, and its hundredths of a pawn as they are written.
    last: Option<(u32, i32)>,
    /// Neighbours that agree as they stand, and with one of them turned round.
    same: u32,
    turned: u32,
    /// Whether a plus sign is written.
    has_plus: bool,
    /// Whether a number above zero is written without one.
    has_bare: bool,
}

/// What evaluations of one form are read as, for people.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct EvalFound {
    /// How many there are.
    pub values: u32,
    /// Their unit.
    pub unit: EvalUnit,
    /// From whose view.
    pub side: EvalSide,
    /// Whether the games show the view, or else its form is usual with that view.
    pub is_shown: bool,
}

impl EvalEvidence {
    /// Looks at a comment of the main line, which `plies` plies precede.
    pub fn look_at(&mut self, plies: u32, text: &str) {
        for (value, form) in comment::written_values(text) {
            let CommandValue::Centipawns { centipawns, .. } = value.value else {
                continue;
            };
            let evidence = match form {
                EvalForm::Named => continue,
                EvalForm::Usual => {
                    self.decimals += 1;
                    continue;
                }
                EvalForm::Command { is_whole } => {
                    if is_whole {
                        self.wholes += 1;
                        self.whole_max = self.whole_max.max(centipawns.saturating_abs());
                    } else {
                        self.decimals += 1;
                    }
                    &mut self.command
                }
                EvalForm::Short => &mut self.short,
            };
            evidence.add(plies, centipawns);
            let has_plus = text.contains('+');
            evidence.has_plus |= has_plus;
            evidence.has_bare |= centipawns > 0 && !has_plus;
        }
    }

    /// Adds what other games show.
    pub fn merge(&mut self, other: &Self) {
        self.command.merge(&other.command);
        self.short.merge(&other.short);
        self.decimals = self.decimals.saturating_add(other.decimals);
        self.wholes = self.wholes.saturating_add(other.wholes);
        self.whole_max = self.whole_max.max(other.whole_max);
    }

    /// Whether there is any evaluation.
    pub fn is_empty(&self) -> bool {
        self.decimals == 0 && self.wholes == 0 && self.short.values == 0
    }

    /// What is clear from it.
    pub fn reading(&self) -> EvalReading {
        let has_pawns = self.decimals >= self.wholes.saturating_mul(DECIMALS_MIN)
            && self.whole_max <= PAWNS_MAX;
        EvalReading {
            unit: (self.wholes > 0 && has_pawns).then_some(EvalUnit::Pawns),
            command: self.command.side(),
            short: self.short.side(),
        }
    }

    /// How the evaluations of a game of a source are read that shows this.
    pub fn views(&self, source: SourceEvals) -> EvalViews {
        let (hand, game, all) = (source.by_hand, self.reading(), source.by_evidence);
        let by_sign = if self.short.has_bare && !self.short.has_plus {
            EvalSide::White
        } else {
            EvalSide::Mover
        };
        let short = hand.short.or(game.short).or(all.short);
        let command = hand.command.or(game.command).or(all.command);
        EvalViews {
            unit: (hand.unit.or(game.unit).or(all.unit)).unwrap_or(EvalUnit::Centipawns),
            unit_by_hand: hand.unit,
            usual: hand.command.unwrap_or(EvalSide::White),
            command: command.unwrap_or(EvalSide::White),
            short: short.unwrap_or(by_sign),
        }
    }

    /// What its evaluations are read as, for each form that does not show its unit or view.
    pub fn found(&self, by_hand: EvalReading) -> impl Iterator<Item = EvalFound> {
        let views = self.views(SourceEvals {
            by_hand,
            ..SourceEvals::default()
        });
        let unit = match by_hand.unit {
            Some(unit) => unit,
            None if self.wholes > 0 => views.unit,
            None => EvalUnit::Pawns,
        };
        let forms = [
            (&self.command, unit, views.command),
            (
                &self.short,
                by_hand.unit.unwrap_or(EvalUnit::Pawns),
                views.short,
            ),
        ];
        let found = forms.map(|(form, unit, side)| EvalFound {
            values: form.values,
            unit,
            side,
            is_shown: form.side().is_some(),
        });
        found.into_iter().filter(|found| found.values > 0)
    }
}

impl FormEvidence {
    fn add(&mut self, plies: u32, centipawns: i32) {
        if let Some((before, last)) = self.last
            && before + 1 == plies
            && last.saturating_abs() >= TELLING_MIN
        {
            let (here, last) = (i64::from(centipawns), i64::from(last));
            match (here - last).abs().cmp(&(here + last).abs()) {
                std::cmp::Ordering::Less => self.same += 1,
                std::cmp::Ordering::Greater => self.turned += 1,
                std::cmp::Ordering::Equal => {}
            }
        }
        self.values += 1;
        self.last = Some((plies, centipawns));
    }

    fn merge(&mut self, other: &Self) {
        self.values = self.values.saturating_add(other.values);
        self.same = self.same.saturating_add(other.same);
        self.turned = self.turned.saturating_add(other.turned);
        self.has_plus |= other.has_plus;
        self.has_bare |= other.has_bare;
    }

    /// The view for which three quarters of the pairs speak.
    const fn side(&self) -> Option<EvalSide> {
        let pairs = self.same.saturating_add(self.turned) as u64;
        if pairs < PAIRS_MIN as u64 {
            None
        } else if self.same as u64 * 4 >= pairs * 3 {
            Some(EvalSide::White)
        } else if self.turned as u64 * 4 >= pairs * 3 {
            Some(EvalSide::Mover)
        } else {
            None
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn views(texts: &[&str]) -> EvalViews {
        EvalViews::of(SourceEvals::default(), (1..).zip(texts.iter().copied()))
    }

    fn short(texts: &[&str]) -> EvalSide {
        views(texts).short
    }

    #[test]
    fn neighbours_tell_whose_view_it_is() {
        let white = [
            "+0.40/9 1",
            "+0.45/9 1",
            "+0.38/9 1",
            "+0.50/9 1",
            "+0.47/9 1",
        ];
        assert_eq!(short(&white), EvalSide::White);
        let mover = ["0.40/9 1", "-0.45/9 1", "0.38/9 1", "-0.50/9 1", "0.47/9 1"];
        assert_eq!(short(&mover), EvalSide::Mover);
        // Else the form does.
        assert_eq!(short(&["+0.40/9 1"]), EvalSide::Mover);
        assert_eq!(short(&["0.40/9 1"]), EvalSide::White);
        assert_eq!(short(&["-0.40/9 1"]), EvalSide::Mover);
        assert_eq!(short(&["0.40/9 1", "-0.10/9 1"]), EvalSide::White);
    }

    #[test]
    fn commands_are_whites_unless_they_contradict() {
        let command = |texts: &[&str]| views(texts).command;
        assert_eq!(command(&["[%eval 40,9]", "[%eval -41,9]"]), EvalSide::White);
        let turned: Vec<String> = (0..6)
            .map(|ply| format!("[%eval {},9]", if ply % 2 == 0 { 50 } else { -50 }))
            .collect();
        let turned: Vec<&str> = turned.iter().map(String::as_str).collect();
        assert_eq!(command(&turned), EvalSide::Mover);
        // The command of lichess has a view of its own.
        let lichess: Vec<String> = turned
            .iter()
            .map(|text| text.replace("50,9", "0.5"))
            .collect();
        let lichess: Vec<&str> = lichess.iter().map(String::as_str).collect();
        assert_eq!(command(&lichess), EvalSide::White);
    }

    #[test]
    fn whole_numbers_among_decimals_are_pawns() {
        let unit = |texts: &[&str]| views(texts).unit;
        let dropped = ["[%eval 0.5]", "[%eval 1]", "[%eval 0.75]", "[%eval -0.25]"];
        assert_eq!(unit(&dropped), EvalUnit::Pawns);
        assert_eq!(
            unit(&["[%eval 31,19]", "[%eval 28,20]"]),
            EvalUnit::Centipawns
        );
        // Two programs have looked at the game.
        let mixed = [
            "[%eval 0.5]",
            "[%eval 0.6]",
            "[%eval 0.75]",
            "[%eval 75,20]",
        ];
        assert_eq!(unit(&mixed), EvalUnit::Centipawns);
    }

    #[test]
    fn a_source_decides_where_a_game_does_not() {
        let by_evidence = EvalReading {
            unit: Some(EvalUnit::Pawns),
            command: Some(EvalSide::Mover),
            short: Some(EvalSide::White),
        };
        let by_hand = EvalReading {
            command: Some(EvalSide::White),
            ..EvalReading::default()
        };
        let of = |source, texts: &[&str]| EvalViews::of(source, (1..).zip(texts.iter().copied()));
        let source = SourceEvals {
            by_evidence,
            ..SourceEvals::default()
        };
        let few = of(source, &["[%eval 2,9]", "+0.40/9 1"]);
        assert_eq!(
            (few.unit, few.command, few.short),
            (EvalUnit::Pawns, EvalSide::Mover, EvalSide::White)
        );
        let mover = ["0.40/9 1", "-0.45/9 1", "0.38/9 1", "-0.50/9 1", "0.47/9 1"];
        assert_eq!(of(source, &mover).short, EvalSide::Mover);
        let source = SourceEvals { by_hand, ..source };
        assert_eq!(of(source, &["[%eval 2,9]"]).command, EvalSide::White);
        assert_eq!(of(source, &mover).short, EvalSide::Mover);
    }
}
