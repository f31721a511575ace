import { join } from 'node:path';
import { type BuildOptions, build } from 'esbuild';
import { BUNDLE, type BuiltFunctions, buildFunctions } from '#infra/build/build-functions.ts';
import { knowsProviders } from '#infra/constructs/environment.ts';
import type { FunctionSpec, QueueAction } from '#infra/function-spec.ts';
import { FUNCTIONS } from '#infra/functions.ts';
import { rightsOf, type TableAction } from '#infra/table-rights.ts';

/** The document client's commands behind a table action of the manifest; writes also go through transactions. */
const COMMANDS: Record<TableAction, readonly string[]> = {
  GetItem: ['GetCommand'],
  BatchGetItem: ['BatchGetCommand'],
  Query: ['QueryCommand'],
  'Query gsi1': ['QueryCommand'],
  'Query gsi2': ['QueryCommand'],
  'Query gsi3': ['QueryCommand'],
  PutItem: ['PutCommand', 'TransactWriteCommand'],
  UpdateItem: ['UpdateCommand'],
  DeleteItem: ['DeleteCommand'],
  ConditionCheckItem: ['TransactWriteCommand'],
};
const QUEUE_COMMANDS: Record<QueueAction, string> = {
  SendMessage: 'SendMessageBatchCommand',
};

/** The source of a bare function: the same SDK clients and a handler that only sends their commands. */
const bareSource = (spec: FunctionSpec): string => {
  const commands = [...new Set(rightsOf(spec).flatMap(([action]) => COMMANDS[action]))];
  const lines: string[] = [];
  const calls: string[] = [];
  if (commands.length > 0) {
    lines.push(
      `import { DynamoDBClient } from '@aws-sdk/client-dynamodb';`,
      `import { DynamoDBDocumentClient, ${commands.join(', ')} } from '@aws-sdk/lib-dynamodb';`,
      `const table = DynamoDBDocumentClient.from(new DynamoDBClient({ maxAttempts: 3 }));`,
    );
    calls.push(...commands.map((command) => `await table.send(new ${command}(event.${command}));`));
  }
  if (spec.queue.length > 0) {
    const names = spec.queue.map((action) => QUEUE_COMMANDS[action]);
    lines.push(
      `import { SQSClient, ${names.join(', ')} } from '@aws-sdk/client-sqs';`,
      `const queue = new SQSClient({ maxAttempts: 2 });`,
    );
    calls.push(...names.map((command) => `await queue.send(new ${command}(event.${command}));`));
  }
  if (knowsProviders(spec)) {
    lines.push(
      `import { GetSecretValueCommand, SecretsManagerClient } from '@aws-sdk/client-secrets-manager';`,
      `const secrets = new SecretsManagerClient({ maxAttempts: 2 });`,
    );
    calls.push('await secrets.send(new GetSecretValueCommand(event.secret));');
  }
  return [...lines, `export const handler = async (event) => { ${calls.join(' ')} return { statusCode: 200 }; };`].join(
    '\n',
  );
};

export interface Bundles {
  readonly ours: BuiltFunctions;
  readonly fileOf: (name: string) => string;
  /** The bare function with the same calls, bundled with esbuild's documented settings. */
  readonly bare: BareFunctions;
  /** The same, bundled with our settings: without what the SDK never loads on Lambda. */
  readonly trimmed: BareFunctions;
}

interface BareFunctions {
  readonly fileOf: (name: string) => string;
  readonly bytesOf: (name: string) => number;
}

/** Bundles a function with the SDK as esbuild's documentation on Node shows it, for the same Node version and minified. */
const AS_ANYBODY_WOULD = {
  bundle: true,
  minify: true,
  platform: BUNDLE.platform,
  target: BUNDLE.target,
} satisfies BuildOptions;

const buildBare = async (outDir: string, options: BuildOptions): Promise<BareFunctions> => {
  const bytes = new Map<string, number>();
  const fileOf = (name: string): string => join(outDir, `${name}.js`);
  await Promise.all(
    FUNCTIONS.map(async (spec) => {
      const { metafile } = await build({
        ...options,
        stdin: { contents: bareSource(spec), resolveDir: BUNDLE.absWorkingDir, loader: 'js' },
        outfile: fileOf(spec.name),
        metafile: true,
      });
      bytes.set(spec.name, Object.values(metafile.outputs)[0]?.bytes ?? Number.NaN);
    }),
  );
  return { fileOf, bytesOf: (name) => bytes.get(name) ?? Number.NaN };
};

/** Builds every function as it is shipped, and the bare ones beside it. */
export const buildBundles = async (outDir: string): Promise<Bundles> => {
  const ours = await buildFunctions(join(outDir, 'ours'));
  return {
    ours,
    fileOf: (name) => join(ours.folderOf(name), 'index.js'),
    bare: await buildBare(join(outDir, 'bare'), AS_ANYBODY_WOULD),
    trimmed: await buildBare(join(outDir, 'trimmed'), BUNDLE),
  };
};
