//! An HTTP server in the process of the test.

#![allow(dead_code, reason = "each test file uses part of it")]

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
    /// The first line of each request.
    pub requests: mpsc::Receiver<String>,
    count: Arc<AtomicUsize>,
}

impl Server {
    /// Reads each request, then calls `serve`, one connection after the other.
    pub fn start(serve: impl Fn(&mut TcpStream) + Send + 'static) -> Server {
        Server::listen(move |stream, _| serve(stream))
    }

    /// Reads each request, then calls `serve` with its first line.
    fn listen(serve: impl Fn(&mut TcpStream, &str) + Send + 'static) -> Server {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = format!("http://{}/chessdb.php", listener.local_addr().unwrap());
        let count = Arc::new(AtomicUsize::new(0));
        let (sender, requests) = mpsc::channel();
        let counter = Arc::clone(&count);
        thread::spawn(move || {
            for stream in listener.incoming() {
                let mut stream = stream.unwrap();
                counter.fetch_add(1, Ordering::Relaxed);
                let mut request = Vec::new();
                let mut byte = [0];
                while !request.ends_with(b"\r\n\r\n") && stream.read(&mut byte).is_ok_and(|read| read == 1) {
                    request.push(byte[0]);
                }
                let line = String::from_utf8(request).unwrap().lines().next().unwrap_or("").to_string();
                let _ = sender.send(line.clone());
                serve(&mut stream, &line);
            }
        });
        Server { address, requests, count }
    }

    /// Answers each request with this text.
    pub fn answering(body: &'static str) -> Server {
        Server::start(move |stream| answer(stream, body))
    }

    /// Answers a request with the text for the first of these words that is in its first line.
    pub fn answering_each(bodies: Vec<(String, String)>) -> Server {
        Server::listen(move |stream, line| {
            let found = bodies.iter().find(|(word, _)| line.contains(word.as_str()));
            answer(stream, found.map_or("unknown\0", |(_, body)| body));
        })
    }

    /// The number of requests so far.
    pub fn request_count(&self) -> usize {
        self.count.load(Ordering::Relaxed)
    }
}

fn answer(stream: &mut TcpStream, body: &str) {
    let _ = write!(stream, "HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: {}\r\n\r\n{body}", body.len());
}
