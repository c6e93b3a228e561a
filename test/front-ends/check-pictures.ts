import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { svgToPng } from "../../src/charts/index.ts";
import { startBrowser } from "./browser.ts";
import { grounds, pictureFaults } from "./picture-faults.ts";
import { pictureGrid } from "./picture-grid.ts";

/**
 * Checks every picture of the grid in Chromium, on both grounds: `node test/front-ends/check-pictures.ts [name] [folder]`
 * takes those whose name holds `name`, and writes them to a folder to look at.
 */
const [name = "", folder] = process.argv.slice(2);
const browser = await startBrowser();
const page = await browser.newPage();
if (folder) mkdirSync(folder, { recursive: true });
let faulty = 0;
const pictures = pictureGrid().filter(picture => picture.name.includes(name));
for (const { name, draw } of pictures) {
  const svg = draw();
  if (folder) writeFileSync(join(folder, `${name}.png`), svgToPng(svg).bytes);
  for (const [theme, ground] of Object.entries(grounds)) {
    const faults = await pictureFaults(page, svg, ground);
    if (faults.length > 0) process.stdout.write(`${name} (${theme}): ${faults.join("; ")}\n`);
    faulty += Number(faults.length > 0);
  }
}
await browser.close();
process.stdout.write(
  `${pictures.length} pictures on ${Object.keys(grounds).length} grounds, ${faulty} faulty.\n`,
);
process.exitCode = faulty > 0 ? 1 : 0;
