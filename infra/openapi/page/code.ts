import { createRequire } from 'node:module';
import { escapeHtml } from '#shared/pages/html.ts';

/** The functions of highlight.js that the page uses. `require` loads it, because its types would add browser globals to every file. */
interface Highlighter {
  readonly registerLanguage: (name: string, language: unknown) => void;
  readonly highlight: (code: string, options: { language: string }) => { value: string };
}

const LANGUAGES = ['bash', 'go', 'java', 'javascript', 'json', 'php', 'python'] as const;

const require = createRequire(import.meta.url);
const hljs: Highlighter = require('highlight.js/lib/core');
for (const name of LANGUAGES) hljs.registerLanguage(name, require(`highlight.js/lib/languages/${name}`));

/** The languages of code fences, each with its name in highlight.js and its name for people. */
const NAMES: Readonly<Record<string, readonly [(typeof LANGUAGES)[number], string]>> = {
  sh: ['bash', 'Shell'],
  js: ['javascript', 'Node'],
  json: ['json', 'JSON'],
  go: ['go', 'Go'],
  java: ['java', 'Java'],
  php: ['php', 'PHP'],
  python: ['python', 'Python'],
};

/** The class of one letter for each coloured highlight.js class. Short names matter: there are thousands of spans. */
const CLASSES: readonly (readonly [RegExp, string])[] = [
  [/string|regexp|char/, 's'],
  [/number|literal/, 'n'],
  [/keyword|built_in|meta/, 'k'],
  [/attr|property|variable/, 'a'],
  [/comment/, 'c'],
  [/title|function/, 'f'],
];

const shortenClasses = (html: string): string =>
  html.replaceAll(/<span class="hljs-([^"]+)">/g, (_, name: string) => {
    const letter = CLASSES.find(([pattern]) => pattern.test(name))?.[1];
    return letter ? `<span class="${letter}">` : '<span>';
  });

/** Highlights code as HTML. Code in an unknown language stays plain. */
const highlight = (code: string, language: string | undefined): string => {
  const known = NAMES[language ?? ''];
  return known ? shortenClasses(hljs.highlight(code, { language: known[0] }).value) : escapeHtml(code);
};

/**
 * Renders a block of code. It can scroll, so it takes the keyboard's focus.
 * @param label The name for screen readers; by default the language.
 */
export const renderCodeBlock = (code: string, language?: string, label?: string): string => {
  const name = label ?? NAMES[language ?? '']?.[1] ?? 'Text';
  return `<pre class="code" tabindex="0" role="group" aria-label="${escapeHtml(name)}"><code>${highlight(code, language)}</code></pre>`;
};

/** One of several programs that do the same in different languages. */
export interface Tab {
  /** The id of its radio button. */
  readonly id: string;
  /** The language for people. A reader's choice applies to all tabs with that title. */
  readonly title: string;
  readonly language: string | undefined;
  readonly code: string;
  /** The name of the code for a screen reader. */
  readonly label: string;
  /** The id of its anchor. The search shows `label` as the anchor's name. */
  readonly anchor?: string;
}

/** Renders programs as tabs. Radio buttons switch them, so that they work without the script. */
export const renderCodeTabs = (legend: string, name: string, tabs: readonly Tab[]): string => {
  const parts = tabs.map(({ id, title, language, code, label, anchor }, i) => {
    const attributes = anchor ? ` id="${anchor}" title="${escapeHtml(label)}"` : '';
    return `<input type="radio" name="${name}" id="${id}" value="${title}"${i === 0 ? ' checked' : ''}><label for="${id}"${attributes}>${title}</label>${renderCodeBlock(code, language, label)}`;
  });
  return `<fieldset class="samples"><legend>${escapeHtml(legend)}</legend>${parts.join('')}</fieldset>`;
};
