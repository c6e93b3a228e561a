import type { DurationUnit } from "../syntax/ast.ts";

/** Nanoseconds of each unit of time; a simulator takes a sample each nanosecond. */
export const NANOSECONDS: Readonly<Record<DurationUnit, number>> = { dt: 1, ns: 1, us: 1e3, ms: 1e6, s: 1e9 };
