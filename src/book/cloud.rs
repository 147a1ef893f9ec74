//! The Xiangqi Cloud Database (chessdb.cn): a book that millions of searches have grown, asked over HTTP.
//!
//! Whatever it does costs its attempt and no more: a question is asked on a thread of its own and waited for no longer
//! than the caller can spare; after a failure the next attempt comes later and later; what was answered is remembered.

pub mod answer;

use crate::position::Position;
use crate::types::Move;
use answer::{AnswerError, Known, MAX_ANSWER_BYTES};
use std::collections::HashMap;
use std::sync::Arc;
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;
use std::time::{Duration, Instant};
use thiserror::Error;
use ureq::Agent;

/// Where the database is.
pub const ADDRESS: &str = "http://www.chessdb.cn/chessdb.php";

/// Answers kept.
const REMEMBERED: usize = 10_000;
/// Least time between two questions: the database allows five a second.
const PAUSE: Duration = Duration::from_millis(250);
/// Longest time to the next attempt after failures.
const LONGEST_PAUSE: Duration = Duration::from_secs(600);
/// Most characters told of what went wrong: a server may have had a part in them.
const LONGEST_WHY: usize = 100;
/// How often the caller is asked whether it still wants to wait.
const PATIENCE_CHECKED: Duration = Duration::from_millis(5);

/// Why an attempt failed.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum CloudError {
    /// There was no answer in time.
    #[error("no answer from {address} within {milliseconds} ms")]
    Late {
        /// Who was asked.
        address: String,
        /// How long it was waited for.
        milliseconds: u128,
    },
    /// It could not be asked, or it did not answer as HTTP servers do.
    #[error("cannot ask {address}: {why}")]
    Unreachable {
        /// Who was to be asked.
        address: String,
        /// What went wrong.
        why: String,
    },
    /// Its answer was none.
    #[error("{address}: {why}")]
    Answer {
        /// Who was asked.
        address: String,
        /// What is wrong with it.
        why: AnswerError,
    },
}

/// A client of the database.
#[derive(Clone, Debug)]
pub struct Cloud {
    address: String,
    agent: Agent,
    /// What was answered, by the question: nothing where the database knew nothing.
    remembered: HashMap<Question, Vec<Known>>,
    failures: u32,
    /// No question before this.
    not_before: Option<Instant>,
    /// Shared with the thread that asks, while there is one.
    asking: Arc<()>,
}

/// What is asked: which moves a position has, but for some.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Question {
    /// The men and the side to move, as in FEN.
    board: String,
    /// The moves not wanted, as the database is told of them.
    banned: String,
}

impl Question {
    fn of(position: &Position, banned: &[Move]) -> Question {
        let board: Vec<String> = position.to_fen().split(' ').take(2).map(str::to_string).collect();
        let mut banned: Vec<String> = banned.iter().map(|mv| format!("move:{mv}")).collect();
        banned.sort();
        banned.dedup();
        Question { board: board.join(" "), banned: banned.join("|") }
    }
}

impl Cloud {
    /// A client of the server at `address`, a URL without the question; empty: chessdb.cn.
    pub fn new(address: &str) -> Cloud {
        let address = if address.is_empty() { ADDRESS } else { address };
        let agent = Agent::config_builder()
            .max_redirects(3)
            .proxy(None)
            .user_agent(concat!("chuhe/", env!("CARGO_PKG_VERSION")))
            .build()
            .new_agent();
        let remembered = HashMap::new();
        Cloud { address: address.to_string(), agent, remembered, failures: 0, not_before: None, asking: Arc::new(()) }
    }

    /// In a new game failures are forgiven, and what the database did not know it may have learnt.
    pub fn forgive(&mut self) {
        self.remembered.retain(|_, known| !known.is_empty());
        self.failures = 0;
        self.not_before = self.not_before.map(|instant| instant.min(Instant::now() + PAUSE));
    }

