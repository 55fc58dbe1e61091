//! A batch system of one node, with everything it needs in a folder of its own: Debian's Slurm with munge.

use super::wait_until;
use nix::sys::signal::{Signal, kill};
use nix::unistd::{Pid, gethostname};
use std::fs;
use std::net::TcpListener;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::time::{Duration, Instant};
use tempfile::TempDir;

/// A running cluster. Its daemons end with the value.
pub struct Cluster {
    folder: TempDir,
    daemons: Vec<(&'static str, Child)>,
}

impl Cluster {
    /// Starts munged, slurmctld and slurmd, and waits until the node takes jobs.
    ///
    /// # Errors
    /// Why they cannot run here.
    pub fn start() -> Result<Cluster, String> {
        for program in [
            "munged",
            "slurmctld",
            "slurmd",
            "sbatch",
            "srun",
            "scontrol",
            "squeue",
        ] {
            if !is_there(program) {
                return Err(format!("there is no {program} (Debian: slurm-wlm, munge)"));
            }
        }
        let folder = tempfile::Builder::new().prefix("slurm").tempdir().unwrap();
        let mut cluster = Cluster {
            folder,
            daemons: Vec::new(),
        };
        cluster.write_files()?;
        // Everybody may pass through to the socket.
        for folder in [cluster.folder.path(), &cluster.file("munge")] {
            fs::set_permissions(folder, fs::Permissions::from_mode(0o711)).unwrap();
        }
        let munge = |name: &str| cluster.file(&format!("munge/{name}")).display().to_string();
        let arguments: Vec<String> = [
            "--foreground".to_owned(),
            format!("--key-file={}", munge("key")),
            format!("--socket={}", munge("socket")),
            format!("--pid-file={}", munge("pid")),
            format!("--log-file={}", munge("log")),
            format!("--seed-file={}", munge("seed")),
        ]
        .into();
        cluster.spawn("munged", &arguments)?;
        cluster.until("munged answers", |cluster| {
            cluster.file("munge/socket").exists()
        })?;
        let foreground = ["-D".to_owned()];
        cluster.spawn("slurmctld", &foreground)?;
        cluster.spawn("slurmd", &foreground)?;
        cluster.until("the node is idle", |cluster| {
            cluster.say("sinfo", &["--noheader", "--format=%t"]) == "idle"
        })?;
        Ok(cluster)
    }

