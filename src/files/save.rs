//! Writing files.

use std::ffi::OsStr;
use std::fs::{self, File, Permissions};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

/// Greatest number of symbolic links followed to a file that does not exist, as in Linux.
const MAX_LINKS: usize = 40;
/// How the name of a temporary file ends, behind the name of the file, a dot and the number of the process.
const TEMPORARY: &str = ".chuhe.new";

/// Writes a file atomically: to a temporary file beside it, which, once it is on the disk, replaces it, with its
/// permissions. An interrupted program or a power cut leaves the old file or the new one. A temporary file that a killed
/// process left is removed. What is no regular file (a device, a pipe) is written to; a symbolic link
/// is followed.
///
/// # Errors
/// When it cannot be written.
pub(crate) fn save(path: &Path, bytes: &[u8]) -> io::Result<()> {
    save_with(path, &|error| error, |out| out.write_all(bytes))
}

/// As [`save`], with what `write` writes. After an error of `write` the old file stays.
///
/// # Errors
/// Those of `write`, and that of `refuse` when the file cannot be written.
pub(crate) fn save_with<T, E>(
    path: &Path,
    refuse: &dyn Fn(io::Error) -> E,
    write: impl FnOnce(&mut dyn Write) -> Result<T, E>,
) -> Result<T, E> {
    let old = match fs::metadata(path) {
        Ok(old) => old,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return replace(&linked(path), None, refuse, write),
        Err(error) => return Err(refuse(error)),
    };
    if !old.is_file() {
        return write(&mut File::options().write(true).open(path).map_err(refuse)?);
    }
    replace(&fs::canonicalize(path).map_err(refuse)?, Some(old.permissions()), refuse, write)
}

/// Whether [`save`] replaces the file, or makes it, so that saving again does not add to what was saved before.
pub(crate) fn is_replaced(path: &Path) -> bool {
    fs::metadata(path).map_or(true, |old| old.is_file())
}

/// Checks that [`save`] could write a file. Nothing is written, and devices and pipes are not opened.
///
/// # Errors
/// When it cannot be written.
#[cfg(feature = "cli")]
pub(crate) fn check(path: &Path) -> io::Result<()> {
    match fs::metadata(path) {
        Ok(old) if old.is_dir() => Err(io::ErrorKind::IsADirectory.into()),
        Ok(old) if !old.is_file() => Ok(()),
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
        _ => {
            let path = destination(path);
            remove_leftovers(&path);
            let new = new_name(&path);
            File::create(&new)?;
            fs::remove_file(&new)
        }
    }
}

/// The file that [`save`] replaces or makes: what symbolic links lead to.
pub(crate) fn destination(path: &Path) -> PathBuf {
    fs::canonicalize(path).unwrap_or_else(|_| linked(path))
}

/// The file that a symbolic link to no file would be; any other path itself.
fn linked(path: &Path) -> PathBuf {
    let mut path = path.to_path_buf();
    for _ in 0..MAX_LINKS {
        let Ok(link) = fs::read_link(&path) else { break };
        path = path.parent().unwrap_or(Path::new("")).join(link);
    }
    path
}

/// The name of the temporary file.
fn new_name(path: &Path) -> PathBuf {
    let mut new = path.as_os_str().to_owned();
    new.push(format!(".{}{TEMPORARY}", std::process::id()));
    new.into()
}

/// Removes the temporary files that killed processes left in the folder of `path`: those that nobody has locked. What cannot
/// be removed stays.
fn remove_leftovers(path: &Path) {
    for entry in fs::read_dir(folder_of(path)).into_iter().flatten().flatten() {
        let is_left = || File::options().write(true).open(entry.path()).is_ok_and(|file| file.try_lock().is_ok());
        let is_file = || entry.file_type().is_ok_and(|kind| kind.is_file());
        if is_temporary(&entry.file_name()) && is_file() && is_left() {
            let _ = fs::remove_file(entry.path());
        }
    }
}

/// Whether a name is one that [`new_name`] makes.
fn is_temporary(name: &OsStr) -> bool {
    let name = name.as_encoded_bytes().strip_suffix(TEMPORARY.as_bytes());
    let parts = name.and_then(|name| name.rsplitn(2, |&byte| byte == b'.').collect::<Vec<_>>().try_into().ok());
    parts.is_some_and(|[process, name]: [&[u8]; 2]| {
        !name.is_empty() && !process.is_empty() && process.iter().all(u8::is_ascii_digit)
    })
}

