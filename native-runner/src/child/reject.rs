//! What the library answers to ciphertexts with a flipped bit.

use super::buffers::used;
use super::protocol::Reply;
use super::session::{Session, Stop};
use kemscope_schema::run::FailureKind;
use kemscope_schema::{Operation, RejectionTry};

/// Makes a ciphertext, and for the first, the middle and the last of its bytes flips the lowest bit and
/// decapsulates twice.
pub fn run(session: &mut Session<'_>) -> Result<Reply, Stop> {
    session.set_up(Operation::Dec)?;
    session.checked_call(Operation::Dec)?;
    let honest = secret(session);
    let length = used(
        &session.buffers.ciphertext,
        session.buffers.lengths.ciphertext,
    )
    .len();
    let mut places = vec![0, length / 2, length.saturating_sub(1)];
    places.dedup();
    let mut tries = Vec::new();
    for place in places.into_iter().filter(|&place| place < length) {
        session.buffers.ciphertext.flip(place);
        let (return_code, first) = decapsulate(session, 0x5a)?;
        let (_, second) = decapsulate(session, 0xa5)?;
        session.buffers.ciphertext.flip(place);
        tries.push(RejectionTry {
            byte: place as u64,
            return_code,
            same_secret: first == honest,
            repeatable: first == second,
        });
    }
    Ok(Reply::Rejection { tries })
}

fn decapsulate(session: &mut Session<'_>, filler: u8) -> Result<(i32, Vec<u8>), Stop> {
    // A library that writes nothing must not seem to give the honest secret, nor twice the same one.
    session.buffers.secret_dec.fill(filler);
    session.announce(Operation::Dec)?;
    let code = session.call(Operation::Dec);
    session.buffers.check().map_err(|message| {
        let message = format!("{message} (ciphertext with a flipped bit)");
        Stop::in_operation(FailureKind::Overflow, message, Operation::Dec)
    })?;
    Ok((code, secret(session)))
}

fn secret(session: &Session<'_>) -> Vec<u8> {
    used(
        &session.buffers.secret_dec,
        session.buffers.lengths.secret_dec,
    )
    .to_vec()
}
