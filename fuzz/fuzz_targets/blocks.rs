//! Blocks of the index of any bytes: each reader says that they are damaged, or reads no more than they
//! can hold; what is read of facts and fingerprints is written again and reads back the same.
#![no_main]

use libfuzzer_sys::fuzz_target;
use plydex::{index::{popular, columns::{heads, set::GameSet}, posting::{self, PostingLayout}, signatures::StructureSignature}, blocks::{facts, moves, fingerprint, pages::RecordBlockReader}};

fuzz_target!(|input: (u8, u64, u64, &[u8])| {
    let (reader, first, key, block) = input;
    match reader % 8 {
        0 => {
            if let Some(games) = facts::read(block) {
                assert!(games.len() <= 1 << 16);
                assert_eq!(facts::read(&facts::write(&games)), Some(games));
            }
        }
        1 => {
            let mut places = Vec::new();
            let read = moves::places(block, &mut places);
            let games = moves::games(block);
            if let (Some(()), Some(games)) = (read, games) {
                assert_eq!(places.len(), games.len());
            }
            for (_, place) in places.into_iter().filter(|_| read.is_some()) {
                assert!(place.start <= place.end && place.end <= block.len());
            }
        }
        2 => {
            for state in popular::find(block, key, first).into_iter().flatten() {
                assert!(state.games.iter().all(|(_, next)| usize::from(*next) < state.moves.len()));
            }
        }
        3 => {
            let [postings, keys, games] = [first % (1 << 20), first >> 44, key % (1 << 19)];
            let layout = PostingLayout::new(postings as usize, keys as usize, games as usize);
            let _ = posting::find(layout, first, block, key, 1 << 20);
        }
        4 => {
            if let Some(records) = RecordBlockReader::of(first, block) {
                for (game, record) in records.records() {
                    assert_eq!(records.get(game), Some(record));
                }
            }
        }
        5 => {
            if let Some(prints) = fingerprint::games(block) {
                let read: Option<Vec<_>> = (0..prints).map(|place| fingerprint::at(block, place)).collect();
                assert_eq!(fingerprint::write(&read.expect("as many as it says")), block);
            }
        }
        6 => {
            let _ = heads(block, (first % (1 << 19)) as usize);
            let mut set = GameSet::none((first % (1 << 19)) as usize);
            let _ = set.add_written(block);
            assert!(set.count() <= set.games());
        }
        _ => {
            for signature in StructureSignature::of_block(block) {
                let _ = signature.may_have(key as u32);
            }
        }
    }
});
