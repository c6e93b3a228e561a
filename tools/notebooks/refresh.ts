import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startService } from "../service.ts";
import { committedNotebooks, DIGESTS, digestsOf, type FileCell, NOTEBOOKS, readDigests } from "./outputs.ts";

/**
 * Executes the committed notebooks with the built kernel and writes their outputs into them:
 * node tools/notebooks/refresh.ts [part of a path …]. Each has a service of its own. Outputs that differ from the committed
 * ones only in times and ids stay as they are. Interactive charts are left out: their pictures are smaller.
 */
const command = new URL("../../dist/cli.js", import.meta.url).pathname;
const LIVE = "application/vnd.vegalite.v5+json";

async function executed(path: string): Promise<FileCell[]> {
  const folder = mkdtempSync(join(tmpdir(), "ketbook-notebooks-"));
  const service = await startService(folder);
  try {
    const output = join(folder, "executed.ipynb");
    const env = { ...process.env, KETBOOK_DATA: folder, KETBOOK_URL: "", KETBOOK_API_KEY: "", TZ: "UTC" };
    const { status, stderr } = spawnSync(process.execPath, [command, "run", path, "--output", output], {
      env,
    });
    if (status !== 0) throw new Error(`${path}: ${stderr}`);
    return JSON.parse(readFileSync(output, "utf8")).cells;
  } finally {
    await service.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

const parts = process.argv.slice(2);
const digests = existsSync(DIGESTS) ? readDigests() : {};
const names = committedNotebooks();
for (const name of Object.keys(digests)) if (!names.includes(name)) delete digests[name];
for (const name of names.filter(each => parts.length === 0 || parts.some(part => each.includes(part)))) {
  const path = join(NOTEBOOKS, name);
  const notebook = JSON.parse(readFileSync(path, "utf8"));
  const done = new Map((await executed(path)).map(cell => [cell.id, cell]));
  const before = digests[name] ?? {};
  digests[name] = {};
  let changed = 0;
  for (const cell of notebook.cells as FileCell[]) {
    const now = done.get(cell.id);
    if (now?.cell_type !== "code") continue;
    cell.execution_count = now.execution_count ?? null;
    const { source, shown } = digestsOf(now);
    digests[name][cell.id] = { source, shown };
    const isKept = before[cell.id]?.shown === shown && cell.outputs?.length === now.outputs?.length;
    if (isKept) continue;
    changed += 1;
    for (const { data } of now.outputs ?? []) if (data && "image/png" in data) delete data[LIVE];
    cell.outputs = now.outputs;
  }
  writeFileSync(path, `${JSON.stringify(notebook, undefined, 1)}\n`);
  process.stdout.write(`${name}: ${changed} of ${Object.keys(digests[name]).length} cells changed\n`);
}
const sorted = Object.fromEntries(Object.entries(digests).sort(([a], [b]) => a.localeCompare(b)));
writeFileSync(DIGESTS, `${JSON.stringify(sorted, undefined, 1)}\n`);
