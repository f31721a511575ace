import { readStageSettings } from '#infra/config.ts';
import type { StageSettings } from '#infra/constructs/stage-settings.ts';

/** Makes the settings of a deployable stage: prod with account, region and alarm address, and each stage with a dashboard. */
export const makeDeployableStage = (stage: string): StageSettings => {
  const settings = readStageSettings(stage);
  const mail = { from: 'payments@example.com', identity: 'example.com' };
  const prod = { account: '111122223333', region: 'eu-west-1', alarms: { email: 'oncall@example.com' } };
  return { ...settings, mail, ...(stage === 'prod' && prod) };
};
