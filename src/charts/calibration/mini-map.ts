import type { DeviceCalibration } from "../../contract/index.ts";
import { type Drawing, errorColor, errorShare, figures, neutral } from "../../display/index.ts";
import type { CoupledDevice } from "./coupling.ts";
import { prepare } from "./map.ts";

const usualSize = 200;
/** Edge of marks whose colour is pale on some grounds. */
const { casing } = figures.light;

const fixed = (value: number) => String(Math.round(value * 10) / 10);

/** Draws a device's coupling graph or matrix for its card. With labels it is larger, and other qubits are faint. */
export function miniMap(
  device: CoupledDevice,
  calibration: DeviceCalibration,
  labels: ReadonlyMap<number, string> = new Map(),
): Drawing {
  const size = labels.size > 0 ? 2 * usualSize : usualSize;
  const { coupling, pairs, qubits, subtitle } = prepare(device, calibration);
  const layout = coupling.layout ?? qubits.map(({ qubit }) => ({ x: qubit, y: qubit }));
  const columns = Math.max(...layout.map(({ x }) => x)) + 1;
  const rows = Math.max(...layout.map(({ y }) => y)) + 1;
  const step = Math.min(
    labels.size > 0 ? 40 : 28,
    size / Math.min(columns, rows),
    (2 * size) / Math.max(columns, rows),
  );
  const at = (place: number) => fixed((place + 0.5) * step);
  const shapes = new Map<string, string[]>();
  const draw = (look: string, path: string) => shapes.set(look, [...(shapes.get(look) ?? []), path]);
  for (const { a, b, error } of pairs) {
    const [from, to] = [layout[a]!, layout[b]!];
    const color = error === null ? neutral : errorColor(error);
    if (coupling.layout) {
      const width = fixed(step * (error === null ? 0.06 : 0.1 + 0.16 * errorShare(error)));
      const dash = error === null ? ` stroke-dasharray="${fixed(step * 0.12)}"` : "";
      const path = `M${at(from.x)} ${at(from.y)}L${at(to.x)} ${at(to.y)}`;
      if (error !== null) draw(`stroke="${casing}" stroke-width="${fixed(Number(width) + 1.4)}"`, path);
      draw(`stroke="${color}" stroke-width="${width}"${dash}`, path);
    } else {
      const side = step * (error === null ? 0.2 : 0.4 + 0.5 * errorShare(error));
      const corner = (place: number) => fixed((place + 0.5) * step - side / 2);
      draw(
        `fill="${color}" stroke="${casing}" stroke-width="0.6"`,
        `M${corner(a)} ${corner(b)}h${fixed(side)}v${fixed(side)}h-${fixed(side)}z`,
      );
    }
  }
  const lines = [...shapes].map(([look, paths]) => `<path ${look} d="${paths.join("")}"/>`);
  const circles = qubits.map(({ qubit, error }) => {
    const { x, y } = layout[qubit]!;
    const radius = fixed(step * (0.26 + 0.1 * (error === null ? 0 : errorShare(error))));
    const label = labels.get(qubit);
    const faint = labels.size > 0 && label === undefined ? ' opacity="0.3"' : "";
    const circle = `<circle cx="${at(x)}" cy="${at(y)}" r="${radius}" fill="${error === null ? neutral : errorColor(error)}" stroke="${casing}" stroke-width="0.8"${faint}/>`;
    if (label === undefined) return circle;
    const ring = `<circle cx="${at(x)}" cy="${at(y)}" r="${fixed(step * 0.4)}" fill="#ffffff" stroke="#222222" stroke-width="${fixed(step * 0.05)}"/>`;
    const text = `<text x="${at(x)}" y="${at(y)}" font-family="sans-serif" font-size="${fixed(step * (label.length > 2 ? 0.3 : 0.42))}" text-anchor="middle" dominant-baseline="central" fill="#222222">${label}</text>`;
    return circle + ring + text;
  });
  const [width, height] = [fixed(columns * step), fixed(rows * step)];
  return {
    svg: `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}">${lines.join("")}${circles.join("")}</svg>`,
    text: subtitle.join("\n"),
  };
}
