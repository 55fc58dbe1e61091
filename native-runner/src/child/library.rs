//! A KEM's shared library, loaded into this process.

use super::buffers::Buffers;
use super::elsewhere;
use super::helpers;
use super::recorder::Recorder;
use crate::abi::Abi;
use crate::drbg;
use kemscope_schema::Sizes;
use kemscope_schema::run::Generator;
use libloading::os::unix::{Library, RTLD_LOCAL, RTLD_NOW, Symbol};
use std::ffi::{c_int, c_ulonglong};
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};

type Keypair = unsafe extern "C" fn(*mut u8, *mut u8) -> c_int;
type Encapsulate = unsafe extern "C" fn(*mut u8, *mut u8, *const u8) -> c_int;
type Decapsulate = unsafe extern "C" fn(*mut u8, *const u8, *const u8) -> c_int;
type Fill = unsafe extern "C" fn(*mut u8, usize);

type Length = c_ulonglong;
type Getter = unsafe extern "C" fn() -> Length;
type IccsKeygen = unsafe extern "C" fn(*mut u8, *mut Length, *mut u8, *mut Length) -> c_int;
type IccsEnc =
    unsafe extern "C" fn(*mut u8, Length, *mut u8, *mut Length, *mut u8, *mut Length) -> c_int;
type IccsDec =
    unsafe extern "C" fn(*mut u8, Length, *mut u8, Length, *mut u8, *mut Length) -> c_int;
type Seed = unsafe extern "C" fn(*const u8, Length) -> c_int;

/// Buffers larger than this are no KEM's: a garbled size, not a key.
const LARGEST_BUFFER_BYTES: u64 = 256 * 1024 * 1024;

/// The functions of a loaded library. It stays loaded as long as the process lives.
pub struct KemLibrary {
    functions: Functions,
    sizes: [usize; 4],
    library: Option<Library>,
}

/// The functions of an interface.
enum Functions {
    /// NIST's, with or without prefix.
    Nist {
        keypair: Keypair,
        encapsulate: Encapsulate,
        decapsulate: Decapsulate,
    },
    /// The NGCC interface's.
    Iccs {
        keygen: IccsKeygen,
        enc: IccsEnc,
        dec: IccsDec,
        seed: Seed,
    },
}

impl KemLibrary {
    /// Loads a library with local symbols and hands it the generators and helpers of this process.
    pub fn load(path: &Path, abi: &Abi) -> Result<KemLibrary, String> {
        // SAFETY: loading runs the library's initialisers. This process exists to run that library's
        // code; whatever it does costs this process alone.
        let library = unsafe { Library::open(Some(path), RTLD_NOW | RTLD_LOCAL) }
            .map_err(|e| format!("cannot be loaded: {e}"))?;
        let (functions, declared) = match abi {
            Abi::Iccs => iccs(&library)?,
            Abi::Nist | Abi::Pqclean { .. } => nist(&library, abi)?,
        };
        if let Some(size) = declared.iter().find(|&&s| s > LARGEST_BUFFER_BYTES) {
            return Err(format!("declares a buffer of {size} bytes"));
        }
        Ok(KemLibrary {
            functions,
            sizes: declared.map(|s| s as usize),
            library: Some(library),
        })
    }

    /// A KEM that does nothing, to be called by the same way as any other: what remains is the cost of
    /// measuring.
    pub fn empty() -> KemLibrary {
        KemLibrary {
            functions: Functions::Nist {
                keypair: nothing,
                encapsulate: nothing_of_three,
                decapsulate: nothing_of_three_reading,
            },
            sizes: [32; 4],
            library: None,
        }
    }

    /// A KEM that only notes where the stack of a call begins, for [`probed_stack`].
    pub fn stack_probe() -> KemLibrary {
        KemLibrary {
            functions: Functions::Nist {
                keypair: probe,
                encapsulate: probe_of_three,
                decapsulate: probe_of_three_reading,
            },
            ..KemLibrary::empty()
        }
    }

    /// Sizes that the library's interface declares.
    pub fn sizes(&self) -> Sizes {
        let [pk, sk, ct, ss] = self.sizes.map(|s| Some(s as u64));
        Sizes {
            public_key_bytes: pk,
            secret_key_bytes: sk,
            ciphertext_bytes: ct,
            shared_secret_bytes: ss,
        }
    }

