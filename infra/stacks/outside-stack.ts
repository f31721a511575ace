import { Stack } from 'aws-cdk-lib';
import { CfnHealthCheck } from 'aws-cdk-lib/aws-route53';
import type { Construct } from 'constructs';
import { resourceName } from '#infra/constructs/names.ts';
import { OUTSIDE_REGION, type StageSettings, toStackEnv } from '#infra/constructs/stage-settings.ts';
import { outsideTopic } from '#infra/watch/alarm-topic.ts';
import { addAlarm } from '#infra/watch/alarms.ts';
import { notify } from '#infra/watch/pages.ts';
import { healthCheckSeries } from '#infra/watch/series.ts';

/** The parts of the stack of the check from outside. */
export interface OutsideStackProps {
  readonly settings: StageSettings & { readonly domain: NonNullable<StageSettings['domain']> };
}

/** The fewest that Route 53 takes. Each has several checkers, and each checker asks by itself. */
const CHECKED_FROM = ['eu-west-1', OUTSIDE_REGION, 'ap-southeast-1'];

/**
 * Asks for `/health` by the API's own name, from other regions: a lost record, mapping or region makes no 5xx that anybody counts. It
 * needs nothing of the other stacks, so that it stays when they go.
 */
export class OutsideStack extends Stack {
  constructor(scope: Construct, { settings }: OutsideStackProps) {
    const { stage, domain, removal } = settings;
    const name = resourceName(stage, 'outside');
    super(scope, name, {
      stackName: name,
      description: `Payments, stage ${stage}: the check of the API from outside.`,
      terminationProtection: removal === 'retain',
      env: { ...toStackEnv(settings), region: OUTSIDE_REGION },
    });
    const check = new CfnHealthCheck(this, 'Health', {
      healthCheckConfig: {
        type: 'HTTPS',
        fullyQualifiedDomainName: domain.name,
        port: 443,
        resourcePath: '/health',
        requestInterval: 30,
        failureThreshold: 3,
        enableSni: true,
        regions: CHECKED_FROM,
      },
      healthCheckTags: [{ key: 'Name', value: name }],
    });
    const { alarm } = addAlarm(this, settings, {
      entry: 'unreachable-from-outside',
      impact: 'Nobody reaches the API by its own name: no payment starts, and no notification of a provider arrives.',
      series: healthCheckSeries(check.attrHealthCheckId),
      missingDataBreaches: true,
    });
    notify(alarm, outsideTopic(this, settings));
  }
}
