//! A server for those who ask over HTTP, in the process of the test.

use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc;
use std::thread;

/// The server.
pub struct Server {
    /// Its URL.
    pub address: String,
    /// The first line of each question.
    pub questions: mpsc::Receiver<String>,
    asked: Arc<AtomicUsize>,
}

impl Server {
    /// Reads each question and lets `serve` do the rest.
    pub fn start(serve: impl Fn(&mut TcpStream) + Send + 'static) -> Server {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = format!("http://{}/chessdb.php", listener.local_addr().unwrap());
        let asked = Arc::new(AtomicUsize::new(0));
        let (sender, questions) = mpsc::channel();
        let count = Arc::clone(&asked);
        thread::spawn(move || {
            for stream in listener.incoming() {
                let mut stream = stream.unwrap();
                count.fetch_add(1, Ordering::Relaxed);
                let mut request = Vec::new();
                let mut byte = [0];
                while !request.ends_with(b"\r\n\r\n") && stream.read(&mut byte).is_ok_and(|read| read == 1) {
                    request.push(byte[0]);
                }
                let line = String::from_utf8(request).unwrap().lines().next().unwrap_or("").to_string();
                let _ = sender.send(line);
                serve(&mut stream);
            }
        });
        Server { address, asked, questions }
    }

    /// One that answers each question with this text.
    pub fn saying(body: &'static str) -> Server {
        Server::start(move |stream| {
            let _ =
                write!(stream, "HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: {}\r\n\r\n{body}", body.len());
        })
    }

    /// How often it was asked.
    pub fn asked(&self) -> usize {
        self.asked.load(Ordering::Relaxed)
    }
}
