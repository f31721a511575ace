import { stopEngines } from './start-engines.ts';

/** Jest's global tear-down. */
export default stopEngines;
