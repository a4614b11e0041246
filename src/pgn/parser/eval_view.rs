//! From whose view a game's evaluations are written. Programs of one form differ: Fritz writes
//! `0.44/22 249` as White sees it, `WinBoard` `+0.44/22 249` as who moved does.

use super::comment::{self, CommandValue};

/// Evaluations nearer to zero than this, in hundredths of a pawn, tell nothing.
const TELLING_MIN: i32 = 30;

/// Pairs of evaluations that have a say.
const PAIRS_MIN: u32 = 4;

/// Whose view it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum EvalSide {
    /// White's.
    #[default]
    White,
    /// That of the side that moved.
    Mover,
}

/// In which form an evaluation is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum EvalForm {
    /// A name says whose view it is: the fields of TCEC, a command without a depth.
    Named,
    /// A command with a depth, or in hundredths of a pawn.
    Command,
    /// A score with its depth and no name.
    Short,
}

/// The views of a game's evaluations, by the forms in which they are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct EvalViews {
    command: EvalSide,
    short: EvalSide,
}

impl EvalViews {
    /// The views that the comments of a main line tell; each with the plies before it.
    pub fn of<'c>(comments: impl Iterator<Item = (u32, &'c str)>) -> Self {
        let mut evidence = EvalEvidence::default();
        comments.for_each(|(plies, text)| evidence.look_at(plies, text));
        evidence.views()
    }

    pub(super) const fn side(self, form: EvalForm) -> EvalSide {
        match form {
            EvalForm::Named => EvalSide::White,
            EvalForm::Command => self.command,
            EvalForm::Short => self.short,
        }
    }
}

/// What the comments of a game tell of the views of its evaluations.
#[derive(Debug, Clone, Default)]
pub struct EvalEvidence {
    command: FormEvidence,
    short: FormEvidence,
}

/// What is seen of one form.
#[derive(Debug, Clone, Default)]
struct FormEvidence {
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

impl EvalEvidence {
    /// Looks at a comment of the main line, which `plies` plies precede.
    pub fn look_at(&mut self, plies: u32, text: &str) {
        for (value, form) in comment::written_values(text) {
            let evidence = match form {
                EvalForm::Named => continue,
                EvalForm::Command => &mut self.command,
                EvalForm::Short => &mut self.short,
            };
            if let CommandValue::Centipawns { centipawns, .. } = value.value {
                evidence.add(plies, centipawns);
                let has_plus = text.contains('+');
                evidence.has_plus |= has_plus;
                evidence.has_bare |= centipawns > 0 && !has_plus;
            }
        }
    }

    /// What that tells.
    pub const fn views(&self) -> EvalViews {
        EvalViews {
            command: self.command.side(EvalSide::White),
            short: self
                .short
                .side(if self.short.has_bare && !self.short.has_plus {
                    EvalSide::White
                } else {
                    EvalSide::Mover
                }),
        }
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
        self.last = Some((plies, centipawns));
    }

    /// The view for which three quarters of the pairs speak; else the usual one.
    const fn side(&self, usual: EvalSide) -> EvalSide {
        let pairs = self.same + self.turned;
        if pairs >= PAIRS_MIN && self.same * 4 >= pairs * 3 {
            EvalSide::White
        } else if pairs >= PAIRS_MIN && self.turned * 4 >= pairs * 3 {
            EvalSide::Mover
        } else {
            usual
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn short(texts: &[&str]) -> EvalSide {
        EvalViews::of((1..).zip(texts.iter().copied())).side(EvalForm::Short)
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
        let command = |texts: &[&str]| {
            EvalViews::of((1..).zip(texts.iter().copied())).side(EvalForm::Command)
        };
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
}