    /// The wrappers of a profiled library.
    ///
    /// # Errors
    /// If it has none.
    pub fn recorder(&self) -> Result<Recorder, String> {
        match &self.library {
            Some(library) => Recorder::find(library),
            None => Err("is no library".to_owned()),
        }
    }

    /// Buffers of the declared sizes.
    pub fn buffers(&self) -> Result<Buffers, String> {
        Buffers::new(self.sizes)
    }

    /// Seeds the generator that the library draws from.
    pub fn seed(&self, generator: Generator, bytes: &[u8]) -> Result<(), String> {
        match &self.functions {
            Functions::Nist { .. } => drbg::seed(generator, bytes),
            Functions::Iccs { seed, .. } => {
                // SAFETY: the shim's function takes a seed of any length and its length in bytes.
                match unsafe { seed(bytes.as_ptr(), bytes.len() as Length) } {
                    0 => Ok(()),
                    code => Err(format!("init_random_number returned {code} instead of 0")),
                }
            }
        }
    }

    /// Key generation; returns what the library returns.
    pub fn keygen(&self, buffers: &mut Buffers) -> c_int {
        let (pk, sk) = (
            buffers.public_key.as_mut_ptr(),
            buffers.secret_key.as_mut_ptr(),
        );
        match &self.functions {
            // SAFETY: the function has NIST's signature, and the buffers have the sizes it declares.
            Functions::Nist { keypair, .. } => unsafe { keypair(pk, sk) },
            Functions::Iccs { keygen, .. } => {
                let lengths = &mut buffers.lengths;
                lengths.public_key = self.sizes[0] as Length;
                lengths.secret_key = self.sizes[1] as Length;
                // SAFETY: the function has the NGCC signature; buffers have the sizes it declares, lengths
                // hold their capacities.
                unsafe { keygen(pk, &mut lengths.public_key, sk, &mut lengths.secret_key) }
            }
        }
    }

    /// Encapsulation; returns what the library returns.
    pub fn enc(&self, buffers: &mut Buffers) -> c_int {
        let pk = buffers.public_key.as_mut_ptr();
        let (ct, ss) = (
            buffers.ciphertext.as_mut_ptr(),
            buffers.secret_enc.as_mut_ptr(),
        );
        match &self.functions {
            // SAFETY: as for `keygen`.
            Functions::Nist { encapsulate, .. } => unsafe { encapsulate(ct, ss, pk) },
            Functions::Iccs { enc, .. } => {
                let lengths = &mut buffers.lengths;
                lengths.ciphertext = self.sizes[2] as Length;
                lengths.secret_enc = self.sizes[3] as Length;
                let pk_bytes = lengths.public_key;
                // SAFETY: as for `keygen`. The secret comes before the ciphertext in this interface.
                unsafe {
                    enc(
                        pk,
                        pk_bytes,
                        ss,
                        &mut lengths.secret_enc,
                        ct,
                        &mut lengths.ciphertext,
                    )
                }
            }
        }
    }

    /// Decapsulation; returns what the library returns.
    pub fn dec(&self, buffers: &mut Buffers) -> c_int {
        let (ct, sk) = (
            buffers.ciphertext.as_mut_ptr(),
            buffers.secret_key.as_mut_ptr(),
        );
        let ss = buffers.secret_dec.as_mut_ptr();
        match &self.functions {
            // SAFETY: as for `keygen`.
            Functions::Nist { decapsulate, .. } => unsafe { decapsulate(ss, ct, sk) },
            Functions::Iccs { dec, .. } => {
                let lengths = &mut buffers.lengths;
                lengths.secret_dec = self.sizes[3] as Length;
                let (sk_bytes, ct_bytes) = (lengths.secret_key, lengths.ciphertext);
                // SAFETY: as for `keygen`.
                unsafe { dec(sk, sk_bytes, ct, ct_bytes, ss, &mut lengths.secret_dec) }
            }
        }
    }
}

