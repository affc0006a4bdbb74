//! libFuzzer's way into `svc_kernel_fuzz::sha256`.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| svc_kernel_fuzz::sha256::check(data));
