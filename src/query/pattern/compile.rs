//! What a query means on a board.

use std::cell::{Cell, RefCell};

use super::super::saved;
use super::{
    Area, BoardSpec, Count, Expr, Numbers, OFF_BOARD, Pattern, PlyCondition, QueryError, Sequence,
    Step, StepGap, Symmetries, Term, TextSpan,
    facts::{self, FactRef},
    line_test::LineTest,
    matcher::StandardStartView,
    move_test::MoveTest,
    ply_set::SequenceStep,
    prefilter::{MoveSequence, PositionFilter},
    program::{ANYBODY, Decision, PlyTest},
    required_material::RequiredMaterial,
    shift_test::ShiftTest,
    transform::{Transform, views},
};
use crate::games::view::{ANY, EMPTY, PieceSets, both_sides, cased, code_of};
use crate::games::{
    position_input::{self, ExpectedVariants},
    variant,
};

/// Ways of looking at a query, all together, at most.
const VIEWS_MAX: usize = 4096;

/// What holds of no game.
const NEVER: Decision = Decision::Any(Vec::new());

/// Compiles a query for a board.
///
/// # Errors
///
/// [`QueryError`] for what the board does not have.
pub fn compile<'a>(asked: &'a Expr, board: &'a BoardSpec) -> Result<Pattern, QueryError> {
    let mut compiler = Compiler {
        board,
        facts: facts::facts(asked),
        pattern: Pattern {
            board: board.ground.all,
            rules: board.rules(),
            decision: Decision::All(Vec::new()),
            nodes: Vec::new(),
            chains: Vec::new(),
            wanted: None,
            moves: None,
            needed: None,
            usual: None,
            last_ply: 0,
            facts: 0,
            line_tests: Vec::new(),
            label_uses: Vec::new(),
            label_groups: Vec::new(),
            needs_promoted: false,
            spans: Vec::new(),
        },
        line_tests: RefCell::new(Vec::new()),
        left: Cell::new(VIEWS_MAX),
    };
    compiler.pattern.decision = compiler.expr(asked, &[])?;
    let mut pattern = compiler.pattern;
    pattern.facts = compiler.facts.len();
    pattern.line_tests = compiler.line_tests.into_inner();
    pattern.find_needs();
    if let Some(label) = pattern.unbound_labels().nth(1) {
        let span = pattern.spans.first().cloned().unwrap_or_default();
        let message = format!("`~{}` may be any piece", label + 1);
        return Err(QueryError::new(message, span).hint(
            "write its letter and its square where it first matters, such as N~1b1 then N~1f1",
        ));
    }
    pattern.wanted = PositionFilter::of(&pattern.nodes, board.ground.all);
    pattern.needed = RequiredMaterial::of(&pattern.chains, &pattern.nodes);
    pattern.moves = MoveSequence::of(&pattern.chains, &pattern.nodes);
    if let (Some(_), [steps], true) = (&pattern.moves, &pattern.chains[..], board.moves_as_chess) {
        pattern.needed = RequiredMaterial::of_moves(steps, &pattern.nodes).or(pattern.needed);
    }
    if pattern.wanted.is_some() {
        pattern.nodes.iter_mut().for_each(PlyTest::put_pieces_last);
    }
    pattern.usual = board
        .moves_as_chess
        .then(|| StandardStartView::of(pattern.wanted.as_ref()));
    pattern.last_ply = (pattern.nodes.iter())
        .map(PlyTest::last_ply)
        .max()
        .unwrap_or(0);
    Ok(pattern)
}

pub(super) struct Compiler<'b> {
    pub(super) board: &'b BoardSpec,
    /// The facts, in order.
    pub(super) facts: Vec<FactRef<'b>>,
    pattern: Pattern,
    /// Tests of the line as a whole, in order.
    pub(super) line_tests: RefCell<Vec<LineTest>>,
    left: Cell<usize>,
}

/// A condition on squares beside the board, where nothing stands, is none: it never holds.
pub(super) type IfOnBoard<T> = Result<Option<T>, QueryError>;

