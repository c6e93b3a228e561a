/** The name under which notebooks know the kernel, here as in Jupyter. */
export const DEFAULT_KERNEL = "ketbook";

/** What the front end shows of the kernel. `root` is where its picture is. */
export const kernelSpec = (root: URL) => ({
  name: DEFAULT_KERNEL,
  display_name: "TypeScript (Ketbook)",
  language: "typescript",
  argv: [],
  resources: { "logo-svg": new URL("icon.svg", root).href, "logo-64x64": new URL("icon.svg", root).href },
});
