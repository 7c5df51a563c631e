use std::path::Path;

/// A process that has a file open for writing, this one excepted. Linux alone tells, and of the user's own processes
/// alone; those in other containers, on other machines and of other users are not seen.
pub(super) fn writer_of(file: &Path) -> Option<u32> {
    let file = file.canonicalize().ok()?;
    let processes = std::fs::read_dir("/proc").ok()?.flatten();
    let mut numbers = processes.filter_map(|entry| entry.file_name().to_str()?.parse().ok());
    numbers.find(|&process| process != std::process::id() && is_writer(process, &file))
}

/// A process that has ended or is somebody else's is not seen, nor is a file that is closed by now.
fn is_writer(process: u32, file: &Path) -> bool {
    let open = std::fs::read_dir(format!("/proc/{process}/fd"))
        .into_iter()
        .flatten()
        .flatten();
    let mut here = open.filter(|it| std::fs::read_link(it.path()).is_ok_and(|it| it == file));
    here.any(|descriptor| {
        let number = descriptor.file_name();
        let info = format!("/proc/{process}/fdinfo/{}", number.display());
        let info = std::fs::read_to_string(info).unwrap_or_default();
        let flags = info.lines().find_map(|line| line.strip_prefix("flags:"));
        let flags = flags.and_then(|it| u32::from_str_radix(it.trim(), 8).ok());
        // The lowest two bits: 0 reads, 1 writes, 2 does both.
        flags.is_some_and(|flags| flags & 3 != 0)
    })
}
