import { flushCompileCache } from 'node:module';
import { TestEnvironment } from 'jest-environment-node';

/** Gives the tests Node's own globals. runtime.js loads them there. Jest's own code keeps its context. */
export default class NodeGlobals extends TestEnvironment {
  constructor(config, context) {
    super(config, context);
    this.ownGlobal = this.global;
    this.global = globalThis;
    process.env.TEST_SEED = String(config.globalConfig.seed);
  }

  async teardown() {
    // Jest deletes what it finds in this global.
    this.global = this.ownGlobal;
    await super.teardown();
    // Otherwise Node writes the whole cache when the worker ends, and Jest takes the worker for one that hangs.
    flushCompileCache();
  }
}
