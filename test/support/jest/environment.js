import { flushCompileCache } from 'node:module';
import { TestEnvironment } from 'jest-environment-node';

/** Jest's Node environment for the globals of Node itself, in which runtime.js loads the tests. Jest's own code keeps its context. */
export default class NodeGlobals extends TestEnvironment {
  constructor(config, context) {
    super(config, context);
    this.ownGlobal = this.global;
    this.global = globalThis;
    process.env.TEST_SEED = String(config.globalConfig.seed);
  }

  async teardown() {
    // Jest deletes what it finds here.
    this.global = this.ownGlobal;
    await super.teardown();
    // Otherwise Node writes all of it when the worker ends, and Jest takes that for a worker that hangs.
    flushCompileCache();
  }
}
