#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| fuzz::formula(logic::Logic::Ctl, data));
