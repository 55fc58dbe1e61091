//! Whether figures were made on equal machines in the same state.

use super::in_use::processor;
use kemscope_schema::{CycleSource, Environment};

/// Something that is not the same on two machines, or on one at two times.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Difference {
    /// What: `kernel`, `compiler` ….
    pub what: &'static str,
    /// What it is on the first.
    pub first: String,
    /// What it is on the second.
    pub second: String,
}

/// The first thing in which two machines differ that figures depend on. Which of its equal cores was used, and
/// which of several equal machines, makes no difference. An instruction set comes with each environment.
pub fn difference(first: (&str, &Environment), second: (&str, &Environment)) -> Option<Difference> {
    facts(first)
        .into_iter()
        .zip(facts(second))
        .find(|(a, b)| a != b)
        .map(|((what, first), (_, second))| {
            let word = |value: Option<String>| value.unwrap_or("unknown".to_owned());
            Difference {
                what,
                first: word(first),
                second: word(second),
            }
        })
}

fn facts(
    (architecture, environment): (&str, &Environment),
) -> [(&'static str, Option<String>); 10] {
    let yes_or_no =
        |value: Option<bool>| value.map(|yes| if yes { "yes" } else { "no" }.to_owned());
    let source = environment.cycle_source.map_or("none", CycleSource::name);
    [
        ("architecture", Some(architecture.to_owned())),
        ("processor", processor(environment).map(str::to_owned)),
        // The cores of a processor may be of several kinds.
        ("core kind", item(environment, "core kind")),
        ("machine", environment.machine.clone()),
        ("kernel", environment.kernel.clone()),
        ("compiler", environment.compiler.clone()),
        ("clock", environment.clock.clone()),
        ("cycle source", Some(source.to_owned())),
        ("virtual machine", yes_or_no(environment.virtualised)),
        ("emulator", yes_or_no(environment.emulated)),
    ]
}

/// A further item of the environment table.
fn item(environment: &Environment, name: &str) -> Option<String> {
    let found = environment.additional.iter().find(|row| row.item == name);
    found.map(|row| row.value.clone())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::host::in_use::with_cores;
    use kemscope_schema::EnvironmentItem;

    #[test]
    fn cores_make_no_difference_and_kernels_do() {
        let on = |cpu: u32, kernel: &str| Environment {
            processor: Some(with_cores("Oryon", &[cpu])),
            kernel: Some(kernel.to_owned()),
            memory_mib: Some(u64::from(cpu)),
            ..Environment::default()
        };
        let compare = |a: &Environment, b: &Environment| difference(("x", a), ("x", b));
        assert_eq!(compare(&on(1, "6.1"), &on(2, "6.1")), None);
        let found = compare(&on(1, "6.1"), &on(1, "6.2")).unwrap();
        assert_eq!(
            (found.what, &*found.first, &*found.second),
            ("kernel", "6.1", "6.2")
        );
        let mut slow = on(1, "6.1");
        slow.additional.push(EnvironmentItem {
            item: "core kind".to_owned(),
            value: "efficiency core".to_owned(),
        });
        assert_eq!(compare(&on(1, "6.1"), &slow).unwrap().what, "core kind");
        let found = difference(("x86_64", &on(1, "")), ("aarch64", &on(1, ""))).unwrap();
        assert_eq!(found.what, "architecture");
    }
}
