//! A position of a chess variant as shakmaty plays it, and the checks that were given
//! where a number of them ends the game.
//!
//! Shakmaty counts to three checks and no further. So games of counted checks are its
//! chess, and the counting is done here, for any number.

use std::num::NonZeroU32;

use crate::games::chess::basics::{
    Bitboard, Board, ByColor, ByRole, Castles, CastlingMode, CastlingSide, Chess, Color,
    EnPassantMode, Move, MoveList, Position, Role, Setup, Square,
};
use shakmaty::{
    KnownOutcome, Outcome, PositionError, RemainingChecks,
    variant::{Variant, VariantPosition},
};

use crate::games::chess_variant::ChessVariantKind;

/// A position by shakmaty's rules, with its checks.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CountedChecks {
    at: VariantPosition,
    checks: Option<Checks>,
}

/// The checks that were given, in a game that a number of checks ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Checks {
    /// By White, by Black.
    given: [u8; 2],
    /// How many end the game.
    all: u8,
}

/// The rules of shakmaty that a variant uses.
const fn rules_of(kind: ChessVariantKind) -> Variant {
    match kind {
        ChessVariantKind::Crazyhouse => Variant::Crazyhouse,
        ChessVariantKind::KingOfTheHill => Variant::KingOfTheHill,
        ChessVariantKind::Checks(_) => Variant::Chess,
        ChessVariantKind::Atomic => Variant::Atomic,
        ChessVariantKind::Antichess => Variant::Antichess,
        ChessVariantKind::Horde => Variant::Horde,
        ChessVariantKind::RacingKings => Variant::RacingKings,
    }
}

impl From<Chess> for CountedChecks {
    fn from(at: Chess) -> Self {
        Self {
            at: at.into(),
            checks: None,
        }
    }
}

impl CountedChecks {
    /// The position of a set-up, odd ones included, where no check was given yet.
    ///
    /// # Errors
    ///
    /// Why there is no such position, for people.
    pub fn set_up(
        kind: ChessVariantKind,
        setup: Setup,
        mode: CastlingMode,
    ) -> Result<Self, String> {
        let at = VariantPosition::from_setup(rules_of(kind), setup, mode)
            .or_else(PositionError::ignore_too_much_material)
            .or_else(PositionError::ignore_impossible_check)
            .or_else(PositionError::ignore_invalid_ep_square)
            .or_else(PositionError::ignore_invalid_castling_rights)
            .map_err(|error| error.to_string())?;
        let checks = match kind {
            ChessVariantKind::Checks(all) => Some(Checks { given: [0; 2], all }),
            _ => None,
        };
        Ok(Self { at, checks })
    }

    /// The same with that many checks still to be given by White and by Black; nothing
    /// changes where checks are not counted.
    #[must_use]
    pub fn with_checks_left(mut self, left: [u8; 2]) -> Self {
        if let Some(checks) = &mut self.checks {
            checks.given = left.map(|left| checks.all.saturating_sub(left));
        }
        self
    }

    /// The checks that White and Black have given; `None` where they are not counted.
    pub fn checks_given(&self) -> Option<[u8; 2]> {
        self.checks.map(|checks| checks.given)
    }

    /// The checks that White and Black still have to give; `None` where they are not
    /// counted.
    pub fn checks_left(&self) -> Option<[u8; 2]> {
        let checks = self.checks?;
        Some(checks.given.map(|given| checks.all - given))
    }

    /// The side that has given its last check: 0 White, 1 Black.
    fn checked_out(&self) -> Option<usize> {
        let checks = self.checks?;
        checks.given.iter().position(|&given| given >= checks.all)
    }

    fn unless_over(&self, moves: impl FnOnce(&VariantPosition) -> MoveList) -> MoveList {
        if self.checked_out().is_some() {
            MoveList::new()
        } else {
            moves(&self.at)
        }
    }

    /// The same with the other side to move; `None` in check, and where the other side
    /// cannot be the one to move.
    pub fn passed(&self) -> Option<Self> {
        if self.is_check() {
            return None;
        }
        let mut setup = self.at.to_setup(EnPassantMode::Always);
        setup.swap_turn();
        // Odd positions that were let in must not fail here for being odd.
        let at = VariantPosition::from_setup(self.at.variant(), setup, self.castles().mode())
            .or_else(PositionError::ignore_too_much_material)
            .or_else(PositionError::ignore_impossible_check)
            .ok()?;
        Some(Self { at, ..*self })
    }

