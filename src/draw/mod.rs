//! Pictures of a [`Diagram`](crate::games::diagram::ProblemDiagram), for terminals and as SVG.

pub mod board;
pub mod svg;
#[cfg(test)]
mod tests;
