//! One try to build a library with one set of flags.

use super::command::{Step, run, run_all, summarise};
use super::toolchain::{Language, Toolchain};
use super::{Relink, support, symbols};
use crate::package::{Instance, is_cpp};
use std::collections::BTreeSet;
use std::ffi::OsString;
use std::io;
use std::path::{Path, PathBuf};

/// What one try came to.
pub struct Attempt {
    /// The commands that were run, argument by argument, with places instead of absolute paths.
    pub commands: Vec<Vec<String>>,
    /// Commands and all that the compiler said.
    pub log: String,
    /// The first error, if there was one.
    pub error: Option<String>,
    /// What the package does not define and the shim does.
    pub supplied: Vec<String>,
}

/// How a library is to be built.
pub struct Order<'a> {
    /// The compiler.
    pub toolchain: &'a Toolchain,
    /// Flags of the set, as the compiler knows them.
    pub flags: &'a [String],
    /// What to build.
    pub instance: &'a Instance,
    /// What else goes into the library.
    pub relink: &'a Relink,
    /// Folder for objects.
    pub scratch: &'a Path,
    /// Compilers that may run at the same time.
    pub jobs: usize,
}

/// Compiles an instance's sources and links `library`.
///
/// The compiler works in the package's folder with relative names, so that neither library nor log depend on
/// where the package lies. Fails only where files cannot be written or the compiler not be started; a
/// compiler's complaint is a result.
pub fn build(order: &Order<'_>, library: &Path) -> io::Result<Attempt> {
    let Compiled { objects, mut steps } = match order.objects()? {
        Ok(compiled) => compiled,
        Err(message) => return Ok(Attempt::impossible(message)),
    };
    let mut supplied = Vec::new();
    if steps.iter().all(|step| step.ok) {
        match order.missing(&objects) {
            Ok(missing) => {
                supplied = missing;
                steps.extend(order.finish(objects, &supplied, library)?);
            }
            Err(message) => steps.push(Step::impossible(message)),
        }
    }
    let mut attempt = summarise(steps, &order.places());
    attempt.supplied = supplied;
    Ok(attempt)
}

/// Sources gone through the compiler.
struct Compiled {
    /// Where their objects are, if all went well.
    objects: Vec<PathBuf>,
    /// What the compiler said.
    steps: Vec<Step>,
}

/// Compiles an instance's sources and links nothing: the objects, or the first error.
///
/// # Errors
/// As [`build`].
pub fn compile(order: &Order<'_>) -> io::Result<Result<Vec<Vec<u8>>, String>> {
    let Compiled { objects, steps } = match order.objects()? {
        Ok(compiled) => compiled,
        Err(message) => return Ok(Err(message)),
    };
    match summarise(steps, &order.places()).error {
        Some(message) => Ok(Err(message)),
        None => {
            let contents = objects.iter().map(std::fs::read);
            contents.collect::<io::Result<Vec<_>>>().map(Ok)
        }
    }
}

