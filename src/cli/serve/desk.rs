//! Where questions become answers, whoever brings them: no socket is known here.

use std::borrow::Cow;
use std::path::Path;
use std::sync::Arc;

use super::asking::{Asking, Misasked, Verb};
use super::cache::KnownReplies;
use super::clerks::Answers;
use super::plan_serve::ServePlan;
use super::reply::{ANSWER_MAX, JSON, Reply};
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
    /// The database cannot be read, or not in time.
    Failed(CliError),
    /// The answer would have more bytes than any may have: a status 413.
    TooLarge,
}

impl From<StoreError> for NotAnswered {
    fn from(error: StoreError) -> Self {
        Self::Failed(error.into())
    }
}

/// An answer, or why there is none.
pub(crate) type Replied = Result<Reply, NotAnswered>;

/// Somebody who answers, with the database open for itself.
pub(crate) struct Clerk {
    desk: Arc<Desk>,
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
    pub(crate) fn clerk(self: &Arc<Self>, db: &Path, stop: &Stop) -> Clerk {
        Clerk {
            desk: Arc::clone(self),
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
            Verb::Other => {
                let refused = misasked(&asking.path, (405, "only GET is answered here"));
                Some(refused.with("Allow", "GET, HEAD, OPTIONS"))
            }
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

impl Answers for Clerk {
    fn answer(&mut self, asking: &Asking) -> Reply {
        match self.ask(asking) {
            Ok(reply) if lichess::is_path(&asking.path) => lichess::dressed(reply),
            Ok(reply) => reply,
            Err(refused) => {
                let (status, message, hint) = refused.told();
                refuse(&asking.path, (status, &message, hint))
            }
        }
    }

    fn rest(&mut self) {
        self.store.rest();
    }
}

impl Clerk {
    fn ask(&mut self, asking: &Asking) -> Replied {
        let (desk, known) = (&self.desk, &self.desk.known);
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

impl NotAnswered {
    /// The status, what is wrong, and what to do about it.
    pub(crate) fn told(&self) -> (u16, Cow<'_, str>, Option<&str>) {
        match self {
            Self::Nothing(message) => (404, message.into(), None),
            Self::Wrong(error) => (400, error.message().into(), error.hint_text()),
            Self::Failed(error) if error.is_stopped() => (
                503,
                "the answer takes too long".into(),
                Some("ask for less, or use the command line"),
            ),
            Self::Failed(error) => (500, error.message().into(), error.hint_text()),
            Self::TooLarge => (
                413,
                format!("the answer would have more than {} MiB", ANSWER_MAX >> 20).into(),
                Some(
                    "ask for less, with limit=, depth= or more filters, or use the command line, \
                     which has no bound",
                ),
            ),
        }
    }
}

/// Why a request is none that is answered, in the form of its path.
pub(crate) fn misasked(path: &str, (status, why): Misasked) -> Reply {
    if path.starts_with("/v1/") {
        refuse(path, (status, why, None))
    } else {
        Reply::line(status, why)
    }
}

/// Why there is no answer, in the form of a path: a line as lichess has it, or JSON.
pub(crate) fn refuse(path: &str, (status, message, hint): (u16, &str, Option<&str>)) -> Reply {
    if lichess::is_path(path) {
        return lichess::dressed(Reply::line(status, message));
    }
    let said = serde_json::json!({ "error": message, "hint": hint });
    Reply::new(status, JSON, said.to_string().into_bytes())
}
