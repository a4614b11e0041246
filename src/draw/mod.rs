//! Pictures of a [`Diagram`](crate::games::diagram::Diagram), for terminals and as SVG.

pub mod board;
pub mod svg;
#[cfg(test)]
mod tests;
