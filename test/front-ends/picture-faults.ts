import type { Page } from "playwright-core";

/** What pictures are seen on: the pages of light and of dark themes. */
export const grounds = { light: "#ffffff", dark: "#111111" } as const;

/** Minimum contrast of text with its background. */
const minContrast = 4.5;

/** A script for a page: what is wrong with the picture in it, in words. */
const script = `(ground => {
  const svg = document.querySelector("svg");
  const frame = svg.getBoundingClientRect();
  const channels = colour => (colour.match(/[\\d.]+/g) ?? [0, 0, 0, 0]).map(Number);
  const over = (colour, base) => {
    const [r, g, b, a = 1] = channels(colour);
    return [r, g, b].map((value, i) => value * a + base[i] * (1 - a));
  };
  const luminance = rgb => {
    const [r, g, b] = rgb.map(value => value / 255).map(v => (v <= 0.03928 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4));
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const contrast = (one, other) => {
    const [low, high] = [luminance(one), luminance(other)].sort((a, b) => a - b);
    return (high + 0.05) / (low + 0.05);
  };
  const rgb = [1, 3, 5].map(at => parseInt(ground.slice(at, at + 2), 16));
  const faults = [];
  const texts = [...svg.querySelectorAll("text")].filter(text => {
    const style = getComputedStyle(text);
    return text.textContent.trim() && style.visibility !== "hidden" && Number(style.opacity) > 0 && style.fill !== "none";
  });
  /** The corners of a text element, rotated as it is, and a little smaller than its line. */
  const corners = text => {
    const { x, y, width, height } = text.getBBox();
    const matrix = text.getScreenCTM();
    const [dx, dy] = [Math.min(0.75, width / 4), height * 0.2];
    return [[x + dx, y + dy], [x + width - dx, y + dy], [x + width - dx, y + height - dy], [x + dx, y + height - dy]]
      .map(([px, py]) => new DOMPoint(px, py).matrixTransform(matrix));
  };
  const apart = (one, other) => [one, other].some(shape => [0, 1].some(i => {
    const normal = { x: shape[i + 1].y - shape[i].y, y: shape[i].x - shape[i + 1].x };
    const span = points => points.map(point => point.x * normal.x + point.y * normal.y);
    const [a, b] = [span(one), span(other)];
    return Math.max(...a) <= Math.min(...b) || Math.max(...b) <= Math.min(...a);
  }));
  const shapes = texts.map(corners);
  const name = text => JSON.stringify(text.textContent.slice(0, 40));
  texts.forEach((text, i) => {
    for (let j = 0; j < i; j++)
      if (!apart(shapes[i], shapes[j])) faults.push(name(text) + " lies over " + name(texts[j]));
    const box = text.getBoundingClientRect();
    if (box.left < frame.left - 1 || box.right > frame.right + 1 || box.top < frame.top - 2 || box.bottom > frame.bottom + 2)
      faults.push(name(text) + " is cut at the edge");
    const [x, y] = ["x", "y"].map(axis => shapes[i].reduce((sum, point) => sum + point[axis], 0) / 4);
    if (y > innerHeight) return;
    const behind = document.elementsFromPoint(x, y).filter(element => svg.contains(element) && element !== svg && !element.closest("text"));
    const painted = behind.filter(element => element.compareDocumentPosition(text) & Node.DOCUMENT_POSITION_FOLLOWING);
    const base = painted.reverse().reduce((colour, element) => {
      const { fill, fillOpacity, opacity } = getComputedStyle(element);
      if (fill === "none" || !element.matches("path, rect, circle")) return colour;
      const [r, g, b, a = 1] = channels(fill);
      return over("rgba(" + [r, g, b, a * fillOpacity * opacity] + ")", colour);
    }, rgb);
    const style = getComputedStyle(text);
    const [r, g, b, a = 1] = channels(style.fill);
    const ratio = contrast(over("rgba(" + [r, g, b, a * style.opacity * style.fillOpacity] + ")", base), base);
    if (ratio < ${minContrast}) faults.push(name(text) + " has a contrast of " + ratio.toFixed(2));
  });
  for (const shape of svg.querySelectorAll("path, rect, circle, line")) {
    const { fill, stroke, opacity } = getComputedStyle(shape);
    if ((fill === "none" && stroke === "none") || Number(opacity) === 0) continue;
    const box = shape.getBoundingClientRect();
    if (box.width + box.height > 0 && (box.left < frame.left - 2 || box.right > frame.right + 2 || box.top < frame.top - 2 || box.bottom > frame.bottom + 2))
      faults.push("a " + shape.tagName + " is cut at the edge");
  }
  return [...new Set(faults)].slice(0, 12);
})`;

/** Returns what is wrong with a picture on a ground: texts over each other, what is cut, and what is hardly legible. */
export async function pictureFaults(
  page: Page,
  svg: string,
  ground: string = grounds.light,
): Promise<string[]> {
  await page.emulateMedia({ colorScheme: ground === grounds.dark ? "dark" : "light" });
  await page.setContent(
    `<style>body { margin: 20px; background: ${ground} } svg { display: block } svg * { pointer-events: visiblePainted !important }</style>${svg}`,
  );
  const size = /<svg[^>]* width="([\d.]+)" height="([\d.]+)"/.exec(svg);
  if (!size) throw new Error("The picture has no size.");
  await page.setViewportSize({
    width: Math.ceil(Number(size[1])) + 40,
    height: Math.min(16_000, Math.ceil(Number(size[2])) + 40),
  });
  return page.evaluate(`${script}(${JSON.stringify(ground)})`);
}
