const [major, minor] = process.versions.node.split(".").map(Number);

if (major < 22 || (major === 22 && minor < 13)) {
  throw new Error(
    `Ketbook needs Node 22.13 or later, and this is Node ${process.versions.node}. ` +
      "Install a newer one from nodejs.org, then run `npx ketbook kernel install` so that notebooks use it.",
  );
}

module.exports = require("./index.js");
