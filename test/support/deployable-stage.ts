import { readStageSettings } from '#infra/config.ts';
import type { StageSettings } from '#infra/constructs/stage-settings.ts';

/** The settings of a stage once it may be deployed: prod with its place and somebody whom its alarms call, and each with a dashboard. */
export const deployableStage = (stage: string): StageSettings => {
  const settings = readStageSettings(stage);
  const mail = { from: 'payments@example.com', identity: 'example.com' };
  const prod = { account: '111122223333', region: 'eu-west-1', alarms: { email: 'oncall@example.com' } };
  return { ...settings, mail, ...(stage === 'prod' && prod) };
};
