import { readdirSync } from 'node:fs';
import { join } from 'node:path';

const DOCS = 'docs';
const MARKDOWN = /\.md$/;

/** Every document under docs/, and those at the top of the repository. */
export const DOCUMENTS = [
  ...readdirSync('.').filter((name) => MARKDOWN.test(name)),
  ...readdirSync(DOCS, { recursive: true, encoding: 'utf8' })
    .filter((name) => MARKDOWN.test(name))
    .map((name) => join(DOCS, name)),
].sort();
