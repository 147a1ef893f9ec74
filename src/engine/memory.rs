//! Memory available to this process on Linux: that of the machine, that of its control groups (cgroups), by which
//! containers limit it, and its address space (`ulimit -v`).

use std::fs;
use std::path::{Path, PathBuf};

/// Address space kept free for everything but tables, in bytes: stacks, allocator, files.
const ADDRESS_RESERVE: u64 = 64 << 20;

/// Megabytes that can be used without swapping and within all limits; `None` if unknown (not Linux).
pub(crate) fn available_megabytes() -> Option<usize> {
    let machine = fs::read_to_string("/proc/meminfo").ok().and_then(|text| machine_available(&text));
    let groups = fs::read_to_string("/proc/self/cgroup").ok();
    let groups = groups.and_then(|text| cgroup_available(Path::new("/sys/fs/cgroup"), &text));
    let resident = [machine, groups].into_iter().flatten().min().map(megabytes);
    [resident, address_space_megabytes()].into_iter().flatten().min()
}

/// Megabytes of address space left, less a reserve; `None` if unknown, or there is no limit.
pub(crate) fn address_space_megabytes() -> Option<usize> {
    let read = |name: &str| fs::read_to_string(name).unwrap_or_default();
    address_space_left(&read("/proc/self/limits"), &read("/proc/self/status")).map(megabytes)
}

fn megabytes(bytes: u64) -> usize {
    usize::try_from(bytes >> 20).unwrap_or(usize::MAX)
}

/// Bytes of `MemAvailable` in `/proc/meminfo`.
fn machine_available(meminfo: &str) -> Option<u64> {
    let line = meminfo.lines().find_map(|line| line.strip_prefix("MemAvailable:"))?;
    let kilobytes: u64 = line.split_ascii_whitespace().next()?.parse().ok()?;
    kilobytes.checked_mul(1024)
}

/// Bytes of address space left, less the reserve, by the texts of `/proc/self/limits` and `/proc/self/status`. `None`
/// without a limit.
fn address_space_left(limits: &str, status: &str) -> Option<u64> {
    let number = |text: &str, key: &str| -> Option<u64> {
        let line = text.lines().find_map(|line| line.strip_prefix(key))?;
        line.split_ascii_whitespace().next()?.parse().ok()
    };
    let limit = number(limits, "Max address space")?;
    let used = number(status, "VmSize:")?.checked_mul(1024)?;
    Some(limit.saturating_sub(used).saturating_sub(ADDRESS_RESERVE))
}

