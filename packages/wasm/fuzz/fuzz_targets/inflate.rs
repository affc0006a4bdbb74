//! libFuzzer's way into `svc_kernel_fuzz::inflate`.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| svc_kernel_fuzz::inflate::check(data));
