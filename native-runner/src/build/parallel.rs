//! Building many instances at once.

use super::{Build, BuildError, Builder};
use crate::package::Instance;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc;
use std::thread;

impl Builder {
    /// Builds instances on all processors and tells of each as it is done: its number in the list and what came
    /// of it. `go_on` is asked before each build; after it answered no, no further one is begun.
    pub fn build_all(
        &self,
        instances: &[&Instance],
        go_on: &(dyn Fn() -> bool + Sync),
        done: &mut dyn FnMut(usize, Result<Build, BuildError>),
    ) {
        let workers = thread::available_parallelism().map_or(1, usize::from);
        let workers = workers.min(instances.len());
        let next = AtomicUsize::new(0);
        let (sender, receiver) = mpsc::channel();
        // Few instances share out the processors among their files.
        let each = self.jobs.div_ceil(workers.max(1));
        thread::scope(|scope| {
            for _ in 0..workers {
                let (sender, next) = (sender.clone(), &next);
                scope.spawn(move || {
                    loop {
                        let number = next.fetch_add(1, Ordering::Relaxed);
                        let Some(instance) = instances.get(number).filter(|_| go_on()) else {
                            return;
                        };
                        let built = self.build_using(instance, each);
                        if sender.send((number, built)).is_err() {
                            return;
                        }
                    }
                });
            }
            drop(sender);
            for (number, built) in receiver {
                done(number, built);
            }
        });
    }
}