impl Order<'_> {
    /// Compiles the package's own sources. A message where this machine's tools cannot even try.
    fn objects(&self) -> io::Result<Result<Compiled, String>> {
        std::fs::create_dir_all(self.scratch)?;
        support::write_headers(&self.headers())?;
        let sources = &self.instance.sources;
        let objects: Vec<PathBuf> = sources
            .iter()
            .enumerate()
            // The number keeps equal names of different folders apart.
            .map(|(i, source)| {
                let stem = source.file_stem().unwrap_or_default().to_string_lossy();
                self.scratch.join(format!("{i:03}-{stem}.o"))
            })
            .collect();
        let commands = sources
            .iter()
            .zip(&objects)
            .map(|(source, object)| self.compile(source, object, &[]))
            .collect::<Result<Vec<_>, _>>();
        match commands {
            Ok(commands) => {
                run_all(commands, self.jobs).map(|steps| Ok(Compiled { objects, steps }))
            }
            Err(message) => Ok(Err(message)),
        }
    }

    fn headers(&self) -> PathBuf {
        self.scratch.join("support")
    }

    /// What stands for absolute paths in records and logs.
    fn places(&self) -> Vec<(String, &'static str)> {
        [
            (self.scratch, "$BUILD"),
            (self.scratch.parent().unwrap_or(self.scratch), "$BUILD"),
            (&*self.instance.root, "$PACKAGE"),
        ]
        .map(|(path, name)| (path.display().to_string(), name))
        .to_vec()
    }

    /// A file or folder as the compiler is told of it. Never a bare name: compilers take `@name` for a file of
    /// arguments, and `-name` for an option, which could make them run code of the package.
    fn named(&self, path: &Path) -> PathBuf {
        match self.instance.relative(path) {
            absolute if absolute.is_absolute() => absolute.to_owned(),
            relative => Path::new(".").join(relative),
        }
    }

    fn compile(
        &self,
        source: &Path,
        object: &Path,
        more: &[OsString],
    ) -> Result<std::process::Command, String> {
        let language = if is_cpp(source) {
            Language::Cpp
        } else {
            Language::C
        };
        let mut arguments: Vec<OsString> = more.to_vec();
        if let crate::abi::Abi::Pqclean { namespace } = &self.instance.abi {
            arguments.push(format!("-DKEMSCOPE_NAMESPACE={namespace}").into());
        }
        let defines = self.instance.defines.iter();
        arguments.extend(defines.map(|define| format!("-D{define}").into()));
        arguments.extend(self.instance.flags.iter().map(OsString::from));
        if self.optimises_across_files() {
            // Objects that hold nothing but the compiler's own form cannot be looked into.
            arguments.push("-ffat-lto-objects".into());
        }
        for folder in &self.instance.include {
            let mut argument = OsString::from("-I");
            argument.push(self.named(folder));
            arguments.push(argument);
        }
        arguments.push("-idirafter".into());
        arguments.push(self.headers().into());
        let mut command = self.toolchain.compile(
            language,
            self.flags,
            &arguments,
            &self.named(source),
            object,
        )?;
        command.current_dir(&self.instance.root);
        Ok(command)
    }

    /// Whether the last flag that says so asks for optimisation at link time.
    fn optimises_across_files(&self) -> bool {
        let mut flags = self.flags.iter().chain(&self.instance.flags);
        let last = flags.rfind(|flag| flag.starts_with("-flto") || *flag == "-fno-lto");
        last.is_some_and(|flag| flag != "-fno-lto")
    }

    /// What the shim has to define: what no object of the package does.
    ///
    /// # Errors
    /// If the compiler left something that cannot be looked into: that costs this instance alone.
    fn missing(&self, objects: &[PathBuf]) -> Result<Vec<String>, String> {
        let mut defined = BTreeSet::new();
        for object in objects {
            let name = object.file_name().unwrap_or_default().to_string_lossy();
            let bytes =
                std::fs::read(object).map_err(|e| format!("error: {name} cannot be read: {e}"))?;
            let names = symbols::defined(&bytes).map_err(|message| {
                let remedy = match self.optimises_across_files() {
                    true => ": what this compiler makes of -flto cannot be looked into; leave that flag out, or build with gcc",
                    false => "",
                };
                format!("error: {name}: {message}{remedy}")
            })?;
            defined.extend(names);
        }
        let names = support::supplied(&self.instance.abi).iter();
        let missing = names.filter(|name| !defined.contains(**name));
        Ok(missing.map(|&name| name.to_owned()).collect())
    }

    /// Compiles shim and further sources, and links all.
    fn finish(
        &self,
        mut objects: Vec<PathBuf>,
        supplied: &[String],
        library: &Path,
    ) -> io::Result<Vec<Step>> {
        let macros: Vec<OsString> = supplied
            .iter()
            .map(|name| format!("-DKEMSCOPE_SUPPLY_{name}").into())
            .collect();
        let shim = [("kemscope_shim.c", support::shim(&self.instance.abi))];
        let more = self.relink.sources.iter();
        let more = more.map(|(name, text)| (name.as_str(), text.as_str()));
        let mut steps = Vec::new();
        for (name, text) in shim.into_iter().chain(more) {
            let source = self.scratch.join(name);
            std::fs::write(&source, text)?;
            let object = source.with_extension("o");
            match self.compile(&source, &object, &macros) {
                Ok(command) => steps.push(run(command)?),
                Err(message) => steps.push(Step::impossible(message)),
            }
            objects.push(object);
        }
        if steps.iter().all(|step| step.ok) {
            let cpp = self.instance.sources.iter().any(|source| is_cpp(source));
            let language = if cpp { Language::Cpp } else { Language::C };
            let link = self.toolchain.link(
                language,
                self.flags,
                &self.instance.libraries,
                &self.relink.link_flags,
                &objects,
                library,
            );
            match link {
                Ok(mut command) => {
                    command.current_dir(&self.instance.root);
                    steps.push(run(command)?);
                }
                Err(message) => steps.push(Step::impossible(message)),
            }
        }
        Ok(steps)
    }
}

impl Attempt {
    /// Of what this machine's tools cannot do.
    pub fn impossible(message: String) -> Attempt {
        Attempt {
            commands: Vec::new(),
            log: format!("{message}\n"),
            error: Some(message),
            supplied: Vec::new(),
        }
    }
}
