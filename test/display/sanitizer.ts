import { Sanitizer } from "@jupyterlab/apputils/lib/sanitizer.js";

const sanitizer = new Sanitizer();
/** Lost where nothing is trusted, and harmless to lose: digits of equal width, and that narrow pages leave out a column. */
const harmless = [
  "style font-variant-numeric:tabular-nums",
  "style max-width:clamp(0px,calc(100vw - 560px) * 999,400px)",
];
const empty = new Set(["img"]);
const element = /<(\/?)([a-zA-Z][\w-]*)((?:\s+[\w-]+=(?:"[^"<>]*"|'[^'<>]*'|[^\s"'`=<>]+))*)\s*\/?>/g;

interface Tag {
  isEnd: boolean;
  name: string;
  attributes: [name: string, value: string][];
}

const tagsOf = (markup: string): Tag[] =>
  Array.from(markup.matchAll(element), ([, slash, name = "", list = ""]) => ({
    isEnd: slash === "/",
    name,
    attributes: Array.from(list.matchAll(/([\w-]+)=("[^"]*"|'[^']*'|[^\s"']+)/g), ([, attribute, value]) => [
      attribute!,
      value!.replace(/^(["'])(.*)\1$/s, "$2"),
    ]),
  }));

/** What an element brings besides its text: its name, the names of its attributes, and each declaration of its style. */
const partsOf = ({ name, attributes }: Tag): string[] => [
  `<${name}>`,
  ...attributes.flatMap(([attribute, value]) => {
    if (attribute === "style") return value.split(";").map(each => `style ${each.trim()}`);
    return value.trim() === "" ? [] : [`attribute ${attribute}`];
  }),
];

/** Lists what JupyterLab's sanitizer drops from a page that is not trusted, what is not closed, and what escaped from its element. */
export function faultsOf(markup: string): string[] {
  const faults: string[] = [];
  const open: string[] = [];
  const tags = tagsOf(markup);
  const kept = new Set([...harmless, ...tagsOf(sanitizer.sanitize(markup)).flatMap(partsOf)]);
  for (const tag of tags) {
    if (tag.isEnd) {
      if (open.pop() !== tag.name) faults.push(`</${tag.name}> closes nothing`);
      continue;
    }
    if (!empty.has(tag.name)) open.push(tag.name);
    faults.push(...partsOf(tag).filter(part => !kept.has(part)));
    for (const [name, value] of tag.attributes)
      if (name === "src" && !/^data:image\/(svg\+xml|png);base64,[A-Za-z0-9+/=]*$/.test(value))
        faults.push("src");
  }
  const rest = markup.replace(element, "");
  if (/[<>]/.test(rest))
    faults.push(`stray bracket near ${rest.slice(Math.max(0, rest.search(/[<>]/) - 20)).slice(0, 60)}`);
  if (/&(?!(?:amp|lt|gt|quot|#39|#96);)/.test(rest)) faults.push("stray ampersand");
  return [...faults, ...open.map(tag => `<${tag}> is not closed`)];
}
