import { z } from "zod";
import type { Kit } from "./kit.ts";

/** Program formats that the service can run. */
export const PROGRAM_FORMATS = ["qasm3", "qasm2"] as const;

/** A program as it is submitted. */
export interface Program {
  /** Name of the format, such as `qasm3` for OpenQASM 3. */
  format: string;
  /** The program's text. */
  data: string;
}

/** Describes a program. */
export const programOf = (kit: Kit) => kit.object({ format: kit.text(), data: kit.text() });

/** Describes what a submission or a program look-up holds: one program or several. */
export const programsOf = (kit: Kit) => z.union([programOf(kit), z.array(programOf(kit))]);

/** A drawing of the circuits of a job in plain text. */
export interface ProgramAscii {
  format: "ascii";
  circuits: { index: number; ascii: string }[];
}

/** Describes a drawing in plain text. */
export const programAsciiOf = (kit: Kit) =>
  kit.object({
    format: z.literal("ascii"),
    circuits: z.array(kit.object({ index: kit.count(), ascii: kit.text() })),
  });
