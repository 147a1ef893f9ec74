//! Files that one process at a time writes.

use super::save;
use std::fs::{self, File, TryLockError};
use std::path::{Path, PathBuf};

/// How the name of the lock of a file ends, behind the name of the file.
const SUFFIX: &str = ".chuhe.lock";
/// How often a lock that its owner removes meanwhile is made again.
const ATTEMPTS: usize = 100;

/// The right to write a file, until it is dropped. It is an empty locked file beside the file, which is replaced itself; what
/// a killed process left is taken over. It is advisory: only processes that ask for it are kept away.
pub struct FileLock {
    path: PathBuf,
    /// `None` where there can be no lock: the folder cannot be written to, or its file system has none.
    file: Option<File>,
}

impl FileLock {
    /// Locks a file, which need not be there, or what a symbolic link leads to; `None`: another process has locked it.
    /// Devices and pipes have no lock.
    pub fn new(path: &Path) -> Option<FileLock> {
        let mut name = save::destination(path).into_os_string();
        name.push(SUFFIX);
        let mut lock = FileLock { path: name.into(), file: None };
        if !save::is_replaced(path) {
            return Some(lock);
        }
        for _ in 0..ATTEMPTS {
            let open = || File::options().write(true).create(true).truncate(false).open(&lock.path);
            let Ok(file) = open() else { return Some(lock) };
            match file.try_lock() {
                Err(TryLockError::WouldBlock) => return None,
                Err(TryLockError::Error(_)) => {
                    let _ = fs::remove_file(&lock.path);
                    return Some(lock);
                }
                Ok(()) => {}
            }
            // The process that had it may have removed it since it was opened: then the name is free, or another file's.
            let again = File::options().write(true).open(&lock.path);
            if again.is_ok_and(|again| matches!(again.try_lock(), Err(TryLockError::WouldBlock))) {
                lock.file = Some(file);
                return Some(lock);
            }
        }
        None
    }
}

impl Drop for FileLock {
    fn drop(&mut self) {
        // Before it is unlocked, so that nobody locks what is removed.
        if self.file.is_some() {
            let _ = fs::remove_file(&self.path);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_at_a_time_has_the_lock_and_nothing_is_left() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("file");
        // Of a killed process.
        fs::write(folder.path().join("file.chuhe.lock"), "").unwrap();
        let first = FileLock::new(&file);
        assert!(first.is_some() && FileLock::new(&file).is_none());
        assert!(FileLock::new(&folder.path().join("other")).is_some());
        #[cfg(unix)]
        {
            std::os::unix::fs::symlink("file", folder.path().join("link")).unwrap();
            assert!(FileLock::new(&folder.path().join("link")).is_none());
            fs::remove_file(folder.path().join("link")).unwrap();
            assert!(FileLock::new(Path::new("/dev/null")).is_some());
        }
        drop(first);
        assert_eq!(fs::read_dir(&folder).unwrap().count(), 0);
        assert!(FileLock::new(&file).is_some() && FileLock::new(Path::new("/no/such/folder/file")).is_some());
    }
}
