//! Effects and memos of few types: each further type of effect or memo costs kilobytes of the same machinery.

use leptos::prelude::*;
use std::rc::Rc;

/// Runs now and whenever a signal that it reads changes, as long as its owner lives.
pub fn effect(run: impl Fn() + 'static) {
    let run: Rc<dyn Fn()> = Rc::new(run);
    Effect::new(move |_: Option<()>| run());
}

/// A value that follows from signals and tells its readers only when it has changed.
pub fn memo<T: PartialEq + Send + Sync + 'static>(
    compute: impl Fn() -> T + Send + Sync + 'static,
) -> Memo<T> {
    let compute: Box<dyn Fn() -> T + Send + Sync> = Box::new(compute);
    Memo::new(move |_| compute())
}
