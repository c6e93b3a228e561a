import { describe, expect, test } from "vitest";
import { compileQir, ProgramError, simulate, toQir } from "../../../src/simulation/index.ts";
import { exact } from "./exact-qir.ts";

const ll = (body: string, qubits = 2, results = 2) => `; ModuleID = 'test'
source_filename = "test"

%Qubit = type opaque
%Result = type opaque

@0 = internal constant [3 x i8] c"0_r\\00"

define void @main() #0 {
entry:
${body}
  ret void
}

declare void @__quantum__qis__h__body(%Qubit*)

attributes #0 = { "entry_point" "qir_profiles"="custom" "required_num_qubits"="${qubits}" "required_num_results"="${results}" }

!llvm.module.flags = !{!0}
!0 = !{i32 1, !"qir_major_version", i32 1}
`;
const Q = (i: number) => (i === 0 ? "%Qubit* null" : `%Qubit* inttoptr (i64 ${i} to %Qubit*)`);
const R = (i: number) => (i === 0 ? "%Result* null" : `%Result* inttoptr (i64 ${i} to %Result*)`);
const call = (name: string, ...args: string[]) => `  call void @__quantum__qis__${name}(${args.join(", ")})`;
describe("QIR as text", () => {
  test("runs a program of the base profile", () => {
    const body = [
      call("h__body", Q(0)),
      call("cnot__body", Q(0), Q(1)),
      call("mz__body", Q(0), R(0)),
      call("mz__body", Q(1), R(1)),
      "  call void @__quantum__rt__array_record_output(i64 2, i8* null)",
      `  call void @__quantum__rt__result_record_output(${R(0)}, i8* getelementptr inbounds ([3 x i8], [3 x i8]* @0, i32 0, i32 0))`,
      `  call void @__quantum__rt__result_record_output(${R(1)}, i8* null)`,
    ].join("\n");
    expect(exact(ll(body))).toEqual({ "00": 0.5, "11": 0.5 });
  });

  test("reads opaque pointers, tail calls and the bits of doubles", () => {
    const body = `  tail call void @__quantum__qis__rx__body(double 0x400921FB54442D18, ptr inttoptr (i64 1 to ptr))
  call void @__quantum__qis__mz__body(ptr inttoptr (i64 1 to ptr), ptr writeonly null) #1`;
    expect(exact(ll(body, 2, 1))).toEqual({ 1: 1 });
  });

  test("gives the results in the order in which they are recorded", () => {
    const body = [
      call("x__body", Q(0)),
      call("mz__body", Q(0), R(0)),
      call("mz__body", Q(1), R(1)),
      `  call void @__quantum__rt__result_record_output(${R(1)}, i8* null)`,
      `  call void @__quantum__rt__result_record_output(${R(0)}, i8* null)`,
    ].join("\n");
    expect(exact(ll(body))).toEqual({ "10": 1 });
  });

  test("follows measured values: branches, phi nodes, arithmetic and loops", () => {
    const body = `${call("h__body", Q(0))}
${call("mz__body", Q(0), R(0))}
  %0 = call i1 @__quantum__rt__read_result(${R(0)})
  br i1 %0, label %then, label %join
then:
${call("x__body", Q(1))}
  br label %join
join:
  %n = phi i64 [ 3, %then ], [ 2, %entry ]
  br label %loop
loop:
  %i = phi i64 [ 0, %join ], [ %next, %loop ]
  %next = add nsw i64 %i, 1
${call("x__body", Q(2))}
  %again = icmp slt i64 %next, %n
  br i1 %again, label %loop, label %done
done:
${call("mz__body", Q(1), R(1))}
${call("mz__body", Q(2), R(2))}`;
    expect(exact(ll(body, 3, 3))).toEqual({ "000": 0.5, "111": 0.5 });
  });

  test("takes a switch and a computed angle", () => {
    const body = `${call("x__body", Q(0))}
${call("mz__body", Q(0), R(0))}
  %0 = call i1 @__quantum__qis__read_result__body(${R(0)})
  %1 = zext i1 %0 to i64
  switch i64 %1, label %none [
    i64 0, label %none
    i64 1, label %one
  ]
one:
  %2 = uitofp i64 %1 to double
  %3 = fmul double %2, 0x400921FB54442D18
  call void @__quantum__qis__ry__body(double %3, ${Q(1)})
  br label %none
none:
${call("mz__body", Q(1), R(1))}`;
    expect(exact(ll(body))).toEqual({ "11": 1 });
  });

  test.each([
    [
      "no entry point",
      "define void @main() {\nret void\n}",
      /1:1: There is no function with the attribute "entry_point"/,
    ],
    ["an unknown gate", ll(call("warp__body", Q(0))), /11:13: There is no gate warp__body/],
    ["what threads need", ll("  %0 = atomicrmw i64"), /atomicrmw` is outside of QIR/],
    ["too many arguments", ll(call("h__body", Q(0), Q(1))), /takes 1 arguments, not 2/],
    ["the same qubit twice", ll(call("cnot__body", Q(1), Q(1))), /same qubit twice/],
    ["far too many qubits", ll(call("h__body", Q(123456789))), /more than 10,000 qubits/],
    ["a block that is not there", ll("  br label %gone\nb:"), /There is no block gone/],
  ])("is refused with %s", (_, source, message) => {
    expect(() => compileQir(source)).toThrow(ProgramError);
    expect(() => compileQir(source)).toThrow(message);
  });

  const module = (
    body: string,
    rest: string,
  ) => `@pair = internal constant [2 x ptr] [ptr inttoptr (i64 0 to ptr), ptr inttoptr (i64 1 to ptr)]
@angles = internal constant [2 x double] [double 0.0, double 0x400921FB54442D18]
define i64 @main() #0 {
start:
${body}
  ret i64 0
}
declare void @__quantum__qis__h__body(ptr)
${rest}
attributes #0 = { "entry_point" "qir_profiles"="adaptive_profile" "required_num_qubits"="2" "required_num_results"="2" }
`;
  const measureBoth = [0, 1]
    .map(
      i =>
        `  call void @__quantum__qis__mz__body(ptr inttoptr (i64 ${i} to ptr), ptr inttoptr (i64 ${i} to ptr))`,
    )
    .join("\n");

  test("calls functions of the module, each with registers of its own", () => {
    const source = module(
      `  %0 = call i64 @twice(i64 3)
  %1 = icmp eq i64 %0, 6
  br i1 %1, label %yes, label %no
yes:
  call void @flip(ptr inttoptr (i64 1 to ptr), double 0x400921FB54442D18)
  br label %no
no:
${measureBoth}`,
      `define internal i64 @twice(i64 %a) {
  %0 = add i64 %a, %a
  ret i64 %0
}
define internal void @flip(ptr %q, double %t) {
entry:
  call void @__quantum__qis__ry__body(double %t, ptr %q)
  ret void
}`,
    );
    expect(exact(source)).toEqual({ "10": 1 });
  });

  test("keeps values in memory, and takes qubits and angles from arrays", () => {
    const source = module(
      `  %i = alloca i64, align 8
  store i64 0, ptr %i
  br label %loop
loop:
  %0 = load i64, ptr %i
  %1 = getelementptr ptr, ptr @pair, i64 %0
  %2 = load ptr, ptr %1
  %3 = getelementptr inbounds [2 x double], ptr @angles, i64 0, i64 %0
  %4 = load double, ptr %3
  call void @__quantum__qis__rx__body(double %4, ptr %2)
  %5 = add i64 %0, 1
  store i64 %5, ptr %i
  %6 = icmp slt i64 %5, 2
  br i1 %6, label %loop, label %done
done:
${measureBoth}`,
      "",
    );
    expect(exact(source)).toEqual({ "10": 1 });
    const text = toQir(compileQir(source));
    expect(
      text.match(/@__quantum__qis__rx__body\(double 0x400921FB54442D18, %Qubit\* inttoptr \(i64 1/),
    ).not.toBeNull();
    expect(text).toContain('"qir_profiles"="base_profile"');
  });

  test.each([
    [
      "a function that calls itself",
      "  call void @f()",
      "define void @f() {\n  call void @f()\n  ret void\n}",
      /nest too deep/,
    ],
    [
      "arguments too few",
      "  call void @f()",
      "define void @f(ptr %q) {\n  ret void\n}",
      /takes 1 arguments, not 0/,
    ],
    ["a function that is not there", "  call void @f()", "", /function f is not known/],
    ["a place that is not its own", "  store i64 1, ptr null", "", /allocates for itself/],
  ])("is refused with %s", (_, body, rest, message) => {
    expect(() => compileQir(module(body, rest))).toThrow(message);
  });

  test("stops where an array ends, or a qubit is not there", () => {
    const picked = (index: number) => `  %i = alloca i64
  store i64 ${index}, ptr %i
  %0 = load i64, ptr %i
  %1 = getelementptr ptr, ptr @pair, i64 %0
  %2 = load ptr, ptr %1
  call void @__quantum__qis__h__body(ptr %2)`;
    expect(() => simulate(compileQir(module(picked(9), "")), { shots: 1 })).toThrow(
      /9:3|outside of the array/,
    );
    const far = `  %i = alloca i64
  store i64 7, ptr %i
  %0 = load i64, ptr %i
  %1 = inttoptr i64 %0 to ptr
  call void @__quantum__qis__h__body(ptr %1)`;
    expect(() => simulate(compileQir(module(far, "")), { shots: 1 })).toThrow(/no qubit 7/);
  });

  test("ends a loop that never does", () => {
    const endless = compileQir(ll("  br label %a\na:\n  br label %a\nb:", 1, 1));
    expect(() => simulate(endless, { shots: 1, maxOperations: 1000 })).toThrow(/^13:12: .*stopped after/);
  });
});
