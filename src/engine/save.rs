//! Writing files.

use std::fs::{self, File, Permissions};
use std::io::{self, BufWriter, Write};
use std::path::Path;

/// Writes a file atomically: to a temporary file beside it, which then replaces it, with its permissions. An interrupted
/// program leaves the old file or the new one. What is no regular file (a device, a pipe) is written to; a symbolic link
/// is followed.
///
/// # Errors
/// When it cannot be written.
pub fn save(path: &Path, bytes: &[u8]) -> io::Result<()> {
    save_with(path, &|error| error, |out| out.write_all(bytes))
}

/// As [`save`], with what `write` writes. After an error of `write` the old file stays.
///
/// # Errors
/// Those of `write`, and that of `refuse` when the file cannot be written.
pub fn save_with<T, E>(
    path: &Path,
    refuse: &dyn Fn(io::Error) -> E,
    write: impl FnOnce(&mut dyn Write) -> Result<T, E>,
) -> Result<T, E> {
    let Ok(old) = fs::metadata(path) else { return replace(path, None, refuse, write) };
    if !old.is_file() {
        return write(&mut File::options().write(true).open(path).map_err(refuse)?);
    }
    replace(&fs::canonicalize(path).map_err(refuse)?, Some(old.permissions()), refuse, write)
}

fn replace<T, E>(
    path: &Path,
    permissions: Option<Permissions>,
    refuse: &dyn Fn(io::Error) -> E,
    write: impl FnOnce(&mut dyn Write) -> Result<T, E>,
) -> Result<T, E> {
    let mut new = path.as_os_str().to_owned();
    new.push(format!(".{}.new", std::process::id()));
    let written = File::create(&new).map_err(refuse).and_then(|file| {
        let mut out = BufWriter::new(file);
        let result = write(&mut out)?;
        let finish = || {
            out.flush()?;
            permissions.map_or(Ok(()), |permissions| fs::set_permissions(&new, permissions))?;
            fs::rename(&new, path)
        };
        finish().map_err(refuse)?;
        Ok(result)
    });
    if written.is_err() {
        let _ = fs::remove_file(&new);
    }
    written
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;
    use std::os::unix::fs::{PermissionsExt, symlink};

    #[test]
    fn links_are_followed_and_permissions_kept() {
        let folder = tempfile::tempdir().unwrap();
        let [target, link] = ["target", "link"].map(|name| folder.path().join(name));
        fs::write(&target, "old").unwrap();
        fs::set_permissions(&target, Permissions::from_mode(0o600)).unwrap();
        symlink(&target, &link).unwrap();
        save(&link, b"new").unwrap();
        assert_eq!(fs::read(&target).unwrap(), b"new");
        assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
        assert_eq!(fs::metadata(&target).unwrap().permissions().mode() & 0o777, 0o600);
        assert_eq!(fs::read_dir(&folder).unwrap().count(), 2);
    }

    #[test]
    fn devices_are_written_to() {
        save(Path::new("/dev/null"), b"bytes").unwrap();
        assert!(!fs::metadata("/dev/null").unwrap().is_file());
        #[cfg(target_os = "linux")]
        assert!(save(Path::new("/dev/full"), b"bytes").is_err());
    }
}
