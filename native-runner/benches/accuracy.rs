//! How near the runner's means come to those of an independent harness, and what measuring costs.
//!
//! `cargo bench -p native-runner --bench accuracy [-- INSTANCE…]`
//!
//! Each operation is measured by the runner (five trials of about 0.1 s, each in a fresh process) and by criterion,
//! which calls the same library directly in this process: same generator, same CPU, in short turns one after the
//! other, so that a clock that wanders and neighbours that come and go meet both. A turn of either that lost more
//! than one per cent of its time to other work is repeated up to twice, by the same rule for both. Printed are the
//! ratio of the means over all turns, and the median of the turns' own ratios, which a few disturbed turns do not
//! move. Nothing is asserted, because a busy machine proves nothing. `KEMSCOPE_BENCH_ROUNDS` sets the number of
//! turns (15).

#![allow(clippy::unwrap_used, clippy::expect_used)] // A benchmark stops at the first surprise.

use criterion::Criterion;
use kemscope_schema::run::{Generator, RunMethod, Trial};
use kemscope_schema::stats::{Statistics, TrialSample};
use kemscope_schema::{CycleSource, Operation, PlanKind, format};
use libloading::os::unix::{Library, RTLD_LOCAL, RTLD_NOW, Symbol};
use native_runner::abi::Abi;
use native_runner::build::{Builder, Toolchain};
use native_runner::child::overhead;
use native_runner::executor::{ExecuteError, Executor, ProcessExecutor, Target};
use native_runner::host::{HostFacts, Probes, Root, allowed_cpus, choose_cpu, pin_this_thread};
use native_runner::interrupt::Interrupt;
use native_runner::measure::{Settings, Timing, time_operation};
use native_runner::package::{Instance, registry};
use native_runner::{cache, drbg, terminal, time};
use nix::time::{ClockId, clock_gettime};
use std::ffi::c_int;
use std::path::Path;
use std::time::Duration;

/// What is compared where nothing is named.
const INSTANCES: [&str; 4] = ["ML-KEM-512", "ML-KEM-768", "ML-KEM-1024", "HQC-128"];
/// The harness's figures are within two per cent of an independent one's for operations above this.
const JUDGED_FROM_SECONDS: f64 = 20e-6;
/// Part of a turn's time that other work may take, as for the runner's trials.
const TOLERATED_LOSS: f64 = 0.01;

fn main() {
    let names: Vec<String> = std::env::args()
        .skip(1)
        .filter(|word| !word.starts_with('-'))
        .collect();
    let wanted = |instance: &Instance| match names.is_empty() {
        true => INSTANCES.contains(&&*instance.name),
        false => names.contains(&instance.name),
    };
    let rounds = std::env::var("KEMSCOPE_BENCH_ROUNDS");
    let rounds: usize = rounds
        .ok()
        .and_then(|n| n.parse().ok())
        .unwrap_or(15)
        .max(1);

    let cpu = choose_cpu(&Root::system(), &allowed_cpus()).unwrap_or(0);
    pin_this_thread(cpu).expect("this process may use the CPU");
    let facts = HostFacts::read(&Root::system(), cpu, std::env::consts::ARCH);
    let emulated = facts.emulated.known() == Some(true);
    let source = Probes::try_out(cpu).cycle_source(facts.constant_tsc, emulated);
    print_overhead(source, cpu);

    let cache = cache::folder().expect("a cache folder");
    let toolchain = Toolchain::detect(&cache.join("probe"), None).expect("a compiler");
    let builder = Builder::new(toolchain, &cache);
    let program = env!("CARGO_BIN_EXE_native-runner").into();
    let interrupt = Interrupt::install().expect("signals can be caught");
    let mut executor = ProcessExecutor::new(vec![program], interrupt);
    let header = [
        "operation",
        "runner",
        "±",
        "disturbed",
        "criterion",
        "disturbed",
        "means",
        "median turn",
    ];
    let mut rows = vec![header.map(str::to_owned).to_vec()];
    let mut worst = 0.0f64;
    for instance in registry::builtin(&cache)
        .expect("sources")
        .iter()
        .filter(|i| wanted(i))
    {
        let build = builder.build(instance).expect("the compiler runs");
        let library = build.library().expect("it builds");
        let target = Target {
            label: instance.full_name(),
            library,
            abi: instance.abi.clone(),
            cpu: Some(cpu),
        };
        let mut direct = Direct::load(&target.library, &instance.abi);
        for operation in Operation::ALL {
            let name = format!("{} {operation}", instance.name);
            let (mut trials, mut theirs, mut ratios) = (Vec::new(), Vec::new(), Vec::new());
            let (mut calibrated, mut disturbed) = (None, 0);
            for _ in 0..rounds {
                let turn = by_runner(&mut executor, &target, operation, source, &mut calibrated);
                let (other, quiet) = direct.by_criterion_undisturbed(&name, operation);
                ratios.push(statistics(&turn).mean_seconds / other);
                trials.extend(turn);
                theirs.push(other);
                disturbed += usize::from(!quiet);
            }
            let ours = statistics(&trials);
            let theirs = theirs.iter().sum::<f64>() / theirs.len() as f64;
            ratios.sort_by(f64::total_cmp);
            let median = ratios[ratios.len() / 2];
            if theirs > JUDGED_FROM_SECONDS {
                worst = worst.max((median - 1.0).abs());
            }
            let half = ours.relative_half_width();
            let ours_disturbed = trials.iter().filter(|t| t.disturbed).count();
            rows.push(vec![
                name,
                format::seconds(ours.mean_seconds),
                half.map_or("–".to_owned(), terminal::percent),
                format!("{ours_disturbed}/{}", trials.len()),
                format::seconds(theirs),
                format!("{disturbed}/{rounds}"),
                format!("{:.4}", ours.mean_seconds / theirs),
                format!("{median:.4}"),
            ]);
        }
    }
    println!("\n{}", terminal::table(&rows));
    println!(
        "largest distance of a median ratio from 1 among operations above 20 µs: {}",
        terminal::percent(worst)
    );
}

