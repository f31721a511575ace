import { movedAnchors } from './former-anchors.ts';
import { START } from './links.ts';
import type { Page } from './pages.ts';

/** Something that a reader may look for: the number of its page, its id there, its name, where it stands, and the words of its text. */
type Entry = [page: number, id: string, name: string, where: string, words: string];

/** The script of each page fetches this once somebody searches, or arrives by an address of former days. */
export interface SearchIndex {
  readonly pages: readonly string[];
  readonly found: readonly Entry[];
  /** Anchors of former days with those of today. */
  readonly moved: Readonly<Record<string, string>>;
}

const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'" };

const plainText = (html: string): string =>
  html
    .replaceAll(/<(?!wbr)[^>]+>/g, ' ')
    .replaceAll(/<wbr>/g, '')
    .replaceAll(/&(amp|lt|gt|quot|#39);/g, (_, name: string) => ENTITIES[name] ?? '')
    .replaceAll(/\s+/g, ' ')
    .trim();

/** Each word once, in lower case. */
const uniqueWords = (html: string): string => [...new Set(plainText(html).toLowerCase().split(' '))].join(' ');

/** Words that readers use and the text does not, by the id of the section that answers them. */
const OTHER_WORDS: Readonly<Record<string, string>> = {
  idempotency: 'timeout lost answer retry twice duplicate',
  lists: 'pagination paging pages',
  'going-live': 'production prod',
  'going-live-live-keys': 'rotate rotation api key',
  'short-over-late-and-second-transfers': 'overpayment underpayment overpaid underpaid',
  'generated-clients': 'golang sdk library codegen',
  'webhooks-addresses-that-webhooks-come-from': 'ip firewall allowlist',
};

const idIn = (tag: string): string => /^<[^>]* id="([^"]+)"/.exec(tag)?.[1] ?? '';
const firstText = (html: string, element: string): string =>
  plainText(new RegExp(`<${element}\\b[^>]*>(.*?)</${element}>`, 's').exec(html)?.[1] ?? '');

/** The words below the name of a page among the results: chapters are the guide. */
const pageKind = ({ path, title }: Page): string => (path.startsWith(`${START}/api/`) ? title : 'Guide');

/** Cuts a page at everything that has a name of its own. */
const pieces = (main: string): readonly string[] =>
  main
    // Samples repeat what the fields say, and lists of links the titles; refusals are alike at every endpoint.
    .replaceAll(/<(div class="side|ul class="cards).*?(?=<\/section>|<section)/gs, '')
    .replaceAll(/<details class="errors">.*?<\/details>|<ul class="contents".*?<\/ul>/gs, '')
    .split(/(?=<section |<h[1-4][ >]|<li class="field"|<tr id=|<label [^>]*id=)/);

const indexPage = (page: Page, number: number): readonly Entry[] => {
  const entries: Entry[] = [];
  const texts: string[][] = [];
  let section = '';
  let owner = '';
  let part = '';
  const add = (id: string, name: string, where: string): void => {
    entries.push([number, id, name, where, '']);
    texts.push([]);
  };
  /** The entry that text belongs to: fields and codes have none of their own. */
  let current = -1;
  for (const piece of pieces(page.main)) {
    const [, kind = ''] = /^<(\w+)/.exec(piece) ?? [];
    if (kind === 'section') section = idIn(piece);
    else if (/^<h\d class="part"/.test(piece)) part = firstText(piece, 'h\\d');
    else if (/^h\d$/.test(kind)) {
      const title = firstText(piece, kind);
      const isPage = kind === 'h1';
      add(idIn(piece) || section, title, isPage ? pageKind(page) : owner || page.title);
      current = entries.length - 1;
      if (isPage) owner = title;
      part = '';
    } else if (kind === 'li') {
      const name = entries[current]?.[2] ?? page.title;
      add(idIn(piece), firstText(piece, 'code'), part ? `${name} · ${part}` : name);
    } else if (kind === 'tr')
      add(idIn(piece), firstText(piece, 'code'), `Error ${plainText(piece.split('</td>')[1] ?? '')}`);
    else if (kind === 'label') {
      add(idIn(piece), plainText(/ title="([^"]+)"/.exec(piece)?.[1] ?? ''), owner || page.title);
      current = entries.length - 1;
    }
    texts[current]?.push(piece);
  }
  return entries.map(([at, id, name, where], i) => [
    at,
    id,
    name,
    where,
    uniqueWords([...(texts[i] ?? []), OTHER_WORDS[id] ?? ''].join(' ')),
  ]);
};

/**
 * Everything that can be found on the pages, by its name or by the words of its text.
 * @throws Error when `OTHER_WORDS` names a section that no page has.
 */
export const searchIndex = (pages: readonly Page[]): SearchIndex => {
  const entries = pages.flatMap(indexPage);
  const ids = entries.map(([, id]) => id);
  const lost = Object.keys(OTHER_WORDS).filter((id) => !ids.includes(id));
  if (lost.length > 0) throw new Error(`No page has the section ${lost.join(', ')}, which OTHER_WORDS names.`);
  return { pages: pages.map(({ path }) => path), found: entries, moved: movedAnchors(ids) };
};
