import { createRequire } from 'node:module';
import { escapeHtml } from '#shared/pages/html.ts';

/** What the page uses of its highlighter. It is loaded by `require`, because its types bring the names of browsers into every file. */
interface Highlighter {
  readonly registerLanguage: (name: string, language: unknown) => void;
  readonly highlight: (code: string, options: { language: string }) => { value: string };
}

const LANGUAGES = ['bash', 'go', 'java', 'javascript', 'json', 'php', 'python'] as const;

const require = createRequire(import.meta.url);
const hljs: Highlighter = require('highlight.js/lib/core');
for (const name of LANGUAGES) hljs.registerLanguage(name, require(`highlight.js/lib/languages/${name}`));

/** What a fence may name a language, with the highlighter's name and the one that people read. */
const NAMES: Readonly<Record<string, readonly [(typeof LANGUAGES)[number], string]>> = {
  sh: ['bash', 'Shell'],
  js: ['javascript', 'Node'],
  json: ['json', 'JSON'],
  go: ['go', 'Go'],
  java: ['java', 'Java'],
  php: ['php', 'PHP'],
  python: ['python', 'Python'],
};

/** The highlighter's classes that have a colour, by the one letter that the page has for each: there are thousands of them. */
const CLASSES: readonly (readonly [RegExp, string])[] = [
  [/string|regexp|char/, 's'],
  [/number|literal/, 'n'],
  [/keyword|built_in|meta/, 'k'],
  [/attr|property|variable/, 'a'],
  [/comment/, 'c'],
  [/title|function/, 'f'],
];

const shortened = (html: string): string =>
  html.replaceAll(/<span class="hljs-([^"]+)">/g, (_, name: string) => {
    const letter = CLASSES.find(([pattern]) => pattern.test(name))?.[1];
    return letter ? `<span class="${letter}">` : '<span>';
  });

/** Code with its colours, as HTML. Text of a language that is not known stays plain. */
const coloured = (code: string, language: string | undefined): string => {
  const known = NAMES[language ?? ''];
  return known ? shortened(hljs.highlight(code, { language: known[0] }).value) : escapeHtml(code);
};

/**
 * A block of code. It can be scrolled, so the keyboard must reach it.
 * @param label What a screen reader calls it; by default the language.
 */
export const codeBlock = (code: string, language?: string, label?: string): string => {
  const name = label ?? NAMES[language ?? '']?.[1] ?? 'Text';
  return `<pre class="code" tabindex="0" role="group" aria-label="${escapeHtml(name)}"><code>${coloured(code, language)}</code></pre>`;
};

/** A program in one of several languages. */
export interface Tab {
  /** The id of its choice. */
  readonly id: string;
  /** The language as people read it: all tabs of a reader follow it. */
  readonly title: string;
  readonly language: string | undefined;
  readonly code: string;
  /** The name of the code for a screen reader. */
  readonly label: string;
  /** The id of an address of its own, which the search shows with the label. */
  readonly place?: string;
}

/** One of several programs is shown: radio buttons choose it, so that it works without the script. */
export const codeTabs = (legend: string, name: string, tabs: readonly Tab[]): string => {
  const parts = tabs.map(({ id, title, language, code, label, place }, i) => {
    const own = place ? ` id="${place}" title="${escapeHtml(label)}"` : '';
    return `<input type="radio" name="${name}" id="${id}" value="${title}"${i === 0 ? ' checked' : ''}><label for="${id}"${own}>${title}</label>${codeBlock(code, language, label)}`;
  });
  return `<fieldset class="samples"><legend>${escapeHtml(legend)}</legend>${parts.join('')}</fieldset>`;
};