fn print_overhead(source: Option<CycleSource>, cpu: u32) {
    let overhead = overhead::measure(source, cpu).expect("overhead can be measured");
    let cycles = |value: Option<f64>| value.map_or("–".to_owned(), |v| format!("{v:.1}"));
    println!(
        "empty operation: {:.2} ns, {} cycles per call; a trial without calls: {:.0} ns, {} cycles; \
         a reading of the clock: {:.0} ns (cycles: {})",
        overhead.empty_call_seconds * 1e9,
        cycles(overhead.empty_call_cycles),
        overhead.empty_trial_seconds * 1e9,
        cycles(overhead.empty_trial_cycles),
        overhead.clock_read_seconds * 1e9,
        source.map_or("none", CycleSource::name)
    );
}

fn statistics(trials: &[Trial]) -> Statistics {
    let samples: Vec<TrialSample> = trials.iter().map(Trial::sample).collect();
    Statistics::of(&samples).expect("trials")
}

/// One turn of the runner: five trials of its own. All turns follow the first one's calibration.
fn by_runner(
    executor: &mut dyn Executor,
    target: &Target,
    operation: Operation,
    cycle_source: Option<CycleSource>,
    calibrated: &mut Option<f64>,
) -> Vec<Trial> {
    let settings = Settings {
        kind: PlanKind::Adaptive,
        method: RunMethod {
            precision: Some(0.5),
            max_trials: Some(5),
            ..RunMethod::default()
        },
        cycle_source,
        fixed_clock_hz: None,
        call_timeout: Duration::from_secs(300),
    };
    let timing = Timing {
        target,
        operation,
        settings: &settings,
        now_utc: &time::now_utc,
        calibrated: *calibrated,
        kept: None,
        set_up_seconds: 1.0,
    };
    let timed = time_operation(executor, timing, &mut |_| Ok::<(), ExecuteError>(()));
    let timed = timed.expect("processes run");
    assert_eq!(timed.failure, None);
    *calibrated = timed.calibration_seconds;
    timed.trials
}

/// Time by a clock of this process.
fn clock(id: ClockId) -> f64 {
    Duration::from(clock_gettime(id).unwrap()).as_secs_f64()
}

type Two = unsafe extern "C" fn(*mut u8, *mut u8) -> c_int;
type Three = unsafe extern "C" fn(*mut u8, *mut u8, *const u8) -> c_int;
type ThreeReading = unsafe extern "C" fn(*mut u8, *const u8, *const u8) -> c_int;
type Fill = unsafe extern "C" fn(*mut u8, usize);

/// A library called without anything of the runner but its generator.
struct Direct {
    keypair: Two,
    enc: Three,
    dec: ThreeReading,
    public_key: Vec<u8>,
    secret_key: Vec<u8>,
    ciphertext: Vec<u8>,
    secrets: [Vec<u8>; 2],
    _library: Library,
}

