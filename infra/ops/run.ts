import { stripVTControlCharacters } from 'node:util';
import type { Command } from 'commander';
import { OperatorError } from '#infra/ops/operator-error.ts';
import { visible } from './colours.ts';
import type { Ask } from './confirm.ts';
import { LOCAL, type Stage, stageFailure } from './connect.ts';
import { type Answer, COMMAND } from './output.ts';
import { asOperatorError } from './refused.ts';

/** What commands need: a way to connect to a stage, a person to ask, and places for the output. */
export interface CommandContext {
  readonly connect: (stage: string) => Stage | Promise<Stage>;
  /** Undefined without a terminal. */
  readonly ask?: Ask | undefined;
  /** Whether answers are shown in colours. */
  readonly colours?: boolean;
  /** Answers and help that was asked for. */
  readonly out: (text: string) => void;
  /** Progress, and help that was not asked for. */
  readonly err: (text: string) => void;
}

/** What a command does on a stage. It reports its progress line by line. */
export type Work = (stage: Stage, report: (progress: string) => void) => Promise<Answer>;
/** The question before a dangerous command: a sentence that names what will happen, with a question mark. */
export type Question = (stage: Stage) => string | Promise<string>;

/** Does a command's work on the stage of its options, after a yes if there is a question, and prints the answer. */
export type Run = (command: Command, work: Work, question?: Question) => Promise<void>;

/** What a command does that may do without a stage. It gets the stage's name, and connects it if it needs it. */
export type WorkApart = (
  place: { readonly stage: string; readonly connect: () => Promise<Stage> },
  report: (progress: string) => void,
) => Promise<Answer>;
/** Does such work, asking nothing, and prints the answer. */
export type RunApart = (command: Command, work: WorkApart) => Promise<void>;

interface Options {
  readonly stage: string;
  readonly json?: true;
  readonly yes?: true;
}

const formatCommandName = (command: Command): string => `${command.parent?.name() ?? ''} ${command.name()}`;

/** Prints an answer. @throws OperatorError for one that says what has failed. */
const print = ({ colours = false, out }: CommandContext, { stage, json }: Options, answer: Answer): void => {
  const answerText = colours ? answer.text : stripVTControlCharacters(answer.text);
  // What is printed to be pasted next is for the same stage.
  const text = stage === LOCAL ? answerText : answerText.replaceAll(COMMAND, `${COMMAND} --stage ${stage}`);
  out(`${json ? JSON.stringify(answer.json) : text}\n`);
  if (answer.failure !== undefined) throw new OperatorError(answer.failure);
};

/** How a command runs that may do without a stage. */
export const runApartWith =
  (context: CommandContext): RunApart =>
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

/** How every other command of the program runs. */
export const runWith =
  (context: CommandContext): Run =>
  async (command, work, question) => {
    const { connect, ask, err } = context;
    const options = command.optsWithGlobals<Options>();
    const { stage: name, json, yes } = options;
    // The local stack holds nothing of value, and scripts and tests use it without a person to answer.
    const confirmation = yes || name === LOCAL ? undefined : question;
    if (confirmation && (json || !ask)) {
      const what = `"${formatCommandName(command)}" on stage "${name}"`;
      command.error(
        `error: ${what} asks for confirmation first, and there is no terminal to answer on. Add --yes to do it without being asked.`,
      );
    }
    try {
      const stage = await connect(name);
      if (confirmation && !(await ask?.(`Stage ${name}: ${visible(await confirmation(stage))}`))) {
        throw new OperatorError('Nothing was done, because the answer was not yes.');
      }
      print(context, options, await work(stage, (progress) => json || err(`${progress}\n`)));
    } catch (error) {
      throw stageFailure(name, error);
    }
  };
