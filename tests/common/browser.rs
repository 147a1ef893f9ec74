//! A browser under the control of a test: Chromium, by the WebDriver protocol of chromedriver.

use serde_json::{Value, json};
use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Child, Command, Stdio};

/// A running chromedriver with a session.
pub struct Browser {
    driver: Child,
    session: String,
}

impl Browser {
    /// Starts a browser without a window and without a network.
    pub fn start() -> Browser {
        let driver = Command::new("chromedriver")
            .arg("--port=0")
            .stdout(Stdio::piped())
            .spawn()
            .expect("chromedriver (Debian: apt-get install chromium chromium-driver)");
        // From here on, dropping it ends the driver.
        let mut browser = Browser { driver, session: String::new() };
        let lines = BufReader::new(browser.driver.stdout.take().expect("piped")).lines();
        let port = lines.map_while(Result::ok).find_map(|line| {
            let (_, port) = line.split_once("successfully on port ")?;
            port.trim_end_matches('.').parse::<u16>().ok()
        });
        let port = port.expect("chromedriver names its port");
        browser.session = format!("http://127.0.0.1:{port}/session");
        let options = json!({"args": [
            "--headless=new", "--no-sandbox", "--disable-dev-shm-usage", "--host-resolver-rules=MAP * ~NOTFOUND",
        ]});
        let wanted = json!({"goog:chromeOptions": options, "goog:loggingPrefs": {"browser": "ALL"}});
        let session = browser.post("", &json!({"capabilities": {"alwaysMatch": wanted}}));
        let id = session["sessionId"].as_str().expect("a session");
        browser.session = format!("{}/{id}", browser.session);
        browser
    }

    /// Opens a file, after a page of the same address was left.
    pub fn open(&self, file: &Path, fragment: &str) {
        self.post("/url", &json!({"url": "about:blank"}));
        self.post("/url", &json!({"url": format!("file://{}#{fragment}", file.display())}));
    }

    /// Sets the width of the page in pixels, as on a phone or not.
    pub fn set_width(&self, width: u32, is_phone: bool) {
        let size = json!({"width": width, "height": 844, "deviceScaleFactor": 1, "mobile": is_phone});
        self.command("Emulation.setDeviceMetricsOverride", size);
    }

    /// Runs a command of the Chrome DevTools Protocol.
    pub fn command(&self, name: &str, parameters: Value) -> Value {
        self.post("/goog/cdp/execute", &json!({"cmd": name, "params": parameters}))
    }

    /// The value of a JavaScript expression in the page.
    pub fn value(&self, expression: &str) -> Value {
        self.post("/execute/sync", &json!({"script": format!("return {expression}"), "args": []}))
    }

    /// The visible text of the first element of a selector.
    pub fn text(&self, selector: &str) -> String {
        let text = self.value(&format!("document.querySelector({}).innerText", json!(selector)));
        text.as_str().unwrap_or_else(|| panic!("no text in {selector}")).to_string()
    }

    /// Clicks, as a person does, on the first element of a selector.
    pub fn click(&self, selector: &str) {
        let element = self.post("/element", &json!({"using": "css selector", "value": selector}));
        let id = element.as_object().and_then(|element| element.values().next()).and_then(Value::as_str);
        self.post(&format!("/element/{}/click", id.expect("an element")), &json!({}));
    }

    /// Presses the mouse at one point of the window and releases it at another.
    pub fn drag(&self, [from, to]: [[f64; 2]; 2]) {
        let move_to = |[x, y]: [f64; 2]| json!({"type": "pointerMove", "x": x.round(), "y": y.round(), "duration": 0});
        let actions = [
            move_to(from),
            json!({"type": "pointerDown", "button": 0}),
            move_to(to),
            json!({"type": "pointerUp", "button": 0}),
        ];
        self.post("/actions", &json!({"actions": [{"type": "pointer", "id": "mouse", "actions": actions}]}));
    }

    /// Presses and releases keys. Special ones have numbers of their own in WebDriver, such as `\u{e014}` for →.
    pub fn press(&self, keys: &str) {
        let actions: Vec<Value> = keys
            .chars()
            .flat_map(|key| ["keyDown", "keyUp"].map(|kind| json!({"type": kind, "value": key.to_string()})))
            .collect();
        self.post("/actions", &json!({"actions": [{"type": "key", "id": "keys", "actions": actions}]}));
    }

    /// Errors and warnings that the page logged.
    pub fn log(&self) -> Vec<String> {
        let entries = self.post("/se/log", &json!({"type": "browser"}));
        entries.as_array().expect("a list").iter().map(|entry| entry["message"].to_string()).collect()
    }

    fn post(&self, path: &str, body: &Value) -> Value {
        let config = ureq::Agent::config_builder().http_status_as_error(false).build();
        let request = ureq::Agent::new_with_config(config).post(format!("{}{path}", self.session));
        let mut answer = request.content_type("application/json").send(body.to_string()).expect("chromedriver answers");
        let text = answer.body_mut().read_to_string().expect("an answer in UTF-8");
        let value: Value = serde_json::from_str(&text).expect("an answer in JSON");
        assert!(answer.status().is_success(), "{path}: {text}");
        value["value"].clone()
    }
}

impl Drop for Browser {
    fn drop(&mut self) {
        let agent = ureq::Agent::new_with_defaults();
        let _ = agent.delete(&self.session).call();
        let _ = self.driver.kill();
        let _ = self.driver.wait();
    }
}
