import { readFileSync } from 'node:fs';
import { readStageSettings } from '#infra/config.ts';
import type { StageSettings } from '#infra/constructs/stage-settings.ts';
import { FUNCTIONS } from '#infra/functions.ts';
import { addStage } from '#infra/stacks/payments-app.ts';
import { alarmsIn, DOMAIN, resources, templateFolder } from '#test/support/alarms/watch-template.ts';
import { deployableStage } from '#test/support/deployable-stage.ts';

const folder = templateFolder();
afterAll(folder.remove);

const PROD = { ...deployableStage('prod'), region: 'eu-west-1', account: '123456789012', domain: DOMAIN };
const outsideOf = (settings: StageSettings) => folder.synthesizeOutside(settings);
const onlyOf = (settings: StageSettings, type: string) => {
  const found = resources(outsideOf(settings).template, type);
  expect(found).toHaveLength(1);
  return found[0]?.Properties;
};

describe('the check of the API from outside', () => {
  test('asks for /health by the API’s own name, over TLS, from three regions', () => {
    const { HealthCheckConfig } = onlyOf(PROD, 'AWS::Route53::HealthCheck');
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

  test('has its alarm in us-east-1, where the metrics of Route 53 are, wherever the stage is', () => {
    const { region, template } = outsideOf(PROD);
    expect(region).toBe('us-east-1');
    const [id] = Object.keys(template).filter((key) => template[key]?.Type === 'AWS::Route53::HealthCheck');
    expect(alarmsIn(template)).toEqual([
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

  test('calls whom the stage’s alarms call, by a topic of its own', () => {
    const { template } = outsideOf(PROD);
    const [topic] = Object.keys(template).filter((id) => template[id]?.Type === 'AWS::SNS::Topic');
    expect(alarmsIn(template)).toEqual([
      expect.objectContaining({ AlarmActions: [{ Ref: topic }], OKActions: [{ Ref: topic }] }),
    ]);
    expect(onlyOf(PROD, 'AWS::SNS::Subscription')).toEqual({
      Protocol: 'email',
      Endpoint: 'oncall@example.com',
      TopicArn: { Ref: topic },
    });
    const { Statement } = onlyOf(PROD, 'AWS::SNS::TopicPolicy').PolicyDocument;
    expect(JSON.stringify(Statement)).toContain('us-east-1:123456789012:alarm:payments-prod-*');
  });

  test.each([
    { topicArn: 'arn:aws:sns:us-east-1:123456789012:on-call' },
    { topicArn: 'arn:aws:sns:eu-west-1:123456789012:x', outsideTopicArn: 'arn:aws:sns:us-east-1:123456789012:on-call' },
  ])('calls a topic of the operator’s in that region: %j', (alarms) => {
    const { template } = outsideOf({ ...PROD, alarms });
    expect(resources(template, 'AWS::SNS::Topic')).toEqual([]);
    expect(alarmsIn(template)[0]).toMatchObject({ AlarmActions: ['arn:aws:sns:us-east-1:123456789012:on-call'] });
  });

  test('is refused at synth where the operator’s topic is in another region alone', () => {
    const { stage: _, ...settings } = PROD;
    const alarms = { topicArn: 'arn:aws:sns:eu-west-1:123456789012:on-call' };
    const domain = { ...DOMAIN };
    expect(() => readStageSettings('prod', { prod: { ...settings, domain, alarms } })).toThrow(
      'alarms.outsideTopicArn must be a topic in us-east-1, where the check of the domain from outside has its alarm.',
    );
    expect(() => readStageSettings('prod', { prod: { ...settings, domain: undefined, alarms } })).not.toThrow();
  });

  test('is a stack of its own that takes nothing from the others, for a stage with a domain only', () => {
    const outsideIn = (settings: StageSettings) => addStage(folder.newApp(), settings, () => folder.code).outside;
    expect(outsideIn(PROD)?.stackName).toBe('payments-prod-outside');
    expect(JSON.stringify(outsideOf(PROD).template)).not.toContain('Fn::ImportValue');
    expect(outsideIn({ ...PROD, domain: undefined })).toBeUndefined();
  });
});

describe('the certificate of the API’s own name', () => {
  test('has an alarm a month before its end, since checks of Route 53 look at no certificate', () => {
    const about = alarmsIn(folder.synthesize(PROD)).filter(({ AlarmName }) =>
      AlarmName.endsWith('certificate-expires'),
    );
    expect(about).toEqual([
      expect.objectContaining({
        Namespace: 'AWS/CertificateManager',
        MetricName: 'DaysToExpiry',
        Dimensions: [{ Name: 'CertificateArn', Value: DOMAIN.certificateArn }],
        ComparisonOperator: 'LessThanThreshold',
        Threshold: 30,
        Period: 86_400,
      }),
    ]);
    expect(alarmsIn(folder.synthesize({ ...PROD, domain: undefined })).map(({ AlarmName }) => AlarmName)).not.toContain(
      'payments-prod-certificate-expires',
    );
  });
});

test('the first deployment says what the check needs: a second region prepared, and a second mail confirmed', () => {
  const page = readFileSync('docs/operating/first-deployment.md', 'utf8');
  expect(page).toContain('aws://$(aws sts get-caller-identity --query Account --output text)/us-east-1');
  expect(page).toContain('`payments-prod-outside`');
});
