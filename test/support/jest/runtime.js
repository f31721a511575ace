import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';
import JestRuntime from 'jest-runtime';

const require = createRequire(import.meta.url);
/** The key under which jest-circus keeps the listeners of a file's tests. */
const EVENT_HANDLERS = Symbol.for('EVENT_HANDLERS');

let loaded = 0;

/**
 * Jest's runtime, but Node loads the tests: each test file and its set-up files anew, their imports once per worker. Jest's own loader
 * compiles the AWS SDK for every file in a new context, which was a third of the time of all tests. A module's state is therefore kept for
 * the next files: register hooks in a set-up file (jest.config.js) or in the test file.
 * Jest's documented way, @swc/jest with --experimental-vm-modules, took 50.6 s for seven files that take 39.7 s here, one worker each,
 * on a busy machine, and 2.6 s more processor time: one to two minutes more for the 298 files of `npm test` on two cores.
 */
export default class NativeModules extends JestRuntime {
  unstable_shouldLoadAsEsm() {
    return true;
  }

  async unstable_importModule(path) {
    loaded += 1;
    return import(`${pathToFileURL(path)}?${loaded}`);
  }

  /** Loads, once per test file, the module that collects its tests and keeps them. */
  requireInternalModule(path) {
    delete globalThis[EVENT_HANDLERS];
    delete require.cache[path];
    return require(path);
  }
}
