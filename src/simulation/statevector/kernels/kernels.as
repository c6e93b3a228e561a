import { BLOCK, blockSum, compact, expand } from "./measure";
import { overlap } from "./overlap";
import { runTile } from "./pass";
import { draw } from "./sample";
export { orderedUniforms } from "./sample";
export { fillTables } from "./tables";

/** Blocks whose probabilities or overlaps are added up, and amplitudes that are expanded, for one ticket. */
const BLOCKS: u32 = 16;
const CHUNK: usize = 16384;

/**
 * Does the next part of a task that threads share, and tells whether there was one. The task has at 0 the next ticket, at 4
 * their number, at 8 the kind (0 pass, 1 sums, 2 expansion, 3 overlaps), at 12 the bytes of a number, at 16 an address
 * of a pass, of sums or of factors, at 20 those of the planes, of which that of the imaginary parts is 0 where all numbers are real
 * (never for overlaps), at 28 a position or the number of overlaps, and at 32 that of blocks or the size of the part to be
 * expanded. Overlaps have their flips and signs before the sums of each ticket.
 */
export function step(task: usize, buffer: usize): bool {
  const ticket = atomic.add<u32>(task, 1);
  if (ticket >= load<u32>(task, 4)) return false;
  if (load<i32>(task, 12) == 4) part<f32>(task, ticket, buffer);
  else part<f64>(task, ticket, buffer);
  return true;
}

function part<T>(task: usize, ticket: u32, buffer: usize): void {
  const kind = load<i32>(task, 8);
  const target = <usize>load<u32>(task, 16);
  if (kind == 0) {
    runTile<T>(target, ticket, buffer);
    return;
  }
  const re = <usize>load<u32>(task, 20);
  const im = <usize>load<u32>(task, 24);
  if (kind == 1) {
    const position = load<i32>(task, 28);
    const end = min((ticket + 1) * BLOCKS, load<u32>(task, 32));
    for (let block = ticket * BLOCKS; block < end; block++) {
      const imaginary = im ? blockSum<T>(im, block, position) : 0;
      store<f64>(target + 8 * <usize>block, blockSum<T>(re, block, position) + imaginary);
    }
  } else if (kind == 3) {
    const bytes = <usize>(8 * load<u32>(task, 28));
    const sums = target + bytes * <usize>(ticket + 1);
    const end = min((ticket + 1) * BLOCKS, load<u32>(task, 32));
    for (let block = ticket * BLOCKS; block < end; block++)
      for (let at: usize = 0; at < bytes; at += 8) {
        const before = block == ticket * BLOCKS ? 0 : load<f64>(sums + at);
        const masks = target + at;
        store<f64>(sums + at, before + overlap<T>(re, im, block, load<u32>(masks), load<u32>(masks, 4)));
      }
  } else {
    const size = <usize>load<u32>(task, 32);
    const chunk = min(CHUNK, size);
    const at = <usize>ticket * chunk;
    const factor = target + 16 * (at / size);
    expand<T>(re, im, size + at, at % size, chunk, load<f64>(factor), load<f64>(factor, 8));
  }
}

export function compactSingle(plane: usize, size: u32, position: i32, bit: u32, scale: f64): void {
  compact<f32>(plane, size, position, bit, scale);
}

export function compactDouble(plane: usize, size: u32, position: i32, bit: u32, scale: f64): void {
  compact<f64>(plane, size, position, bit, scale);
}

export function drawSingle(re: usize, im: usize, numBlocks: u32, sums: usize, total: f64, uniforms: usize, count: u32, to: usize): void {
  draw<f32>(re, im, numBlocks, sums, total, uniforms, count, to);
}

export function drawDouble(re: usize, im: usize, numBlocks: u32, sums: usize, total: f64, uniforms: usize, count: u32, to: usize): void {
  draw<f64>(re, im, numBlocks, sums, total, uniforms, count, to);
}
