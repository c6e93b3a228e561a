require("./require-node.ts");
module.exports = require("./course.js");
