//! The client of the Xiangqi Cloud Database (chessdb.cn), an opening book on a server, over HTTP.
//!
//! Requests run on their own thread and are waited for only as long as the caller allows. After a failure the client
//! pauses, twice as long after each further failure. Answers are cached.

use crate::cloud::answer::{self, AnswerError, CloudAnswer, CloudMove, MAX_ANSWER_BYTES};
use crate::cloud::query::{CloudAction, CloudQuery};
use crate::position::Position;
use crate::types::Move;
use std::collections::HashMap;
use std::sync::mpsc::{self, RecvTimeoutError};
use std::sync::{Arc, Weak};
use std::thread;
use std::time::{Duration, Instant};
use thiserror::Error;
use ureq::Agent;

/// The default address of the database.
pub const ADDRESS: &str = "http://www.chessdb.cn/chessdb.php";

/// Maximum number of cached answers.
const MAX_CACHED_ANSWERS: usize = 10_000;
/// Minimum time between two requests: the database allows five a second.
const MIN_PAUSE: Duration = Duration::from_millis(250);
/// Maximum time to the next request after failures.
const MAX_PAUSE: Duration = Duration::from_secs(600);
/// Maximum length of an error text in characters: part of it may come from the server.
const MAX_REASON_LENGTH: usize = 100;
/// How often `is_cancelled` is called during a request.
const CANCEL_INTERVAL: Duration = Duration::from_millis(5);

/// Why a request failed.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum CloudError {
    /// There was no answer in time.
    #[error("no answer from {address} within {milliseconds} ms")]
    Timeout {
        /// The server.
        address: String,
        /// The timeout.
        milliseconds: u128,
    },
    /// The server cannot be reached, or its answer is not valid HTTP or has an error status.
    #[error("cannot reach {address}: {reason}")]
    Unreachable {
        /// The server.
        address: String,
        /// What went wrong.
        reason: String,
    },
    /// The answer cannot be used.
    #[error("{address}: {error}")]
    Answer {
        /// The server.
        address: String,
        /// What is wrong with it.
        error: AnswerError,
    },
}

/// A client of the database. A clone has its own cache and pauses from then on.
#[derive(Clone, Debug)]
pub struct Cloud {
    address: String,
    agent: Agent,
    /// Cached answers; empty where the database does not have the position.
    cache: HashMap<CloudQuery, Vec<CloudMove>>,
    /// Failures in a row.
    failures: u32,
    /// No request before this time.
    not_before: Option<Instant>,
    /// Upgradable while the thread of the last request runs: the thread owns the only strong reference. A clone of the
    /// client does not count.
    pending: Weak<()>,
}

impl Cloud {
    /// A client of the server at `address`, a URL without the query; empty: [`ADDRESS`].
    pub fn new(address: &str) -> Cloud {
        let address = if address.is_empty() { ADDRESS } else { address };
        let agent = Agent::config_builder()
            .max_redirects(3)
            .proxy(None)
            .user_agent(concat!("chuhe/", env!("CARGO_PKG_VERSION")))
            .build()
            .new_agent();
        let cache = HashMap::new();
        Cloud { address: address.to_string(), agent, cache, failures: 0, not_before: None, pending: Weak::new() }
    }

    /// To be called for a new game: ends the pause after failures, and asks again for positions that the database did
    /// not have.
    pub fn new_game(&mut self) {
        self.cache.retain(|_, moves| !moves.is_empty());
        self.failures = 0;
        self.not_before = self.not_before.map(|instant| instant.min(Instant::now() + MIN_PAUSE));
    }

    /// The moves of `position` that the database has, without `banned`, best first. Waits for at most `timeout`, and
    /// only until `is_cancelled` returns true. Returns no moves if the database does not have the position, during the
    /// pause after a request, and while the previous request is pending.
    ///
    /// # Errors
    /// When the request failed.
    pub fn ask(
        &mut self,
        position: &Position,
        banned: &[Move],
        timeout: Duration,
        is_cancelled: &dyn Fn() -> bool,
    ) -> Result<Vec<CloudMove>, CloudError> {
        let query = CloudQuery::new(CloudAction::QueryAll, position, banned);
        if let Some(moves) = self.cache.get(&query) {
            return Ok(moves.clone());
        }
        let is_pending = self.pending.strong_count() > 0;
        if is_pending || self.not_before.is_some_and(|instant| Instant::now() < instant) {
            return Ok(Vec::new());
        }
        let mut moves = match self.request(&query, position, timeout, is_cancelled) {
            None => return Ok(Vec::new()),
            Some(Ok(CloudAnswer::Moves(moves))) => moves,
            Some(Err(CloudError::Answer { error, .. })) if error.is_no_move() => Vec::new(),
            Some(Ok(_)) => unreachable!("invariant: the answer to `queryall` is moves"),
            Some(Err(error)) => return Err(error),
        };
        moves.retain(|found| !banned.contains(&found.mv));
        if self.cache.len() >= MAX_CACHED_ANSWERS {
            self.cache.clear();
        }
        self.cache.insert(query, moves.clone());
        Ok(moves)
    }