/// The folder that a file is in.
fn folder_of(path: &Path) -> &Path {
    path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

/// Makes the new name of a file survive a power cut. Not all file systems can do that for a folder; the file is right
/// either way, so an error is none of [`save`].
fn sync_folder(path: &Path) {
    #[cfg(unix)]
    let _ = File::open(folder_of(path)).and_then(|folder| folder.sync_all());
    #[cfg(not(unix))]
    let _ = path;
}

fn replace<T, E>(
    path: &Path,
    permissions: Option<Permissions>,
    refuse: &dyn Fn(io::Error) -> E,
    write: impl FnOnce(&mut dyn Write) -> Result<T, E>,
) -> Result<T, E> {
    remove_leftovers(path);
    let new = new_name(path);
    let written = File::create(&new).map_err(refuse).and_then(|file| {
        // Until it is closed, so that nobody takes it for one that was left. Some file systems have no locks.
        let _ = file.try_lock();
        let mut out = BufWriter::new(file);
        let result = write(&mut out)?;
        let finish = || {
            out.flush()?;
            permissions.map_or(Ok(()), |permissions| fs::set_permissions(&new, permissions))?;
            out.get_ref().sync_all()?;
            fs::rename(&new, path)?;
            sync_folder(path);
            Ok(())
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
    fn links_to_no_file_are_followed() {
        let folder = tempfile::tempdir().unwrap();
        let [target, first, second] = ["target", "first", "second"].map(|name| folder.path().join(name));
        symlink("target", &first).unwrap();
        symlink(&first, &second).unwrap();
        check(&second).unwrap();
        assert!(!target.exists());
        save(&second, b"new").unwrap();
        assert_eq!(fs::read(&target).unwrap(), b"new");
        assert!(fs::symlink_metadata(&first).unwrap().is_symlink());
        symlink("endless", folder.path().join("endless")).unwrap();
        assert!(save(&folder.path().join("endless"), b"new").is_err());
        assert_eq!(fs::read_dir(&folder).unwrap().count(), 4);
    }

    #[test]
    fn what_a_killed_process_left_is_removed() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("file");
        // Not written by `save`; being written by another process.
        let kept = [
            "file.+7.chuhe.new",
            "file.7.chuhe.new.txt",
            "file7.chuhe.new",
            "file..chuhe.new",
            ".7.chuhe.new",
            "7.chuhe.new",
            "file.7.new",
            "file.new",
            "file.8.chuhe.new",
        ];
        kept.iter().for_each(|name| fs::write(folder.path().join(name), "").unwrap());
        let written = File::options().write(true).open(folder.path().join("file.8.chuhe.new")).unwrap();
        written.try_lock().unwrap();
        let (left, other) = (folder.path().join("file.7.chuhe.new"), folder.path().join("an other.7.chuhe.new"));
        for remove in [|file: &Path| save(file, b"new").unwrap(), |file: &Path| check(file).unwrap()] {
            fs::write(&left, "half").unwrap();
            fs::write(&other, "half").unwrap();
            remove(&file);
            assert!(!left.exists() && !other.exists());
        }
        assert_eq!(fs::read_dir(&folder).unwrap().count(), kept.len() + 1);
        assert!(kept.iter().all(|name| folder.path().join(name).exists()));
        // A folder of such a name is none of this program's.
        fs::create_dir(&left).unwrap();
        save(&file, b"new").unwrap();
        assert!(left.is_dir());
    }

    #[test]
    fn checking_changes_nothing() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("file");
        fs::write(&file, "old").unwrap();
        check(&file).unwrap();
        check(&folder.path().join("other")).unwrap();
        check(Path::new("/dev/null")).unwrap();
        assert!(check(folder.path()).is_err() && check(&folder.path().join("none/file")).is_err());
        assert_eq!((fs::read(&file).unwrap(), fs::read_dir(&folder).unwrap().count()), (b"old".to_vec(), 1));
        assert!(
            is_replaced(&file) && is_replaced(&folder.path().join("other")) && !is_replaced(Path::new("/dev/null"))
        );
    }

    #[test]
    fn devices_are_written_to() {
        save(Path::new("/dev/null"), b"bytes").unwrap();
        assert!(!fs::metadata("/dev/null").unwrap().is_file());
        #[cfg(target_os = "linux")]
        assert!(save(Path::new("/dev/full"), b"bytes").is_err());
    }
}
