//! Where questions become answers, whoever brings them: no socket is known here.

use std::path::Path;
use std::sync::Arc;

use super::asking::{Asking, Verb};
use super::cache::KnownReplies;
use super::plan_serve::ServePlan;
use super::reply::{JSON, Reply};
use super::{assets, lichess, v1};
use crate::base::observe::Stop;
use crate::cli::error::CliError;
use crate::db::store::{SharedFacts, StandingStore, Store, StoreError};

/// What all questions have in common.
#[derive(Debug)]
pub(crate) struct Desk {
    /// Which games which path has.
    pub plan: ServePlan,
    known: KnownReplies,
    facts: Arc<SharedFacts>,
}

/// Why there is no answer.
#[derive(Debug)]
pub(crate) enum NotAnswered {
    /// There is nothing of that name: a status 404.
    Nothing(String),
    /// What was asked makes no sense: a status 400.
    Wrong(CliError),
    /// The database cannot be read.
    Failed(CliError),
}

impl From<StoreError> for NotAnswered {
    fn from(error: StoreError) -> Self {
        Self::Failed(error.into())
    }
}

/// An answer, or why there is none.
pub(crate) type Replied = Result<Reply, NotAnswered>;

/// Somebody who answers, with the database open for itself.
pub(crate) struct Clerk<'d> {
    desk: &'d Desk,
    store: StandingStore,
}

impl Desk {
    /// A desk for a plan.
    pub(crate) fn new(plan: ServePlan) -> Self {
        Self {
            plan,
            known: KnownReplies::default(),
            facts: Arc::default(),
        }
    }

    /// Somebody who answers questions about a database.
    pub(crate) fn clerk(&self, db: &Path, stop: &Stop) -> Clerk<'_> {
        Clerk {
            desk: self,
            store: StandingStore::new(db, stop, &self.facts),
        }
    }

    /// The answer to what needs no database; `None` where it does.
    pub(crate) fn at_once(&self, asking: &Asking) -> Option<Reply> {
        match asking.verb {
            _ if !is_host_known(asking.host.as_deref(), &self.plan) => Some(Reply::line(
                403,
                "this host name is not known here: ask 127.0.0.1 or localhost",
            )),
            Verb::Options => Some(lichess::preflight(asking)),
            Verb::Other => Some(
                Reply::line(405, "only GET is answered here").with("Allow", "GET, HEAD, OPTIONS"),
            ),
            Verb::Get | Verb::Head => assets::answer(asking),
        }
    }
}

/// Whether a header `Host` names this computer. A foreign name that leads here is the trick
/// of a page that wants to read what is not its own; an address is no name.
fn is_host_known(host: Option<&str>, plan: &ServePlan) -> bool {
    let Some(host) = host else {
        return true;
    };
    let name = match host.strip_prefix('[') {
        Some(rest) => rest.split(']').next().unwrap_or_default(),
        None => host.split(':').next().unwrap_or_default(),
    };
    let name = name.trim_end_matches('.').to_ascii_lowercase();
    name == "localhost"
        || name
            .parse::<std::net::IpAddr>()
            .is_ok_and(|ip| ip.is_loopback() || plan.is_address(ip))
}

impl Clerk<'_> {
    /// Answers a question.
    pub(crate) fn answer(&mut self, asking: &Asking) -> Reply {
        let is_api = lichess::is_path(&asking.path);
        let reply = self.ask(asking).unwrap_or_else(|refused| {
            let refuse = if is_api { lichess::refuse } else { refuse };
            refuse(&refused)
        });
        if is_api {
            lichess::dressed(reply)
        } else {
            reply
        }
    }

    fn ask(&mut self, asking: &Asking) -> Replied {
        let (desk, known) = (self.desk, &self.desk.known);
        // Before the database: whatever comes of a state that is old by then is not kept.
        let mut age = known.age();
        self.store.ask(|store: &Store, is_new| {
            if is_new {
                age = known.renew();
            }
            if let Some(reply) = known.get(&asking.target) {
                return Ok(Ok(reply));
            }
            let answer = route(desk, store, asking);
            match answer {
                Ok(reply) => {
                    known.put(&asking.target, &reply, age);
                    Ok(Ok(reply))
                }
                // These are no fault of the database.
                Err(NotAnswered::Failed(error)) => Err(NotAnswered::Failed(error)),
                Err(refused) => Ok(Err(refused)),
            }
        })?
    }

    /// Lets go of the database while there is nothing to do.
    pub(crate) fn rest(&mut self) {
        self.store.rest();
    }
}

fn route(desk: &Desk, store: &Store, asking: &Asking) -> Replied {
    if let Some(path) = asking.path.strip_prefix("/v1/") {
        return v1::answer(store, path, asking);
    }
    if lichess::is_path(&asking.path) {
        return lichess::answer(&desk.plan, store, asking);
    }
    Err(NotAnswered::Nothing(format!(
        "there is nothing at {}",
        asking.path
    )))
}

/// Why there is no answer, as JSON.
fn refuse(refused: &NotAnswered) -> Reply {
    let (status, message, hint) = match refused {
        NotAnswered::Nothing(message) => (404, message.as_str(), None),
        NotAnswered::Wrong(error) => (400, error.message(), error.hint_text()),
        NotAnswered::Failed(error) if error.is_stopped() => (
            503,
            "the answer takes too long",
            Some("ask for less, or use the command line"),
        ),
        NotAnswered::Failed(error) => (500, error.message(), error.hint_text()),
    };
    let said = serde_json::json!({ "error": message, "hint": hint });
    Reply::new(status, JSON, said.to_string().into_bytes())
}
