//! Answers that were given before, as long as the database is the same.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};

use super::response::Response;

/// Bytes of answers that are kept at most: twice as many as a half has.
const HALF_BYTES: usize = 8 << 20;

/// What an answer takes up beside its body.
const OVERHEAD: usize = 256;

/// Answers by their queries. The half that was wanted lately stays when the other is given up.
#[derive(Debug, Default)]
struct CacheGenerations {
    lately: HashMap<String, Response>,
    before: HashMap<String, Response>,
    bytes: usize,
    /// Raised whenever the database was found changed.
    age: u64,
}

/// Answers that several threads look up.
#[derive(Debug, Default)]
pub(crate) struct ResponseCache(Mutex<CacheGenerations>);

impl ResponseCache {
    fn with<T>(&self, work: impl FnOnce(&mut CacheGenerations) -> T) -> T {
        // What a thread that failed has left is complete: nothing is changed in two steps.
        work(&mut self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// The age of the answers. Looked at before the database is.
    pub(crate) fn age(&self) -> u64 {
        self.with(|halves| halves.age)
    }

    /// Gives up all answers, for the database has changed. The new age.
    pub(crate) fn renew(&self) -> u64 {
        self.with(|halves| {
            *halves = CacheGenerations {
                age: halves.age + 1,
                ..CacheGenerations::default()
            };
            halves.age
        })
    }

    /// The answer to a query.
    pub(crate) fn get(&self, asked: &str) -> Option<Response> {
        self.with(|halves| {
            if let Some(response) = halves.lately.get(asked) {
                return Some(response.clone());
            }
            let response = halves.before.remove(asked)?;
            halves.put(asked, response.clone());
            Some(response)
        })
    }

    /// Keeps an answer that was made of a database of some age.
    pub(crate) fn put(&self, asked: &str, response: &Response, age: u64) {
        self.with(|halves| {
            if halves.age == age {
                halves.put(asked, response.clone());
            }
        });
    }
}

impl CacheGenerations {
    fn put(&mut self, asked: &str, response: Response) {
        let Some(body) = response.body.held() else {
            return;
        };
        let bytes = asked.len() + body.len() + OVERHEAD;
        if bytes > HALF_BYTES / 8 {
            return;
        }
        if self.bytes + bytes > HALF_BYTES {
            self.before = std::mem::take(&mut self.lately);
            self.bytes = 0;
        }
        self.bytes += bytes;
        self.lately.insert(asked.to_owned(), response);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn response(bytes: usize) -> Response {
        Response::new(200, "text/plain", vec![0; bytes])
    }

    #[test]
    fn what_is_asked_for_stays() {
        let known = ResponseCache::default();
        let size = HALF_BYTES / 10;
        for number in 0..100 {
            known.put(&number.to_string(), &response(size), 0);
            assert!(known.get("0").is_some(), "after {number}");
        }
        assert!(known.get("1").is_none());
        let kept = (0..100).filter(|number| known.get(&number.to_string()).is_some());
        assert!(kept.count() <= 20);
    }

    #[test]
    fn another_database_has_other_answers() {
        let known = ResponseCache::default();
        let age = known.age();
        known.put("a", &response(1), age);
        assert!(known.get("a").is_some());
        known.renew();
        assert!(known.get("a").is_none());
        known.put("a", &response(1), age);
        assert!(known.get("a").is_none(), "made of the old one");
    }
}
