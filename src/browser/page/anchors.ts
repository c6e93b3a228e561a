import { nameIn } from "./initial-notebook.ts";

/** Prefix of heading ids, which keeps them apart from the page's own. */
export const ANCHOR = "at-";

/** Names the headings of a piece of prose, as Jupyter does. */
export function nameHeadings(prose: DocumentFragment): void {
  for (const heading of prose.querySelectorAll("h1, h2, h3"))
    heading.id = ANCHOR + (heading.textContent ?? "").trim().replace(/\s+/g, "-");
}

/** Scrolls to headings that links name. The address stays: it may be that of the notebook. */
export function listenToAnchors(root: HTMLElement): void {
  root.addEventListener("click", event => {
    const link = (event.target as Element).closest<HTMLAnchorElement>("a[href^='#']");
    if (!link) return;
    event.preventDefault();
    Array.from(root.querySelectorAll("[id]"))
      .find(({ id }) => new URL(`#${id}`, location.href).hash === link.hash)
      ?.scrollIntoView();
  });
}

/** Opens notebooks of the site that links name, by the page's address or by their place beside the notebook that is open. */
export function listenToLinks(open: (name: string) => void): void {
  document.addEventListener("click", event => {
    const link = (event.target as Element).closest("a[href]");
    if (!link || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
    const base = new URL(document.baseURI);
    const folder = new URL("notebooks/", base);
    const href = link.getAttribute("href")!;
    const beside = new URL(`${nameIn(location.search) ?? ""}.ipynb`, folder);
    if (!URL.canParse(href, beside)) return;
    const to = new URL(href, beside);
    const name = href.startsWith("?")
      ? nameIn(href)
      : to.href.startsWith(folder.href) && to.pathname.endsWith(".ipynb")
        ? decodeURI(to.pathname.slice(folder.pathname.length, -".ipynb".length))
        : undefined;
    if (name === undefined) return;
    event.preventDefault();
    open(name);
  });
}
