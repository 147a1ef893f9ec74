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
pub enum EngineEvent {
    /// The best line so far.
    Line(Line),
    /// The answer; nothing follows.
    Answer(Answer),
}

/// A search to do.
struct Request {
    id: u64,
    settings: Vec<Setting>,
    setup: GameSetup,
    go: Go,
    signals: Arc<Signals>,
}

/// An engine that searches one position at a time. Dropped, it stops its search.
pub struct EnginePlayer {
    requests: Sender<Request>,
    events: Receiver<(u64, EngineEvent)>,
    /// The last search, while it runs.
    running: Option<Arc<Signals>>,
    last_id: u64,
}

impl EnginePlayer {
    /// Starts the engine's thread, with these options. If the system starts none, every search is refused.
    pub fn start(settings: Vec<Setting>) -> EnginePlayer {
        let (requests, receiver) = channel();
        let (sender, events) = channel();
        let _ = thread::Builder::new().name("engine".into()).spawn(move || run(&settings, &receiver, &sender));
        EnginePlayer { requests, events, running: None, last_id: 0 }
    }

    /// Stops the search that runs and begins another: of the game `setup`, after `settings`.
    pub fn search(&mut self, settings: Vec<Setting>, setup: GameSetup, go: Go) {
        self.stop();
        let signals = Arc::new(Signals::new());
        self.last_id += 1;
        self.running = Some(Arc::clone(&signals));
        // That the thread has ended is seen by `poll`.
        let _ = self.requests.send(Request { id: self.last_id, settings, setup, go, signals });
    }

    /// Whether a search runs.
    pub fn is_searching(&self) -> bool {
        self.running.is_some()
    }

    /// Stops the search that runs; it will not be answered.
    pub fn stop(&mut self) {
        if let Some(signals) = self.running.take() {
            signals.stop();
            // Nothing of it is wanted any more.
            self.last_id += 1;
        }
    }

    /// Ends the search that runs; it will be answered at once.
    pub fn hurry(&mut self) {
        if let Some(signals) = &self.running {
            signals.stop();
        }
    }

    /// Offers a draw to the engine while it searches.
    pub fn offer_draw(&mut self) {
        if let Some(signals) = &self.running {
            signals.offer_draw();
        }
    }

    /// The next event of the search that runs, if there is one.
    pub fn poll(&mut self) -> Option<EngineEvent> {
        let event = loop {
            match self.events.try_recv() {
                Ok((id, event)) if id == self.last_id => break event,
                Ok(_) => {}
                Err(TryRecvError::Empty) => return None,
                // The thread panicked or was not started.
                Err(TryRecvError::Disconnected) if self.running.is_some() => {
                    break EngineEvent::Answer(Answer::Refused);
                }
                Err(TryRecvError::Disconnected) => return None,
            }
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

/// Does the searches one after another.
fn run(settings: &[Setting], requests: &Receiver<Request>, events: &Sender<(u64, EngineEvent)>) {
    let mut engine = Engine::new();
    // A hash table that is too large leaves the engine as it was.
    let set = |engine: &mut Engine, settings: &[Setting]| {
        settings.iter().for_each(|setting| {
            let _ = engine.set(setting);
        });
    };
    set(&mut engine, settings);
    for Request { id, settings, setup, go, signals } in requests {
        set(&mut engine, &settings);
        let _ = engine.allocate();
        let answer = match engine.set_up(&setup).is_ok() {
            true => answer(&mut engine, &go, &signals, &mut |line| {
                let _ = events.send((id, EngineEvent::Line(line)));
            }),
            false => Answer::Refused,
        };
        if events.send((id, EngineEvent::Answer(answer))).is_err() {
            return;
        }
    }
}

fn answer(engine: &mut Engine, go: &Go, signals: &Signals, report: &mut dyn FnMut(Line)) -> Answer {
    let (mut limits, _) = engine.limits(go);
    if let Ok(Some(book)) = engine.book_answer(go, &mut limits, signals) {
        return Answer::Book(book, engine.evaluate());
    }
    let (answer, _) = engine.go(go, &limits, signals, &mut |found| {
        if let Report::Iteration(iteration) = found
            && let Some(line) = iteration.lines.into_iter().next()
        {
            report(line);
        }
    });
    answer
}
