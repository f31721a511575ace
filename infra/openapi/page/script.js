/*
 * Everything here is an addition: the page is whole without it. It writes text alone, never HTML, and reaches nothing but the
 * service that the page came from. The policy of the page allows this very text.
 */

const MOST_RESULTS = 12;
const MOST_SHOWN = 200_000;

const find = (selector, within = document) => within.querySelector(selector);
const all = (selector, within = document) => [...within.querySelectorAll(selector)];

/** Makes an element with properties and children. */
const make = (name, properties = {}, ...children) => {
  const element = document.createElement(name);
  const { dataset, attributes = {}, ...rest } = properties;
  Object.assign(element, rest);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  element.append(...children);
  return element;
};

const remembered = (name) => {
  try {
    return localStorage.getItem(name);
  } catch {
    return null;
  }
};

const remember = (name, value) => {
  try {
    localStorage.setItem(name, value);
  } catch {
    // It holds for this visit.
  }
};

/* Light and dark. */

const startTheme = () => {
  const button = find('.theme');
  const dark = matchMedia('(prefers-color-scheme: dark)');
  const isDark = () => (document.documentElement.dataset.theme ?? (dark.matches ? 'dark' : 'light')) === 'dark';
  const name = () => {
    button.textContent = isDark() ? 'Light' : 'Dark';
  };
  button.hidden = false;
  button.addEventListener('click', () => {
    const theme = isDark() ? 'light' : 'dark';
    document.documentElement.dataset.theme = theme;
    remember('docs-theme', theme);
    name();
  });
  dark.addEventListener('change', name);
  name();
};

/* One language for all samples. */

const startLanguages = () => {
  const inputs = all('.samples input');
  const choose = (language) => {
    for (const input of inputs) if (input.value === language) input.checked = true;
  };
  const before = remembered('docs-language');
  if (before) choose(before);
  document.addEventListener('change', ({ target }) => {
    if (!inputs.includes(target)) return;
    // What stands above may change its height: the samples in use stay where they are.
    const at = target.getBoundingClientRect().top;
    choose(target.value);
    scrollBy({ top: target.getBoundingClientRect().top - at, behavior: 'instant' });
    remember('docs-language', target.value);
  });
};

/* Copying. */

const copyButton = (textOf) => {
  const button = make('button', { type: 'button', className: 'copy', textContent: 'Copy' });
  button.addEventListener('click', async () => {
    const done = await navigator.clipboard?.writeText(textOf()).then(
      () => true,
      () => false,
    );
    button.textContent = done ? 'Copied' : 'Not allowed';
    setTimeout(() => {
      button.textContent = 'Copy';
    }, 1500);
  });
  return button;
};

const startCopying = () => {
  for (const samples of all('.samples')) {
    find('legend', samples).after(copyButton(() => find('input:checked + label + .code', samples).textContent));
  }
  for (const block of all('.chapter .code, .example .code').filter((one) => !one.closest('.samples'))) {
    const frame = make('div', { className: 'frame' });
    block.before(frame);
    frame.append(
      block,
      copyButton(() => block.textContent),
    );
  }
};

/* The menu: where the reader is on the page, and closed once a place is chosen. */

const startMenu = () => {
  const menu = find('#menu');
  const nav = find('nav > ul');
  const page = find('nav [aria-current=page]');
  const links = new Map(all('nav a[href^="#"]').map((link) => [link.hash.slice(1), link]));
  const places = [...links.keys()].map((id) => document.getElementById(id)).filter(Boolean);
  let current;
  const reveal = (link) => {
    const { top, bottom } = link.getBoundingClientRect();
    if (top < nav.offsetTop + 60 || bottom > innerHeight - 40) nav.scrollTop += top - innerHeight / 2;
  };
  const show = () => {
    const line = innerHeight * 0.3;
    const above = places.filter((place) => place.getBoundingClientRect().top < line);
    const link = links.get(above.at(-1)?.id);
    if (link === current) return;
    current?.removeAttribute('aria-current');
    current = link;
    link?.setAttribute('aria-current', 'location');
    if (link) reveal(link);
  };
  let isDue = false;
  addEventListener(
    'scroll',
    () => {
      if (isDue) return;
      isDue = true;
      requestAnimationFrame(() => {
        isDue = false;
        show();
      });
    },
    { passive: true },
  );
  if (page) reveal(page);
  show();
  nav.addEventListener('click', ({ target }) => {
    if (target.closest('a')) menu.checked = false;
  });
  menu.addEventListener('change', () => {
    if (menu.checked && page) reveal(page);
  });
  addEventListener('keydown', ({ key }) => {
    if (key !== 'Escape' || !menu.checked) return;
    menu.checked = false;
    menu.focus();
  });
};

