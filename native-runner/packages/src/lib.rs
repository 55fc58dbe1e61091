//! Empty: the manifest beside it exists for its dependencies.
