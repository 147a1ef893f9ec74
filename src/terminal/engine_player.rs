//! An engine on a thread of its own.

use crate::engine::go::Go;
use crate::engine::options::Setting;
use crate::engine::{Answer, Engine};
use crate::games::setup::GameSetup;
use crate::search::report::{Line, Report};
use crate::search::signals::Signals;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, Sender, TryRecvError, channel};
use std::thread;

/// What an engine says of a search.
#[derive(Clone, Debug)]
pub(super) enum EngineEvent {
    /// The best line so far.
    Line(Line),
    /// The answer; nothing follows.
    Answer(Answer),
}

/// A search to do.
struct Request {
    level: Setting,
    setup: GameSetup,
    go: Go,
    signals: Arc<Signals>,
    events: Sender<EngineEvent>,
}

/// An engine that searches one position at a time. Dropped, it stops its search.
pub(super) struct EnginePlayer {
    requests: Sender<Request>,
    /// The search that runs.
    running: Option<(Arc<Signals>, Receiver<EngineEvent>)>,
}

impl EnginePlayer {
    /// Starts the engine's thread, with these options. If the system starts none, every search is refused.
    pub(super) fn start(settings: Vec<Setting>) -> EnginePlayer {
        let (requests, receiver) = channel();
        let _ = thread::Builder::new().name("engine".into()).spawn(move || run(&settings, &receiver));
        EnginePlayer { requests, running: None }
    }

    /// Stops the search that runs and begins another, of the game `setup` at this level.
    pub(super) fn search(&mut self, level: u32, setup: GameSetup, go: Go) {
        self.stop();
        let (events, receiver) = channel();
        let signals = Arc::new(Signals::new());
        self.running = Some((Arc::clone(&signals), receiver));
        // That the thread has ended is seen by `poll`.
        let _ = self.requests.send(Request { level: setting("level", level), setup, go, signals, events });
    }

    /// The signals to the search that runs.
    pub(super) fn signals(&self) -> Option<&Signals> {
        self.running.as_ref().map(|(signals, _)| &**signals)
    }

    /// Stops the search that runs; it will not be answered.
    pub(super) fn stop(&mut self) {
        if let Some((signals, _)) = self.running.take() {
            signals.stop();
        }
    }

    /// The next event of the search that runs, if there is one.
    pub(super) fn poll(&mut self) -> Option<EngineEvent> {
        let (_, events) = self.running.as_ref()?;
        let event = match events.try_recv() {
            Ok(event) => event,
            Err(TryRecvError::Empty) => return None,
            // The thread panicked or was not started.
            Err(TryRecvError::Disconnected) => EngineEvent::Answer(Answer::Refused),
        };
        if let EngineEvent::Answer(_) = event {
            self.running = None;
        }
        Some(event)
    }
}

impl Drop for EnginePlayer {
    fn drop(&mut self) {
        self.stop();
    }
}

/// An option with a value that it can have.
pub(super) fn setting(name: &str, value: impl ToString) -> Setting {
    Setting::read(name, &value.to_string()).expect("invariant: the option is declared and the value in its range")
}

/// Does the searches one after another.
fn run(settings: &[Setting], requests: &Receiver<Request>) {
    let mut engine = Engine::new();
    // A hash table that is too large leaves the engine as it was.
    settings.iter().for_each(|setting| drop(engine.set(setting)));
    for request in requests {
        let _ = engine.set(&request.level);
        let _ = engine.allocate();
        let is_set_up = engine.set_up(&request.setup).is_ok();
        let answer = if is_set_up { answer(&mut engine, &request) } else { Answer::Refused };
        // Nobody may wait for it any more.
        let _ = request.events.send(EngineEvent::Answer(answer));
    }
}

fn answer(engine: &mut Engine, Request { go, signals, events, .. }: &Request) -> Answer {
    let (mut plan, _) = engine.plan(go);
    if let Ok(Some(book)) = engine.book_answer(&mut plan, signals) {
        return Answer::Book(book, engine.evaluate());
    }
    let report = &mut |found| {
        if let Report::Iteration(iteration) = found {
            let best = iteration.lines.into_iter().next();
            best.into_iter().for_each(|line| drop(events.send(EngineEvent::Line(line))));
        }
    };
    engine.go(&plan, signals, report).0
}
