/** The parts of the site, as every page's head names them. */
const PARTS: readonly (readonly [words: string, path: string])[] = [
  ["Ketbook", "index.html"],
  ["Guide", "guide/start.html"],
  ["Reference", "reference/functions.html"],
  ["Gallery", "gallery.html"],
  ["Course", "course/index.html"],
  ["Service", "service/api.html"],
  ["Operating", "operating.html"],
  ["Search", "search.html"],
];

/** What every page of the site has above it: the markup, and its look. */
export function frame(
  path: string,
  linkTo: (from: string, to: string) => string,
): { header: string; style: string } {
  const links = PARTS.map(([words, to]) => {
    const current = path === to ? ' aria-current="page"' : "";
    return `<a href="${linkTo(path, to)}"${current}>${words}</a>`;
  });
  return { header: `<header>${links.join("\n")}</header>\n`, style: STYLE };
}

const STYLE = `
header { position: sticky; top: 0; z-index: 2; display: flex; flex-wrap: wrap; gap: .2rem 1.2rem; padding: .7rem 1.5rem;
  background: var(--page); border-bottom: 1px solid var(--line); font-size: .9rem; }
header a { text-decoration: none; color: var(--soft); } header a:first-child { font-weight: 700; color: var(--text); }
header a:hover, header a[aria-current] { color: var(--accent); }
nav { top: 5rem; max-height: calc(100vh - 7rem); } html { scroll-padding-top: 4rem; }
@media print { header { display: none; } }
`;
