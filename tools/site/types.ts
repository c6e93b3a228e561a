import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  writeFileSync,
} from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { rolldown } from "rolldown";
import { LIBRARY_TYPES } from "../../src/browser/types/language-service.ts";

const COMPILER = "typescript-6.0";
const NODE_MODULES = /^(?:fs|path|os|crypto|inspector|perf_hooks|source-map-support)$/;
const NOTHING = "\0nothing";

const require = createRequire(import.meta.url);
const compiler = require.resolve(COMPILER);
const { version } = require(`${COMPILER}/package.json`) as { version: string };
const cached = fileURLToPath(
  new URL(`../../node_modules/.cache/ketbook/typescript-${version}.js`, import.meta.url),
);

/** A bundler's plugin that leaves TypeScript's compiler in a file beside the others. */
export const compilerBeside = {
  name: "compiler-beside",
  resolveId: {
    order: "pre" as const,
    handler: (id: string) => (id === COMPILER ? { id: "./typescript.js", external: true } : null),
  },
};

/** Copies what the worker that knows types loads by name: the compiler, and declarations of language and library. */
export async function copyTypeAssets(folder: string): Promise<void> {
  if (!existsSync(cached)) await bundleCompiler();
  copyFileSync(cached, join(folder, "typescript.js"));
  writeFileSync(join(folder, "declarations.json"), JSON.stringify(typeDeclarations()));
}

/** Returns the declarations of language and library, by the file names under which the worker has them. */
export function typeDeclarations(): Record<string, string> {
  const dist = fileURLToPath(new URL("../../dist", import.meta.url));
  const declarations: Record<string, string> = {};
  for (const folder of ["", "/types"])
    for (const file of readdirSync(dist + folder).filter(name => name.endsWith(".d.ts")))
      declarations[`${LIBRARY_TYPES}${folder}/${file}`] = readFileSync(join(dist + folder, file), "utf8");
  const files = readdirSync(dirname(compiler)).filter(
    file => /^lib\.(?:es\w+|decorators|webworker)(?:\.\w+)*\.d\.ts$/.test(file) && !file.includes(".full."),
  );
  for (const file of files)
    Object.assign(declarations, { [`/lib/${file}`]: readFileSync(join(dirname(compiler), file), "utf8") });
  return declarations;
}

/** Makes a small module of the compiler, which takes long enough to be kept. */
async function bundleCompiler(): Promise<void> {
  const bundle = await rolldown({
    input: { typescript: compiler },
    platform: "browser",
    plugins: [
      {
        name: "without-node",
        resolveId: id => (NODE_MODULES.test(id) ? NOTHING : null),
        load: id => (id === NOTHING ? "export default {}" : null),
      },
    ],
  });
  const { output } = await bundle.generate({ format: "esm", minify: true });
  await bundle.close();
  mkdirSync(dirname(cached), { recursive: true });
  const written = `${cached}.${process.pid}`;
  writeFileSync(written, output[0].code);
  renameSync(written, cached);
}
