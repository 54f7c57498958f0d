
extern crate alloc;

/// Keeps 33 bytes.
#[no_mangle]
pub extern "C" fn work() {
    let mut bytes = alloc::vec::Vec::<u8>::with_capacity(100);
    bytes.extend([1; 100]);
    bytes.reserve_exact(900);
    let zeros = alloc::vec![0u8; 10];
    let kept = alloc::boxed::Box::new([7u8; 33]);
    for block in [&bytes[..], &zeros[..], &kept[..]] {
        // What is read like this is not optimised away.
        unsafe { block.as_ptr().read_volatile() };
    }
    bytes.truncate(40);
    bytes.shrink_to_fit();
    core::mem::forget(kept);
}

static ANOTHER: Probe<System> = Probe::new(System);

/// Keeps seven bytes more, of another probe.
#[no_mangle]
pub extern "C" fn another() {
    unsafe { core::alloc::GlobalAlloc::alloc(&ANOTHER, core::alloc::Layout::new::<[u8; 7]>()) };
}
