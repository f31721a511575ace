import { readFileSync } from 'node:fs';
import { addStage } from '#infra/stacks/payments-app.ts';
import { listResources, openTemplateFolder, type Template } from '#test/support/alarms/watch-template.ts';
import { makeDeployableStage } from '#test/support/deployable-stage.ts';
import { describeRows, isFirst } from '#test/support/jest/long.ts';

const folder = openTemplateFolder();
afterAll(folder.remove);

interface Statement {
  readonly Effect: string;
  readonly Principal?: { readonly Service?: string };
  readonly Action: unknown;
  readonly Condition?: unknown;
}
const findStatementsForSes = (statements: readonly Statement[]): Statement[] =>
  statements.filter(({ Principal }) => JSON.stringify(Principal ?? '').includes('ses.amazonaws.com'));

/** The alarm topic of prod is encrypted with its own key. The topic of dev has no key. */
describeRows('stage %s', ['prod', 'dev'], isFirst, (stage) => {
  const { app, watch, dashboard } = addStage(folder.newApp(), makeDeployableStage(stage), () => folder.code);
  const assembly = app.synth();
  const findTemplate = (name = ''): Template => assembly.getStackByName(name).template.Resources;
  const watching = findTemplate(watch.stackName);
  const topic = Object.keys(watching).find((id) => watching[id]?.Type === 'AWS::SNS::Topic');

  test('sends its mails with its own configuration set, which both senders name', () => {
    const template = findTemplate(dashboard?.stackName);
    const sets = listResources(template, 'AWS::SES::ConfigurationSet');
    expect(sets.map(({ Properties }) => Properties.Name)).toEqual([`payments-${stage}-mail`]);
    const id = Object.keys(template).find((key) => template[key] === sets[0]);
    const named = listResources(template, 'AWS::Lambda::Function').flatMap(({ Properties }) => {
      const { MAIL_CONFIGURATION_SET } = Properties.Environment.Variables;
      return MAIL_CONFIGURATION_SET === undefined ? [] : [[Properties.FunctionName, MAIL_CONFIGURATION_SET]];
    });
    expect(named).toEqual(['send-mail', 'send-notices'].map((name) => [`payments-${stage}-${name}`, { Ref: id }]));
  });

  test('sends bounces and complaints to the topic of its alarms, after the configuration set was created', () => {
    const [destination, ...others] = listResources(watching, 'AWS::SES::ConfigurationSetEventDestination');
    expect(others).toEqual([]);
    expect(destination?.Properties).toMatchObject({
      ConfigurationSetName: `payments-${stage}-mail`,
      EventDestination: {
        Enabled: true,
        MatchingEventTypes: ['bounce', 'complaint'],
        SnsDestination: { TopicARN: { Ref: topic } },
      },
    });
    expect(watch.dependencies).toContain(dashboard);
  });

  test('lets SES publish to the topic only for this configuration set, before the topic becomes its destination', () => {
    const [id, policy] = Object.entries(watching).find(([, { Type }]) => Type === 'AWS::SNS::TopicPolicy') ?? [];
    const [allowed, ...others] = findStatementsForSes(policy?.Properties.PolicyDocument.Statement);
    expect(others).toEqual([]);
    expect(allowed).toMatchObject({ Effect: 'Allow', Action: 'sns:Publish' });
    const condition = JSON.stringify(allowed?.Condition);
    expect(condition).toContain('AWS:SourceAccount');
    expect(condition).toContain(`:configuration-set/payments-${stage}-mail"`);
    const [destination] = listResources(watching, 'AWS::SES::ConfigurationSetEventDestination');
    expect((destination as { DependsOn?: string[] }).DependsOn).toContain(id);
    for (const key of listResources(watching, 'AWS::KMS::Key')) {
      expect(findStatementsForSes(key.Properties.KeyPolicy.Statement)).toEqual([
        expect.objectContaining({ Effect: 'Allow', Action: ['kms:Decrypt', 'kms:GenerateDataKey'] }),
      ]);
    }
  });
});

test('a stage without mail sends no bounces and complaints to its topic', () => {
  const { mail: _, ...without } = makeDeployableStage('prod');
  const template = folder.synthesize(without);
  expect(listResources(template, 'AWS::SES::ConfigurationSetEventDestination')).toEqual([]);
});

test('the runbook has a section on returned mails, and the first deployment has the permission for an operator’s own topic', () => {
  expect(readFileSync('docs/operating/runbook.md', 'utf8')).toContain('## A mail came back');
  expect(readFileSync('docs/operating/first-deployment.md', 'utf8')).toContain('"Service": "ses.amazonaws.com"');
});
