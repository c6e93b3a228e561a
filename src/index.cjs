require("./require-node.ts");
module.exports = require("./index.js");
