const VOID = new Set(["br", "col", "hr", "img", "wbr"]);

const ALLOWED = new Set([
  ...VOID,
  ..."a abbr b blockquote caption code colgroup dd del details div dl dt em figcaption figure".split(" "),
  ..."h1 h2 h3 h4 h5 h6 i kbd li meter ol p pre progress s samp section small span strong sub".split(" "),
  ..."summary sup table tbody td tfoot th thead time tr u ul var".split(" "),
]);

const DROPPED_WHOLE = new Set(
  "embed frame frameset head iframe math noscript object script style svg template textarea title xmp".split(
    " ",
  ),
);

const PLAIN_ATTRIBUTES = new Set([
  ..."align alt cellpadding colspan datetime dir height high lang low max min open optimum role rowspan scope".split(
    " ",
  ),
  ..."span start title valign value width aria-hidden aria-label".split(" "),
]);

const TAG =
  /<(\/?)([a-z][a-z0-9-]*)((?:\s+[a-z_:@][\w:.-]*(?:\s*=\s*(?:"[^"]*"|'[^']*'|[^\s"'<>=`]+))?)*)\s*\/?>/gi;
const ATTRIBUTE = /([a-z_:@][\w:.-]*)(?:\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'<>=`]+)))?/gi;
const LINK = /^(?:https?:\/\/|mailto:|#)/i;
const PICTURE = /^data:image\/(?:png|jpeg|gif|webp|svg\+xml);base64,[A-Za-z0-9+/=\s]*$/;
const STYLE = /^[\w\s:;#%.,'()+*/-]*$/;
const STYLE_REFUSED = /url|image-set|expression|\/\*|(?:^|;)\s*position\s*:/i;

/**
 * Keeps of an HTML fragment what shows text, tables, bars and embedded pictures, and nothing that could run, load,
 * send or cover anything. What is not a well-formed allowed tag becomes text, and every element that is opened
 * gets closed.
 */
export function sanitizeHtml(fragment: string): string {
  const html = withoutComments(fragment);
  const lower = html.toLowerCase();
  const open: string[] = [];
  let result = "";
  let position = 0;
  TAG.lastIndex = 0;
  for (let match = TAG.exec(html); match; match = TAG.exec(html)) {
    const [tag, slash, written = "", attributes = ""] = match;
    const name = written.toLowerCase();
    result += asText(html.slice(position, match.index));
    position = match.index + tag.length;
    if (DROPPED_WHOLE.has(name) && !slash) {
      const end = lower.indexOf(`</${name}`, position);
      position = end < 0 ? html.length : end;
      TAG.lastIndex = position;
    } else if (ALLOWED.has(name)) {
      result += slash ? closeUntil(open, name) : openTag(open, name, attributes);
    }
  }
  return result + asText(html.slice(position)) + open.reverse().map(closing).join("");
}

function openTag(open: string[], name: string, attributes: string): string {
  if (!VOID.has(name)) open.push(name);
  const kept = [...attributes.matchAll(ATTRIBUTE)].map(([, key = "", double, single, bare]) =>
    keepAttribute(name, key.toLowerCase(), double ?? single ?? bare ?? ""),
  );
  return `<${name}${kept.join("")}>`;
}

function keepAttribute(tag: string, name: string, value: string): string {
  const style = name === "style" ? value.replaceAll("&quot;", "'") : "";
  const kept =
    PLAIN_ATTRIBUTES.has(name) ||
    (name === "href" && tag === "a" && LINK.test(value)) ||
    (name === "src" && tag === "img" && PICTURE.test(value)) ||
    (style !== "" && STYLE.test(style) && !STYLE_REFUSED.test(style));
  return kept ? ` ${name}="${(style || value).replaceAll('"', "&quot;").replaceAll("<", "&lt;")}"` : "";
}

function closeUntil(open: string[], name: string): string {
  const index = open.lastIndexOf(name);
  return index < 0 ? "" : open.splice(index).reverse().map(closing).join("");
}

function closing(name: string): string {
  return `</${name}>`;
}

function asText(text: string): string {
  return text.replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}

function withoutComments(html: string): string {
  const [start = "", ...rest] = html.split("<!--");
  return start + rest.map(part => (part.includes("-->") ? part.slice(part.indexOf("-->") + 3) : "")).join("");
}