    /// The answer to `query`, which is about `position`. First sleeps until the pause after the last request has ended,
    /// then waits for at most `timeout`.
    ///
    /// # Errors
    /// When the request failed, or the answer has nothing to use.
    #[cfg(feature = "cli")]
    pub fn query(
        &mut self,
        query: &CloudQuery,
        position: &Position,
        timeout: Duration,
    ) -> Result<CloudAnswer, CloudError> {
        if let Some(instant) = self.not_before {
            thread::sleep(instant.saturating_duration_since(Instant::now()));
        }
        self.request(query, position, timeout, &|| false).expect("invariant: nothing cancels it")
    }

    /// Sends a query and reads the answer; `None` if it was cancelled. Sets the time of the next request.
    fn request(
        &mut self,
        query: &CloudQuery,
        position: &Position,
        timeout: Duration,
        is_cancelled: &dyn Fn() -> bool,
    ) -> Option<Result<CloudAnswer, CloudError>> {
        let start = Instant::now();
        let (sender, receiver) = mpsc::channel();
        let (agent, address, sent) = (self.agent.clone(), self.address.clone(), query.clone());
        let pending = Arc::new(());
        self.pending = Arc::downgrade(&pending);
        let spawned = thread::Builder::new().name("cloud".to_string()).spawn(move || {
            let fetched = fetch(&agent, &address, &sent, timeout);
            drop(pending);
            // Fails if the caller has stopped waiting.
            let _ = sender.send(fetched);
        });
        let fetched = loop {
            if let Err(error) = spawned {
                break Err(Some(error.to_string()));
            }
            if is_cancelled() {
                self.not_before = Some(start + MIN_PAUSE);
                return None;
            }
            let left = timeout.saturating_sub(start.elapsed());
            match receiver.recv_timeout(left.min(CANCEL_INTERVAL)) {
                Ok(Ok(bytes)) => break Ok(bytes),
                Ok(Err(ureq::Error::Timeout(_))) => break Err(None),
                Ok(Err(error)) => break Err(Some(error.to_string())),
                Err(RecvTimeoutError::Disconnected) => {
                    break Err(Some("the thread of the request panicked".to_string()));
                }
                Err(RecvTimeoutError::Timeout) if left.is_zero() => break Err(None),
                Err(RecvTimeoutError::Timeout) => {}
            }
        };
        let address = || self.address.clone();
        let answer = match fetched {
            Ok(bytes) => answer::read(&bytes, query.action, position)
                .map_err(|error| CloudError::Answer { address: address(), error }),
            Err(Some(reason)) => {
                let reason = reason.chars().take(MAX_REASON_LENGTH).collect();
                Err(CloudError::Unreachable { address: address(), reason })
            }
            Err(None) => Err(CloudError::Timeout { address: address(), milliseconds: timeout.as_millis() }),
        };
        let has_failed = match &answer {
            Ok(_) => false,
            Err(CloudError::Answer { error, .. }) => !error.is_no_move(),
            Err(_) => true,
        };
        self.failures = if has_failed { self.failures.saturating_add(1) } else { 0 };
        self.not_before = Some(Instant::now() + pause(self.failures));
        Some(answer)
    }
}

/// The time to the next request after `failures` failures in a row.
fn pause(failures: u32) -> Duration {
    (MIN_PAUSE * 2u32.saturating_pow(failures.min(16))).min(MAX_PAUSE)
}

/// Sends a query and returns the body of the answer.
fn fetch(agent: &Agent, address: &str, query: &CloudQuery, timeout: Duration) -> Result<Vec<u8>, ureq::Error> {
    let mut get = agent.get(address);
    for (name, value) in query.parameters() {
        get = get.query(name, &value);
    }
    let mut response = get.config().timeout_global(Some(timeout)).build().call()?;
    response.body_mut().with_config().limit(MAX_ANSWER_BYTES as u64).read_to_vec()
}

#[cfg(test)]
#[path = "../../tests/common/server.rs"]
mod server;

#[cfg(test)]
mod tests {
    use super::server::Server;
    use super::*;
    use std::io::Write;
    use std::net::TcpStream;

    /// Longer than any test takes.
    const LONG: Duration = Duration::from_secs(20);

