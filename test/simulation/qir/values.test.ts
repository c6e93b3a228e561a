import { describe, expect, test } from "vitest";
import { compileQir, drawText, ProgramError, simulate, toQir } from "../../../src/simulation/index.ts";

const Q = (qubit: number) => `%Qubit* inttoptr (i64 ${qubit} to %Qubit*)`;
const R = (result: number) => `%Result* inttoptr (i64 ${result} to %Result*)`;
const LABEL = "i8* getelementptr inbounds ([4 x i8], [4 x i8]* @0, i64 0, i64 0)";
const module = (body: string, before = "", results = 1) => `@0 = internal constant [4 x i8] c"0_i\\00"
@1 = internal constant [5 x i8] c"sum\\00\\00"
@2 = internal constant [3 x i64] [i64 3, i64 5, i64 7]
${before}
define i64 @main() #0 {
entry:
${body}
}
attributes #0 = { "entry_point" "required_num_qubits"="2" "required_num_results"="${results}" }`;
const run = (text: string, shots = 3) => simulate(compileQir(text), { shots, seed: 4, memory: true });
const outputsOf = (text: string) => run(text).outputs!;
const X = (qubit: number) => `call void @__quantum__qis__x__body(${Q(qubit)})`;
const measure = (qubit: string, result: number) =>
  `call void @__quantum__qis__mz__body(${qubit}, ${R(result)})`;

describe("values that a QIR program records", () => {
  test("are results under their labels, computed from what was measured", () => {
    const text = module(`  ${X(1)}
  call void @__quantum__qis__mresetz__body(${Q(1)}, ${R(0)})
  %0 = call i1 @__quantum__rt__read_result(${R(0)})
  br i1 %0, label %yes, label %no
yes:
  br label %done
no:
  br label %done
done:
  %1 = phi i64 [7, %yes], [3, %no]
  %2 = mul i64 %1, 5
  %3 = add i64 %2, 1
  call void @__quantum__rt__int_record_output(i64 %3, ${LABEL})
  call void @__quantum__rt__int_record_output(i64 -4, ptr @1)
  call void @__quantum__rt__bool_record_output(i1 %0, i8* null)
  call void @__quantum__rt__double_record_output(double 2.5, i8* null)
  ret i64 0`);
    for (const output of outputsOf(text))
      expect(output).toEqual({ "0_i": 36, sum: -4, bool_2: true, double_3: 2.5 });
  });

  test("are the same where metadata is attached to instructions", () => {
    const text = module(`  %1 = add i64 30, 6, !dbg !0
  call void @__quantum__rt__int_record_output(i64 %1, i8* null), !dbg !0, !srcloc !1
  br label %end, !llvm.loop !2
end:
  ret i64 0, !dbg !0`);
    expect(outputsOf(text)[0]).toEqual({ int_0: 36 });
  });

  test("are negated, and what is left of a division, as reals", () => {
    const text = module(`  call void @__quantum__qis__h__body(${Q(0)})
  ${measure(Q(0), 0)}
  %0 = call i1 @__quantum__rt__read_result(${R(0)})
  %1 = select i1 %0, double 5.5, double -5.5
  %2 = fneg fast double %1
  %3 = frem nsz double %1, 2.0
  %4 = fcmp fast olt double %2, 0.0
  call void @__quantum__rt__double_record_output(double %2, i8* null)
  call void @__quantum__rt__double_record_output(double %3, i8* null)
  call void @__quantum__rt__bool_record_output(i1 %4, i8* null)
  ret i64 0`);
    const { outputs, measurements } = run(text, 40);
    for (const [i, measured] of measurements!.entries())
      expect(outputs![i]).toEqual(
        measured === "1"
          ? { double_0: -5.5, double_1: 1.5, bool_2: true }
          : { double_0: 5.5, double_1: -1.5, bool_2: false },
      );
  });

  test("differ from shot to shot where what is measured does", () => {
    const text = module(`  call void @__quantum__qis__h__body(${Q(0)})
  ${measure(Q(0), 0)}
  %0 = call i1 @__quantum__rt__read_result(${R(0)})
  %1 = zext i1 %0 to i64
  call void @__quantum__rt__int_record_output(i64 %1, ${LABEL})
  ret i64 0`);
    const { outputs, measurements } = run(text, 40);
    expect(outputs!.map(output => String(output["0_i"]))).toEqual(measurements);
    expect(new Set(measurements)).toEqual(new Set(["0", "1"]));
  });
});

