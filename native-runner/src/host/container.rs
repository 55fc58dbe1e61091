//! Signs of a container.

use super::files::Root;

/// Words of control groups and of the root's mount that container engines leave, and their kind.
const SIGNS: &[(&str, &str)] = &[
    ("kubepods", "kubernetes"),
    ("/docker", "docker"),
    ("libpod", "podman"),
    ("containers/storage", "podman"),
    ("containerd", "containerd"),
    ("/lxc", "lxc"),
];

/// The kind of container that this program runs in; `None` where nothing says so.
pub fn container(root: &Root) -> Option<String> {
    if root.exists(".dockerenv") {
        return Some("docker".to_owned());
    }
    root.text("run/systemd/container")
        .or_else(|| {
            root.exists("run/.containerenv")
                .then(|| "podman".to_owned())
        })
        .or_else(|| sign_in(&root.text("proc/1/cgroup")?))
        .or_else(|| {
            // Engines mount the root from a layered file system in their own folder.
            let mounts = root.text("proc/1/mountinfo")?;
            let of_root = mounts
                .lines()
                .find(|line| line.split(' ').nth(4) == Some("/"))?;
            sign_in(of_root)
        })
}

fn sign_in(text: &str) -> Option<String> {
    let found = SIGNS.iter().find(|(sign, _)| text.contains(sign))?;
    Some(found.1.to_owned())
}
