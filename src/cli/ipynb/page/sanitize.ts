import sanitize from "sanitize-html";

const TAGS =
  "a abbr b blockquote br caption code col colgroup dd del details div dl dt em figcaption figure h1 h2 h3 h4 h5 h6 " +
  "hr i img kbd li meter ol p pre progress s samp section small span strong sub summary sup table tbody td tfoot th " +
  "thead time tr u ul var wbr";
const ATTRIBUTES =
  "align alt aria-hidden aria-label cellpadding colspan datetime dir height high lang low max min open optimum role " +
  "rowspan scope span start style title valign value width";
/** Elements that go with all they contain. */
const DROPPED =
  "embed frame frameset head iframe math noscript object option script style svg template textarea title xmp";

/** Properties that style an element and what is in it, and that neither move it nor cover others. */
const PROPERTIES =
  "align-content align-items align-self background background-color background-image background-position " +
  "background-repeat background-size border border-bottom border-bottom-color border-bottom-style " +
  "border-bottom-width border-collapse border-color border-left border-left-color border-left-style " +
  "border-left-width border-radius border-right border-right-color border-right-style border-right-width " +
  "border-spacing border-style border-top border-top-color border-top-style border-top-width border-width " +
  "box-sizing caption-side color column-gap direction display flex flex-basis flex-direction flex-grow flex-shrink " +
  "flex-wrap font font-family font-size font-style font-variant-numeric font-weight gap grid-auto-flow grid-column " +
  "grid-row grid-template-columns grid-template-rows height hyphens justify-content justify-items justify-self " +
  "list-style list-style-type max-height max-width min-height min-width object-fit opacity order overflow " +
  "overflow-wrap overflow-x overflow-y padding padding-bottom padding-left padding-right padding-top row-gap " +
  "table-layout tab-size text-align text-decoration text-overflow text-transform user-select vertical-align " +
  "white-space width word-break word-wrap";
const SPACING =
  "letter-spacing line-height margin margin-bottom margin-left margin-right margin-top word-spacing";

const FUNCTIONS = "calc|clamp|color-mix|hsla?|light-dark|linear-gradient|max|min|minmax|repeat|rgba?|var";
const VALUE = new RegExp(`^(?:[\\w\\s#%.,'"+*/)-]|(?<![\\w-])(?:${FUNCTIONS})\\()*$`, "i");
const NOT_NEGATIVE = /^(?:(?:auto|normal|\d*\.?\d+(?:ch|em|ex|pt|px|rem|%)?)\s*){1,4}$/i;
const PICTURE = /^data:image\/(?:png|jpeg|gif|webp|svg\+xml);base64,[A-Za-z0-9+/=\s]*$/;
const MAX_DEPTH = 200;

const allow = (names: string, pattern: RegExp) =>
  Object.fromEntries(names.split(" ").map(name => [name, [pattern]]));

const OPTIONS: Parameters<typeof sanitize>[1] = {
  allowedTags: TAGS.split(" "),
  nonTextTags: DROPPED.split(" "),
  allowedAttributes: { "*": ATTRIBUTES.split(" "), a: ["href"], img: ["src"] },
  allowedSchemes: ["http", "https", "mailto"],
  allowedSchemesByTag: { img: ["data"] },
  allowProtocolRelative: false,
  allowedStyles: { "*": { ...allow(PROPERTIES, VALUE), ...allow(SPACING, NOT_NEGATIVE) } },
  exclusiveFilter: ({ tag, attribs }) => tag === "img" && !PICTURE.test(attribs.src ?? ""),
};

/**
 * Keeps of an HTML fragment what shows text, tables, bars and embedded pictures, and nothing that could run, load,
 * send or cover anything. Every element that is opened gets closed.
 */
export function sanitizeHtml(fragment: string): string {
  let depth = 0;
  const onOpenTag = () => {
    depth += 1;
    if (depth > MAX_DEPTH) throw new RangeError(`nested more than ${MAX_DEPTH} elements deep`);
  };
  const onCloseTag = () => {
    depth -= 1;
  };
  try {
    return sanitize(fragment, { ...OPTIONS, onOpenTag, onCloseTag });
  } catch (error) {
    if (depth <= MAX_DEPTH) throw error;
    return `<p>[HTML that is ${(error as RangeError).message} is left out.]</p>`;
  }
}