/* A link into something folded opens it, and one to a program shows it. */

const unfold = () => {
  let at = document.getElementById(location.hash.slice(1));
  const target = at;
  while (at) {
    if (at.tagName === 'DETAILS') at.open = true;
    at = at.parentElement;
  }
  target?.control?.click();
  target?.scrollIntoView();
};

/* Search: everything that can be found on any page, fetched once it is needed. */

/** Text as it is compared: keyboards have the straight apostrophe alone. */
const comparable = (text) => text.toLowerCase().replaceAll('’', "'");

let fetched;
const fetchIndex = () => {
  fetched ??= fetch('/docs/search.json', { credentials: 'omit' })
    .then((response) => response.json())
    .then(({ pages, found, moved }) => ({
      moved,
      entries: found.map(([page, id, name, where, text]) => ({
        path: pages[page],
        id,
        name,
        lower: comparable(name),
        where,
        text: comparable(text),
      })),
    }))
    .catch(() => {
      fetched = undefined;
    });
  return fetched;
};

/** Goes to a place of this page or of another. */
const goTo = ({ path, id }) => {
  if (path !== location.pathname) location.assign(`${path}#${id}`);
  else if (location.hash.slice(1) === id) unfold();
  else location.hash = id;
};

/** All was one page once: an anchor that is not here is on another page. */
const followFormer = async () => {
  const former = location.hash.slice(1);
  if (former === '' || document.getElementById(former)) return;
  const index = await fetchIndex();
  const id = index?.moved[former] ?? former;
  const place = index?.entries.find((one) => one.id === id);
  if (place) location.replace(`${place.path}#${id}`);
};

/** Words that say nothing of what is looked for. */
const FILLERS = new Set(
  'a an and are by can do for from how i in is it my of on or that the this to what with'.split(' '),
);

/** The words of a query, without an s at their end: `websites` finds a website. */
const wordsIn = (query) => {
  const words = query.split(/\s+/);
  const telling = words.filter((word) => !FILLERS.has(word));
  return (telling.length > 0 ? telling : words).map((word) => (word.length > 3 ? word.replace(/s$/, '') : word));
};

/** How well an entry fits: the lower the better, undefined where it does not. */
const rankOf = ({ lower, text }, query, words) => {
  if (lower === query) return 0;
  if (lower.startsWith(query)) return 1;
  if (lower.includes(query)) return 2;
  if (words.every((word) => lower.includes(word))) return 3;
  return words.every((word) => lower.includes(word) || text.includes(word)) ? 4 : undefined;
};

const searchIn = (index, query) => {
  const words = wordsIn(query);
  return index
    .map((entry, order) => ({ entry, order, rank: rankOf(entry, query, words) }))
    .filter(({ rank }) => rank !== undefined)
    .sort((a, b) => a.rank - b.rank || a.order - b.order)
    .slice(0, MOST_RESULTS)
    .map(({ entry }) => entry);
};

