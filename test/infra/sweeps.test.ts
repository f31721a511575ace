import { addStage } from '#infra/stacks/payments-app.ts';
import { listResources, openTemplateFolder } from '#test/support/alarms/watch-template.ts';
import { makeDeployableStage } from '#test/support/deployable-stage.ts';

const folder = openTemplateFolder();
afterAll(folder.remove);

/** Reads the inputs of all schedules, by the name of the function that they call. */
const readInputs = (sweeps: number): ReadonlyMap<string, readonly unknown[]> => {
  const settings = makeDeployableStage('dev');
  const { app, api } = {
    ...addStage(folder.newApp(), { ...settings, concurrency: { ...settings.concurrency, sweeps } }, () => folder.code),
  };
  const template = app.synth().getStackByName(api.stackName).template.Resources;
  const schedules = listResources(template, 'AWS::Events::Rule').map(({ Properties }) => {
    const [{ Arn, Input }] = Properties.Targets;
    return { name: String(template[Arn['Fn::GetAtt'][0]].Properties.FunctionName), input: Input && JSON.parse(Input) };
  });
  return new Map(
    [...Map.groupBy(schedules, ({ name }) => name)].map(([name, all]) => [name, all.map(({ input }) => input)]),
  );
};

test('each sweep starts as many runs per minute as its stage says, and each run gets its share', () => {
  const shares = [0, 1, 2].map((part) => ({ part, parts: 3 }));
  expect(readInputs(3)).toEqual(
    new Map([
      ['payments-dev-sweep-deliveries', shares],
      ['payments-dev-sweep-payments', shares],
    ]),
  );
});

test('a single run of a sweep gets no share', () => {
  expect([...readInputs(1).values()]).toEqual([[undefined], [undefined]]);
});
