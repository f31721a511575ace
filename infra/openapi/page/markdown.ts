import { Marked, type Token, type Tokens } from 'marked';
import { escapeHtml } from '#shared/pages/html.ts';
import { codeBlock } from './code.ts';
import { type Row, slug, tableOf } from './html.ts';
import { errorId, type Links } from './links.ts';

/** Turns Markdown of the document into HTML, and what it names into links. */
export interface Prose {
  /** Paragraphs, lists, tables. */
  readonly blocks: (markdown: string) => string;
  /** One line. */
  readonly line: (markdown: string) => string;
  /** The guide, cut at its chapters; the first part is what comes before them. */
  readonly chapters: (markdown: string) => readonly Chapter[];
}

/** A chapter of the guide. */
export interface Chapter {
  /** Empty for what comes before the first chapter. */
  readonly title: string;
  readonly id: string;
  readonly html: string;
}

const linked = (id: string | undefined, html: string): string => (id ? `<a href="#${id}">${html}</a>` : html);

const firstCode = ({ header, rows }: Tokens.Table): readonly (string | undefined)[] =>
  header[0]?.text === 'code' ? rows.map(([cell]) => /^`(\w+)`$/.exec(cell?.text ?? '')?.[1]) : [];

/** @param links What the prose may name. */
export const prose = (links: Links): Prose => {
  let chapter = '';
  const marked = new Marked({
    renderer: {
      heading({ tokens, depth, text }) {
        const id = `${chapter}-${slug(text)}`;
        return `<h${depth + 1} id="${id}"><a class="here" href="#${id}">${this.parser.parseInline(tokens)}</a></h${depth + 1}>\n`;
      },
      // The document is Markdown alone: what looks like a tag is text.
      html: ({ text }) => escapeHtml(text),
      code: ({ text, lang }) => codeBlock(text, lang),
      codespan: ({ text }) => linked(links.names.get(text), `<code>${escapeHtml(text)}</code>`),
      strong({ tokens, text }) {
        const html = this.parser.parseInline(tokens);
        const id = links.titles.get(text);
        return id ? linked(id, html) : `<strong>${html}</strong>`;
      },
      em({ tokens, text }) {
        const html = this.parser.parseInline(tokens);
        const id = links.titles.get(text);
        return id ? linked(id, html) : `<em>${html}</em>`;
      },
      table(token) {
        const codes = firstCode(token);
        const inline = ({ tokens }: Tokens.TableCell): string => this.parser.parseInline(tokens);
        const rows = token.rows.map((cells, i): Row => {
          const code = codes[i];
          if (!code || !links.names.has(code)) return { cells: cells.map(inline) };
          // This is the place that the code links to elsewhere.
          return { id: errorId(code), cells: [`<code>${code}</code>`, ...cells.slice(1).map(inline)] };
        });
        return tableOf(token.header.map(({ text }) => text).join(', '), token.header.map(inline), rows);
      },
    },
  });
  const render = (tokens: Token[]): string => marked.parser(tokens);
  return {
    blocks: (markdown) => render(marked.lexer(markdown)),
    line: (markdown) => marked.parseInline(markdown, { async: false }),
    chapters: (markdown) => {
      const parts: { title: string; tokens: Token[] }[] = [{ title: '', tokens: [] }];
      for (const token of marked.lexer(markdown)) {
        if (token.type === 'heading' && token.depth === 1) parts.push({ title: token.text, tokens: [] });
        else parts.at(-1)?.tokens.push(token);
      }
      return parts.map(({ title, tokens }) => {
        chapter = slug(title);
        return { title, id: chapter, html: render(tokens) };
      });
    },
  };
};
