import { CASES, EmulatedDevice, exactMean, judge } from "./emulated.ts";

/**
 * Prints the coverage of the intervals of estimates and their errors on the emulated Perth, over seeded repetitions:
 * `node test/notebook/estimate/judge.ts [repetitions] [shots for each group and noise factor]`.
 */
const repetitions = Number(process.argv[2] ?? 200);
const perProgram = Number(process.argv[3] ?? 7500);
const seeds = Array.from({ length: repetitions }, (_, i) => 1000 + i);
const row = (cells: readonly unknown[]) => process.stdout.write(`| ${cells.join(" | ")} |\n`);
row([
  "case",
  "shots",
  "raw",
  "readout",
  "coverage",
  "ZNE",
  "ratio",
  "coverage",
  "σ reported",
  "σ seen",
  "± (95%)",
  "bounded",
]);
for (const [name, [program, observable]] of Object.entries(CASES)) {
  const truth = exactMean(program, observable);
  const zne = new EmulatedDevice(program, observable);
  const readout = new EmulatedDevice(program, observable, { readout: true, factors: 1, copies: 2 });
  const { groups, factors } = zne.design;
  const shots = perProgram * groups.length * factors.length;
  const plain = judge(
    seeds.map(seed => readout.estimate({ shots: perProgram * groups.length }, seed)),
    truth,
  );
  const full = judge(
    seeds.map(seed => zne.estimate({ shots }, seed)),
    truth,
  );
  const percent = (share: number) => `${(100 * share).toFixed(1)}%`;
  row([
    ...[
      name,
      shots,
      full.raw.toFixed(3),
      plain.error.toFixed(4),
      percent(plain.coverage),
      full.error.toFixed(4),
    ],
    ...[
      (full.raw / full.error).toFixed(1),
      percent(full.coverage),
      full.reported.toFixed(4),
      full.empirical.toFixed(4),
    ],
    ...[full.half.toFixed(3), percent(full.bounded)],
  ]);
}
const [program, observable] = CASES["H2, Jordan–Wigner"]!;
const device = new EmulatedDevice(program, observable);
const goal = judge(
  seeds.map(seed => device.estimate({ within: 0.02 }, seed)),
  exactMean(program, observable),
);
process.stdout.write(
  `within(0.02) on H2, Jordan–Wigner: ${Math.round(goal.shots)} shots on average, at most ${goal.rounds} rounds, ± ${goal.half.toFixed(4)}, coverage ${(100 * goal.coverage).toFixed(1)}%\n`,
);
