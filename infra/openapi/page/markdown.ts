import { Marked, type Token, type Tokens } from 'marked';
import type { GuideChapter } from '#infra/openapi/guide.ts';
import { escapeHtml } from '#shared/pages/html.ts';
import { renderCodeBlock, renderCodeTabs, type Tab } from './code.ts';
import { type Row, renderTable } from './html.ts';
import { errorId, headingId, type Links } from './links.ts';

/** Renders Markdown as HTML, and turns the names in it into links. */
export interface Prose {
  /** Renders paragraphs, lists and tables. */
  readonly blocks: (markdown: string) => string;
  /** Renders a text without paragraphs. */
  readonly line: (markdown: string) => string;
  /** Renders the text below the title of a chapter. The ids of its headings begin with the chapter's name. */
  readonly chapter: (chapter: GuideChapter) => string;
}

const renderLink = (href: string | undefined, html: string): string => (href ? `<a href="${href}">${html}</a>` : html);

const listCodes = ({ header, rows }: Tokens.Table): readonly (string | undefined)[] =>
  header[0]?.text === 'code' ? rows.map(([cell]) => /^`(\w+)`$/.exec(cell?.text ?? '')?.[1]) : [];

/** A heading that ends with the language of the program below it. */
const PROGRAM = /^(?:.* in )?(Node|Python|PHP|Go|Java)$/;

/** Collects the programs that begin at the token `first` and follow each other directly, each below its own heading. */
const collectPrograms = (chapter: string, tokens: readonly Token[], first: number): readonly Tab[] => {
  const tabs: Tab[] = [];
  for (let i = first; ; i += 2) {
    const [heading, code] = [tokens[i], tokens[i + 1]];
    const [label, title] = (heading?.type === 'heading' && PROGRAM.exec(heading.text)) || [];
    if (!label || !title || code?.type !== 'code') return tabs;
    const id = headingId(chapter, label);
    tabs.push({ id: `${id}-choice`, title, language: code.lang, code: code.text, label, anchor: id });
  }
};

/** Makes a renderer of prose that links the given names. */
export const makeProse = (links: Links): Prose => {
  let within = '';
  const marked = new Marked({
    renderer: {
      heading({ tokens, depth, text }) {
        const id = headingId(within, text);
        return `<h${depth} id="${id}"><a class="here" href="#${id}">${this.parser.parseInline(tokens)}</a></h${depth}>\n`;
      },
      // The document has no HTML: a text that looks like a tag stays text.
      html: ({ text }) => escapeHtml(text),
      code: ({ text, lang }) => renderCodeBlock(text, lang),
      codespan: ({ text }) => renderLink(links.names.get(text), `<code>${escapeHtml(text)}</code>`),
      strong({ tokens, text }) {
        const html = this.parser.parseInline(tokens);
        const href = links.titles.get(text);
        return href ? renderLink(href, html) : `<strong>${html}</strong>`;
      },
      em({ tokens, text }) {
        const html = this.parser.parseInline(tokens);
        const href = links.titles.get(text);
        return href ? renderLink(href, html) : `<em>${html}</em>`;
      },
      table(token) {
        const codes = listCodes(token);
        const inline = ({ tokens }: Tokens.TableCell): string => this.parser.parseInline(tokens);
        const rows = token.rows.map((cells, i): Row => {
          const code = codes[i];
          if (!code || !links.names.has(code)) return { cells: cells.map(inline) };
          // This row is the target of links to the code.
          const id = errorId(code);
          const here = `<a class="here" href="#${id}"><code>${code}</code></a>`;
          return { id, cells: [here, ...cells.slice(1).map(inline)] };
        });
        return renderTable(token.header.map(({ text }) => text).join(', '), token.header.map(inline), rows);
      },
    },
  });
  const render = (tokens: Token[]): string => marked.parser(tokens);
  return {
    blocks: (markdown) => render(marked.lexer(markdown)),
    line: (markdown) => marked.parseInline(markdown, { async: false }),
    chapter: ({ slug, markdown }) => {
      within = slug;
      const tokens = marked.lexer(markdown).filter(({ type }) => type !== 'space');
      let html = '';
      for (let at = 0; at < tokens.length; ) {
        const tabs = collectPrograms(slug, tokens, at);
        const areTabs = tabs.length > 1;
        html += areTabs ? renderCodeTabs('In', `${tabs[0]?.anchor}-language`, tabs) : render(tokens.slice(at, at + 1));
        at += areTabs ? 2 * tabs.length : 1;
      }
      return html;
    },
  };
};
