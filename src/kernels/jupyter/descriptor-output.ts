import fs from "node:fs";
import { syncBuiltinESMExports } from "node:module";

type WriteArguments = [
  fd: number,
  data: unknown,
  offset?: number | null | { offset?: number; length?: number },
  length?: unknown,
];

/** Makes what `fs.writeSync` writes to the descriptors 1 and 2 arrive where the cells' other output does. */
export function takeDescriptorOutput(): void {
  const writeSync = fs.writeSync as (...values: unknown[]) => number;
  const capture = (...values: WriteArguments): number => {
    const [fd, data] = values;
    if ((fd !== 1 && fd !== 2) || !(typeof data === "string" || ArrayBuffer.isView(data)))
      return writeSync(...values);
    const bytes = bytesOf(values);
    process[fd === 1 ? "stdout" : "stderr"].write(bytes);
    return bytes.length;
  };
  fs.writeSync = capture as typeof fs.writeSync;
  syncBuiltinESMExports();
}

/** Returns the bytes that a call of `fs.writeSync` names: a string in its encoding, or a range of a view. */
function bytesOf([, data, from, length]: WriteArguments): Buffer {
  if (typeof data === "string") return Buffer.from(data, length as BufferEncoding | undefined);
  const view = data as NodeJS.ArrayBufferView;
  const range = typeof from === "object" && from !== null ? from : { offset: from ?? 0, length };
  const start = range.offset ?? 0;
  const end = typeof range.length === "number" ? start + range.length : view.byteLength;
  return Buffer.from(view.buffer, view.byteOffset, view.byteLength).subarray(start, end);
}