    /// A file of its folder.
    pub fn file(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// A command of the batch system, for this cluster.
    pub fn command(&self, program: &str) -> Command {
        let mut command = Command::new(program);
        command
            .env("SLURM_CONF", self.file("slurm.conf"))
            .stdin(Stdio::null());
        command
    }

    /// What a command says on standard output, without white space around it.
    pub fn say(&self, program: &str, arguments: &[&str]) -> String {
        let output = self.command(program).args(arguments).output().unwrap();
        String::from_utf8_lossy(&output.stdout).trim().to_owned()
    }

    /// The number of the job that a prepared `sbatch --parsable` begins.
    pub fn submit(&self, sbatch: &mut Command) -> String {
        let output: Output = sbatch.output().unwrap();
        let error = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{error}");
        let said = String::from_utf8_lossy(&output.stdout);
        said.trim().split(';').next().unwrap().to_owned()
    }

    /// State of a task of an array job as Slurm calls it: `RUNNING`, `FAILED` ….
    pub fn state(&self, task: &str) -> String {
        let said = self.say("scontrol", &["show", "job", task]);
        let found = said
            .split_whitespace()
            .find_map(|word| word.strip_prefix("JobState="));
        found.unwrap_or("unknown").to_owned()
    }

    /// Starts a task again that was put back into the queue, without the pause that Slurm makes.
    pub fn hurry(&self, task: &str) {
        let id = format!("JobId={task}");
        // Refused while the old one is still being cleared away, or when it runs already.
        self.say("scontrol", &["update", &id, "StartTime=now"]);
    }

    fn write_files(&self) -> Result<(), String> {
        for name in ["munge", "spool", "state", "log"] {
            fs::create_dir(self.file(name)).unwrap();
        }
        let mut key = [0; 128];
        std::io::Read::read_exact(&mut fs::File::open("/dev/urandom").unwrap(), &mut key).unwrap();
        fs::write(self.file("munge/key"), key).unwrap();
        let secret = fs::Permissions::from_mode(0o400);
        fs::set_permissions(self.file("munge/key"), secret).unwrap();
        let user = user().ok_or("this user has no name")?;
        let host = gethostname().unwrap().to_string_lossy().into_owned();
        let host = host.split('.').next().unwrap_or_default();
        // What this machine is in Slurm's own words.
        let output = Command::new("slurmd").arg("-C").output().unwrap();
        let said = String::from_utf8_lossy(&output.stdout).into_owned();
        let node = said.lines().find(|line| line.starts_with("NodeName="));
        let node = node.ok_or("slurmd -C does not tell what this machine is")?;
        let folder = self.folder.path().display();
        let text = format!(
            "ClusterName=kemscope\n\
             SlurmctldHost={host}(127.0.0.1)\n\
             SlurmUser={user}\n\
             SlurmdUser={user}\n\
             AuthType=auth/munge\n\
             AuthInfo=socket={folder}/munge/socket\n\
             CredType=cred/munge\n\
             SlurmctldPort={}\n\
             SlurmdPort={}\n\
             SlurmctldPidFile={folder}/slurmctld.pid\n\
             SlurmdPidFile={folder}/slurmd.pid\n\
             SlurmdSpoolDir={folder}/spool\n\
             StateSaveLocation={folder}/state\n\
             SlurmctldLogFile={folder}/log/slurmctld.log\n\
             SlurmdLogFile={folder}/log/slurmd.log\n\
             ProctrackType=proctrack/linuxproc\n\
             TaskPlugin=task/affinity\n\
             JobAcctGatherType=jobacct_gather/none\n\
             AccountingStorageType=accounting_storage/none\n\
             SwitchType=switch/none\n\
             MpiDefault=none\n\
             PlugStackConfig=/dev/null\n\
             ReturnToService=2\n\
             SchedulerType=sched/backfill\n\
             SelectType=select/cons_tres\n\
             SelectTypeParameters=CR_Core\n\
             JobRequeue=1\n\
             {node} NodeAddr=127.0.0.1 State=UNKNOWN\n\
             PartitionName=all Nodes=ALL Default=YES MaxTime=INFINITE State=UP\n",
            free_port(),
            free_port(),
        );
        fs::write(self.file("slurm.conf"), text).unwrap();
        Ok(())
    }

    fn spawn(&mut self, program: &'static str, arguments: &[String]) -> Result<(), String> {
        let log = fs::File::create(self.file(&format!("{program}.out"))).unwrap();
        let started = self
            .command(program)
            .args(arguments)
            .stdout(log.try_clone().unwrap())
            .stderr(log)
            .spawn();
        let child = started.map_err(|e| format!("{program} cannot be started: {e}"))?;
        self.daemons.push((program, child));
        Ok(())
    }

    /// Waits until something holds, or a daemon has ended.
    fn until(&mut self, what: &str, holds: impl Fn(&Cluster) -> bool) -> Result<(), String> {
        let deadline = Instant::now() + Duration::from_secs(60);
        while !holds(self) {
            let mut ended = None;
            for (program, child) in &mut self.daemons {
                if child.try_wait().unwrap().is_some() {
                    ended = Some(*program);
                }
            }
            if let Some(program) = ended {
                return Err(format!("{program} ended: {}", self.last_words(program)));
            }
            if Instant::now() > deadline {
                let words = self.last_words("slurmd") + "; " + &self.last_words("slurmctld");
                return Err(format!("waited in vain until {what}: {words}"));
            }
            std::thread::sleep(Duration::from_millis(50));
        }
        Ok(())
    }

    fn last_words(&self, program: &str) -> String {
        let text = fs::read_to_string(self.file(&format!("{program}.out"))).unwrap_or_default();
        let lines: Vec<&str> = text.lines().rev().take(3).collect();
        lines.into_iter().rev().collect::<Vec<_>>().join(" / ")
    }
}

impl Drop for Cluster {
    fn drop(&mut self) {
        // Jobs end before the daemons that know of them.
        let user = user().unwrap_or_default();
        let jobs = |cluster: &Cluster| cluster.say("squeue", &["--noheader"]);
        if self.daemons.len() == 3 {
            self.say("scancel", &["--user", &user]);
            if !std::thread::panicking() {
                wait_until("no job is left", || jobs(self).is_empty());
            }
        }
        for (_, child) in self.daemons.iter_mut().rev() {
            let _ = kill(Pid::from_raw(child.id() as i32), Signal::SIGTERM);
            let deadline = Instant::now() + Duration::from_secs(20);
            while matches!(child.try_wait(), Ok(None)) {
                if Instant::now() > deadline {
                    let _ = child.kill();
                }
                std::thread::sleep(Duration::from_millis(20));
            }
        }
    }
}

fn is_there(program: &str) -> bool {
    let folders = std::env::var_os("PATH").unwrap_or_default();
    let mut folders = std::env::split_paths(&folders);
    folders.any(|folder| Path::new(&folder).join(program).is_file())
}

/// Name of the user that the tests run as.
fn user() -> Option<String> {
    let output = Command::new("id").arg("-un").output().ok()?;
    let name = String::from_utf8_lossy(&output.stdout).trim().to_owned();
    (output.status.success() && !name.is_empty()).then_some(name)
}

/// A port that nobody listens on.
fn free_port() -> u16 {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    listener.local_addr().unwrap().port()
}