    /// What the database knows of the legal moves of `position` but for those `banned`, the best first. It is waited
    /// for no longer than `patience`, nor once `give_up` says so. Nothing where it knows nothing, where the last
    /// question was asked a moment ago or is still being asked, and for some time after a failure.
    ///
    /// # Errors
    /// When the attempt failed.
    pub fn ask(
        &mut self,
        position: &Position,
        banned: &[Move],
        patience: Duration,
        give_up: &dyn Fn() -> bool,
    ) -> Result<Vec<Known>, CloudError> {
        let question = Question::of(position, banned);
        if let Some(known) = self.remembered.get(&question) {
            return Ok(known.clone());
        }
        let start = Instant::now();
        let is_asking = Arc::strong_count(&self.asking) > 1;
        if is_asking || self.not_before.is_some_and(|instant| start < instant) {
            return Ok(Vec::new());
        }
        let (sender, receiver) = mpsc::channel();
        let (agent, address, asked) = (self.agent.clone(), self.address.clone(), question.clone());
        let asking = Arc::clone(&self.asking);
        let spawned = thread::Builder::new().name("cloud".to_string()).spawn(move || {
            let fetched = fetch(&agent, &address, &asked, patience);
            drop(asking);
            // Nobody listens any more where it came too late.
            let _ = sender.send(fetched);
        });
        let fetched = loop {
            if let Err(error) = spawned {
                break Err(Some(error.to_string()));
            }
            if give_up() {
                self.not_before = Some(start + PAUSE);
                return Ok(Vec::new());
            }
            let left = patience.saturating_sub(start.elapsed());
            match receiver.recv_timeout(left.min(PATIENCE_CHECKED)) {
                Ok(Ok(bytes)) => break Ok(bytes),
                Ok(Err(ureq::Error::Timeout(_))) => break Err(None),
                Ok(Err(error)) => break Err(Some(error.to_string())),
                Err(RecvTimeoutError::Disconnected) => break Err(Some("its thread broke down".to_string())),
                Err(RecvTimeoutError::Timeout) if left.is_zero() => break Err(None),
                Err(RecvTimeoutError::Timeout) => {}
            }
        };
        let address = || self.address.clone();
        let answered = match fetched {
            Ok(bytes) => match answer::read(&bytes, position) {
                Err(AnswerError::Unknown) => Ok(Vec::new()),
                Err(why) => Err(CloudError::Answer { address: address(), why }),
                Ok(known) => Ok(known),
            },
            Err(Some(why)) => {
                let why = why.chars().take(LONGEST_WHY).collect();
                Err(CloudError::Unreachable { address: address(), why })
            }
            Err(None) => Err(CloudError::Late { address: address(), milliseconds: patience.as_millis() }),
        };
        self.failures = if answered.is_ok() { 0 } else { self.failures.saturating_add(1) };
        self.not_before = Some(Instant::now() + pause(self.failures));
        let mut known = answered?;
        known.retain(|known| !banned.contains(&known.mv));
        if self.remembered.len() >= REMEMBERED {
            self.remembered.clear();
        }
        self.remembered.insert(question, known.clone());
        Ok(known)
    }
}

/// The time to the next question after so many failures in a row.
fn pause(failures: u32) -> Duration {
    (PAUSE * 2u32.saturating_pow(failures.min(16))).min(LONGEST_PAUSE)
}

