require("./require-node.ts");
module.exports = require("./client.js");
