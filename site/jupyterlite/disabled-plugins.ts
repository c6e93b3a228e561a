const lab = (name: string, ...plugins: string[]) =>
  plugins.map(each => `@jupyterlab/${name}-extension:${each}`);
const lite = (name: string, ...plugins: string[]) =>
  plugins.map(each => `@jupyterlite/${name}-extension:${each}`);

/**
 * Plugins that are left out: those for which JupyterLite or this shell has another, those that speak to a server, and
 * those of language servers.
 */
export const DISABLED_PLUGINS: ReadonlySet<string> = new Set([
  ...lab("application", "logo", "main", "router", "tree-resolver"),
  ...lab("apputils", "announcements", "licenses-client", "licenses-plugin", "resolver"),
  ...lab("docmanager", "download"),
  ...lab("filebrowser", "download", "share-file"),
  ...lab("fileeditor", "language-server"),
  ...lab("notebook", "cell-executor", "language-server", "update-raw-mimetype"),
  ...lab(
    "services",
    "config-section-manager",
    "connection-status",
    "default-drive",
    "event-manager",
    "kernel-manager",
    "kernel-spec-manager",
    "nbconvert-manager",
    "session-manager",
    "setting-manager",
    "user-manager",
    "workspace-manager",
  ),
  ...lite("application", "licenses-client", "lsp-connection-manager", "service-worker-manager"),
  ...lite("services", "kernel-client"),
]);
