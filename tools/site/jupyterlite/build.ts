import { execFileSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { filesIn, writeServiceWorker } from "../offline.ts";
import { bundleShell } from "./bundle.ts";
import { writeContents } from "./contents.ts";
import { labPackages } from "./extensions.ts";
import { installPackages } from "./install.ts";
import { writeSettings, writeThemes, writeTranslations } from "./settings.ts";

/**
 * Builds the JupyterLite shell below the built page, whose workers it copies, and prints its own folder last:
 * node tools/site/jupyterlite/build.ts [folder of the page]
 */
const path = (name: string) => fileURLToPath(new URL(`../../../${name}`, import.meta.url));
const site = process.argv[2] ?? path("site/out");
const folder = join(site, "jupyterlite");
const shell = path("site/jupyterlite");

/** Files of the page that the shell has no use for. */
const OF_THE_PAGE =
  /^(?:page\.js|index\.html|style\.css|manifest\.webmanifest|service-worker\.js|notebooks\/|jupyterlite\/)/;

if (!existsSync(join(site, "kernel.js")))
  throw new Error(`There is no page in ${site} yet: run npm run site first.`);
rmSync(folder, { recursive: true, force: true });
installPackages(shell);
execFileSync(process.execPath, [path("node_modules/typescript/bin/tsc"), "-p", shell], { stdio: "inherit" });
const packages = labPackages(shell);
await bundleShell(shell, packages, join(folder, "build"));
writeSettings(packages, join(folder, "build/settings"));
writeThemes(packages, join(folder, "build/themes"));
writeTranslations(join(folder, "api/translations"));
writeContents(join(site, "notebooks"), folder);
for (const file of filesIn(site)) if (!OF_THE_PAGE.test(file)) cpSync(join(site, file), join(folder, file));
mkdirSync(join(folder, "lab"));
cpSync(join(shell, "index.html"), join(folder, "lab/index.html"));
cpSync(join(shell, "redirect.html"), join(folder, "index.html"));
await writeServiceWorker(folder, "jupyterlite", ["./", "lab/"], filesIn(folder));
process.stdout.write(`${folder}\n`);
