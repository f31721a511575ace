/*
 * Loaded before a program (`node --import`), in JavaScript because an old Node cannot read TypeScript. On Linux x64 `npm ci` installs
 * Node 24, which comes first on the PATH of every npm script; elsewhere it is whichever Node the machine has.
 */

/** The first Node of its major that runs TypeScript files as they are. */
const OLDEST = [22, 18];

const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
if (major < OLDEST[0] || (major === OLDEST[0] && minor < OLDEST[1])) {
  console.error(
    `Node ${process.versions.node} is too old for this: it takes ${OLDEST.join('.')} or newer. \`npm ci\` installs Node 24 on Linux x64, where npm scripts use it; elsewhere install it yourself.`,
  );
  process.exit(1);
}
