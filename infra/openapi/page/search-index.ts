import { movedAnchors } from './former-anchors.ts';
import { START } from './links.ts';
import type { Page } from './pages.ts';

/** An entry of the index: its page's number, its id there, its name, the name of the section or page around it, and the words of its text. */
type Entry = [page: number, id: string, name: string, context: string, words: string];

/** The search index. A page's script fetches it when a reader searches, or follows a former anchor. */
export interface SearchIndex {
  readonly pages: readonly string[];
  readonly entries: readonly Entry[];
  /** The present anchor of each former one. */
  readonly moved: Readonly<Record<string, string>>;
}

const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'" };

const toPlainText = (html: string): string =>
  html
    .replaceAll(/<(?!wbr)[^>]+>/g, ' ')
    .replaceAll(/<wbr>/g, '')
    .replaceAll(/&(amp|lt|gt|quot|#39);/g, (_, name: string) => ENTITIES[name] ?? '')
    .replaceAll(/\s+/g, ' ')
    .trim();

/** Lists each word once, in lower case. */
const listUniqueWords = (html: string): string => [...new Set(toPlainText(html).toLowerCase().split(' '))].join(' ');

/** Words that readers search for although the text does not have them, by the id of the section that they should find. */
const OTHER_WORDS: Readonly<Record<string, string>> = {
  idempotency: 'timeout lost answer retry twice duplicate',
  lists: 'pagination paging pages',
  'going-live': 'production prod',
  'going-live-live-keys': 'rotate rotation api key',
  'short-over-late-and-second-transfers': 'overpayment underpayment overpaid underpaid',
  'generated-clients': 'golang sdk library codegen',
  'webhooks-addresses-that-webhooks-come-from': 'ip firewall allowlist',
};

const findId = (tag: string): string => /^<[^>]* id="([^"]+)"/.exec(tag)?.[1] ?? '';
const findText = (html: string, element: string): string =>
  toPlainText(new RegExp(`<${element}\\b[^>]*>(.*?)</${element}>`, 's').exec(html)?.[1] ?? '');

/** Names the kind of a page for the search results: a group of endpoints, or the guide. */
const nameKind = ({ path, title }: Page): string => (path.startsWith(`${START}/api/`) ? title : 'Guide');

/** Splits a page before each element that has an entry. */
const splitPage = (main: string): readonly string[] =>
  main
    // Leaves out the samples, which repeat fields; the lists of links, which repeat titles; and API errors, which are the same at every endpoint.
    .replaceAll(/<(div class="side|ul class="cards).*?(?=<\/section>|<section)/gs, '')
    .replaceAll(/<details class="errors">.*?<\/details>|<ul class="contents".*?<\/ul>/gs, '')
    .split(/(?=<section |<h[1-4][ >]|<li class="field"|<tr id=|<label [^>]*id=)/);

const indexPage = (page: Page, number: number): readonly Entry[] => {
  const entries: Entry[] = [];
  const texts: string[][] = [];
  let section = '';
  let owner = '';
  let part = '';
  const add = (id: string, name: string, context: string): void => {
    entries.push([number, id, name, context, '']);
    texts.push([]);
  };
  /** The index of the entry that the text belongs to. The text of a field or of an error code belongs to the section around it. */
  let current = -1;
  for (const piece of splitPage(page.main)) {
    const [, kind = ''] = /^<(\w+)/.exec(piece) ?? [];
    if (kind === 'section') section = findId(piece);
    else if (/^<h\d class="part"/.test(piece)) part = findText(piece, 'h\\d');
    else if (/^h\d$/.test(kind)) {
      const title = findText(piece, kind);
      const isPage = kind === 'h1';
      add(findId(piece) || section, title, isPage ? nameKind(page) : owner || page.title);
      current = entries.length - 1;
      if (isPage) owner = title;
      part = '';
    } else if (kind === 'li') {
      const name = entries[current]?.[2] ?? page.title;
      add(findId(piece), findText(piece, 'code'), part ? `${name} · ${part}` : name);
    } else if (kind === 'tr')
      add(findId(piece), findText(piece, 'code'), `Error ${toPlainText(piece.split('</td>')[1] ?? '')}`);
    else if (kind === 'label') {
      add(findId(piece), toPlainText(/ title="([^"]+)"/.exec(piece)?.[1] ?? ''), owner || page.title);
      current = entries.length - 1;
    }
    texts[current]?.push(piece);
  }
  return entries.map(([pageNumber, id, name, context], i) => [
    pageNumber,
    id,
    name,
    context,
    listUniqueWords([...(texts[i] ?? []), OTHER_WORDS[id] ?? ''].join(' ')),
  ]);
};

/**
 * Makes the search index of all pages.
 * @throws Error if `OTHER_WORDS` names a section that no page has.
 */
export const makeSearchIndex = (pages: readonly Page[]): SearchIndex => {
  const entries = pages.flatMap(indexPage);
  const ids = entries.map(([, id]) => id);
  const unknown = Object.keys(OTHER_WORDS).filter((id) => !ids.includes(id));
  if (unknown.length > 0) throw new Error(`No page has the section ${unknown.join(', ')}, which OTHER_WORDS names.`);
  return { pages: pages.map(({ path }) => path), entries, moved: movedAnchors(ids) };
};
