import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { findQuietPort } from '#test/support/emulators/quiet-port.ts';
import { longTest } from '#test/support/jest/long.ts';
import { eventually } from '#test/support/worlds/merchant.ts';

/*
 * Plays the commands of README.md and of the walk-through from top to bottom, like a reader with two terminals: one terminal has the
 * stack, and the other one has the commands. Bash runs every command without its own check below, so a new block is played without a change here.
 */

const run = promisify(execFile);
const ADDRESS = 'http://127.0.0.1:3000';
const DYNAMODB_LOCAL = 'http://127.0.0.1:8000';

/** Lists the content of each block of a language, without the fences. */
const blocks = (text: string, language: string): string[] =>
  [...text.matchAll(/^```(\w*)\n([\s\S]*?)^```$/gm)].flatMap(([, name, block = '']) =>
    name === language ? [block] : [],
  );

/** A command that starts a stack, and the commands that follow in the other terminal. */
interface Scene {
  readonly start: string;
  readonly commands: string;
}

const isStart = (line: string): boolean => /\bnpm start\b/.test(line);

/** Lines that bash cannot run here, each with its check. */
const CHECKED: readonly (readonly [line: RegExp, check: (line: string, text: string) => void])[] = [
  [/^npm ci && npm test\b/, () => {}],
  // This needs docker and a download, so the test only checks that the next line gives this address to the stack.
  [
    /^docker run /,
    (line, text) => {
      expect(line).toMatch(/^docker run -p 127\.0\.0\.1:8000:8000 amazon\/dynamodb-local$/);
      expect(text).toContain(`DYNAMODB_ENDPOINT=${DYNAMODB_LOCAL} npm start`);
    },
  ],
  // The test sets the address and the key of its own stack.
  [/^URL=\S+ KEY=sk_test_…/, (line) => expect(line).toContain(`URL=${ADDRESS} `)],
];

const listScenes = (text: string): Scene[] => {
  const scenes: { start: string; commands: string }[] = [];
  for (const line of blocks(text, 'sh').join('').split('\n')) {
    const check = CHECKED.find(([pattern]) => pattern.test(line))?.[1];
    if (check) check(line, text);
    else if (isStart(line)) scenes.push({ start: line.replace('npm ci && ', ''), commands: '' });
    else if (line !== '') {
      const scene = scenes.at(-1);
      if (!scene) throw new Error(`No stack runs yet for: ${line}`);
      scene.commands += `${line}\n`;
    }
  }
  return scenes;
};

/** A stack that a line of the document started, in its own process group. */
interface RunningStack {
  readonly baseUrl: string;
  readonly output: string;
  stop(): Promise<void>;
}

const startAs = async (line: string, dataDir: string): Promise<RunningStack> => {
  const { AWS_ENDPOINT_URL_DYNAMODB: table = '', AWS_ENDPOINT_URL_SQS: _, ...inherited } = process.env;
  const port = await findQuietPort();
  // The DynamoDB emulator of this test file replaces DynamoDB Local: both run outside the stack.
  const child: ChildProcess = spawn('sh', ['-c', line.replace(DYNAMODB_LOCAL, table)], {
    env: { ...inherited, PORT: String(port), DATA_DIR: dataDir },
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  });
  const closed = new Promise((resolve) => child.once('close', resolve));
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream?.on('data', (chunk: Buffer) => {
      output += chunk.toString();
    });
  }
  const stop = async (): Promise<void> => {
    if (child.exitCode === null && child.pid !== undefined) process.kill(-child.pid, 'SIGINT');
    await closed;
  };
  try {
    await eventually(`"${line}" is ready`, () => {
      if (child.exitCode !== null) throw new Error(output);
      // The welcome ends with the commands to paste.
      return /^Ready on [\s\S]*\/verify\/\$REF/m.test(output);
    });
  } catch (error) {
    await stop();
    throw error;
  }
  return { baseUrl: `http://127.0.0.1:${port}`, output, stop };
};

/** Runs pasted commands with the address and the key of the stack. Returns their output. */
const paste = async ({ baseUrl, output }: RunningStack, commands: string): Promise<string> => {
  const [, key = ''] = /Secret key +(sk_test_\S+)/.exec(output) ?? [];
  const shell = run('bash', ['-s']);
  shell.child.stdin?.end(`set -e\nURL=${baseUrl} KEY=${key}\n${commands}`);
  const { stdout, stderr } = await shell;
  expect(stderr).toBe('');
  return stdout;
};

/** Replaces everything that differs between two runs by a star. */
const maskRandom = (text: string, baseUrl = ADDRESS): string =>
  text
    .replaceAll(baseUrl, '')
    .replace(/\b(va|pay|evt|whe|biz)_[0-9A-Z]+/g, '$1_*')
    .replace(/PAY-[0-9A-Z]{20}(\.[\w-]+)?/g, (_, tag) => (tag ? 'PAY-*.*' : 'PAY-*'))
    .replace(/"\d{10}"/g, '"*"')
    .replace(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, '*');

/** Lists the fields with simple values, such as `"paid":true`. */
const listFields = (text: string): string[] => text.match(/"\w+":("[^"]*"|[\d.]+|true|false|null)/g) ?? [];

describe.each(['README.md', 'docs/concepts/walkthrough.md'])('the commands of %s', (path) => {
  let text: string;
  let scenes: Scene[];
  /** The paths that the document opens in a browser. */
  let addresses: string[];
  let dataDir: string;
  const printed: string[] = [];

  beforeAll(async () => {
    [text, dataDir] = await Promise.all([readFile(path, 'utf8'), mkdtemp(join(tmpdir(), 'payments-document-'))]);
    scenes = listScenes(text);
    addresses = [...text.matchAll(/<http:\/\/127\.0\.0\.1:3000(\/[^>]*)>/g)].map(([, at = '']) => at);
    expect(addresses).toContain('/_local/inbox');
  });
  afterAll(() => rm(dataDir, { recursive: true, force: true }));

  /** Plays a scene. Returns its output after `maskRandom`. */
  const play = async ({ start, commands }: Scene): Promise<string> => {
    const stack = await startAs(start, dataDir);
    try {
      for (const path of ['/health', ...addresses]) {
        expect([path, (await fetch(stack.baseUrl + path)).status]).toEqual([path, 200]);
      }
      const output = commands === '' ? '' : await paste(stack, commands);
      expect(output).not.toContain('"status":false');
      return maskRandom(output, stack.baseUrl);
    } finally {
      await stack.stop();
    }
  };

  test('run, and have the answers that the document shows', async () => {
    const played = path === 'README.md' ? scenes : scenes.slice(0, 1);
    for (const scene of played) printed.push(await play(scene));
    const output = printed.join('\n');
    const answers = output.split('\n').filter((line) => line.startsWith('{'));
    expect(answers.length).toBeGreaterThanOrEqual(3);

    const shortened = blocks(text, '').filter((block) => block.startsWith('{'));
    for (const field of listFields(maskRandom(shortened.join('\n')))) expect(output).toContain(field);
    const whole = blocks(text, 'json').map((block) => JSON.stringify(JSON.parse(maskRandom(block))));
    for (const answer of whole) expect(answers).toContain(answer);
    expect(shortened.length + whole.length).toBeGreaterThanOrEqual(2);
  });

  if (path !== 'README.md') {
    longTest('run on every other stack that the document starts', async () => {
      expect(scenes.length).toBeGreaterThan(3);
      for (const scene of scenes.slice(1)) await play(scene);
    });
  }
});
