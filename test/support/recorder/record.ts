import { dashboard } from './scene-dashboard.ts';
import { liveMode } from './scene-live-mode.ts';
import { playRouting } from './scene-routing.ts';
import { publicPaths, testMode } from './scene-test-mode.ts';
import { webhooks } from './scene-webhooks.ts';
import { openRecordedStage } from './stage.ts';

/* Plays all scenes and prints the recorded calls. Runs in a process of its own, because functions read clock and environment when they are imported. */

const stage = await openRecordedStage();
for (const scene of [publicPaths, testMode, webhooks, liveMode, playRouting, dashboard]) await scene(stage);
await stage.stop();
const { calls, invoked, lanes } = stage;
process.stdout.write(JSON.stringify({ calls, invoked: [...invoked], lanes }));
