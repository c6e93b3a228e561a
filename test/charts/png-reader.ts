import { inflateSync } from "node:zlib";

const channelsOf: { [colorType: number]: number } = { 2: 3, 3: 1, 6: 4 };

function paeth(left: number, above: number, corner: number): number {
  const guess = left + above - corner;
  const [a, b, c] = [Math.abs(guess - left), Math.abs(guess - above), Math.abs(guess - corner)];
  return a <= b && a <= c ? left : b <= c ? above : corner;
}

/** Reads a PNG of eight bits a channel, in colour, with a palette or with opacity, as four bytes a pixel. */
export function pixelsOf(png: Uint8Array): { width: number; height: number; data: Uint8Array } {
  const bytes = Buffer.from(png);
  const parts: { [type: string]: Buffer } = {};
  for (let at = 8; at < bytes.length; at += bytes.readUInt32BE(at) + 12) {
    const type = bytes.toString("latin1", at + 4, at + 8);
    const body = bytes.subarray(at + 8, at + 8 + bytes.readUInt32BE(at));
    parts[type] = Buffer.concat([parts[type] ?? Buffer.alloc(0), body]);
  }
  const { IHDR, PLTE, tRNS, IDAT } = parts;
  const [width, height] = [IHDR!.readUInt32BE(0), IHDR!.readUInt32BE(4)];
  const channels = channelsOf[IHDR![9]!]!;
  const stride = width * channels;
  const packed = inflateSync(IDAT!);
  const rows = new Uint8Array(stride * height);
  for (let y = 0; y < height; y++) {
    const filter = packed[y * (stride + 1)]!;
    for (let x = 0; x < stride; x++) {
      const here = y * stride + x;
      const left = x < channels ? 0 : rows[here - channels]!;
      const above = y === 0 ? 0 : rows[here - stride]!;
      const corner = x < channels || y === 0 ? 0 : rows[here - stride - channels]!;
      const guess = [0, left, above, (left + above) >> 1, paeth(left, above, corner)][filter]!;
      rows[here] = packed[y * (stride + 1) + 1 + x]! + guess;
    }
  }
  if (channels === 4) return { width, height, data: rows };
  const data = new Uint8Array(width * height * 4).fill(255);
  if (channels === 3) {
    for (let pixel = 0; pixel < width * height; pixel++)
      data.set(rows.subarray(3 * pixel, 3 * pixel + 3), 4 * pixel);
    return { width, height, data };
  }
  rows.forEach((place, pixel) => {
    data.set(
      [PLTE![3 * place]!, PLTE![3 * place + 1]!, PLTE![3 * place + 2]!, tRNS![place] ?? 255],
      4 * pixel,
    );
  });
  return { width, height, data };
}
