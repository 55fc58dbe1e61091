//! The NIST known-answer text, first entry, in the form that PQClean hashes: the lines `count` to
//! `ss` of a `PQCkemKAT_*.rsp` file.

use super::protocol::Reply;
use super::session::{Session, Stop};
use crate::{drbg, hex};
use kemscope_schema::Operation;
use kemscope_schema::run::Generator;

/// Generates the text with the given generator.
pub fn run(session: &mut Session<'_>, generator: Generator) -> Result<Reply, Stop> {
    let mut seed = [0u8; drbg::SEED_BYTES];
    drbg::seed(generator, &drbg::counting_seed());
    drbg::fill(&mut seed);
    let mut text = String::from("count = 0\n");
    line(&mut text, "seed", &seed);
    drbg::seed(generator, &seed);
    session.checked_call(Operation::Keygen)?;
    line(&mut text, "pk", session.buffers.public_key.bytes());
    line(&mut text, "sk", session.buffers.secret_key.bytes());
    session.checked_call(Operation::Enc)?;
    line(&mut text, "ct", session.buffers.ciphertext.bytes());
    line(&mut text, "ss", session.buffers.secret_enc.bytes());
    session.checked_call(Operation::Dec)?;
    Ok(Reply::Kat {
        text,
        sizes: session.library.sizes(),
    })
}

/// `name = HEX`; an empty value is written `00`, as NIST's own program does.
fn line(text: &mut String, name: &str, value: &[u8]) {
    text.push_str(name);
    text.push_str(" = ");
    match value {
        [] => text.push_str("00"),
        value => text.push_str(&hex::upper(value)),
    }
    text.push('\n');
}
