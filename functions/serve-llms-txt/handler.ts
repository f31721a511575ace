import { llmsText } from '#infra/openapi/published/llms.ts';
import { stackDeps } from '#shared/api/compose-stack.ts';
import { publishedEnv } from '#shared/api/env-published.ts';
import { filledApi, type PublishedDeps, type Template } from '#shared/api/published.ts';
import { readEnv } from '#shared/platform/env.ts';
import { contactWords } from '#shared/platform/kernel/contact.ts';

/** Serves the guide and the list of endpoints as plain text, for language models and for people at a terminal. */
export const serveLlmsTxtHandler = (deps: PublishedDeps & { text: () => Omit<Template, 'type'> }) =>
  filledApi(deps, () => ({ type: 'text/plain; charset=utf-8', ...deps.text() }));

const env = readEnv(publishedEnv, process.env);
export const handler = serveLlmsTxtHandler({ ...stackDeps(env), contact: contactWords(env.CONTACT), text: llmsText });
