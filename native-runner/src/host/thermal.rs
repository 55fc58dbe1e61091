//! Heat: how warm the processor is, and whether it was throttled for it.

use super::files::Root;

/// So near to a limit the processor is about to be throttled, in degrees Celsius.
const NEAR: f64 = 5.0;
/// A limit where the machine names none: processors of today throttle between 95 and 105 degrees.
const USUAL_LIMIT: f64 = 95.0;
/// Words in the names of sensors that sit in or at the processor.
const OF_PROCESSOR: &[&str] = &[
    "cpu", "core", "pkg", "package", "soc", "k10temp", "zenpower", "tctl", "tdie", "cluster",
];

/// Temperature of the hottest sensor of the processor.
#[derive(Clone, Debug, PartialEq)]
pub struct Temperature {
    /// Name of the sensor.
    pub sensor: String,
    /// Degrees Celsius.
    pub celsius: f64,
    /// Degrees Celsius from which on the processor is slowed down, where the machine names them.
    pub limit: Option<f64>,
}

impl Temperature {
    /// Whether the processor is about to be throttled.
    pub fn is_hot(&self) -> bool {
        self.celsius >= self.limit.unwrap_or(USUAL_LIMIT) - NEAR
    }

    /// In words: `61 °C (x86_pkg_temp), limit 100 °C`.
    pub fn words(&self) -> String {
        let limit = self.limit;
        let limit = limit.map_or(String::new(), |limit| format!(", limit {limit:.0} °C"));
        format!("{:.0} °C ({}){limit}", self.celsius, self.sensor)
    }
}

/// The hottest sensor of the processor, by its distance to its limit; `None` where none can be read.
pub fn temperature(root: &Root) -> Option<Temperature> {
    let headroom = |t: &Temperature| t.limit.unwrap_or(USUAL_LIMIT) - t.celsius;
    zones(root)
        .into_iter()
        .chain(monitors(root))
        .min_by(|a, b| headroom(a).total_cmp(&headroom(b)))
}

/// The kernel's thermal zones.
fn zones(root: &Root) -> Vec<Temperature> {
    let place = "sys/class/thermal";
    let names = root.entries(place);
    let zones = names.iter().filter(|name| name.starts_with("thermal_zone"));
    zones
        .filter_map(|name| {
            let folder = format!("{place}/{name}");
            let sensor = root.text(&format!("{folder}/type"))?;
            is_of_processor(&sensor).then_some(())?;
            Some(Temperature {
                celsius: degrees(root, &format!("{folder}/temp"))?,
                limit: lowest_trip(root, &folder),
                sensor,
            })
        })
        .collect()
}

/// The lowest point at which the kernel does something about the heat of a zone. Points of fans (`active`) slow
/// nothing down.
fn lowest_trip(root: &Root, folder: &str) -> Option<f64> {
    let names = root.entries(folder);
    let points = names.iter().filter_map(|name| {
        let point = name.strip_suffix("_type")?;
        point.starts_with("trip_point_").then_some(())?;
        let kind = root.text(&format!("{folder}/{name}"))?;
        ["passive", "hot", "critical"]
            .contains(&&*kind)
            .then_some(())?;
        degrees(root, &format!("{folder}/{point}_temp"))
    });
    points.filter(|limit| *limit > 0.0).min_by(f64::total_cmp)
}

/// Hardware monitoring chips.
fn monitors(root: &Root) -> Vec<Temperature> {
    let place = "sys/class/hwmon";
    let mut found = Vec::new();
    for name in root.entries(place) {
        let folder = format!("{place}/{name}");
        let Some(chip) = root.text(&format!("{folder}/name")) else {
            continue;
        };
        if !is_of_processor(&chip) {
            continue;
        }
        for file in root.entries(&folder) {
            let Some(sensor) = file.strip_suffix("_input") else {
                continue;
            };
            if !sensor.starts_with("temp") {
                continue;
            }
            let limit = |kind: &str| degrees(root, &format!("{folder}/{sensor}_{kind}"));
            let Some(celsius) = degrees(root, &format!("{folder}/{file}")) else {
                continue;
            };
            found.push(Temperature {
                sensor: chip.clone(),
                celsius,
                limit: limit("max").or_else(|| limit("crit")).filter(|l| *l > 0.0),
            });
        }
    }
    found
}

fn is_of_processor(name: &str) -> bool {
    let name = name.to_lowercase();
    OF_PROCESSOR.iter().any(|word| name.contains(word))
}

/// Thousandths of a degree, as the kernel gives them. Sensors that are switched off read absurd values.
fn degrees(root: &Root, path: &str) -> Option<f64> {
    let thousandths: i64 = root.number(path)?;
    let degrees = thousandths as f64 / 1000.0;
    (-55.0..=200.0).contains(&degrees).then_some(degrees)
}

/// How often a core was throttled for its heat since the machine was started; `None` where the kernel does not
/// count that (it does on x86 without a hypervisor).
pub fn throttle_events(root: &Root, cpu: u32) -> Option<u64> {
    let folder = format!("sys/devices/system/cpu/cpu{cpu}/thermal_throttle");
    let core: u64 = root.number(&format!("{folder}/core_throttle_count"))?;
    let package = root
        .number(&format!("{folder}/package_throttle_count"))
        .unwrap_or(0);
    core.checked_add(package)
}
