import { leaveOutPlayed } from './long.ts';

// Runs before each test file that `npm test` has played in part (jest.config.js).
leaveOutPlayed();
