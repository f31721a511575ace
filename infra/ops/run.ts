import { stripVTControlCharacters } from 'node:util';
import type { Command } from 'commander';
import { OperatorError } from '#infra/ops/operator-error.ts';
import { escapeHidden } from './colours.ts';
import type { Ask } from './confirm.ts';
import { LOCAL, type Stage, stageFailure } from './connect.ts';
import { asOperatorError } from './operator-messages.ts';
import { type Answer, COMMAND } from './output.ts';

/** The surroundings of commands: a way to connect to a stage, a person to ask, and outputs. */
export interface CommandContext {
  readonly connect: (stage: string) => Stage | Promise<Stage>;
  /** Asks a person; undefined without a terminal. */
  readonly ask?: Ask | undefined;
  /** Whether answers are shown in colours. */
  readonly colours?: boolean;
  /** Prints answers, and help after `--help`. */
  readonly out: (text: string) => void;
  /** Prints progress, and help after wrong usage. */
  readonly err: (text: string) => void;
}

/** The work of a command on a stage. It reports its progress line by line. */
export type Work = (stage: Stage, report: (progress: string) => void) => Promise<Answer>;
/** The question before a dangerous command, which says what will happen. */
export type Question = (stage: Stage) => string | Promise<string>;

/** Does a command's work on the chosen stage and prints the answer. If there is a question, it asks first, but not on the local stack or with `--yes`. */
export type Run = (command: Command, work: Work, question?: Question) => Promise<void>;

/** The work of a command that may not need a stage. It gets the stage's name, and connects to it if needed. */
export type WorkWithoutStage = (
  place: { readonly stage: string; readonly connect: () => Promise<Stage> },
  report: (progress: string) => void,
) => Promise<Answer>;
/** Does a command's `WorkWithoutStage`, without a question, and prints the answer. */
export type RunWithoutStage = (command: Command, work: WorkWithoutStage) => Promise<void>;

interface Options {
  readonly stage: string;
  readonly json?: true;
  readonly yes?: true;
}

const formatCommandName = (command: Command): string => `${command.parent?.name() ?? ''} ${command.name()}`;

/** Prints an answer. @throws OperatorError if the answer has a `failure`. */
const print = ({ colours = false, out }: CommandContext, { stage, json }: Options, answer: Answer): void => {
  const answerText = colours ? answer.text : stripVTControlCharacters(answer.text);
  // Commands to paste must name the same stage.
  const text = stage === LOCAL ? answerText : answerText.replaceAll(COMMAND, `${COMMAND} --stage ${stage}`);
  out(`${json ? JSON.stringify(answer.json) : text}\n`);
  if (answer.failure !== undefined) throw new OperatorError(answer.failure);
};

/** Makes the function that runs commands that may not need a stage. */
export const runWithoutStageWith =
  (context: CommandContext): RunWithoutStage =>
  async (command, work) => {
    const options = command.optsWithGlobals<Options>();
    const { stage, json } = options;
    try {
      const place = { stage, connect: async () => context.connect(stage) };
      print(context, options, await work(place, (progress) => json || context.err(`${progress}\n`)));
    } catch (error) {
      throw stage === LOCAL ? asOperatorError(error) : stageFailure(stage, error);
    }
  };

/** Makes the function that runs commands on a stage. */
export const runWith =
  (context: CommandContext): Run =>
  async (command, work, question) => {
    const { connect, ask, err } = context;
    const options = command.optsWithGlobals<Options>();
    const { stage: name, json, yes } = options;
    // The local stack has no valuable data, and scripts and tests use it without a person.
    const confirmation = yes || name === LOCAL ? undefined : question;
    if (confirmation && (json || !ask)) {
      const commandText = `"${formatCommandName(command)}" on stage "${name}"`;
      command.error(
        `error: ${commandText} asks for confirmation, but there is no terminal to answer on. Add --yes to run it without a question.`,
      );
    }
    try {
      const stage = await connect(name);
      if (confirmation && !(await ask?.(`Stage ${name}: ${escapeHidden(await confirmation(stage))}`))) {
        throw new OperatorError('Nothing was done, because the answer was not yes.');
      }
      print(context, options, await work(stage, (progress) => json || err(`${progress}\n`)));
    } catch (error) {
      throw stageFailure(name, error);
    }
  };
