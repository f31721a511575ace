import vm from 'node:vm';
import { TestEnvironment } from 'jest-environment-node';

const { createContext } = vm;

/** The change that a test has noticed. */
let noticed;

/**
 * Jest's own environment, because each change needs its modules loaded anew, with two differences. Its globals are plain: Jest's are a
 * proxy, which is a fifth of the time of a test. And once a test of a change has failed, the others are skipped: it is noticed then.
 */
export default class FirstFailure extends TestEnvironment {
  constructor(config, context) {
    vm.createContext = () => createContext(vm.constants.DONT_CONTEXTIFY);
    try {
      super(config, context);
    } finally {
      vm.createContext = createContext;
    }
  }

  async handleTestEvent({ name, test }) {
    const change = process.env.__STRYKER_ACTIVE_MUTANT__;
    if (change === undefined) return;
    if (name === 'test_done' && test.errors.length > 0) noticed = change;
    if (name === 'test_start' && change === noticed) test.mode = 'skip';
  }
}
