import { Stack } from 'aws-cdk-lib';
import { CfnHealthCheck } from 'aws-cdk-lib/aws-route53';
import type { Construct } from 'constructs';
import { resourceName } from '#infra/constructs/names.ts';
import { OUTSIDE_REGION, type StageSettings, toStackEnv } from '#infra/constructs/stage-settings.ts';
import { outsideTopic } from '#infra/watch/alarm-topic.ts';
import { addAlarm } from '#infra/watch/alarms.ts';
import { notify } from '#infra/watch/pages.ts';
import { healthCheckSeries } from '#infra/watch/series.ts';

/** Properties of the CDK stack with the check from outside. */
export interface OutsideStackProps {
  readonly settings: StageSettings & { readonly domain: NonNullable<StageSettings['domain']> };
}

/** Three regions are the fewest that Route 53 takes. Each region has several independent checkers. */
const CHECKER_REGIONS = ['eu-west-1', OUTSIDE_REGION, 'ap-southeast-1'];

/**
 * Checks the API from outside: Route 53 requests `/health` at the API's own domain from other regions. If a DNS record, a mapping or the
 * region is lost, requests do not arrive, so no 5xx is counted and the other alarms stay quiet. This CDK stack needs none of the others, so
 * the check works without them.
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
        regions: CHECKER_REGIONS,
      },
      healthCheckTags: [{ key: 'Name', value: name }],
    });
    const { alarm } = addAlarm(this, settings, {
      entry: 'unreachable-from-outside',
      impact:
        'Nobody can reach the API at its domain. No payment can start, and no notification of a provider arrives.',
      series: healthCheckSeries(check.attrHealthCheckId),
      missingDataBreaches: true,
    });
    notify(alarm, outsideTopic(this, settings));
  }
}
