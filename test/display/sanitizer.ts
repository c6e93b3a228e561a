/** What the front ends' sanitizer keeps of what we use; everything else would be lost in an untrusted notebook. */
const tags = new Set("b div span strong samp table caption thead tbody tr th td img pre".split(" "));
const attributes = new Set("align cellpadding style scope src alt title".split(" "));
const styles = new Set(
  `background-color background-image border border-bottom border-collapse border-radius box-sizing caption-side color
  display flex font-family font-size font-weight height letter-spacing line-height margin margin-left margin-right max-width
  min-width opacity overflow-wrap overflow-x padding table-layout text-align text-transform vertical-align white-space
  width word-break`.split(/\s+/),
);
/** Lost where nothing is trusted, and harmless to lose: digits of equal width, what is right of a card's title. */
const welcome = new Set("font-variant-numeric flex-wrap flex-basis justify-content column-gap".split(" "));
/** Lost in the same way: a column that narrow pages leave out stays. */
const welcomeValue = /^clamp\([a-z0-9 ,()*-]+\)$/;
const empty = new Set(["img"]);
const styleValue = /^(?:[a-z0-9 .,%#-]|rgba\([0-9,.]+\)|linear-gradient\([a-zA-Z0-9 .,%#()-]+\))+$/i;
const forbiddenValue = /var\(|light-dark|currentcolor|url\(|expression|javascript:/i;

function styleFaults(style: string): string[] {
  return style.split(";").flatMap(declaration => {
    const [property = "", value = ""] = declaration.split(/:(.*)/s);
    if (!styles.has(property.trim()) && !welcome.has(property.trim())) return [`style property ${property}`];
    if (property === "max-width" && welcomeValue.test(value)) return [];
    if (!styleValue.test(value.trim()) || forbiddenValue.test(value)) return [`style value ${declaration}`];
    return [];
  });
}

/** Lists what a sanitizer would drop from a page, what is not closed, and what escaped from its element. */
export function faultsOf(markup: string): string[] {
  const faults: string[] = [];
  const open: string[] = [];
  const rest = markup.replace(
    /<(\/?)([a-zA-Z][\w-]*)((?:\s+[\w-]+=(?:"[^"<>]*"|'[^'<>]*'|[^\s"'`=<>]+))*)\s*>/g,
    (_, slash, tag, list) => {
      if (!tags.has(tag)) faults.push(`tag ${tag}`);
      if (slash) {
        if (open.pop() !== tag) faults.push(`</${tag}> closes nothing`);
      } else if (!empty.has(tag)) open.push(tag);
      for (const [, name = "", written = ""] of list.matchAll(/([\w-]+)=("[^"]*"|'[^']*'|\S+)/g)) {
        const value = written.replace(/^(["'])(.*)\1$/s, "$2");
        if (!attributes.has(name)) faults.push(`attribute ${name}`);
        if (name === "style") faults.push(...styleFaults(value));
        if (name === "src" && !/^data:image\/(svg\+xml|png);base64,[A-Za-z0-9+/=]*$/.test(value))
          faults.push("src");
      }
      return "";
    },
  );
  if (/[<>]/.test(rest))
    faults.push(`stray bracket near ${rest.slice(Math.max(0, rest.search(/[<>]/) - 20)).slice(0, 60)}`);
  if (/&(?!(?:amp|lt|gt|quot|#39|#96);)/.test(rest)) faults.push("stray ampersand");
  return [...faults, ...open.map(tag => `<${tag}> is not closed`)];
}
