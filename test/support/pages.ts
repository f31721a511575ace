import { readdirSync } from 'node:fs';
import { join } from 'node:path';

const DOCS = 'docs';
const MARKDOWN = /\.md$/;

/** Every page of the documentation, and the pages at the top of the repository. */
export const PAGES = [
  ...readdirSync('.').filter((name) => MARKDOWN.test(name)),
  ...readdirSync(DOCS, { recursive: true, encoding: 'utf8' })
    .filter((name) => MARKDOWN.test(name))
    .map((name) => join(DOCS, name)),
].sort();
