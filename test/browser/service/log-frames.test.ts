import fc from "fast-check";
import { expect, test } from "vitest";
import { type AccessHandle, gatherFrames } from "../../../src/browser/service/log-frames.ts";

const PAGE_BYTES = 4096;
const LOG_HEADER_BYTES = 32;
const FRAME_BYTES = 24 + PAGE_BYTES;

/** A file in memory, which counts its writes and can be full. */
function openFile() {
  let bytes = new Uint8Array();
  const file = {
    writes: 0,
    isFull: false,
    bytes: () => bytes,
    read(target: Uint8Array, { at }: { at: number }) {
      const found = bytes.subarray(at, at + target.length);
      target.set(found);
      return found.length;
    },
    write(source: Uint8Array, { at }: { at: number }) {
      if (file.isFull) throw new Error("The disk is full.");
      file.writes += 1;
      if (at + source.length > bytes.length) {
        const longer = new Uint8Array(at + source.length);
        longer.set(bytes);
        bytes = longer;
      }
      bytes.set(source, at);
      return source.length;
    },
    truncate(size: number) {
      bytes = bytes.slice(0, size);
    },
    getSize: () => bytes.length,
    flush() {},
    close() {},
  };
  return file satisfies AccessHandle;
}

const frameAt = (index: number) => LOG_HEADER_BYTES + index * FRAME_BYTES;
const page = (fill: number) => new Uint8Array(PAGE_BYTES).fill(fill);

function header(fill: number, endsCommit: boolean): Uint8Array {
  const bytes = new Uint8Array(24).fill(fill, 8);
  if (endsCommit) bytes[7] = 9;
  return bytes;
}

function writeFrame(file: AccessHandle, index: number, fill: number, endsCommit: boolean): void {
  file.write(header(fill, endsCommit), { at: frameAt(index) });
  file.write(page(fill), { at: frameAt(index) + 24 });
}

test("a commit of many pages is one write, and is there when its last page was written", () => {
  const [file, plain] = [openFile(), openFile()];
  const gathered = gatherFrames(file, new Set());
  for (const each of [gathered, plain]) {
    each.write(new Uint8Array(LOG_HEADER_BYTES).fill(1), { at: 0 });
    for (let index = 0; index < 20; index += 1) writeFrame(each, index, index, index === 19);
  }
  expect(file.writes).toBe(2);
  expect(file.bytes()).toEqual(plain.bytes());
});

test("a commit that can't be written fails in its last write, and leaves nothing behind", () => {
  const file = openFile();
  const gathered = gatherFrames(file, new Set());
  file.isFull = true;
  writeFrame(gathered, 0, 7, false);
  expect(() => writeFrame(gathered, 1, 8, true)).toThrow("The disk is full.");
  file.isFull = false;
  expect(gathered.getSize()).toBe(0);
  writeFrame(gathered, 0, 9, true);
  expect(file.bytes().subarray(frameAt(0) + 24)).toEqual(page(9));
});

test("frames that can't be written are tried once: what is read afterwards does not wait for room", () => {
  const file = openFile();
  const gathered = gatherFrames(file, new Set());
  writeFrame(gathered, 0, 1, true);
  file.isFull = true;
  const writeMany = () => {
    for (let index = 1; index < 100; index += 1) writeFrame(gathered, index, 2, false);
  };
  expect(writeMany).toThrow("The disk is full.");
  const frame = new Uint8Array(FRAME_BYTES);
  expect(gathered.read(frame, { at: frameAt(0) })).toBe(FRAME_BYTES);
  expect(frame.subarray(24)).toEqual(page(1));
});

test("a file is among those to be flushed from a write until it is flushed", () => {
  const unflushed = new Set<AccessHandle>();
  const gathered = gatherFrames(openFile(), unflushed);
  writeFrame(gathered, 0, 1, true);
  expect([...unflushed]).toEqual([gathered]);
  gathered.flush();
  expect(unflushed.size).toBe(0);
});

test("whatever is written and read in whatever order, a file has the same bytes, and all of a commit after it", () => {
  const place = fc.nat({ max: 5 });
  const fill = fc.nat({ max: 255 });
  const step = fc.oneof(
    fc.record({ kind: fc.constant("frame" as const), place, fill, endsCommit: fc.boolean() }),
    fc.record({ kind: fc.constant("page" as const), place, fill }),
    fc.record({ kind: fc.constant("rewritten header" as const), place, fill }),
    fc.record({ kind: fc.constant("truncate" as const), place }),
    fc.record({ kind: fc.constant("read" as const), place }),
  );
  fc.assert(
    fc.property(fc.array(step, { maxLength: 30 }), steps => {
      const [file, plain] = [openFile(), openFile()];
      const gathered = gatherFrames(file, new Set());
      for (const each of steps) {
        const at = frameAt(each.place);
        const read = (from: AccessHandle) => {
          const target = new Uint8Array(FRAME_BYTES);
          return { count: from.read(target, { at }), target };
        };
        for (const to of [gathered, plain]) {
          if (each.kind === "frame") writeFrame(to, each.place, each.fill, each.endsCommit);
          else if (each.kind === "page") to.write(page(each.fill), { at: at + 24 });
          else if (each.kind === "truncate") to.truncate(at);
          else if (each.kind === "rewritten header") {
            read(to);
            to.write(header(each.fill, false), { at });
          }
        }
        if (each.kind === "read") expect(read(gathered)).toEqual(read(plain));
        expect(gathered.getSize()).toBe(plain.getSize());
        const isOnDisk = each.kind === "frame" ? each.endsCommit : true;
        if (isOnDisk) expect(file.bytes()).toEqual(plain.bytes());
      }
      gathered.close();
      expect(file.bytes()).toEqual(plain.bytes());
    }),
  );
});
