// X §6: the program of the experiment, with n = 2, if of its numbers only signs and parities are known; what can be reached.
// A state is a place and a letter for each predicate, t, f or u for true, false or unknown, in this order:
// x0 > 0, odd(x0), x1 > 0, odd(x1). Written by `cargo run --manifest-path benches/Cargo.toml -- gen mixed 2 --tm`.
//
//   var x0, x1 : int;
//   var stop : int := 0;
//
//   E0: if x0 > 0 then
//     A0: x0 := x0 + 2
//   else
//     C0: x0 := 1 - x0 / 2;
//     D0: if x0 mod 2 != 0 then skip else F0: x0 := x0 + 1 fi
//   fi;
//   E1: if x1 > 0 then
//     A1: x1 := x1 + 2
//   else
//     C1: x1 := 1 - x1 / 2;
//     D1: if x1 mod 2 != 0 then skip else F1: x1 := x1 + 1 fi
//   fi;
//   END: while stop = 0 do stop := {0, 1} od;
//   STOP: assume false
//
// Half-way through a block whose number was not positive, all that is known is that it is positive now. Its parity decides which
// way to go, and both ways go on: the reduced semantics sees that, and under the standard one Prop1 and Prop2 are unknown where no
// number is positive at first.
//
// expect: Prop1 = true
// expect: Prop2 = true
// expect: Prop3 = false
component Blocks mixts {
  props p0, q0, p1, q1, end;
  init E0_tftf, E0_tttf, E0_tftt, E0_tttt, E0_ffff, E0_ftff, E0_ffft, E0_ftft;
  E0_tftf: {p0, !q0, p1, !q1, !end} -> A0_tftf;
  E0_tttf: {p0, q0, p1, !q1, !end} -> A0_tttf;
  E0_tftt: {p0, !q0, p1, q1, !end} -> A0_tftt;
  E0_tttt: {p0, q0, p1, q1, !end} -> A0_tttt;
  E0_ffff: {!p0, !q0, !p1, !q1, !end} -> C0_ffff;
  E0_ftff: {!p0, q0, !p1, !q1, !end} -> C0_ftff;
  E0_ffft: {!p0, !q0, !p1, q1, !end} -> C0_ffft;
  E0_ftft: {!p0, q0, !p1, q1, !end} -> C0_ftft;
  A0_tftf: {p0, !q0, p1, !q1, !end} -> E1_tftf;
  A0_tttf: {p0, q0, p1, !q1, !end} -> E1_tttf;
  A0_tftt: {p0, !q0, p1, q1, !end} -> E1_tftt;
  A0_tttt: {p0, q0, p1, q1, !end} -> E1_tttt;
  C0_ffff: {!p0, !q0, !p1, !q1, !end} ?> D0_tfff, D0_ttff !> D0_tuff;
  C0_ftff: {!p0, q0, !p1, !q1, !end} ?> D0_tfff, D0_ttff !> D0_tuff;
  C0_ffft: {!p0, !q0, !p1, q1, !end} ?> D0_tfft, D0_ttft !> D0_tuft;
  C0_ftft: {!p0, q0, !p1, q1, !end} ?> D0_tfft, D0_ttft !> D0_tuft;
  E1_tftf: {p0, !q0, p1, !q1, !end} -> A1_tftf;
  E1_tttf: {p0, q0, p1, !q1, !end} -> A1_tttf;
  E1_tftt: {p0, !q0, p1, q1, !end} -> A1_tftt;
  E1_tttt: {p0, q0, p1, q1, !end} -> A1_tttt;
  D0_tfff: {p0, !q0, !p1, !q1, !end} -> F0_tfff;
  D0_ttff: {p0, q0, !p1, !q1, !end} -> E1_ttff;
  D0_tuff: {p0, !p1, !q1, !end} ?> E1_ttff, F0_tfff;
  D0_tfft: {p0, !q0, !p1, q1, !end} -> F0_tfft;
  D0_ttft: {p0, q0, !p1, q1, !end} -> E1_ttft;
  D0_tuft: {p0, !p1, q1, !end} ?> E1_ttft, F0_tfft;
  A1_tftf: {p0, !q0, p1, !q1, !end} -> END_tftf;
  A1_tttf: {p0, q0, p1, !q1, !end} -> END_tttf;
  A1_tftt: {p0, !q0, p1, q1, !end} -> END_tftt;
  A1_tttt: {p0, q0, p1, q1, !end} -> END_tttt;
  F0_tfff: {p0, !q0, !p1, !q1, !end} -> E1_ttff;
  E1_ttff: {p0, q0, !p1, !q1, !end} -> C1_ttff;
  F0_tfft: {p0, !q0, !p1, q1, !end} -> E1_ttft;
  E1_ttft: {p0, q0, !p1, q1, !end} -> C1_ttft;
  END_tftf: {p0, !q0, p1, !q1, end} -> END_tftf, STOP_tftf;
  END_tttf: {p0, q0, p1, !q1, end} -> END_tttf, STOP_tttf;
  END_tftt: {p0, !q0, p1, q1, end} -> END_tftt, STOP_tftt;
  END_tttt: {p0, q0, p1, q1, end} -> END_tttt, STOP_tttt;
  C1_ttff: {p0, q0, !p1, !q1, !end} ?> D1_tttf, D1_tttt !> D1_tttu;
  C1_ttft: {p0, q0, !p1, q1, !end} ?> D1_tttf, D1_tttt !> D1_tttu;
  STOP_tftf: {p0, !q0, p1, !q1, !end};
  STOP_tttf: {p0, q0, p1, !q1, !end};
  STOP_tftt: {p0, !q0, p1, q1, !end};
  STOP_tttt: {p0, q0, p1, q1, !end};
  D1_tttf: {p0, q0, p1, !q1, !end} -> F1_tttf;
  D1_tttt: {p0, q0, p1, q1, !end} -> END_tttt;
  D1_tttu: {p0, q0, p1, !end} ?> END_tttt, F1_tttf;
  F1_tttf: {p0, q0, p1, !q1, !end} -> END_tttt;
  covers D0_tuff: D0_tfff, D0_ttff;
  covers D0_tuft: D0_tfft, D0_ttft;
  covers D1_tttu: D1_tttf, D1_tttt;
}

property Prop1: mu mu Z. (end | <> Z);
property Prop2: mu nu Z. <> Z;
property Prop3: mu nu Z. (!end & <> Z);
