//! libFuzzer's way into `svc_kernel_fuzz::merkle`.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| svc_kernel_fuzz::merkle::check(data));