describe("arrays on the stack of a QIR program", () => {
  test("are written and read at computed places, and handed to functions", () => {
    const text = module(
      `  %a = alloca [2 x [3 x i64]], align 8
  %n = alloca i64
  store i64 0, i64* %n
  br label %loop
loop:
  %i = load i64, i64* %n
  %from = getelementptr [3 x i64], ptr @2, i64 0, i64 %i
  %v = load i64, ptr %from
  %to = getelementptr inbounds [2 x [3 x i64]], ptr %a, i64 0, i64 1, i64 %i
  store i64 %v, ptr %to
  %j = add i64 %i, 1
  store i64 %j, i64* %n
  %more = icmp slt i64 %j, 3
  br i1 %more, label %loop, label %done
done:
  %row = getelementptr [2 x [3 x i64]], ptr %a, i64 0, i64 1
  %sum = call i64 @total(ptr %row)
  call void @__quantum__rt__int_record_output(i64 %sum, ${LABEL})
  ret i64 0`,
      `define internal i64 @total(ptr %p) {
  %0 = load i64, ptr %p
  %second = getelementptr i64, ptr %p, i64 1
  %1 = load i64, ptr %second
  %third = getelementptr i64, ptr %p, i64 2
  %2 = load i64, ptr %third
  %3 = add i64 %0, %1
  %4 = mul i64 %3, %2
  ret i64 %4
}`,
    );
    expect(outputsOf(text)[0]).toEqual({ "0_i": 56 });
  });

  test("are the results of a program without measurements", () => {
    const data = `define i64 @main() #0 {
  %a = add i64 30, 6
  call void @__quantum__rt__int_record_output(i64 %a, i8* null)
  ret i64 %a
}
attributes #0 = { "entry_point" "required_num_qubits"="1" "required_num_results"="0" }`;
    const { outputs } = simulate(compileQir(data), { shots: 2, memory: true });
    expect(outputs).toEqual([{ int_0: 36 }, { int_0: 36 }]);
  });

  test("end at their ends", () => {
    const at = (index: number) =>
      module(`  %a = alloca i64, i64 3
  %p = alloca i64
  store i64 ${index}, ptr %p
  %i = load i64, ptr %p
  %e = getelementptr i64, ptr %a, i64 %i
  store i64 1, ptr %e
  ${measure(Q(0), 0)}
  ret i64 0`);
    expect(() => run(at(2))).not.toThrow();
    expect(() => run(at(7))).toThrow(/outside of the array/);
  });

  test("are refused where they are too large", () => {
    expect(() => compileQir(module("  %a = alloca [900000000 x i64]\n  ret i64 0"))).toThrow(
      /more than 1,000,000/,
    );
  });
});

describe("qubits that a QIR program allocates", () => {
  test("are fresh, and taken again once they are released", () => {
    const text = module(
      `  %q = call %Qubit* @__quantum__rt__qubit_allocate()
  call void @__quantum__qis__x__body(%Qubit* %q)
  ${measure("%Qubit* %q", 0)}
  call void @__quantum__rt__qubit_release(%Qubit* %q)
  %r = call %Qubit* @__quantum__rt__qubit_allocate()
  ${measure("%Qubit* %r", 1)}
  ret i64 0`,
      "",
      2,
    );
    expect(run(text).measurementCounts).toEqual({ "01": 3 });
    expect(compileQir(text).numQubits).toBe(3);
  });

  test("come as arrays", () => {
    const text = module(
      `  %a = call %Array* @__quantum__rt__qubit_allocate_array(i64 2)
  %0 = call i8* @__quantum__rt__array_get_element_ptr_1d(%Array* %a, i64 1)
  %1 = bitcast i8* %0 to %Qubit**
  %2 = load %Qubit*, %Qubit** %1
  call void @__quantum__qis__x__body(%Qubit* %2)
  ${measure("%Qubit* %2", 1)}
  %3 = call i8* @__quantum__rt__array_get_element_ptr_1d(%Array* %a, i64 0)
  %4 = bitcast i8* %3 to %Qubit**
  %5 = load %Qubit*, %Qubit** %4
  ${measure("%Qubit* %5", 0)}
  call void @__quantum__rt__qubit_release_array(%Array* %a)
  ret i64 0`,
      "",
      2,
    );
    expect(run(text).measurementCounts).toEqual({ "10": 3 });
  });

  const loop = (release: string) =>
    module(`  %n = alloca i64
  store i64 0, ptr %n
  br label %loop
loop:
  %q = call %Qubit* @__quantum__rt__qubit_allocate()
  ${measure("%Qubit* %q", 0)}
  call void @__quantum__qis__x__body(%Qubit* %q)
  ${release}
  %i = load i64, ptr %n
  %j = add i64 %i, 1
  store i64 %j, ptr %n
  %more = icmp slt i64 %j, 4
  br i1 %more, label %loop, label %done
done:
  ret i64 0`);

  test("are |0⟩ in each round of a loop", () => {
    const text = loop("call void @__quantum__rt__qubit_release(%Qubit* %q)");
    expect(run(text).measurementCounts).toEqual({ "0": 3 });
    expect(drawText(compileQir(text))).toContain("|0⟩");
    expect(simulate(compileQir(toQir(compileQir(text))), { shots: 3 }).measurementCounts).toEqual({ "0": 3 });
  });

  test("are not handed out twice", () => {
    expect(() => run(loop(""))).toThrow(/allocated here again before it is released/);
  });
});