/// The files of one version of the memory controller, and where they are.
struct Controller {
    /// Folder below the cgroup file system that holds the root group.
    folder: &'static str,
    limit: &'static str,
    usage: &'static str,
    /// Keys of `memory.stat` that count page cache, which the kernel drops when memory is short.
    cache: [&'static str; 2],
}

const VERSION_1: Controller = Controller {
    folder: "memory",
    limit: "memory.limit_in_bytes",
    usage: "memory.usage_in_bytes",
    cache: ["total_inactive_file", "total_active_file"],
};
const VERSION_2: Controller =
    Controller { folder: "", limit: "memory.max", usage: "memory.current", cache: ["inactive_file", "active_file"] };

/// Bytes left within the tightest limit of the groups in `/proc/self/cgroup` and of their parents, where `root` is the
/// cgroup file system. `None` without a limit.
fn cgroup_available(root: &Path, self_cgroup: &str) -> Option<u64> {
    memory_groups(self_cgroup)
        .flat_map(|(controller, group)| {
            let mount = root.join(controller.folder);
            // In a container the path may be that on the host, but its own group is mounted as the root.
            let groups = folders(&mount, group).into_iter();
            groups.filter_map(|folder| {
                let read = |name: &str| fs::read_to_string(folder.join(name)).unwrap_or_default();
                left(controller, &read(controller.limit), &read(controller.usage), &read("memory.stat"))
            })
        })
        .min()
}

/// The groups that may limit memory, of lines `NUMBER:CONTROLLERS:PATH`. Version 2 has number 0 and no controllers.
fn memory_groups(self_cgroup: &str) -> impl Iterator<Item = (&'static Controller, &str)> {
    self_cgroup.lines().filter_map(|line| {
        let mut fields = line.splitn(3, ':');
        let (number, controllers, path) = (fields.next()?, fields.next()?, fields.next()?);
        if controllers.split(',').any(|name| name == "memory") {
            Some((&VERSION_1, path))
        } else {
            (number == "0" && controllers.is_empty()).then_some((&VERSION_2, path))
        }
    })
}

/// The folders of `group` and its parents, up to and including `mount`.
fn folders(mount: &Path, group: &str) -> Vec<PathBuf> {
    let group = Path::new(group.trim_start_matches('/'));
    group.ancestors().map(|part| mount.join(part)).collect()
}

/// Bytes that a group may still use: its limit minus its usage, of which page cache does not count. `None` without a
/// limit: version 2 says `max`, and of version 1's huge number more is left than any machine has.
fn left(controller: &Controller, limit: &str, usage: &str, stat: &str) -> Option<u64> {
    let limit: u64 = limit.trim().parse().ok()?;
    let usage: u64 = usage.trim().parse().ok()?;
    let cache = stat.lines().filter_map(|line| {
        let (key, bytes) = line.split_once(' ')?;
        controller.cache.contains(&key).then(|| bytes.trim().parse::<u64>().ok())?
    });
    Some(limit.saturating_sub(usage.saturating_sub(cache.fold(0, u64::saturating_add))))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn machine_memory_is_read_from_meminfo() {
        let text = "MemTotal:       24683520 kB\nMemFree:  1 kB\nMemAvailable:    2097152 kB\n";
        assert_eq!(machine_available(text), Some(2048 << 20));
        assert_eq!(machine_available("MemTotal: 5 kB"), None);
        assert_eq!(machine_available("MemAvailable: lots"), None);
    }

    #[test]
    fn address_space_is_what_the_limit_leaves() {
        let limits =
            |soft: &str| format!("Limit  Soft Limit  Hard Limit  Units\nMax address space  {soft}  unlimited  bytes\n");
        let status = "VmPeak:\t 9999 kB\nVmSize:\t  1024 kB\n";
        assert_eq!(address_space_left(&limits("209715200"), status), Some((199 << 20) - ADDRESS_RESERVE));
        assert_eq!(address_space_left(&limits("1048576"), status), Some(0));
        assert_eq!(address_space_left(&limits("unlimited"), status), None);
        assert_eq!(address_space_left("", ""), None);
    }

    #[test]
    fn page_cache_counts_as_free() {
        let stat = "anon 50\nfile 45\ninactive_file 30\nactive_file 10\n";
        assert_eq!(left(&VERSION_2, "200\n", "90\n", stat), Some(150));
        assert_eq!(left(&VERSION_2, "200\n", "90\n", ""), Some(110));
        assert_eq!(left(&VERSION_2, "80\n", "90\n", ""), Some(0), "the limit was lowered");
        assert_eq!(left(&VERSION_2, "max\n", "90\n", stat), None);
        assert_eq!(left(&VERSION_2, "", "", ""), None, "the root group has no limit");
        let stat = "inactive_file 1\ntotal_inactive_file 30\ntotal_active_file 5\n";
        assert_eq!(left(&VERSION_1, "200", "90", stat), Some(145));
    }

    #[test]
    fn memory_groups_of_both_versions_are_found() {
        let groups = |text| memory_groups(text).map(|(controller, path)| (controller.limit, path)).collect::<Vec<_>>();
        assert_eq!(groups("0::/user.slice/a:b.scope\n"), [("memory.max", "/user.slice/a:b.scope")]);
        let hybrid = "12:cpu,cpuacct:/docker/1\n4:hugetlb,memory:/docker/1\n1:name=systemd:/docker/1\n0::/docker/1\n";
        assert_eq!(groups(hybrid), [("memory.limit_in_bytes", "/docker/1"), ("memory.max", "/docker/1")]);
        assert_eq!(groups("nonsense\n"), []);
    }

    #[test]
    fn tightest_limit_of_a_group_and_its_parents_counts() {
        let root = tempfile::tempdir().unwrap();
        let write = |folder: &str, limit: &str, usage: &str| {
            let folder = root.path().join(folder);
            fs::create_dir_all(&folder).unwrap();
            fs::write(folder.join("memory.max"), limit).unwrap();
            fs::write(folder.join("memory.current"), usage).unwrap();
        };
        write("a/b/c", "max", "5");
        assert_eq!(cgroup_available(root.path(), "0::/a/b/c"), None);
        write("a/b", "1000", "100");
        assert_eq!(cgroup_available(root.path(), "0::/a/b/c"), Some(900));
        write("a", "800", "600");
        assert_eq!(cgroup_available(root.path(), "0::/a/b/c"), Some(200));
        // A container's own group mounted as the root, with the path on the host.
        write("", "150", "0");
        assert_eq!(cgroup_available(root.path(), "0::/docker/0123"), Some(150));
    }
}
