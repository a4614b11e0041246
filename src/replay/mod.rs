//! Replays stored games: their start positions, moves, variations and tags, and builds the index
//! of them again.

mod annotations;
mod external;
mod openings;
pub(crate) mod salvage;
mod segment;
mod spill;
mod sums;
mod tags;

pub use annotations::{AnnotationReader, Annotations};
#[cfg(test)]
pub(crate) use external::ExternalSegmentBuilder;
pub use external::{
    BlockSink, BuiltSegment, build_segment, replace_segments, replace_segments_with,
};
pub use openings::OpeningReader;
pub use segment::{
    popular_summed_again, rebuilt_columns, rebuilt_segment, rebuilt_signatures, top_games_of,
    usual_starts,
};
pub use sums::{FullGameReader, StoredSums};
pub(crate) use tags::{TagPlace, tag_values};
pub use tags::{each_tag, layout_of, name_of, written_name};

use crate::{
    games::{AnyCursor, AnyPosition, variant::Variant},
    store::{Store, StoreError},
};

/// The position in which the games of a start row begin; row 0 is the standard
/// start position of chess. `None` if they cannot be played.
///
/// # Errors
///
/// [`StoreError`] if the database cannot be read or the row is damaged.
pub fn start_position(store: &Store, id: u32) -> Result<Option<AnyPosition>, StoreError> {
    if id == 0 {
        return Ok(Some(AnyPosition::initial()));
    }
    let Some(row) = store.start(id)? else {
        return Err(store.damaged(format!("start position {id} is missing")));
    };
    let (Some(variant), Some(canonical)) = (Variant::by_id(row.variant), row.canonical) else {
        return Ok(None);
    };
    let damaged = |error: String| store.damaged(format!("start position {id}: {error}"));
    AnyPosition::read_stored(variant, &canonical, row.corner).map_err(damaged)
}

/// Gives the start positions the keys of our version.
///
/// # Errors
///
/// [`StoreError`].
pub fn renew_start_keys(store: &Store) -> Result<(), StoreError> {
    let mut ids = Vec::new();
    store.for_each_start(|start| ids.push(start.id))?;
    for id in ids {
        if let Some(position) = start_position(store, id)? {
            let at = AnyCursor::new(&position);
            store.update_start_key(id, at.board_key(), at.state_bits())?;
        }
    }
    Ok(())
}
