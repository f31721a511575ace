import { llmsText } from '#infra/openapi/published/llms.ts';
import { publicDeps } from '#shared/composition/public.ts';
import { contactWords } from '#shared/domain/kernel/contact.ts';
import { readEnv } from '#shared/env/kernel.ts';
import { publishedEnv } from '#shared/env/published.ts';
import { filledApi, type PublishedDeps, type Template } from '#shared/http/published.ts';

/** Serves the guide and the list of endpoints as plain text, for language models and for people at a terminal. */
export const serveLlmsTxtHandler = (deps: PublishedDeps & { text: () => Omit<Template, 'type'> }) =>
  filledApi(deps, () => ({ type: 'text/plain; charset=utf-8', ...deps.text() }));

const env = readEnv(publishedEnv, process.env);
export const handler = serveLlmsTxtHandler({ ...publicDeps(env), contact: contactWords(env.CONTACT), text: llmsText });
