import { skipPlayed } from './long.ts';

// Runs before each test file of which `npm test` has played a part (jest.config.js).
skipPlayed();
