//! libFuzzer's way into `svc_kernel_fuzz::json`.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| svc_kernel_fuzz::json::check(data));
