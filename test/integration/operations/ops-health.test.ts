import { startFaultProxy } from '#test/support/emulators/fault-proxy.ts';
import { runOpsAsJson, runOpsAsText } from '#test/support/worlds/operations.ts';
import { makeWorld } from '#test/support/worlds/world.ts';

describe('ops health', () => {
  test('checks each part of the stage', async () => {
    const world = await makeWorld();
    const probes = { ...world.deps.probes, 'queue first': async () => {} };
    const stage = { ...world.deps, probes, operator: async () => 'amaka' };
    expect(await runOpsAsJson(stage, 'health')).toEqual({
      parts: [
        { part: 'table', state: 'ok' },
        { part: 'queue first', state: 'ok' },
      ],
      stuck_notifications: 0,
    });
    expect(await runOpsAsText(stage, 'health')).not.toContain('stuck');
    const notifications = { ...world.deps.notifications, countStuck: async () => 3 };
    expect(await runOpsAsText({ ...stage, notifications }, 'health')).toContain('Stuck notifications: 3.');
    expect(await runOpsAsText(stage, 'health')).toMatch(/^ {2}table +ok$/m);
  });

  test('fails, and names the parts that do not answer', async () => {
    const proxy = await startFaultProxy(process.env.AWS_ENDPOINT_URL_DYNAMODB ?? '');
    const world = await makeWorld({ dynamoDbEndpoint: proxy.endpoint });
    proxy.inject(() => ({ status: 400, body: { __type: 'ResourceNotFoundException' } }));
    await expect(runOpsAsJson({ ...world.deps, operator: async () => 'amaka' }, 'health')).rejects.toThrow(
      'Not every part of the stage answers. table: no answer (ResourceNotFoundException).',
    );
    await proxy.stop();
  });
});