const startSearch = () => {
  const input = find('#search');
  const list = find('#results');
  let index;
  let chosen = -1;
  const options = () => all('[role=option][data-id]', list);
  const mark = (i) => {
    const found = options();
    chosen = found.length === 0 ? -1 : (i + found.length) % found.length;
    for (const [at, option] of found.entries()) option.setAttribute('aria-selected', String(at === chosen));
    const option = found[chosen];
    option?.scrollIntoView({ block: 'nearest' });
    if (option) input.setAttribute('aria-activedescendant', option.id);
    else input.removeAttribute('aria-activedescendant');
  };
  const close = () => {
    list.hidden = true;
    input.setAttribute('aria-expanded', 'false');
    input.removeAttribute('aria-activedescendant');
  };
  const go = (option) => {
    close();
    find('#menu').checked = false;
    const { path, id } = option.dataset;
    goTo({ path, id });
    if (path === location.pathname) document.getElementById(id)?.querySelector('a')?.focus({ preventScroll: true });
  };
  const show = async () => {
    index ??= await fetchIndex();
    const query = comparable(input.value.trim());
    if (query === '' || document.activeElement !== input) return close();
    const found = searchIn(index?.entries ?? [], query);
    list.replaceChildren(
      ...found.map(({ path, id, name, where }, i) => {
        const option = make(
          'li',
          { id: `result-${i}`, attributes: { role: 'option', 'data-id': id, 'data-path': path } },
          name,
          make('span', { className: 'where', textContent: where }),
        );
        option.addEventListener('click', () => go(option));
        return option;
      }),
    );
    if (found.length === 0) {
      list.append(
        make('li', {
          className: 'none',
          textContent: index ? 'Nothing found.' : 'There was no answer. Are you online?',
          attributes: { role: 'option', 'aria-disabled': 'true' },
        }),
      );
    }
    list.hidden = false;
    input.setAttribute('aria-expanded', 'true');
    mark(0);
  };
  find('.search').hidden = false;
  input.addEventListener('input', show);
  input.addEventListener('focus', show);
  input.addEventListener('keydown', (event) => {
    const option = options()[chosen];
    if (event.key === 'ArrowDown') mark(chosen + 1);
    else if (event.key === 'ArrowUp') mark(chosen - 1);
    else if (event.key === 'Enter' && option && !list.hidden) go(option);
    else if (event.key === 'Escape') close();
    else return;
    event.preventDefault();
  });
  // A click into the list must not take the focus first.
  list.addEventListener('pointerdown', (event) => event.preventDefault());
  input.addEventListener('blur', close);
  addEventListener('keydown', (event) => {
    const isTyping = event.target.closest?.('input:not([type=radio], [type=checkbox]), textarea, select');
    if (event.key !== '/' || isTyping || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    input.focus();
  });
};

/* Sending requests with a test key, which is kept in memory alone. */

const TEST_KEY = /^[sp]k_test_\w+$/;
const ONLY_TEST_KEYS = 'Use a test key: sk_test_… or pk_test_…. A live key moves money and does not belong in a page.';
const SHOWN_HEADERS = ['x-request-id', 'retry-after', 'idempotent-replayed', 'x-next-cursor'];

let testKey = '';
/** What stands in place of the document's example names, once an answer gave one. */
const names = new Map();

const withNames = (text) => {
  let result = text;
  for (const [example, name] of names) result = result.replaceAll(example, name);
  return result;
};

/** The reference or id of what an answer holds. */
const namedBy = ({ data, accounts }) => {
  const of = data ?? accounts;
  const { reference, id } = (Array.isArray(of) ? of[0] : of) ?? {};
  return reference ?? id;
};

const labelled = (name, hint, control) =>
  make('label', {}, make('span', {}, make('code', { textContent: name }), ` ${hint}`), control);

const controlFor = ({ values, value = '' }) => {
  if (!values) return make('input', { type: 'text', value: withNames(value), autocomplete: 'off', spellcheck: false });
  const options = ['', ...values].map((one) => make('option', { value: String(one), textContent: String(one) }));
  const select = make('select', {}, ...options);
  select.value = value;
  return select;
};

/** Text with the colours of JSON. */
const colouredJson = (text) => {
  const code = make('code');
  const token = /("(?:[^"\\]|\\.)*")(\s*:)?|\b(true|false|null|-?\d[\d.eE+-]*)\b/g;
  let at = 0;
  for (const match of text.matchAll(token)) {
    const [whole, string, colon = '', literal] = match;
    const className = literal ? 'n' : colon ? 'a' : 's';
    code.append(text.slice(at, match.index), make('span', { className, textContent: string ?? literal }), colon);
    at = match.index + whole.length;
  }
  code.append(text.slice(at));
  return code;
};

const parsedJson = (text) => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};

const showAnswer = async (output, response, milliseconds) => {
  const text = await response.text();
  const json = parsedJson(text);
  const shown = (json === undefined ? text : JSON.stringify(json, null, 2)).slice(0, MOST_SHOWN);
  const headers = SHOWN_HEADERS.filter((name) => response.headers.has(name)).map(
    (name) => `${name}: ${response.headers.get(name)}`,
  );
  const pre = make(
    'pre',
    { className: 'code', tabIndex: 0, attributes: { role: 'group', 'aria-label': 'Answer' } },
    json === undefined ? make('code', { textContent: shown }) : colouredJson(shown),
  );
  output.replaceChildren(
    make('span', { className: response.ok ? 'status ok' : 'status', textContent: String(response.status) }),
    ` in ${milliseconds} ms`,
    ...headers.map((line) => make('div', { className: 'type', textContent: line })),
    pre,
  );
  return response.ok && json ? json : undefined;
};

