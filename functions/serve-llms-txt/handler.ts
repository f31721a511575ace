import { llmsText } from '#infra/openapi/published/llms.ts';
import { chainDeps } from '#shared/api/compose-chain.ts';
import { publishedEnv } from '#shared/api/env-published.ts';
import { type PublishedDeps, type Template, templateApi } from '#shared/api/published.ts';
import { readEnv } from '#shared/platform/env.ts';
import { contactWords } from '#shared/platform/kernel/contact.ts';

/** Serves the guide and the list of endpoints as plain text, for language models and for people at a terminal. */
export const serveLlmsTxtHandler = (deps: PublishedDeps & { text: () => Omit<Template, 'type'> }) =>
  templateApi(deps, () => ({ type: 'text/plain; charset=utf-8', ...deps.text() }));

const env = readEnv(publishedEnv, process.env);
export const handler = serveLlmsTxtHandler({ ...chainDeps(env), contact: contactWords(env.CONTACT), text: llmsText });
