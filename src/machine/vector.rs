//! Dispatch of the vector operators to their semantics.

use super::simd::{self, V128};
use crate::code::vector::{VectorOp, for_each_simd_op};

macro_rules! define {
    (
        unary { $($una:ident $una_f:ident;)* }
        binary { $($bin:ident $bin_f:ident;)* }
        ternary { $($ter:ident $ter_f:ident;)* }
        shift { $($shi:ident $shi_f:ident;)* }
        test { $($tes:ident $tes_f:ident;)* }
        splat { $($spl:ident $spl_f:ident $spl_t:ident;)* }
        extract { $($ext:ident $ext_f:ident $ext_t:ident;)* }
        replace { $($rep:ident $rep_f:ident $rep_t:ident;)* }
        shuffle { $($shu:ident $shu_f:ident;)* }
        load { $($loa:ident $loa_f:ident $loa_n:literal;)* }
        load_lane { $($lol:ident $lol_f:ident $lol_n:literal;)* }
        store_lane { $($stl:ident $stl_f:ident $stl_n:literal;)* }
    ) => {
        /// Executes the `Op::Vector` instruction at `ip` in the frame at `fp`, and returns its length in units.
        ///
        /// # Safety
        /// `ip` must be at such an instruction, emitted by the translator for the function of this frame.
        #[inline(never)]
        pub(super) unsafe fn compute(ip: *const u16, fp: *mut u8) -> usize {
            // SAFETY: the translator emitted a vector operator and the fields of its shape: slots of this frame, each
            // with room for its type, which is aligned to 8 bytes. Lane numbers are in range by validation.
            unsafe {
                let slot = |at: usize| fp.add(usize::from(*ip.add(at)));
                let vector = |at: usize| slot(at).cast::<V128>().read_unaligned();
                let set = |value: V128| slot(1).cast::<V128>().write_unaligned(value);
                match core::mem::transmute::<u16, VectorOp>(*ip.add(2)) {
                    $(VectorOp::$una => {
                        set(simd::$una_f(vector(3)));
                        4
                    })*
                    $(VectorOp::$bin => {
                        set(simd::$bin_f(vector(3), vector(4)));
                        5
                    })*
                    $(VectorOp::$ter => {
                        set(simd::$ter_f(vector(3), vector(4), vector(5)));
                        6
                    })*
                    $(VectorOp::$shi => {
                        set(simd::$shi_f(vector(3), slot(4).cast::<u32>().read()));
                        5
                    })*
                    $(VectorOp::$tes => {
                        slot(1).cast::<u32>().write(simd::$tes_f(vector(3)));
                        4
                    })*
                    $(VectorOp::$spl => {
                        set(simd::$spl_f(slot(3).cast::<$spl_t>().read()));
                        4
                    })*
                    $(VectorOp::$ext => {
                        slot(1).cast::<$ext_t>().write(simd::$ext_f(vector(3), *ip.add(4) as u8));
                        5
                    })*
                    $(VectorOp::$rep => {
                        set(simd::$rep_f(vector(3), *ip.add(5) as u8, slot(4).cast::<$rep_t>().read()));
                        6
                    })*
                    $(VectorOp::$shu => {
                        let lanes = ip.add(5).cast::<[u8; 16]>().read_unaligned();
                        set(simd::$shu_f(vector(3), vector(4), lanes));
                        13
                    })*
                    $(VectorOp::$loa)|* | $(VectorOp::$lol)|* | $(VectorOp::$stl)|* => {
                        unreachable!("operators with a memory access have instructions of their own")
                    }
                }
            }
        }

        /// What a vector load makes of the bytes it read.
        #[inline(never)]
        pub(super) fn extend(op: VectorOp, bytes: u64) -> V128 {
            match op {
                $(VectorOp::$loa => simd::$loa_f(bytes),)*
                _ => unreachable!("only vector loads extend"),
            }
        }

        /// The vector with the lane that a lane load read.
        #[inline(never)]
        pub(super) fn replace_lane(op: VectorOp, vector: V128, lane: u8, bytes: u64) -> V128 {
            match op {
                $(VectorOp::$lol => simd::$lol_f(vector, lane, bytes),)*
                _ => unreachable!("only lane loads replace a lane"),
            }
        }

        /// The lane that a lane store writes.
        #[inline(never)]
        pub(super) fn extract_lane(op: VectorOp, vector: V128, lane: u8) -> u64 {
            match op {
                $(VectorOp::$stl => simd::$stl_f(vector, lane),)*
                _ => unreachable!("only lane stores extract a lane"),
            }
        }
    };
}
for_each_simd_op!(define);
