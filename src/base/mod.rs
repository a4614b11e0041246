//! What every room may use: what is found wrong in data, limits, events, the record of a
//! game, names as people read them, names of columns, waiting for others. Nothing here knows a game or a
//! file.

mod about;
pub mod columns;
pub mod diagnostic;
pub mod limits;
mod mix;
pub mod observe;
pub mod record;
pub mod runs;
pub mod shown;
pub mod varint;
pub mod wait;
pub(crate) mod work;

pub use about::PathError;
pub use mix::mix;
