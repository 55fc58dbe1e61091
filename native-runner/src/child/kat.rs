//! Known-answer texts, written record by record.

use super::buffers::used;
use super::protocol::Reply;
use super::session::{Session, Stop};
use crate::drbg::{self, Drbg};
use crate::hex;
use crate::package::KatForm;
use kemscope_kems::iccs::kat_text::{self, KatRecord, LengthLines};
use kemscope_schema::Operation;
use kemscope_schema::run::Generator;

/// Generates a text of so many records with the given generator.
pub fn run(
    session: &mut Session<'_>,
    form: KatForm,
    generator: Generator,
    records: u64,
) -> Result<Reply, Stop> {
    match form {
        KatForm::Iccs => iccs_text(session, records)?,
        KatForm::PqcleanFirst => nist_text(session, generator, 1, "")?,
        KatForm::Nist => nist_text(session, generator, records, "\n")?,
    }
    Ok(Reply::Kat {
        sizes: session.library.sizes(),
    })
}

/// NIST's response text: every record has a seed drawn from one generator and is made with a generator of
/// that seed. `end` stands behind each record.
fn nist_text(
    session: &mut Session<'_>,
    generator: Generator,
    records: u64,
    end: &str,
) -> Result<(), Stop> {
    let mut seeds = Drbg::new(generator, &drbg::counting_seed()).map_err(Stop::harness)?;
    for count in 0..records {
        let mut seed = [0u8; drbg::SEED_BYTES];
        seeds.fill(&mut seed);
        session.text(&format!("count = {count}\n"))?;
        line(session, "seed", &seed)?;
        session.seed(generator, &seed)?;
        session.checked_call(Operation::Keygen)?;
        let lengths = session.buffers.lengths;
        let public_key = used(&session.buffers.public_key, lengths.public_key).to_vec();
        line(session, "pk", &public_key)?;
        let secret_key = used(&session.buffers.secret_key, lengths.secret_key).to_vec();
        line(session, "sk", &secret_key)?;
        session.checked_call(Operation::Enc)?;
        let lengths = session.buffers.lengths;
        let ciphertext = used(&session.buffers.ciphertext, lengths.ciphertext).to_vec();
        line(session, "ct", &ciphertext)?;
        let secret = used(&session.buffers.secret_enc, lengths.secret_enc).to_vec();
        line(session, "ss", &secret)?;
        session.checked_call(Operation::Dec)?;
        session.text(end)?;
    }
    Ok(())
}

/// `name = HEX`; an empty value is written `00`, as NIST's own program does.
fn line(session: &mut Session<'_>, name: &str, value: &[u8]) -> Result<(), Stop> {
    let digits = match value {
        [] => "00".to_owned(),
        value => hex::upper(value),
    };
    session.text(&format!("{name} = {digits}\n"))
}

/// The official text of the NGCC driver.
fn iccs_text(session: &mut Session<'_>, records: u64) -> Result<(), Stop> {
    for (count, seed) in (0..records).zip(kat_text::record_seeds()) {
        session.seed(Generator::IccsSm3, &seed)?;
        for operation in Operation::ALL {
            session.checked_call(operation)?;
        }
        let text = {
            let buffers = &session.buffers;
            let record = KatRecord {
                count,
                seed: &seed,
                public_key: used(&buffers.public_key, buffers.lengths.public_key),
                secret_key: used(&buffers.secret_key, buffers.lengths.secret_key),
                ciphertext: used(&buffers.ciphertext, buffers.lengths.ciphertext),
                shared_secret: used(&buffers.secret_enc, buffers.lengths.secret_enc),
            };
            let mut text = Vec::new();
            record
                .write(&mut text, LengthLines::Filled)
                .map_err(|e| Stop::harness(format!("the text cannot be made: {e}")))?;
            String::from_utf8_lossy(&text).into_owned()
        };
        session.text(&text)?;
    }
    Ok(())
}
