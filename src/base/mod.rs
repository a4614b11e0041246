//! What every module may use: what is found wrong in data, limits, events, the record of a
//! game, names as people read them, names of columns, waiting for other processes. Nothing
//! here knows a game or a file.

pub mod cancellable_io;
pub mod diagnostic;
pub mod display_path;
pub mod field_names;
mod hash;
pub(crate) mod id_set;
pub mod limits;
#[cfg(test)]
pub(crate) mod long_tests;
pub mod observe;
mod path_error;
pub mod range_map;
pub mod record;
pub(crate) mod temporary;
pub mod varint;
pub(crate) mod work;

pub use hash::mix;
pub use path_error::PathError;
