import { documentYaml } from '#infra/openapi/published/yaml.ts';
import { chainDeps } from '#shared/api/compose-chain.ts';
import { publishedEnv } from '#shared/api/env-published.ts';
import { type PublishedDeps, type Template, templateApi } from '#shared/api/published.ts';
import { readEnv } from '#shared/platform/env.ts';
import { contactEntry } from '#shared/platform/kernel/contact.ts';

/** Serves the API document as YAML. In it, `servers` holds the address that was called, and `contact` the stage's contact. */
export const serveOpenapiYamlHandler = (deps: PublishedDeps & { document: () => Omit<Template, 'type'> }) =>
  templateApi(deps, () => ({ type: 'application/yaml; charset=utf-8', ...deps.document() }));

const env = readEnv(publishedEnv, process.env);
export const handler = serveOpenapiYamlHandler({
  ...chainDeps(env),
  // JSON is valid YAML. YAML needs the space between `contact:` and its value.
  contact: ` ${JSON.stringify(contactEntry(env.CONTACT))}`,
  document: documentYaml,
});
