//! Whether the processor has the instructions that the program was compiled for: a message instead of a crash.
//!
//! The standard library's `is_x86_feature_detected` answers for features of the build target without asking the processor,
//! so the processor is asked here.

/// The instruction set that the program was compiled for and the processor lacks, if any.
#[cfg(target_arch = "x86_64")]
pub fn missing_instructions() -> Option<&'static str> {
    use std::arch::x86_64::{__cpuid, __cpuid_count};
    // Bits of leaf 1 (ECX) up to F16C, leaf 7 (EBX) and leaf 0x8000_0001 (ECX): Intel's manual, volume 2, CPUID.
    const POPCNT: u32 = 1 << 23;
    const SSE4_2: u32 = 1 << 20;
    const FMA: u32 = 1 << 12;
    const MOVBE: u32 = 1 << 22;
    const OSXSAVE_AVX_F16C: u32 = 1 << 27 | 1 << 28 | 1 << 29;
    const BMI1_AVX2_BMI2: u32 = 1 << 3 | 1 << 5 | 1 << 8;
    const LZCNT: u32 = 1 << 5;
    let greatest = __cpuid(0).eax;
    let leaf_1 = __cpuid(1).ecx;
    let leaf_7 = if greatest >= 7 { __cpuid_count(7, 0).ebx } else { 0 };
    let extended = if __cpuid(0x8000_0000).eax > 0x8000_0000 { __cpuid(0x8000_0001).ecx } else { 0 };
    let has = |register: u32, bits: u32| register & bits == bits;
    let has_v2 = has(leaf_1, SSE4_2 | POPCNT);
    let has_v3 = has(leaf_1, FMA | MOVBE | OSXSAVE_AVX_F16C) && has(leaf_7, BMI1_AVX2_BMI2) && has(extended, LZCNT);
    if cfg!(target_feature = "avx2") && !has_v3 {
        Some("AVX2 and BMI2 (x86-64-v3)")
    } else if cfg!(target_feature = "popcnt") && !has_v2 {
        Some("SSE4.2 and POPCNT (x86-64-v2)")
    } else {
        None
    }
}

/// The instruction set that the program was compiled for and the processor lacks, if any.
#[cfg(not(target_arch = "x86_64"))]
pub fn missing_instructions() -> Option<&'static str> {
    None
}
