/*
 * Checks the version of Node before a program starts (`node --import`). It is JavaScript, because an old Node cannot read TypeScript.
 * On Linux x64 `npm ci` installs Node 24, and npm scripts use it; elsewhere they use the Node of the machine.
 */

/** The oldest version of Node that runs TypeScript files directly. */
const OLDEST = [22, 18];

const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
if (major < OLDEST[0] || (major === OLDEST[0] && minor < OLDEST[1])) {
  console.error(
    `Node ${process.versions.node} is too old: this program needs ${OLDEST.join('.')} or newer. On Linux x64, run \`npm ci\`, which installs Node 24 for the npm scripts. On other machines, install a newer Node yourself.`,
  );
  process.exit(1);
}
