import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { run, TOOLS } from './generated-client.ts';

/* Runs openapi-generator: a jar that Maven downloads, pinned by a folder's pom.xml. */

/** Makes the class path of a pom.xml. Maven downloads the jars into its own cache. */
export const classPath = async (pom: string, folder: string): Promise<string> => {
  const file = join(folder, 'class-path.txt');
  await run('mvn', ['-q', '-B', '-f', pom, 'dependency:build-classpath', `-Dmdep.outputFile=${file}`]);
  return readFile(file, 'utf8');
};

/** The option that generates only models and calls: no tests and no documents. */
const LEAN = 'apiTests=false,modelTests=false,apiDocs=false,modelDocs=false';

/** Generates a client of a document in a language. */
export const generate = async (
  language: 'go' | 'php' | 'java',
  document: string,
  output: string,
  options: readonly string[],
): Promise<void> => {
  const jar = await classPath(join(TOOLS, 'generator/pom.xml'), join(document, '..'));
  const args = ['generate', '-g', language, '-i', document, '-o', output, '--global-property', LEAN];
  await run('java', ['-cp', jar, 'org.openapitools.codegen.OpenAPIGenerator', ...args, ...options]);
};