/// The functions of NIST's interface, and the sizes in the order public key, secret key, ciphertext, secret.
fn nist(library: &Library, abi: &Abi) -> Result<(Functions, [u64; 4]), String> {
    let functions = Functions::Nist {
        keypair: symbol(library, &abi.symbol("crypto_kem_keypair"))?,
        encapsulate: symbol(library, &abi.symbol("crypto_kem_enc"))?,
        decapsulate: symbol(library, &abi.symbol("crypto_kem_dec"))?,
    };
    let set_random: unsafe extern "C" fn(Fill) = symbol(library, "kemscope_set_random")?;
    // SAFETY: the shim defines this object as four 64-bit numbers.
    let declared: Symbol<*const [u64; 4]> = unsafe { library.get("kemscope_sizes") }
        .map_err(|e| format!("lacks kemscope_sizes: {e}"))?;
    // SAFETY: the address is that of the shim's constant in the library loaded above.
    let declared = unsafe { **declared };
    // SAFETY: the shim only stores the pointer; `fill_random` has the type it expects.
    unsafe { set_random(fill_random) };
    Ok((functions, declared))
}

/// The functions of the NGCC interface, and the sizes in the same order.
fn iccs(library: &Library) -> Result<(Functions, [u64; 4]), String> {
    let functions = Functions::Iccs {
        keygen: symbol(library, "kem_keygen")?,
        enc: symbol(library, "kem_enc")?,
        dec: symbol(library, "kem_dec")?,
        seed: symbol(library, "kemscope_seed")?,
    };
    let set_helpers: unsafe extern "C" fn(*const helpers::Helpers) =
        symbol(library, "kemscope_set_helpers")?;
    // SAFETY: the shim copies the structure, which has the layout that it declares.
    unsafe { set_helpers(&helpers::HELPERS) };
    let mut declared = [0; 4];
    for (size, what) in declared.iter_mut().zip(["pk", "sk", "ct", "ss"]) {
        let getter: Getter = symbol(library, &format!("kem_get_{what}_len_bytes"))?;
        // SAFETY: the getters of the interface take nothing and return a number.
        *size = unsafe { getter() };
    }
    Ok((functions, declared))
}

fn symbol<T: Copy>(library: &Library, name: &str) -> Result<T, String> {
    // SAFETY: callers name functions of the interface or of the shim, and their C types.
    let symbol: Symbol<T> =
        unsafe { library.get(name) }.map_err(|e| format!("lacks {name}: {e}"))?;
    Ok(*symbol)
}

/// Serves the library's `randombytes`.
unsafe extern "C" fn fill_random(output: *mut u8, length: usize) {
    if output.is_null() || length == 0 {
        return;
    }
    if elsewhere::fill(output, length) {
        return;
    }
    // SAFETY: the library asks for `length` bytes at `output`; a wrong request is its own fault and
    // costs this process.
    drbg::fill(unsafe { std::slice::from_raw_parts_mut(output, length) });
}

/// Where the stack of the latest call of a [`KemLibrary::stack_probe`] began.
static PROBED: AtomicUsize = AtomicUsize::new(0);

/// Address of the stack that the latest call of a [`KemLibrary::stack_probe`] was entered with, to a few bytes.
pub fn probed_stack() -> usize {
    PROBED.load(Ordering::Relaxed)
}

// Part of its caller: a frame of its own would lie deeper.
#[inline(always)]
fn note_stack() -> c_int {
    let here = 0u8;
    PROBED.store(std::ptr::from_ref(&here) as usize, Ordering::Relaxed);
    0
}

unsafe extern "C" fn probe(_: *mut u8, _: *mut u8) -> c_int {
    note_stack()
}

unsafe extern "C" fn probe_of_three(_: *mut u8, _: *mut u8, _: *const u8) -> c_int {
    note_stack()
}

unsafe extern "C" fn probe_of_three_reading(_: *mut u8, _: *const u8, _: *const u8) -> c_int {
    note_stack()
}

unsafe extern "C" fn nothing(_: *mut u8, _: *mut u8) -> c_int {
    0
}

unsafe extern "C" fn nothing_of_three(_: *mut u8, _: *mut u8, _: *const u8) -> c_int {
    0
}

unsafe extern "C" fn nothing_of_three_reading(_: *mut u8, _: *const u8, _: *const u8) -> c_int {
    0
}
