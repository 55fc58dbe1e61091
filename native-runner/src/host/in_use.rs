//! The core in use, in the words of the environment table.

use kemscope_schema::Environment;

/// What a processor's name is followed by where a core is named.
const CORE: &str = " (CPU";

/// The processor without the core in use, which may differ from run to run.
pub fn processor(environment: &Environment) -> Option<&str> {
    let text = environment.processor.as_deref()?;
    Some(text.split(CORE).next().unwrap_or(text))
}

/// A processor's name with the cores in use, each by its CPU number.
pub fn with_cores(processor: &str, cpus: &[u32]) -> String {
    match cpus {
        [] => processor.to_owned(),
        [cpu] => format!("{processor}{CORE} {cpu}, one core)"),
        several => {
            let list: Vec<String> = several.iter().map(u32::to_string).collect();
            format!(
                "{processor}{CORE}s {}, one core at a time)",
                list.join(", ")
            )
        }
    }
}

/// Names other cores in an environment. Where it names none, it is left as it is.
pub fn name_cores(environment: &mut Environment, cpus: &[u32]) {
    let named = environment
        .processor
        .as_deref()
        .is_some_and(|text| text.contains(CORE));
    if let Some(name) = processor(environment).filter(|_| named) {
        environment.processor = Some(with_cores(name, cpus));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cores_come_and_go() {
        let mut environment = Environment {
            processor: Some(with_cores("Oryon", &[2])),
            ..Environment::default()
        };
        assert_eq!(
            environment.processor.as_deref(),
            Some("Oryon (CPU 2, one core)")
        );
        name_cores(&mut environment, &[2, 3]);
        let several = "Oryon (CPUs 2, 3, one core at a time)";
        assert_eq!(environment.processor.as_deref(), Some(several));
        assert_eq!(processor(&environment), Some("Oryon"));
        environment.processor = Some("qemu".to_owned());
        name_cores(&mut environment, &[2, 3]);
        assert_eq!(environment.processor.as_deref(), Some("qemu"));
    }
}
