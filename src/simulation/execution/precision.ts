/**
 * In which precision amplitudes are kept: "reproducible" is double, with sums and products that are rounded alike on
 * every machine.
 */
export type Precision = "single" | "double" | "reproducible";
