import type { Engine } from '#infra/local/dynamodb-engine.ts';

/** Jest's global tear-down. */
export default async (): Promise<void> => {
  const { testEngines = [] } = globalThis as unknown as { testEngines?: Engine[] };
  await Promise.all(testEngines.map((engine) => engine.stop()));
};
