import { settingsOf } from '#infra/config.ts';
import type { StageSettings } from '#infra/constructs/stage-settings.ts';

/** The settings of a stage once it may be deployed: prod with somebody whom its alarms call, and each with a dashboard. */
export const deployableStage = (stage: string): StageSettings => {
  const settings = settingsOf(stage);
  const mail = { from: 'payments@example.com' };
  return stage === 'prod' ? { ...settings, mail, alarms: { email: 'oncall@example.com' } } : { ...settings, mail };
};