    fn ask(cloud: &mut Cloud, banned: &[&str]) -> Result<Vec<String>, CloudError> {
        let banned: Vec<Move> = banned.iter().map(|mv| mv.parse().unwrap()).collect();
        let moves = cloud.ask(&Position::start(), &banned, LONG, &|| false)?;
        Ok(moves.iter().map(|found| found.mv.to_string()).collect())
    }

    /// Ends the pause.
    fn end_pause(cloud: &mut Cloud) {
        cloud.not_before = None;
    }

    /// Makes a pause outlast the test; does not start one.
    fn extend_pause(cloud: &mut Cloud) {
        cloud.not_before = cloud.not_before.map(|instant| instant + LONG);
    }

    #[test]
    fn request_is_as_documented_and_answer_is_cached() {
        let server =
            Server::answering("move:c3c4,score:1,rank:2,note:! (44-02),winrate:50.08|move:b2e2,score:0,rank:1\0");
        let mut cloud = Cloud::new(&server.address);
        assert_eq!(ask(&mut cloud, &[]).unwrap(), ["c3c4", "b2e2"]);
        let board =
            "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w".replace('/', "%2F").replace(' ', "%20");
        let line = server.requests.recv().unwrap();
        assert_eq!(line, format!("GET /chessdb.php?action=queryall&board={board} HTTP/1.1"));
        assert_eq!(ask(&mut cloud, &[]).unwrap(), ["c3c4", "b2e2"]);
        assert_eq!(server.request_count(), 1, "the answer is cached");
        extend_pause(&mut cloud);
        assert_eq!(ask(&mut cloud, &["c3c4"]).unwrap(), [""; 0], "during the pause");
        end_pause(&mut cloud);
        assert_eq!(
            ask(&mut cloud, &["g3g4", "c3c4"]).unwrap(),
            ["b2e2"],
            "the server does not have to respect the exclusion"
        );
        let line = server.requests.recv().unwrap();
        assert!(line.contains("&ban=move%3Ac3c4%7Cmove%3Ag3g4 "), "{line}");
    }

    #[test]
    fn queries_have_the_documented_parameters_and_keep_the_rate_limit() {
        use crate::cloud::query::TableMetric;
        let server = Server::answering("egtb:c3c4\0");
        let mut cloud = Cloud::new(&server.address);
        let start = Position::start();
        let mut query = CloudQuery::new(CloudAction::QueryBest, &start, &["a0a1".parse().unwrap()]);
        (query.endgame_only, query.metric, query.learn) = (true, Some(TableMetric::Dtc), false);
        let pause = Instant::now();
        for _ in 0..2 {
            let answer = cloud.query(&query, &start, LONG).unwrap();
            assert_eq!(answer, CloudAnswer::Choice(answer::ChoiceSource::EndgameTable, vec!["c3c4".parse().unwrap()]));
            let line = server.requests.recv().unwrap();
            assert!(line.starts_with("GET /chessdb.php?action=querybest&board=rnba"), "{line}");
            assert!(line.ends_with("%20w&ban=move%3Aa0a1&endgame=1&egtbmetric=dtc&learn=0 HTTP/1.1"), "{line}");
        }
        assert!(pause.elapsed() >= MIN_PAUSE);
        (query.action, query.show_all, query.stable) = (CloudAction::QueryPv, true, true);
        let error = cloud.query(&query, &start, LONG).unwrap_err();
        assert!(matches!(error, CloudError::Answer { error: AnswerError::Unexpected(_), .. }), "{error}");
        let line = server.requests.recv().unwrap();
        assert!(line.contains("&endgame=1&showall=1&stable=1&egtbmetric=dtc&"), "{line}");
    }

    #[test]
    fn clone_asks_on_its_own() {
        let server = Server::answering("move:c3c4,score:1,rank:2\0");
        let mut cloud = Cloud::new(&server.address);
        let mut clone = cloud.clone();
        assert_eq!(ask(&mut cloud, &[]).unwrap(), ["c3c4"]);
        assert_eq!(ask(&mut clone, &[]).unwrap(), ["c3c4"]);
        assert_eq!(server.request_count(), 2);
    }

    #[test]
    fn unknown_positions_are_cached_until_the_next_game() {
        let server = Server::answering("unknown\0");
        let mut cloud = Cloud::new(&server.address);
        for _ in 0..3 {
            assert_eq!(ask(&mut cloud, &[]).unwrap(), [""; 0]);
            end_pause(&mut cloud);
        }
        assert_eq!((server.request_count(), cloud.failures), (1, 0));
        extend_pause(&mut cloud);
        cloud.new_game();
        assert!(cloud.not_before.is_none_or(|instant| instant <= Instant::now() + MIN_PAUSE));
        end_pause(&mut cloud);
        assert_eq!(ask(&mut cloud, &[]).unwrap(), [""; 0]);
        assert_eq!(server.request_count(), 2, "asked again in the new game");
        cloud.new_game();
        assert!(cloud.not_before.is_some(), "a new game does not exceed the rate limit");
    }