    /// Leaves of the tree of all legal moves of this depth.
    pub fn perft(&self, depth: u32) -> u64 {
        match (&self.at, self.checks) {
            // Chess itself without the detour, for speed.
            (VariantPosition::Chess(at), None) => shakmaty::perft(at, depth),
            (at, None) => shakmaty::perft(at, depth),
            (_, Some(_)) => shakmaty::perft(self, depth),
        }
    }
}

impl Position for CountedChecks {
    fn board(&self) -> &Board {
        self.at.board()
    }

    fn promoted(&self) -> Bitboard {
        self.at.promoted()
    }

    fn pockets(&self) -> Option<&ByColor<ByRole<u8>>> {
        self.at.pockets()
    }

    fn turn(&self) -> Color {
        self.at.turn()
    }

    fn castles(&self) -> &Castles {
        self.at.castles()
    }

    fn maybe_ep_square(&self) -> Option<Square> {
        self.at.maybe_ep_square()
    }

    /// None: these are not shakmaty's, but [`CountedChecks::checks_left`].
    fn remaining_checks(&self) -> Option<&ByColor<RemainingChecks>> {
        None
    }

    fn halfmoves(&self) -> u32 {
        self.at.halfmoves()
    }

    fn fullmoves(&self) -> NonZeroU32 {
        self.at.fullmoves()
    }

    fn legal_moves(&self) -> MoveList {
        self.unless_over(Position::legal_moves)
    }

    fn san_candidates(&self, role: Role, to: Square) -> MoveList {
        self.unless_over(|at| at.san_candidates(role, to))
    }

    fn castling_moves(&self, side: CastlingSide) -> MoveList {
        self.unless_over(|at| at.castling_moves(side))
    }

    fn en_passant_moves(&self) -> MoveList {
        self.unless_over(Position::en_passant_moves)
    }

    fn is_irreversible(&self, m: Move) -> bool {
        self.at.is_irreversible(m)
    }

    fn king_attackers(&self, square: Square, attacker: Color, occupied: Bitboard) -> Bitboard {
        self.at.king_attackers(square, attacker, occupied)
    }

    fn is_variant_end(&self) -> bool {
        self.checked_out().is_some() || self.at.is_variant_end()
    }

    fn has_insufficient_material(&self, color: Color) -> bool {
        if self.checks.is_none() {
            return self.at.has_insufficient_material(color);
        }
        // Whatever is left can give check.
        (self.board().by_color(color) & !self.board().kings()).is_empty()
    }

    fn variant_outcome(&self) -> Outcome {
        match self.checked_out() {
            Some(side) => {
                let winner = Color::from_white(side == 0);
                Outcome::Known(KnownOutcome::Decisive { winner })
            }
            None => self.at.variant_outcome(),
        }
    }

