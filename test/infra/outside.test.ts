import { readFileSync } from 'node:fs';
import { readStageSettings } from '#infra/config.ts';
import type { StageSettings } from '#infra/constructs/stage-settings.ts';
import { FUNCTIONS } from '#infra/functions.ts';
import { addStage } from '#infra/stacks/payments-app.ts';
import { DOMAIN, listAlarms, listResources, openTemplateFolder } from '#test/support/alarms/watch-template.ts';
import { makeDeployableStage } from '#test/support/deployable-stage.ts';

const folder = openTemplateFolder();
afterAll(folder.remove);

const PROD = { ...makeDeployableStage('prod'), region: 'eu-west-1', account: '123456789012', domain: DOMAIN };
const synthesizeOutside = (settings: StageSettings) => folder.synthesizeOutside(settings);
const findOnly = (settings: StageSettings, type: string) => {
  const found = listResources(synthesizeOutside(settings).template, type);
  expect(found).toHaveLength(1);
  return found[0]?.Properties;
};

describe('the check of the API from outside', () => {
  test('requests /health at the API’s domain, over TLS, from three regions', () => {
    const { HealthCheckConfig } = findOnly(PROD, 'AWS::Route53::HealthCheck');
    expect(HealthCheckConfig).toEqual({
      Type: 'HTTPS',
      FullyQualifiedDomainName: 'api.example.com',
      Port: 443,
      ResourcePath: '/health',
      RequestInterval: 30,
      FailureThreshold: 3,
      EnableSNI: true,
      Regions: ['eu-west-1', 'us-east-1', 'ap-southeast-1'],
    });
    const health = FUNCTIONS.find(({ name }) => name === 'check-health');
    expect(health?.trigger).toMatchObject({ route: 'GET /health' });
  });

  test('has its alarm in us-east-1, where the metrics of Route 53 are, for a stage in any region', () => {
    const { region, template } = synthesizeOutside(PROD);
    expect(region).toBe('us-east-1');
    const [id] = Object.keys(template).filter((key) => template[key]?.Type === 'AWS::Route53::HealthCheck');
    expect(listAlarms(template)).toEqual([
      expect.objectContaining({
        AlarmName: 'payments-prod-unreachable-from-outside',
        Namespace: 'AWS/Route53',
        MetricName: 'HealthCheckStatus',
        Statistic: 'Minimum',
        Dimensions: [{ Name: 'HealthCheckId', Value: { 'Fn::GetAtt': [id, 'HealthCheckId'] } }],
        ComparisonOperator: 'LessThanThreshold',
        Threshold: 1,
        TreatMissingData: 'breaching',
      }),
    ]);
  });

  test('notifies the recipient of the stage’s alarms through its own topic', () => {
    const { template } = synthesizeOutside(PROD);
    const [topic] = Object.keys(template).filter((id) => template[id]?.Type === 'AWS::SNS::Topic');
    expect(listAlarms(template)).toEqual([
      expect.objectContaining({ AlarmActions: [{ Ref: topic }], OKActions: [{ Ref: topic }] }),
    ]);
    expect(findOnly(PROD, 'AWS::SNS::Subscription')).toEqual({
      Protocol: 'email',
      Endpoint: 'oncall@example.com',
      TopicArn: { Ref: topic },
    });
    const { Statement } = findOnly(PROD, 'AWS::SNS::TopicPolicy').PolicyDocument;
    expect(JSON.stringify(Statement)).toContain('us-east-1:123456789012:alarm:payments-prod-*');
  });

  test.each([
    { topicArn: 'arn:aws:sns:us-east-1:123456789012:on-call' },
    { topicArn: 'arn:aws:sns:eu-west-1:123456789012:x', outsideTopicArn: 'arn:aws:sns:us-east-1:123456789012:on-call' },
  ])('notifies the operator’s own topic in us-east-1: %j', (alarms) => {
    const { template } = synthesizeOutside({ ...PROD, alarms });
    expect(listResources(template, 'AWS::SNS::Topic')).toEqual([]);
    expect(listAlarms(template)[0]).toMatchObject({ AlarmActions: ['arn:aws:sns:us-east-1:123456789012:on-call'] });
  });

  test('refuses at synth an operator’s topic that is only in another region', () => {
    const { stage: _, ...settings } = PROD;
    const alarms = { topicArn: 'arn:aws:sns:eu-west-1:123456789012:on-call' };
    const domain = { ...DOMAIN };
    expect(() => readStageSettings('prod', { prod: { ...settings, domain, alarms } })).toThrow(
      'alarms.outsideTopicArn must be a topic in us-east-1, because the alarm of the check from outside is there.',
    );
    expect(() => readStageSettings('prod', { prod: { ...settings, domain: undefined, alarms } })).not.toThrow();
  });

  test('has its own CDK stack, without imports from other CDK stacks, if the stage has a domain, and none otherwise', () => {
    const outsideIn = (settings: StageSettings) => addStage(folder.newApp(), settings, () => folder.code).outside;
    expect(outsideIn(PROD)?.stackName).toBe('payments-prod-outside');
    expect(JSON.stringify(synthesizeOutside(PROD).template)).not.toContain('Fn::ImportValue');
    expect(outsideIn({ ...PROD, domain: undefined })).toBeUndefined();
  });
});

describe('the certificate of the API’s domain', () => {
  test('has an alarm a month before its end, because Route 53 does not check certificates', () => {
    const certificateAlarms = listAlarms(folder.synthesize(PROD)).filter(({ AlarmName }) =>
      AlarmName.endsWith('certificate-expires'),
    );
    expect(certificateAlarms).toEqual([
      expect.objectContaining({
        Namespace: 'AWS/CertificateManager',
        MetricName: 'DaysToExpiry',
        Dimensions: [{ Name: 'CertificateArn', Value: DOMAIN.certificateArn }],
        ComparisonOperator: 'LessThanThreshold',
        Threshold: 30,
        Period: 86_400,
      }),
    ]);
    expect(
      listAlarms(folder.synthesize({ ...PROD, domain: undefined })).map(({ AlarmName }) => AlarmName),
    ).not.toContain('payments-prod-certificate-expires');
  });
});

test('the document on the first deployment says that the check needs a prepared second region and a second confirmed mail', () => {
  const page = readFileSync('docs/operating/first-deployment.md', 'utf8');
  expect(page).toContain('aws://$(aws sts get-caller-identity --query Account --output text)/us-east-1');
  expect(page).toContain('`payments-prod-outside`');
});