impl Compiler<'_> {
    fn expr(&mut self, expr: &Expr, views: &[Transform]) -> Result<Decision, QueryError> {
        Ok(match expr {
            Expr::And(inner) => {
                let all = inner.iter().map(|one| self.expr(one, views));
                let all = all.collect::<Result<Vec<_>, _>>()?;
                if all.contains(&NEVER) {
                    NEVER
                } else {
                    Decision::All(all)
                }
            }
            Expr::Or(inner) => {
                let any = inner.iter().map(|one| self.expr(one, views));
                let mut any = any.collect::<Result<Vec<_>, _>>()?;
                any.retain(|one| *one != NEVER);
                Decision::Any(any)
            }
            Expr::Not(inner) => Decision::Not(Box::new(self.expr(inner, views)?)),
            Expr::Seen(looks, inner) => {
                let mut any = Vec::new();
                for view in self.views(*looks, &(0..0))? {
                    let views = [&[view], views].concat();
                    any.push(self.expr(inner, &views)?);
                }
                any.retain(|one| *one != NEVER);
                any.dedup();
                Decision::Any(any)
            }
            Expr::Chain(chain) => self.chain(chain, views)?.map_or(NEVER, Decision::Chain),
            Expr::Game(term, span) => Decision::Fact(self.fact(&FactRef::Game(term, span))),
            Expr::Saved(name, span) => return Err(saved::unresolved(name, span)),
        })
    }

    /// The number of a fact.
    fn fact(&self, fact: &FactRef<'_>) -> usize {
        let at = self.facts.iter().position(|own| own.is(fact));
        at.unwrap_or_default()
    }

    fn views(&self, looks: Symmetries, span: &TextSpan) -> Result<Vec<Transform>, QueryError> {
        let views =
            views(looks, &self.board.ground).map_err(|why| QueryError::new(why, span.clone()))?;
        let left = self.left.get().checked_sub(views.len()).ok_or_else(|| {
            QueryError::new(
                format!("the board would be looked at in more than {VIEWS_MAX} ways"),
                span.clone(),
            )
            .hint("write `shiftx` or `shifty` instead of `shift`, or fewer of these words")
        })?;
        self.left.set(left);
        Ok(views)
    }

    /// The number of a chain.
    fn chain(&mut self, chain: &Sequence, views: &[Transform]) -> IfOnBoard<usize> {
        let mut steps = Vec::new();
        let first = std::iter::once((StepGap::Then, &chain.first));
        let rest = chain.rest.iter().map(|(link, step)| (*link, step));
        for (link, step) in first.chain(rest) {
            let Some(any) = self.step(step, views)? else {
                return Ok(None);
            };
            steps.push(SequenceStep {
                any,
                times: step.times,
                step: step.step,
                link,
            });
        }
        let known = self.pattern.chains.iter().position(|known| *known == steps);
        Ok(Some(known.unwrap_or_else(|| {
            let last = chain.rest.last().map_or(&chain.first, |(_, step)| step);
            let span = span_of(&chain.first.holds).start..span_of(&last.holds).end;
            self.pattern.chains.push(steps);
            self.pattern.spans.push(span);
            self.pattern.chains.len() - 1
        })))
    }

    /// The sets of plies; one of them must hold.
    fn step(&mut self, step: &Step, views: &[Transform]) -> IfOnBoard<Vec<usize>> {
        let (mut nodes, mut any) = (Vec::new(), Vec::new());
        let span = span_of(&step.holds);
        for view in self.views(step.looks, &span)? {
            let views = [&[view], views].concat();
            let node = self.condition(&step.holds, &views)?;
            if !node.is_never() && !nodes.contains(&node) {
                nodes.push(node);
            }
        }
        for node in ShiftTest::joined(nodes) {
            let known = self.pattern.nodes.iter().position(|known| *known == node);
            let at = known.unwrap_or_else(|| {
                self.pattern.nodes.push(node);
                self.pattern.nodes.len() - 1
            });
            if !any.contains(&at) {
                any.push(at);
            }
        }
        Ok(Some(any).filter(|any| !any.is_empty()))
    }

    fn condition(
        &self,
        condition: &PlyCondition,
        views: &[Transform],
    ) -> Result<PlyTest, QueryError> {
        let of_each = |inner: &[PlyCondition]| -> Result<Vec<PlyTest>, QueryError> {
            inner.iter().map(|one| self.condition(one, views)).collect()
        };
        Ok(match condition {
            PlyCondition::And(inner) => PlyTest::all(of_each(inner)?),
            PlyCondition::Or(inner) => PlyTest::any(of_each(inner)?),
            PlyCondition::Not(inner) => PlyTest::not(self.condition(inner, views)?),
            PlyCondition::Seen(looks, inner) => {
                let mut any = Vec::new();
                for view in self.views(*looks, &span_of(inner))? {
                    let seen = self.condition(inner, &[&[view], views].concat())?;
                    if !seen.is_never() && !any.contains(&seen) {
                        any.push(seen);
                    }
                }
                PlyTest::any(ShiftTest::joined(any))
            }
            PlyCondition::Term(term, span) => {
                self.term(term, span, views)?.unwrap_or(PlyTest::NEVER)
            }
        })
    }

    fn term(&self, term: &Term, span: &TextSpan, views: &[Transform]) -> IfOnBoard<PlyTest> {
        let side = |side| views.iter().fold(side, |side, view| view.side(side));
        Ok(Some(match term {
            Term::PiecesOn { pieces, on, count } => {
                return self.pieces(pieces, on, count, span, views);
            }
            Term::Position(position) if views.iter().all(|view| *view == Transform::default()) => {
                self.position(&position.text, span)?
            }
            Term::Position(_) => {
                return Err(QueryError::new(
                    "an exact position is not looked at in other ways",
                    span.clone(),
                )
                .hint("write a condition for each board, joined by `or`"));
            }
            Term::Drawn(ranks) => self.drawn(ranks, span, views)?,
            Term::Material {
                sides,
                at_least,
                is_white_first,
            } => {
                let first = side(0);
                let mut any = vec![self.material(sides, first, *at_least, span)?];
                if !is_white_first && sides[0] != sides[1] {
                    any.push(self.material(sides, first ^ 1, *at_least, span)?);
                }
                one_of(any)
            }
            Term::Imbalance {
                sides,
                is_white_first,
            } => {
                let first = side(0);
                let mut any = vec![self.imbalance(sides, first, span)?];
                if !is_white_first {
                    any.push(self.imbalance(sides, first ^ 1, span)?);
                }
                one_of(any)
            }
            Term::Counts { kings, sides } => {
                if !self.board.crowns {
                    let what = if *kings { "`kings:`" } else { "`men:`" };
                    return Err(QueryError::new(
                        format!("{what} has no meaning in {}", self.board.title),
                        span.clone(),
                    )
                    .hint("pieces of chess are counted as P=3 or R=1..2"));
                }
                let letter = if *kings { 'K' } else { 'M' };
                let node = |at: usize| {
                    let codes = vec![code_of(cased(letter, side(at)))];
                    PlyTest::pieces(codes, self.board.ground.all, sides[at])
                };
                PlyTest::all(vec![node(0), node(1)])
            }
            Term::Attacks {
                pieces,
                targets,
                count,
            } => return self.attacks((pieces, targets), *count, span, views),
            Term::Set(set, count) => return self.set((set, count), span, views),
            Term::Value { side: own, ranges } => {
                self.value(own.map(side), ranges, side(0) == 1, span)?
            }
            // Places in its meaning are not places in the text.
            Term::Defined { meaning, .. } => {
                let test = self.condition(meaning, views);
                test.map_err(|error| QueryError {
                    span: span.clone(),
                    ..error
                })?
            }
            Term::Pins(pieces) => self.pins(pieces, span, views)?,
            Term::Only { pieces, on } => self.only(pieces, on, span, views)?,
            Term::Turn(asked) => PlyTest::Turn(side(*asked)),
            Term::Ply((from, to)) => PlyTest::Ply(*from, *to),
            Term::Pieces(numbers) => {
                PlyTest::pieces(ANYBODY.to_vec(), self.board.ground.all, *numbers)
            }
            Term::Check => {
                self.royal("check", span)?;
                PlyTest::Check
            }
            Term::Mate => {
                self.royal("mate", span)?;
                PlyTest::Mate
            }
            Term::Smothered => {
                self.kinds("NK", span)?;
                let kings = [0, 1].map(|side| code_of(cased('K', side)));
                let knights = MoveTest {
                    pieces: both_sides('N'),
                    ..MoveTest::ANY
                };
                PlyTest::all(vec![
                    PlyTest::Mate,
                    PlyTest::Last(Box::new(knights)),
                    PlyTest::ShutIn(kings, self.board.ground.neighbours()),
                ])
            }
            Term::Stalemate => PlyTest::Stalemate,
            Term::End => PlyTest::End,
            Term::Repetition(times) => self.line_test(LineTest::Repetition(*times)),
            Term::Fifty(plies) => self.line_test(LineTest::Fifty(*plies)),
            Term::Sacrifice(asked) => self.sacrifice(*asked, span)?,
            Term::Legal(asked) => return self.legal(asked, span, views),
            Term::MoveSet(set, is_from) => self.move_set(set, *is_from, span, views)?,
            Term::Saved(name) => return Err(saved::unresolved(name, span)),
            Term::Move(asked) => return Ok(self.a_move(asked, span, views)?.map(PlyTest::Move)),
            Term::Last(asked) => return Ok(self.a_move(asked, span, views)?.map(PlyTest::Last)),
            Term::Annotation(asked) => PlyTest::Fact(self.fact(&FactRef::Ply(asked))),
        }))
    }

    /// An error where there is no king that could be in check.
    pub(super) fn royal(&self, what: &str, span: &TextSpan) -> Result<(), QueryError> {
        if self.board.crowns || !self.board.has('K') {
            let message = format!("{} has no {what}", self.board.title);
            return Err(QueryError::new(message, span.clone()));
        }
        Ok(())
    }

    /// Every piece where a position has it, no others, and its side to move.
    fn position(&self, text: &str, span: &TextSpan) -> Result<PlyTest, QueryError> {
        let rules = self.board.row.rules;
        let rows = variant::ALL.iter().filter(|row| row.rules == rules);
        let hint = ExpectedVariants {
            rows: rows.collect(),
        };
        let read = position_input::requested_position(text, &hint)
            .map_err(|error| QueryError::of_position(error, span.clone()))?;
        let (sets, all) = (PieceSets::of(&read.at.diagram()), self.board.ground.all);
        let kinds = sets.codes().filter(|code| !ANY.contains(code));
        let of = |code: u8| {
            let count = sets.pieces(code).count_ones();
            PlyTest::pieces(vec![code], sets.pieces(code), (count, u32::MAX))
        };
        let mut tests: Vec<PlyTest> = kinds.map(of).collect();
        let count = ANY.map(|code| sets.pieces(code).count_ones()).iter().sum();
        tests.push(PlyTest::pieces(ANYBODY.to_vec(), all, (count, count)));
        tests.push(PlyTest::Turn(read.at.turn()));
        Ok(PlyTest::all(tests))
    }

    /// The code of a letter, as it is seen.
    fn codes(
        &self,
        letter: char,
        span: &TextSpan,
        views: &[Transform],
    ) -> Result<Vec<u8>, QueryError> {
        if letter == '_' {
            return Ok(vec![EMPTY]);
        }
        if letter == 'x' {
            return Ok(ANYBODY.to_vec());
        }
        let letter = self.board.own(letter);
        let seen = views
            .iter()
            .fold(letter, |letter, view| view.letter(letter));
        if self.board.has(letter) {
            return Ok(vec![code_of(seen)]);
        }
        match seen {
            'A' => Ok(vec![ANY[0]]),
            'a' => Ok(vec![ANY[1]]),
            _ => Err(QueryError::new(
                format!("{} has no piece `{letter}`", self.board.title),
                span.clone(),
            )
            .hint(self.board.letters_hint())),
        }
    }

    /// The codes of several letters.
    pub(super) fn letters(
        &self,
        letters: &str,
        span: &TextSpan,
        views: &[Transform],
    ) -> Result<Vec<u8>, QueryError> {
        let mut codes = Vec::new();
        for letter in letters.chars() {
            codes.extend(self.codes(letter, span, views)?);
        }
        codes.sort_unstable();
        codes.dedup();
        Ok(codes)
    }

    /// What the board has of the squares of some areas as they are seen, and how many of them
    /// are beside it.
    pub(super) fn mask(
        &self,
        areas: &[Area],
        span: &TextSpan,
        views: &[Transform],
    ) -> Result<(u128, u32), QueryError> {
        let ground = &self.board.ground;
        let (mut written, mut mask) = (0_u128, 0_u128);
        for &area in areas {
            let placed = ground.placed(area).ok_or_else(|| {
                QueryError::new(
                    format!("the board of {} {OFF_BOARD}", self.board.title),
                    span.clone(),
                )
                .hint(ground.squares_hint())
            })?;
            for area in placed {
                let seen = views
                    .iter()
                    .try_fold(area, |area, view| view.area(area, ground));
                written |= ground.mask(area);
                mask |= seen.map_or(0, |area| ground.mask(area));
            }
        }
        let beside = written.count_ones().saturating_sub(mask.count_ones());
        Ok((mask, beside))
    }

    fn pieces(
        &self,
        pieces: &str,
        on: &[Vec<Area>],
        count: &Count,
        span: &TextSpan,
        views: &[Transform],
    ) -> IfOnBoard<PlyTest> {
        let codes = |pieces: &str| self.letters(pieces, span, views);
        let own = codes(pieces)?;
        let mut masks = Vec::new();
        for areas in on {
            masks.push(self.mask(areas, span, views)?);
        }
        if on.is_empty() {
            masks.push((self.board.ground.all, 0));
        }
        let test = |on: u128, numbers: Numbers| PlyTest::pieces(own.clone(), on, numbers);
        let mut nodes = Vec::new();
        match count {
            Count::In((least, most)) => {
                if pieces == "_" {
                    // A square beside the board is empty.
                    for (on, beside) in masks.extract_if(.., |(_, beside)| *beside > 0) {
                        let Some(most) = most.checked_sub(beside) else {
                            return Ok(None);
                        };
                        let least = least.saturating_sub(beside);
                        if on == 0 && least > 0 {
                            return Ok(None);
                        }
                        if least > 0 || most < on.count_ones() {
                            nodes.push(test(on, (least, most)));
                        }
                    }
                }
                let cannot = |on| on == 0 || !self.may_stand(pieces, on, views);
                if *least > 0 && masks.iter().any(|(on, _)| cannot(*on)) {
                    return Ok(None);
                }
                let masks = masks.into_iter().map(|(on, _)| on).filter(|on| *on != 0);
                let masks: Vec<u128> = masks.collect();
                // Single squares are one test.
                let are_single = masks.iter().all(|on| on.is_power_of_two());
                if (*least, *most) == (1, u32::MAX) && are_single && !masks.is_empty() {
                    let all = masks.iter().fold(0, |all, on| all | on);
                    nodes.push(test(all, (all.count_ones(), u32::MAX)));
                } else {
                    nodes.extend(masks.into_iter().map(|on| test(on, (*least, *most))));
                }
            }
            Count::AsMany(others) => {
                let others = codes(others)?;
                let balance = |on| PlyTest::Balance {
                    codes: [own.clone(), others.clone()],
                    on,
                    least: 0,
                    most: 0,
                };
                let masks = masks.into_iter().filter(|(on, _)| *on != 0);
                nodes.extend(masks.map(|(on, _)| balance(on)));
            }
        }
        Ok(Some(PlyTest::all(nodes)))
    }

    /// Whether pawns that were moved up or down the board can stand there.
    fn may_stand(&self, pieces: &str, mask: u128, views: &[Transform]) -> bool {
        let is_moved = views.iter().any(|view| view.by.1 != 0);
        if !is_moved || self.board.crowns || !pieces.contains(['P', 'p']) {
            return true;
        }
        let last = self.board.ground.rows.saturating_sub(1);
        let row = |row| {
            self.board.ground.mask(Area::Placed {
                columns: None,
                rows: Some((row, row)),
            })
        };
        mask & !(row(0) | row(last)) != 0
    }
}

fn one_of(mut any: Vec<PlyTest>) -> PlyTest {
    if any.len() == 1 {
        any.remove(0)
    } else {
        PlyTest::Any(any)
    }
}

/// Where a condition begins and ends in the text.
fn span_of(condition: &PlyCondition) -> TextSpan {
    match condition {
        PlyCondition::Term(_, span) => span.clone(),
        PlyCondition::Not(inner) | PlyCondition::Seen(_, inner) => span_of(inner),
        PlyCondition::And(inner) | PlyCondition::Or(inner) => match &inner[..] {
            [first, .., last] => span_of(first).start..span_of(last).end,
            [only] => span_of(only),
            [] => 0..0,
        },
    }
}