/** Forms that are open already show the new name too. */
const learn = (example, name) => {
  if (!example || !name) return;
  const before = names.get(example) ?? example;
  names.set(example, name);
  for (const control of all('.try input[type=text], .try textarea')) {
    control.value = control.value.replaceAll(before, name);
  }
};

const makeForm = (trial) => {
  const key = make('input', { type: 'password', value: testKey, placeholder: 'sk_test_…', autocomplete: 'off' });
  key.addEventListener('input', () => {
    testKey = key.value.trim();
    for (const other of all('.try input[type=password]')) if (other !== key) other.value = key.value;
  });
  const controls = trial.parameters.map((one) => [one, controlFor(one)]);
  const bodies = trial.bodies;
  // The shortest can be sent again and again: it has no reference that may be used but once.
  const least = bodies.reduce((best, [, text], i) => (text.length < bodies[best][1].length ? i : best), 0);
  const body = make('textarea', { value: withNames(bodies[least]?.[1] ?? ''), spellcheck: false, rows: 8 });
  const choice = make(
    'select',
    {},
    ...bodies.map(([title], i) => make('option', { value: String(i), textContent: title })),
  );
  choice.value = String(least);
  choice.addEventListener('change', () => {
    body.value = withNames(bodies[Number(choice.value)][1]);
  });
  const problem = make('p', { className: 'problem', attributes: { role: 'alert' } });
  const send = make('button', { type: 'submit', className: 'main', textContent: 'Send' });
  const output = make('output');
  const form = make(
    'form',
    { noValidate: true },
    ...(trial.keys.length > 0 ? [labelled('Test key', 'kept in this page only', key)] : []),
    ...controls.map(([{ name, in: place, required }, control]) =>
      labelled(name, `${place}${required ? ', required' : ''}`, control),
    ),
    ...(bodies.length > 1 ? [labelled('Example', '', choice)] : []),
    ...(bodies.length > 0 ? [labelled('Body', 'JSON', body)] : []),
    problem,
    make('div', {}, send),
    output,
  );
  const missing = () => controls.find(([{ required }, { value }]) => required && value === '')?.[0].name;
  const complaint = () => {
    if (trial.keys.length > 0 && !TEST_KEY.test(testKey)) return ONLY_TEST_KEYS;
    if (missing()) return `${missing()} is required.`;
    if (bodies.length > 0 && parsedJson(body.value) === undefined) return 'The body is not JSON.';
    return '';
  };
  form.addEventListener('submit', async (event) => {
    event.preventDefault();
    problem.textContent = complaint();
    if (problem.textContent !== '') return;
    const filled = (place) => controls.filter(([one, { value }]) => one.in === place && value !== '');
    const path = filled('path').reduce(
      (at, [{ name }, { value }]) => at.replace(`{${name}}`, encodeURIComponent(value)),
      trial.path,
    );
    const query = new URLSearchParams(filled('query').map(([{ name }, { value }]) => [name, value])).toString();
    const headers = {
      ...(trial.keys.length > 0 && { Authorization: `Bearer ${testKey}` }),
      ...(bodies.length > 0 && { 'Content-Type': 'application/json' }),
      ...Object.fromEntries(filled('header').map(([{ name }, { value }]) => [name, value])),
    };
    send.disabled = true;
    output.replaceChildren('Waiting for the answer …');
    const began = performance.now();
    try {
      const response = await fetch(query ? `${path}?${query}` : path, {
        method: trial.method,
        headers,
        credentials: 'omit',
        cache: 'no-store',
        ...(bodies.length > 0 && { body: body.value }),
      });
      const answer = await showAnswer(output, response, Math.round(performance.now() - began));
      if (answer) learn(trial.names, namedBy(answer));
    } catch {
      output.replaceChildren('There was no answer. Is the service running, and are you online?');
    }
    send.disabled = false;
  });
  return form;
};

const startTrials = () => {
  for (const section of all('[data-try]')) {
    const details = make('details', { className: 'try' }, make('summary', { textContent: 'Try it' }));
    details.addEventListener('toggle', () => details.append(makeForm(JSON.parse(section.dataset.try))), { once: true });
    find('.samples', section).after(details);
  }
};

startTheme();
startLanguages();
startCopying();
startMenu();
startSearch();
startTrials();
addEventListener('hashchange', () => {
  unfold();
  void followFormer();
});
if (location.hash) unfold();
void followFormer();
