//! The helpers of the NGCC interface for packages that do not bring them: C functions over this project's own.

use kemscope_kems::iccs::drng::{self, State};
use kemscope_kems::iccs::{self, Bits, PseudohashLength};
use std::ffi::{c_int, c_ulonglong};

type Length = c_ulonglong;

/// The table that the shim of the interface stores; its layout is that of the structure in `iccs_shim.c`.
#[repr(C)]
pub struct Helpers {
    sm3hash: unsafe extern "C" fn(c_int, *const u8, Length, *mut u8) -> c_int,
    pseudohash: unsafe extern "C" fn(c_int, *const u8, Length, *mut u8) -> c_int,
    pseudo_xof: unsafe extern "C" fn(Length, *const u8, Length, *mut u8) -> c_int,
    init_random_number: unsafe extern "C" fn(*mut u8, *const u8, Length) -> c_int,
    get_random_number: unsafe extern "C" fn(*mut u8, *mut u8, Length) -> c_int,
}

/// The helpers.
pub static HELPERS: Helpers = Helpers {
    sm3hash,
    pseudohash,
    pseudo_xof,
    init_random_number,
    get_random_number,
};

/// By the interface: an unknown digest length.
const UNKNOWN_LENGTH: c_int = -4;
/// By the interface: the inner function failed. Here: a null pointer.
const INNER_FAILURE: c_int = -3;
/// The one digest length of `sm3hash`.
const SM3_BITS: c_int = 256;

/// The message of `bits` bits at `message`; `None` for a null pointer with a length.
///
/// # Safety
/// `message` is null or points to as many readable bytes as hold the bits.
unsafe fn message_at<'a>(message: *const u8, bits: Length) -> Option<Bits<'a>> {
    let length = usize::try_from(bits.div_ceil(8)).ok()?;
    if length == 0 {
        return Bits::new(&[], 0).ok();
    }
    if message.is_null() {
        return None;
    }
    // SAFETY: the caller answers for it.
    let bytes = unsafe { std::slice::from_raw_parts(message, length) };
    Bits::new(bytes, bits).ok()
}

/// Writes a result to a caller that gave room for it.
///
/// # Safety
/// `output` is null or points to as many writable bytes.
unsafe fn give(result: &[u8], output: *mut u8) -> c_int {
    if result.is_empty() {
        return 0;
    }
    if output.is_null() {
        return INNER_FAILURE;
    }
    // SAFETY: the caller answers for `output`; the result is in memory of its own, so they do not overlap.
    unsafe { std::ptr::copy_nonoverlapping(result.as_ptr(), output, result.len()) };
    0
}

unsafe extern "C" fn sm3hash(
    digest_bits: c_int,
    message: *const u8,
    bits: Length,
    digest: *mut u8,
) -> c_int {
    if digest_bits != SM3_BITS {
        return UNKNOWN_LENGTH;
    }
    // SAFETY: the interface promises a message of `bits` bits; a wrong call costs this process alone.
    match unsafe { message_at(message, bits) } {
        // SAFETY: the interface promises room for the digest.
        Some(message) => unsafe { give(&iccs::sm3(message), digest) },
        None => INNER_FAILURE,
    }
}

unsafe extern "C" fn pseudohash(
    digest_bits: c_int,
    message: *const u8,
    bits: Length,
    digest: *mut u8,
) -> c_int {
    let length = u64::try_from(digest_bits).ok();
    let Some(length) = length.and_then(PseudohashLength::from_bits) else {
        return UNKNOWN_LENGTH;
    };
    // SAFETY: as for `sm3hash`.
    match unsafe { message_at(message, bits) } {
        // SAFETY: as for `sm3hash`.
        Some(message) => unsafe { give(&iccs::pseudohash(length, message), digest) },
        None => INNER_FAILURE,
    }
}

unsafe extern "C" fn pseudo_xof(
    output_bits: Length,
    message: *const u8,
    bits: Length,
    output: *mut u8,
) -> c_int {
    // SAFETY: as for `sm3hash`.
    match unsafe { message_at(message, bits) } {
        // SAFETY: as for `sm3hash`. The whole output is made before it is written: buffers may be the same.
        Some(message) => unsafe { give(&iccs::pseudo_xof(output_bits, message), output) },
        None => INNER_FAILURE,
    }
}

/// The generator's state in the library's memory.
///
/// # Safety
/// `drng` points to a `DRNG_ctx` that nobody else uses meanwhile, as the interface promises.
unsafe fn state_at<'a>(drng: *mut u8) -> Option<&'a mut State> {
    // SAFETY: the structure is three arrays of bytes: any address will do. The caller answers for it.
    unsafe { drng.cast::<State>().as_mut() }
}

unsafe extern "C" fn init_random_number(drng: *mut u8, seed: *const u8, length: Length) -> c_int {
    // SAFETY: as the interface promises; a wrong call costs this process alone.
    let Some(state) = (unsafe { state_at(drng) }) else {
        return INNER_FAILURE;
    };
    let seed = match (seed.is_null(), usize::try_from(length)) {
        (_, Ok(0)) => &[],
        // SAFETY: the interface promises a seed of `length` bytes.
        (false, Ok(length)) => unsafe { std::slice::from_raw_parts(seed, length) },
        _ => return INNER_FAILURE,
    };
    drng::seed(state, seed);
    0
}

unsafe extern "C" fn get_random_number(drng: *mut u8, output: *mut u8, bits: Length) -> c_int {
    // SAFETY: as for `init_random_number`.
    let Some(state) = (unsafe { state_at(drng) }) else {
        return INNER_FAILURE;
    };
    let bytes = match (output.is_null(), usize::try_from(bits.div_ceil(8))) {
        (_, Ok(0)) => &mut [],
        // SAFETY: the interface promises room for `bits` bits.
        (false, Ok(length)) => unsafe { std::slice::from_raw_parts_mut(output, length) },
        _ => return INNER_FAILURE,
    };
    match drng::draw(state, bytes, bits) {
        Ok(()) => 0,
        Err(_) => INNER_FAILURE,
    }
}