describe("phi nodes", () => {
  const record = (register: string) => `call void @__quantum__rt__int_record_output(i64 ${register}, ptr @1)`;

  test("take the value of a block that does nothing but branch", () => {
    const text = module(`  switch i64 3, label %other [ i64 1, label %one
    i64 3, label %three ]
one:
  br label %done
three:
  br label %done
other:
  br label %done
done:
  %n = phi i64 [ 10, %one ], [ 30, %three ], [ 50, %other ]
  ${record("%n")}
  ret i64 0`);
    expect(outputsOf(text)[0]).toEqual({ sum: 30 });
  });

  test("swap values, all of them at once", () => {
    const text = module(`  br label %loop
loop:
  %a = phi i64 [ 5, %entry ], [ %b, %loop ]
  %b = phi i64 [ 7, %entry ], [ %a, %loop ]
  %i = phi i64 [ 1, %entry ], [ %j, %loop ]
  %j = add i64 %i, 1
  %more = icmp slt i64 %i, 4
  br i1 %more, label %loop, label %done
done:
  %ten = mul i64 %a, 10
  %sum = add i64 %ten, %b
  ${record("%sum")}
  ret i64 0`);
    expect(outputsOf(text)[0]).toEqual({ sum: 75 });
  });

  test("name the first block by its number where it has no label", () => {
    const text = module(`  br label %done
done:
  %1 = phi i64 [ 7, %0 ]
  ${record("%1")}
  ret i64 0`).replace("entry:\n", "");
    expect(outputsOf(text)[0]).toEqual({ sum: 7 });
  });
});

describe("a QIR program that cannot be read", () => {
  test.each([
    ["%1 = add i64 %9, 1", /^7:16: The register %9 is never set/],
    [`call void @__quantum__qis__rx__body(double 0x7FF0000000000000, ${Q(0)})`, /is not a value here/],
    [`%1 = alloca ${"[".repeat(1e5)}2 x i64${"]".repeat(1e5)}`, /not an array type/],
    ["br label %next\nnext:\n  %1 = phi i64 [ 1, %next ]", /A phi of next has no value for this way to it/],
    ["br label %next\nnext:\n  %1 = phi i64 [ 1, %entry ], [ 2, %other ]", /^9:33: There is no block other/],
    [`${X(0)}\nnext:`, /^8:1: The block before this ends without a branch/],
    [`ret i64 0\n  ${X(0)}`, /^8:3: A label is missing here/],
    ["br label %next\nnext:\n  br label %next\nnext:", /^10:1: The block next is there twice/],
  ])("says where: %.60s", (line, message) => {
    expect(() => compileQir(module(`  ${line}\n  ret i64 0`))).toThrow(message);
  });

  test("says where a function has no end, or a second body", () => {
    expect(() => compileQir(module(`  ${X(0)}`))).toThrow(
      /^8:1: The block before this ends without a branch/,
    );
    const twice = "define void @f() {\n  ret void\n}\n".repeat(2);
    expect(() => compileQir(module("  ret i64 0", twice))).toThrow(/^7:1: f is defined twice/);
  });

  test("says what to do where it is bitcode", () => {
    expect(() => compileQir("BC\u00c0\u00de5\u0014")).toThrow(ProgramError);
    expect(() => compileQir("BC\u00c0\u00de5\u0014")).toThrow(/llvm-dis/);
  });

  test("is refused quickly where its functions double", () => {
    const names = Array.from({ length: 60 }, (_, i) => `@f${i + 1}`);
    const text = module(
      "  call void @f60()\n  ret i64 0",
      `define void @f0() {\n  ret void\n}\n${names
        .map(
          (name, i) => `define void ${name}() {\n  call void @f${i}()\n  call void @f${i}()\n  ret void\n}`,
        )
        .join("\n")}`,
    );
    expect(() => compileQir(text)).toThrow(/expand to more than 500,000 instructions/);
  });
});
