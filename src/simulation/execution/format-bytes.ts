/** Writes a number of bytes with the unit that suits it. */
export function formatBytes(bytes: number): string {
  const units = ["B", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"];
  const unit = Math.min(Math.floor(Math.log2(bytes) / 10), units.length - 1);
  const value = bytes / 1024 ** unit;
  return `${value >= 1e6 ? value.toExponential(1) : Math.round(value * 10) / 10} ${units[unit]}`;
}
