import { App } from 'aws-cdk-lib';
import { BUILD_DIR, buildFunctions, MAPS_DIR } from './build/build-functions.ts';
import { checkedOutCommit } from './build/commit.ts';
import { readStageSettings } from './config.ts';
import { ensureDeployable } from './constructs/deployable.ts';
import { ensureExecutionsFree } from './ops/account-room.ts';
import { addStage } from './stacks/payments-app.ts';

/* The CDK app: `cdk deploy --all -c stage=<name>`. */

const app = new App();
try {
  const settings = readStageSettings(app.node.tryGetContext('stage'));
  // Checked before the functions are built, because building takes a while.
  ensureDeployable(settings);
  await ensureExecutionsFree(settings, process.env, (sentence) => process.stderr.write(`${sentence}\n`));
  const { findFolder } = await buildFunctions(BUILD_DIR);
  const commit = checkedOutCommit(import.meta.dirname);
  addStage(app, settings, findFolder, commit === undefined ? undefined : { folder: MAPS_DIR, commit });
} catch (error) {
  // Prints only the message, because a stack trace would hide it.
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exit(1);
}
app.synth();