    fn play_unchecked(&mut self, m: Move) {
        let side = usize::from(self.turn().is_black());
        self.at.play_unchecked(m);
        if let Some(checks) = &mut self.checks
            && self.at.is_check()
        {
            checks.given[side] = checks.all.min(checks.given[side] + 1);
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use shakmaty::{fen::Fen, san::SanPlus, variant::ThreeCheck};

    use super::*;

    fn counted(all: u8) -> CountedChecks {
        CountedChecks::set_up(
            ChessVariantKind::Checks(all),
            Setup::initial(),
            CastlingMode::Standard,
        )
        .expect("the start")
    }

    fn left(theirs: &ThreeCheck) -> Option<[u8; 2]> {
        let left = theirs.remaining_checks()?;
        Some([left.white, left.black].map(u8::from))
    }

    proptest! {
        #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

        /// Moves that give check are taken more often than not, so that games end by
        /// the third.
        #[test]
        fn three_checks_are_those_of_shakmaty(choices in prop::collection::vec(any::<u16>(), 0..200)) {
            let (mut ours, mut theirs) = (counted(3), ThreeCheck::default());
            for choice in choices {
                let legal = theirs.legal_moves();
                prop_assert_eq!(&ours.legal_moves(), &legal);
                let gives_check = |m: &&Move| {
                    let mut next = theirs.clone();
                    next.play_unchecked(**m);
                    next.is_check()
                };
                let checks: Vec<Move> = legal.iter().filter(gives_check).copied().collect();
                let moves = if choice & 1 == 0 || checks.is_empty() { &legal[..] } else { &checks[..] };
                let Some(&m) = moves.get(usize::from(choice >> 1) % moves.len().max(1)) else {
                    break;
                };
                prop_assert_eq!(
                    SanPlus::from_move(ours.clone(), m).to_string(),
                    SanPlus::from_move(theirs.clone(), m).to_string()
                );
                prop_assert_eq!(ours.castling_moves(CastlingSide::KingSide), theirs.castling_moves(CastlingSide::KingSide));
                prop_assert_eq!(ours.san_candidates(m.role(), m.to()), theirs.san_candidates(m.role(), m.to()));
                ours.play_unchecked(m);
                theirs.play_unchecked(m);
                prop_assert_eq!(ours.checks_left(), left(&theirs));
                prop_assert_eq!(ours.outcome(), theirs.outcome());
                prop_assert_eq!(ours.is_variant_end(), theirs.is_variant_end());
                prop_assert_eq!(ours.legal_ep_square(), theirs.legal_ep_square());
            }
            prop_assert_eq!(ours.perft(2), shakmaty::perft(&theirs, 2));
        }
    }

    /// With as many checks left, it does not matter how many there were.
    #[test]
    fn lines_are_counted_as_shakmaty_counts_those_with_few_checks_left() {
        for fen in [
            "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
            "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
            "r2q1rk1/pP1p2pp/Q4n2/bbp1p3/Np6/1B3NBn/pPPP1PPP/R3K2R b KQ - 0 1",
        ] {
            let setup = fen.parse::<Fen>().expect("a FEN").into_setup();
            let chess: Chess = setup.clone().position(CastlingMode::Standard).expect(fen);
            let mut fewer = 0;
            for (white, black) in [(1, 1), (1, 3), (3, 1), (2, 2), (3, 3), (0, 1)] {
                let mut setup = setup.clone();
                setup.remaining_checks = Some(ByColor {
                    white: RemainingChecks::new(white),
                    black: RemainingChecks::new(black),
                });
                let theirs: ThreeCheck = setup.clone().position(CastlingMode::Standard).expect(fen);
                let nodes = shakmaty::perft(&theirs, 3);
                fewer += u32::from(nodes < shakmaty::perft(&chess, 3));
                for all in [3, 5, 200] {
                    let ours = CountedChecks::set_up(
                        ChessVariantKind::Checks(all),
                        setup.clone(),
                        CastlingMode::Standard,
                    )
                    .expect(fen)
                    .with_checks_left([white as u8, black as u8]);
                    assert_eq!(ours.perft(3), nodes, "{fen} {white}+{black} of {all}");
                }
            }
            assert!(fewer > 2, "{fen} has no last checks");
        }
    }

    #[test]
    fn the_last_check_ends_the_game_and_no_other() {
        let mut at = counted(5);
        let line = "e4 e5 Qh5 Nc6 Qxf7+ Kxf7 Bc4+ Ke8 Bf7+ Ke7 Be8 Nd4 d3 d6 Bg5+ Ke6 f4 Nxc2+ Kd1";
        let play = |at: &mut CountedChecks, words: &str| {
            for word in words.split(' ') {
                let san: SanPlus = word.parse().expect("a SAN");
                let m = san.san.to_move(at).expect(word);
                assert_eq!(SanPlus::from_move(at.clone(), m), san);
                at.play_unchecked(m);
            }
        };
        play(&mut at, line);
        assert_eq!(
            (at.checks_given(), at.checks_left()),
            (Some([4, 1]), Some([1, 4]))
        );
        assert!(!at.is_variant_end() && !at.legal_moves().is_empty());
        // The turn passes without another check, and none is passed in check.
        assert_eq!(at.passed().and_then(|at| at.checks_given()), Some([4, 1]));
        play(&mut at, "a6 Bd7#");
        assert_eq!(
            (at.checks_given(), at.checks_left()),
            (Some([5, 1]), Some([0, 4]))
        );
        assert!(at.is_variant_end() && at.is_check() && at.legal_moves().is_empty());
        assert_eq!(at.outcome().winner(), Some(Color::White));
        let chess = VariantPosition::from_setup(
            Variant::Chess,
            at.to_setup(EnPassantMode::Legal),
            CastlingMode::Standard,
        );
        assert!(!chess.expect("a position").is_checkmate());
    }
}
