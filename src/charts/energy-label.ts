import { formatNumber } from "../display/format.ts";
import type { EnergyBar } from "./energies.ts";

/** Returns an energy with up to six significant digits: `−12.5`, `3.2e-9`. */
export function formatEnergy(energy: number): string {
  const rounded = Number(energy.toPrecision(6));
  const plain = rounded === 0 || (Math.abs(rounded) >= 1e-4 && Math.abs(rounded) < 1e9);
  return (plain ? formatNumber(rounded) : String(rounded)).replace(/^-/, "−");
}

/** Returns an energy, or a range of energies. */
export function energyLabel({ from, to }: EnergyBar): string {
  return from === to ? formatEnergy(from) : `${formatEnergy(from)} to ${formatEnergy(to)}`;
}
