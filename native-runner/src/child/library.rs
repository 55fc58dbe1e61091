//! A KEM's shared library, loaded into this process.

use super::guarded::Guarded;
use crate::drbg;
use kemscope_schema::Sizes;
use libloading::os::unix::{Library, RTLD_LOCAL, RTLD_NOW, Symbol};
use std::ffi::c_int;
use std::path::Path;

type Keypair = unsafe extern "C" fn(*mut u8, *mut u8) -> c_int;
type Encapsulate = unsafe extern "C" fn(*mut u8, *mut u8, *const u8) -> c_int;
type Decapsulate = unsafe extern "C" fn(*mut u8, *const u8, *const u8) -> c_int;
type Fill = unsafe extern "C" fn(*mut u8, usize);

/// Buffers larger than this are no KEM's: a garbled size, not a key.
const LARGEST_BUFFER_BYTES: u64 = 256 * 1024 * 1024;

/// The functions of a loaded library. It stays loaded as long as the process lives.
pub struct KemLibrary {
    keypair: Keypair,
    encapsulate: Encapsulate,
    decapsulate: Decapsulate,
    sizes: [usize; 4],
    _library: Library,
}

/// Buffers of a KEM, each between guards.
pub struct Buffers {
    /// Public key.
    pub public_key: Guarded,
    /// Secret key.
    pub secret_key: Guarded,
    /// Ciphertext.
    pub ciphertext: Guarded,
    /// Shared secret of encapsulation.
    pub secret_enc: Guarded,
    /// Shared secret of decapsulation.
    pub secret_dec: Guarded,
}

impl KemLibrary {
    /// Loads a library with local symbols and hands it the generator of this process.
    pub fn load(path: &Path, namespace: &str) -> Result<KemLibrary, String> {
        // SAFETY: loading runs the library's initialisers. This process exists to run that library's
        // code; whatever it does costs this process alone.
        let library = unsafe { Library::open(Some(path), RTLD_NOW | RTLD_LOCAL) }
            .map_err(|e| format!("cannot be loaded: {e}"))?;
        let keypair = symbol(&library, &format!("{namespace}_crypto_kem_keypair"))?;
        let encapsulate = symbol(&library, &format!("{namespace}_crypto_kem_enc"))?;
        let decapsulate = symbol(&library, &format!("{namespace}_crypto_kem_dec"))?;
        let set_random: unsafe extern "C" fn(Fill) = symbol(&library, "kemscope_set_random")?;
        // SAFETY: the shim defines this object as four 64-bit numbers.
        let declared: Symbol<*const [u64; 4]> = unsafe { library.get("kemscope_sizes") }
            .map_err(|e| format!("lacks kemscope_sizes: {e}"))?;
        // SAFETY: the address is that of the shim's constant in the library loaded above.
        let declared = unsafe { **declared };
        if let Some(size) = declared.iter().find(|&&s| s > LARGEST_BUFFER_BYTES) {
            return Err(format!("declares a buffer of {size} bytes"));
        }
        // SAFETY: the shim only stores the pointer; `fill_random` has the type it expects.
        unsafe { set_random(fill_random) };
        Ok(KemLibrary {
            keypair,
            encapsulate,
            decapsulate,
            sizes: declared.map(|s| s as usize),
            _library: library,
        })
    }

    /// Sizes that the library's `api.h` declares.
    pub fn sizes(&self) -> Sizes {
        let [pk, sk, ct, ss] = self.sizes.map(|s| Some(s as u64));
        Sizes {
            public_key_bytes: pk,
            secret_key_bytes: sk,
            ciphertext_bytes: ct,
            shared_secret_bytes: ss,
        }
    }

    /// Buffers of the declared sizes.
    pub fn buffers(&self) -> Result<Buffers, String> {
        let [pk, sk, ct, ss] = self.sizes;
        Ok(Buffers {
            public_key: Guarded::new("public key", pk)?,
            secret_key: Guarded::new("secret key", sk)?,
            ciphertext: Guarded::new("ciphertext", ct)?,
            secret_enc: Guarded::new("shared secret", ss)?,
            secret_dec: Guarded::new("decapsulated shared secret", ss)?,
        })
    }

    /// Key generation; returns what the library returns.
    pub fn keygen(&self, buffers: &mut Buffers) -> c_int {
        let (pk, sk) = (&mut buffers.public_key, &mut buffers.secret_key);
        // SAFETY: the function has PQClean's signature, and the buffers have the sizes it declares.
        unsafe { (self.keypair)(pk.as_mut_ptr(), sk.as_mut_ptr()) }
    }

    /// Encapsulation; returns what the library returns.
    pub fn enc(&self, buffers: &mut Buffers) -> c_int {
        let (ct, ss) = (&mut buffers.ciphertext, &mut buffers.secret_enc);
        let pk = &buffers.public_key;
        // SAFETY: as for `keygen`.
        unsafe { (self.encapsulate)(ct.as_mut_ptr(), ss.as_mut_ptr(), pk.as_ptr()) }
    }

    /// Decapsulation; returns what the library returns.
    pub fn dec(&self, buffers: &mut Buffers) -> c_int {
        let (ct, sk) = (&buffers.ciphertext, &buffers.secret_key);
        let ss = &mut buffers.secret_dec;
        // SAFETY: as for `keygen`.
        unsafe { (self.decapsulate)(ss.as_mut_ptr(), ct.as_ptr(), sk.as_ptr()) }
    }
}

impl Buffers {
    /// Whether nobody wrote outside any buffer.
    pub fn check(&self) -> Result<(), String> {
        self.public_key.check()?;
        self.secret_key.check()?;
        self.ciphertext.check()?;
        self.secret_enc.check()?;
        self.secret_dec.check()
    }

    /// Whether decapsulation gave what encapsulation gave.
    pub fn secrets_agree(&self) -> bool {
        self.secret_enc.bytes() == self.secret_dec.bytes()
    }
}

fn symbol<T: Copy>(library: &Library, name: &str) -> Result<T, String> {
    // SAFETY: callers name functions of PQClean's interface or of the shim, and their C types.
    let symbol: Symbol<T> =
        unsafe { library.get(name) }.map_err(|e| format!("lacks {name}: {e}"))?;
    Ok(*symbol)
}

/// Serves the library's `randombytes`.
unsafe extern "C" fn fill_random(output: *mut u8, length: usize) {
    if output.is_null() || length == 0 {
        return;
    }
    // SAFETY: the library asks for `length` bytes at `output`; a wrong request is its own fault and
    // costs this process.
    drbg::fill(unsafe { std::slice::from_raw_parts_mut(output, length) });
}
