//! A file of answers of `chuhe analyse --resume`: of any file only an unfinished last line is cut off, and only if it
//! begins as such a file does; its lines are found answered, and those of another question are refused.

use chuhe::internals::answer_file;
use std::fs;
use std::io::Write;

const BEGINNING: &[u8] = b"{\"source\":";

/// Checks the bytes, and the same with the right beginning.
pub fn check(data: &[u8]) {
    let file = tempfile::NamedTempFile::new().expect("a temporary file can be made");
    for bytes in [data.to_vec(), [BEGINNING, data].concat()] {
        fs::write(file.path(), &bytes).expect("it can be written");
        let Ok((mut out, answered)) = answer_file::open(file.path(), true) else {
            assert_eq!(fs::read(file.path()).expect("it can be read"), bytes, "a refused file stays as it is");
            continue;
        };
        let complete = bytes.iter().rposition(|&byte| byte == b'\n').map_or(0, |end| end + 1);
        assert_eq!(fs::read(file.path()).expect("it can be read"), bytes[..complete]);
        let lines: Vec<String> = bytes[..complete]
            .split_inclusive(|&byte| byte == b'\n')
            .map(|line| String::from_utf8_lossy(&line[..line.len() - 1]).into_owned())
            .collect();
        if let Some(mut answered) = answered {
            // The first lines may be refused as too long, the others are those of the file.
            for line in &lines {
                assert!(matches!(answered.has_next(line, true), Ok(true)));
            }
            assert!(matches!(answered.has_next("{\"source\":\"more\"}", true), Ok(false)) && answered.finish().is_ok());
        }
        out.write_all(b"{\"source\":\"new\"}\n").expect("it can be written");
        let (_, again) = answer_file::open(file.path(), true).expect("it is a file of answers");
        let mut again = again.expect("it has answers");
        for (number, line) in (1..).zip(&lines) {
            let wanted = format!("{line},");
            let error = match again.has_next(&wanted, true) {
                Err(error) => error.to_string(),
                Ok(_) => panic!("line {number} is not {wanted}"),
            };
            assert!(error.contains(&format!("line {number} ")), "{error}");
        }
        assert!(again.has_next("{\"source\":\"new\"", false).expect("the line written last"));
    }
}