/// The bytes of the answer to a question.
fn fetch(agent: &Agent, address: &str, question: &Question, patience: Duration) -> Result<Vec<u8>, ureq::Error> {
    let mut request = agent.get(address).query("action", "queryall").query("board", &question.board);
    if !question.banned.is_empty() {
        request = request.query("ban", &question.banned);
    }
    let mut response = request.config().timeout_global(Some(patience)).build().call()?;
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

    const ENOUGH: Duration = Duration::from_secs(20);

    fn ask(cloud: &mut Cloud, banned: &[&str]) -> Result<Vec<String>, CloudError> {
        let banned: Vec<Move> = banned.iter().map(|mv| mv.parse().unwrap()).collect();
        let known = cloud.ask(&Position::start(), &banned, ENOUGH, &|| false)?;
        Ok(known.iter().map(|known| known.mv.to_string()).collect())
    }

    /// Lets it ask again at once.
    fn hurry(cloud: &mut Cloud) {
        cloud.not_before = None;
    }

    /// Lets it take a long time before it asks again, if it was to take any.
    fn dawdle(cloud: &mut Cloud) {
        cloud.not_before = cloud.not_before.map(|instant| instant + ENOUGH);
    }

    #[test]
    fn it_asks_as_documented_and_remembers() {
        let server = Server::saying("move:c3c4,score:1,rank:2,note:! (44-02),winrate:50.08|move:b2e2,score:0,rank:1\0");
        let mut cloud = Cloud::new(&server.address);
        assert_eq!(ask(&mut cloud, &[]).unwrap(), ["c3c4", "b2e2"]);
        let board =
            "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w".replace('/', "%2F").replace(' ', "%20");
        let line = server.questions.recv().unwrap();
        assert_eq!(line, format!("GET /chessdb.php?action=queryall&board={board} HTTP/1.1"));
        assert_eq!(ask(&mut cloud, &[]).unwrap(), ["c3c4", "b2e2"]);
        assert_eq!(server.asked(), 1, "it is remembered");
        dawdle(&mut cloud);
        assert_eq!(ask(&mut cloud, &["c3c4"]).unwrap(), [""; 0], "asked again too soon");
        hurry(&mut cloud);
        assert_eq!(ask(&mut cloud, &["g3g4", "c3c4"]).unwrap(), ["b2e2"], "whatever the server says");
        let line = server.questions.recv().unwrap();
        assert!(line.contains("&ban=move%3Ac3c4%7Cmove%3Ag3g4 "), "{line}");
    }

    #[test]
    fn what_is_unknown_is_remembered_as_such() {
        let server = Server::saying("unknown\0");
        let mut cloud = Cloud::new(&server.address);
        for _ in 0..3 {
            assert_eq!(ask(&mut cloud, &[]).unwrap(), [""; 0]);
            hurry(&mut cloud);
        }
        assert_eq!((server.asked(), cloud.failures), (1, 0));
        dawdle(&mut cloud);
        cloud.forgive();
        assert!(cloud.not_before.is_none_or(|instant| instant <= Instant::now() + PAUSE));
        hurry(&mut cloud);
        assert_eq!(ask(&mut cloud, &[]).unwrap(), [""; 0]);
        assert_eq!(server.asked(), 2, "it may know by now");
        cloud.forgive();
        assert!(cloud.not_before.is_some(), "a new game is no reason to ask more often than it allows");
    }

    #[test]
    fn failures_are_told_and_not_repeated_at_once() {
        let server = Server::saying("rate limit exceeded\0");
        let mut cloud = Cloud::new(&server.address);
        let address = server.address.clone();
        assert_eq!(ask(&mut cloud, &[]), Err(CloudError::Answer { address, why: AnswerError::TooOften }));
        dawdle(&mut cloud);
        assert_eq!(ask(&mut cloud, &[]).unwrap(), [""; 0]);
        assert_eq!(server.asked(), 1);
        assert_eq!([0, 1, 2, 3, 99].map(|failures| pause(failures).as_millis()), [250, 500, 1_000, 2_000, 600_000]);
    }

    #[test]
    fn bad_servers_cost_the_attempt() {
        let head = "HTTP/1.1 200 OK\r\nConnection: close\r\n";
        type Serve = Box<dyn Fn(&mut TcpStream) + Send>;
        let hostile: [(&str, Serve, &str); 8] = [
            ("closes at once", Box::new(|_| ()), "cannot ask"),
            (
                "is broken",
                Box::new(|s| drop(s.write_all(b"HTTP/1.1 500 Oh\r\nContent-Length: 0\r\n\r\n"))),
                "status: 500",
            ),
            ("speaks no HTTP", Box::new(|s| drop(s.write_all(&[0xff; 4_000]))), "cannot ask"),
            (
                "never ends",
                Box::new(move |s| {
                    let _ = write!(s, "{head}\r\n");
                    while s.write_all(&[b'a'; 4_096]).is_ok() {}
                }),
                "cannot ask",
            ),
            (
                "announces more than there is",
                Box::new(move |s| drop(write!(s, "{head}Content-Length: 99999999999\r\n\r\nmove:"))),
                "cannot ask",
            ),
            (
                "leads astray",
                Box::new(|s| drop(s.write_all(b"HTTP/1.1 302 Go\r\nLocation: /again\r\nContent-Length: 0\r\n\r\n"))),
                "cannot ask",
            ),
            (
                "leads far astray",
                Box::new(|s| drop(write!(s, "HTTP/1.1 302 Go\r\nLocation: {}\r\n\r\n", "../".repeat(15_000)))),
                "cannot ask",
            ),
            (
                "talks of something else",
                Box::new(move |s| drop(write!(s, "{head}Content-Length: 6\r\n\r\n<html>"))),
                "it answers \"<html>\"",
            ),
        ];
        for (what, serve, why) in hostile {
            let server = Server::start(serve);
            let error = ask(&mut Cloud::new(&server.address), &[]).expect_err(what).to_string();
            assert!(error.contains(why) && error.contains("127.0.0.1"), "{what}: {error}");
            assert!(error.len() < 300, "{what}: {error}");
        }
        for address in ["nonsense", "ftp://localhost/", "http://127.0.0.1:1/", "http://"] {
            let error = ask(&mut Cloud::new(address), &[]).unwrap_err();
            assert!(matches!(error, CloudError::Unreachable { .. }), "{address}: {error}");
        }
    }

    #[test]
    fn it_waits_no_longer_than_it_may() {
        // It keeps its connections open and never says anything.
        let server = Server::start(|stream| std::mem::forget(stream.try_clone()));
        let mut cloud = Cloud::new(&server.address);
        let patience = Duration::from_millis(50);
        let error = cloud.ask(&Position::start(), &[], patience, &|| false).unwrap_err();
        assert_eq!(error, CloudError::Late { address: server.address.clone(), milliseconds: 50 });
        assert_eq!(cloud.failures, 1, "however short the time was: it may be as short the next time");
        // Who asks gives up: that is nobody's failure, and the next question waits until this one is over.
        let mut cloud = Cloud::new(&server.address);
        let before = server.asked();
        assert_eq!(cloud.ask(&Position::start(), &[], ENOUGH, &|| server.asked() > before), Ok(Vec::new()));
        hurry(&mut cloud);
        assert_eq!(cloud.ask(&Position::start(), &[], ENOUGH, &|| false), Ok(Vec::new()));
        assert_eq!((server.asked(), cloud.failures), (before + 1, 0));
    }
}
