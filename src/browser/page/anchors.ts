/** What the names of headings begin with, so that none is a name of the page's own. */
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
