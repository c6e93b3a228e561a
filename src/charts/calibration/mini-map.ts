import type { DeviceCalibration } from "../../contract/calibration.ts";
import { errorColor, errorShare } from "../../display/error-ramp.ts";
import { neutral } from "../../display/palette.ts";
import type { Drawing } from "../../display/run.ts";
import type { CoupledDevice } from "./coupling.ts";
import { prepare } from "./map.ts";

const size = 200;

const fixed = (value: number) => String(Math.round(value * 10) / 10);

/** Draws a device's coupling graph, or the matrix of its pairs, as a small picture for its card. */
export function miniMap(device: CoupledDevice, calibration: DeviceCalibration): Drawing {
  const { coupling, pairs, qubits, subtitle } = prepare(device, calibration);
  const layout = coupling.layout ?? qubits.map(({ qubit }) => ({ x: qubit, y: qubit }));
  const columns = Math.max(...layout.map(({ x }) => x)) + 1;
  const rows = Math.max(...layout.map(({ y }) => y)) + 1;
  const step = Math.min(28, size / Math.min(columns, rows), (2 * size) / Math.max(columns, rows));
  const at = (place: number) => fixed((place + 0.5) * step);
  const shapes = new Map<string, string[]>();
  const draw = (look: string, path: string) => shapes.set(look, [...(shapes.get(look) ?? []), path]);
  for (const { a, b, error } of pairs) {
    const [from, to] = [layout[a]!, layout[b]!];
    const color = error === null ? neutral : errorColor(error);
    if (coupling.layout) {
      const width = fixed(step * (error === null ? 0.06 : 0.1 + 0.16 * errorShare(error)));
      const dash = error === null ? ` stroke-dasharray="${fixed(step * 0.12)}"` : "";
      draw(
        `stroke="${color}" stroke-width="${width}"${dash}`,
        `M${at(from.x)} ${at(from.y)}L${at(to.x)} ${at(to.y)}`,
      );
    } else {
      const side = step * (error === null ? 0.2 : 0.4 + 0.5 * errorShare(error));
      const corner = (place: number) => fixed((place + 0.5) * step - side / 2);
      draw(`fill="${color}"`, `M${corner(a)} ${corner(b)}h${fixed(side)}v${fixed(side)}h-${fixed(side)}z`);
    }
  }
  const lines = [...shapes].map(([look, paths]) => `<path ${look} d="${paths.join("")}"/>`);
  const circles = qubits.map(({ qubit, error }) => {
    const { x, y } = layout[qubit]!;
    const radius = fixed(step * (0.26 + 0.1 * (error === null ? 0 : errorShare(error))));
    return `<circle cx="${at(x)}" cy="${at(y)}" r="${radius}" fill="${error === null ? neutral : errorColor(error)}"/>`;
  });
  const [width, height] = [fixed(columns * step), fixed(rows * step)];
  return {
    svg: `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}">${lines.join("")}${circles.join("")}</svg>`,
    text: subtitle.join("\n"),
  };
}
