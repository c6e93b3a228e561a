import { mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import asc from "assemblyscript/asc";

const folder = new URL("./kernels/", import.meta.url);
const OPTIONS =
  "-O3 --shrinkLevel 1 --noAssert --runtime stub --importMemory --noExportMemory --sharedMemory --initialMemory 2 --maximumMemory 65536 --memoryBase 1024";

/**
 * Compiles the kernels to WebAssembly, with relaxed SIMD or with plain SIMD alone.
 * Throws an Error with the compiler's messages where they do not compile.
 */
export async function buildKernels(relaxed: boolean): Promise<Uint8Array> {
  let binary: Uint8Array | undefined;
  const features = relaxed ? "threads,simd,relaxed-simd" : "threads,simd";
  const { error, stderr } = await asc.main(
    [
      ...["kernels.ts", "--outFile", "kernels.wasm"],
      ...["--use", `RELAXED=${relaxed ? 1 : 0}`, "--enable", features],
      ...OPTIONS.split(" "),
    ],
    {
      readFile: name => {
        try {
          return readFileSync(new URL(name.replace(/\.ts$/, ".as"), folder), "utf8");
        } catch {
          return null;
        }
      },
      writeFile: (_name, contents) => {
        binary = contents as Uint8Array;
      },
      listFiles: () => [],
    },
  );
  if (error || !binary)
    throw new Error(`The kernels do not compile: ${error?.message}\n${stderr.toString()}`);
  return binary;
}

/** Builds both kinds of kernels and writes them to a folder, each in one step. */
export async function writeKernels(to: string): Promise<void> {
  mkdirSync(to, { recursive: true });
  for (const [name, relaxed] of [
    ["kernels.wasm", true],
    ["kernels-plain.wasm", false],
  ] as const) {
    const unfinished = join(to, `${name}.${process.pid}`);
    writeFileSync(unfinished, await buildKernels(relaxed));
    renameSync(unfinished, join(to, name));
  }
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href)
  await writeKernels(process.argv[2] ?? "dist");