impl Direct {
    fn load(path: &Path, abi: &Abi) -> Direct {
        // SAFETY: a library of PQClean's sources, which has no initialisers.
        let library = unsafe { Library::open(Some(path), RTLD_NOW | RTLD_LOCAL) }.unwrap();
        // SAFETY: the types below are those of PQClean's interface and of the shim.
        unsafe fn get<T: Copy>(library: &Library, name: &str) -> T {
            // SAFETY: the caller names a symbol of that type.
            let symbol: Symbol<T> = unsafe { library.get(name) }.unwrap();
            *symbol
        }
        let name = |function: &str| abi.symbol(function);
        // SAFETY: four 64-bit numbers, by the shim.
        let sizes: *const [u64; 4] = unsafe { get(&library, "kemscope_sizes") };
        // SAFETY: the shim's constant, in a library that stays loaded.
        let [pk, sk, ct, ss] = unsafe { *sizes }.map(|size| size as usize);
        // SAFETY: the shim's function.
        let set_random: unsafe extern "C" fn(Fill) =
            unsafe { get(&library, "kemscope_set_random") };
        // SAFETY: it stores the pointer.
        unsafe { set_random(fill) };
        // SAFETY: PQClean's functions.
        let (keypair, enc, dec) = unsafe {
            (
                get(&library, &name("crypto_kem_keypair")),
                get(&library, &name("crypto_kem_enc")),
                get(&library, &name("crypto_kem_dec")),
            )
        };
        Direct {
            keypair,
            enc,
            dec,
            public_key: vec![0; pk],
            secret_key: vec![0; sk],
            ciphertext: vec![0; ct],
            secrets: [vec![0; ss], vec![0; ss]],
            _library: library,
        }
    }

    fn call(&mut self, operation: Operation) -> c_int {
        let (pk, sk) = (&mut self.public_key, &mut self.secret_key);
        let [ours, theirs] = &mut self.secrets;
        // SAFETY: buffers of the sizes that the library declares.
        unsafe {
            match operation {
                Operation::Keygen => (self.keypair)(pk.as_mut_ptr(), sk.as_mut_ptr()),
                Operation::Enc => {
                    (self.enc)(self.ciphertext.as_mut_ptr(), ours.as_mut_ptr(), pk.as_ptr())
                }
                Operation::Dec => {
                    (self.dec)(theirs.as_mut_ptr(), self.ciphertext.as_ptr(), sk.as_ptr())
                }
            }
        }
    }

    /// criterion's mean of a call in seconds, repeated up to twice while other work takes time; and whether the last
    /// attempt was quiet.
    fn by_criterion_undisturbed(&mut self, name: &str, operation: Operation) -> (f64, bool) {
        let mut mean = 0.0;
        for _ in 0..3 {
            let wall = clock(ClockId::CLOCK_MONOTONIC_RAW);
            let cpu = clock(ClockId::CLOCK_PROCESS_CPUTIME_ID);
            mean = self.by_criterion(name, operation);
            let wall = clock(ClockId::CLOCK_MONOTONIC_RAW) - wall;
            let cpu = clock(ClockId::CLOCK_PROCESS_CPUTIME_ID) - cpu;
            if wall - cpu <= TOLERATED_LOSS * wall {
                return (mean, true);
            }
        }
        (mean, false)
    }

    /// criterion's mean of a call in seconds.
    fn by_criterion(&mut self, name: &str, operation: Operation) -> f64 {
        let folder = tempfile::tempdir().unwrap();
        drbg::seed(Generator::NistCtrDrbg, &drbg::counting_seed()).unwrap();
        for before in Operation::ALL {
            assert_eq!(self.call(before), 0);
        }
        assert_eq!(self.secrets[0], self.secrets[1]);
        let mut criterion = Criterion::default()
            .without_plots()
            .output_directory(folder.path())
            .warm_up_time(Duration::from_millis(50))
            .measurement_time(Duration::from_millis(400))
            .nresamples(1001)
            .sample_size(10);
        criterion.bench_function(name, |bencher| bencher.iter(|| self.call(operation)));
        let estimates = folder.path().join(name).join("new/estimates.json");
        let estimates: serde_json::Value =
            serde_json::from_slice(&std::fs::read(estimates).unwrap()).unwrap();
        estimates["mean"]["point_estimate"].as_f64().unwrap() * 1e-9
    }
}

unsafe extern "C" fn fill(output: *mut u8, length: usize) {
    // SAFETY: the library asks for so many bytes there.
    drbg::fill(unsafe { std::slice::from_raw_parts_mut(output, length) });
}