    #[test]
    fn failures_are_reported_and_followed_by_a_pause() {
        let server = Server::answering("rate limit exceeded\0");
        let mut cloud = Cloud::new(&server.address);
        let address = server.address.clone();
        assert_eq!(ask(&mut cloud, &[]), Err(CloudError::Answer { address, error: AnswerError::RateLimit }));
        extend_pause(&mut cloud);
        assert_eq!(ask(&mut cloud, &[]).unwrap(), [""; 0]);
        assert_eq!(server.request_count(), 1);
        assert_eq!([0, 1, 2, 3, 99].map(|failures| pause(failures).as_millis()), [250, 500, 1_000, 2_000, 600_000]);
    }

    #[test]
    fn hostile_servers_cause_errors_only() {
        let head = "HTTP/1.1 200 OK\r\nConnection: close\r\n";
        type Serve = Box<dyn Fn(&mut TcpStream) + Send>;
        let hostile: [(&str, Serve, &str); 8] = [
            ("closes at once", Box::new(|_| ()), "cannot reach"),
            (
                "has an error status",
                Box::new(|s| drop(s.write_all(b"HTTP/1.1 500 Oh\r\nContent-Length: 0\r\n\r\n"))),
                "status: 500",
            ),
            ("does not speak HTTP", Box::new(|s| drop(s.write_all(&[0xff; 4_000]))), "cannot reach"),
            (
                "never ends its answer",
                Box::new(move |s| {
                    let _ = write!(s, "{head}\r\n");
                    while s.write_all(&[b'a'; 4_096]).is_ok() {}
                }),
                "cannot reach",
            ),
            (
                "announces more bytes than it sends",
                Box::new(move |s| drop(write!(s, "{head}Content-Length: 99999999999\r\n\r\nmove:"))),
                "cannot reach",
            ),
            (
                "redirects to itself",
                Box::new(|s| drop(s.write_all(b"HTTP/1.1 302 Go\r\nLocation: /again\r\nContent-Length: 0\r\n\r\n"))),
                "cannot reach",
            ),
            (
                "redirects to a very long address",
                Box::new(|s| drop(write!(s, "HTTP/1.1 302 Go\r\nLocation: {}\r\n\r\n", "../".repeat(15_000)))),
                "cannot reach",
            ),
            (
                "sends another document",
                Box::new(move |s| drop(write!(s, "{head}Content-Length: 6\r\n\r\n<html>"))),
                "unexpected answer: \"<html>\"",
            ),
        ];
        for (what, serve, expected) in hostile {
            let server = Server::start(serve);
            let error = ask(&mut Cloud::new(&server.address), &[]).expect_err(what).to_string();
            assert!(error.contains(expected) && error.contains("127.0.0.1"), "{what}: {error}");
            assert!(error.len() < 300, "{what}: {error}");
        }
        for address in ["nonsense", "ftp://localhost/", "http://127.0.0.1:1/", "http://"] {
            let error = ask(&mut Cloud::new(address), &[]).unwrap_err();
            assert!(matches!(error, CloudError::Unreachable { .. }), "{address}: {error}");
        }
    }

    #[test]
    fn waiting_ends_at_the_timeout_and_when_cancelled() {
        // Keeps its connections open and never answers.
        let server = Server::start(|stream| std::mem::forget(stream.try_clone()));
        let mut cloud = Cloud::new(&server.address);
        let timeout = Duration::from_millis(50);
        let error = cloud.ask(&Position::start(), &[], timeout, &|| false).unwrap_err();
        assert_eq!(error, CloudError::Timeout { address: server.address.clone(), milliseconds: 50 });
        assert_eq!(cloud.failures, 1, "a short timeout counts as a failure: the next one may be as short");
        // Cancelling is not a failure. The pending request prevents the next one.
        let mut cloud = Cloud::new(&server.address);
        let before = server.request_count();
        assert_eq!(cloud.ask(&Position::start(), &[], LONG, &|| server.request_count() > before), Ok(Vec::new()));
        end_pause(&mut cloud);
        assert_eq!(cloud.ask(&Position::start(), &[], LONG, &|| false), Ok(Vec::new()));
        assert_eq!((server.request_count(), cloud.failures), (before + 1, 0));
    }
}
