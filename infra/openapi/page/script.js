/*
 * The script of every page. A page is complete without it. It writes text, never HTML, and sends requests only to the service that
 * the page came from. The page's policy allows this script by its hash.
 */

const MOST_RESULTS = 12;
const MOST_CHARACTERS = 200_000;

const find = (selector, within = document) => within.querySelector(selector);
const all = (selector, within = document) => [...within.querySelectorAll(selector)];

/** Makes an element with properties, attributes and children. */
const make = (name, properties = {}, ...children) => {
  const element = document.createElement(name);
  const { dataset, attributes = {}, ...rest } = properties;
  Object.assign(element, rest);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  element.append(...children);
  return element;
};

const recall = (name) => {
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
    // Storage is forbidden: the choice applies until the reader leaves the page.
  }
};

/* Light and dark. */

const startTheme = () => {
  const button = find('.theme');
  const dark = matchMedia('(prefers-color-scheme: dark)');
  const isDark = () => (document.documentElement.dataset.theme ?? (dark.matches ? 'dark' : 'light')) === 'dark';
  const labelButton = () => {
    button.textContent = isDark() ? 'Light' : 'Dark';
  };
  button.hidden = false;
  button.addEventListener('click', () => {
    const theme = isDark() ? 'light' : 'dark';
    document.documentElement.dataset.theme = theme;
    remember('docs-theme', theme);
    labelButton();
  });
  dark.addEventListener('change', labelButton);
  labelButton();
};

/* One language for all samples. */

const startLanguages = () => {
  const inputs = all('.samples input');
  const choose = (language) => {
    for (const input of inputs) if (input.value === language) input.checked = true;
  };
  const savedLanguage = recall('docs-language');
  if (savedLanguage) choose(savedLanguage);
  document.addEventListener('change', ({ target }) => {
    if (!inputs.includes(target)) return;
    // Samples above may change their height: scroll, so that these stay where they are.
    const topBefore = target.getBoundingClientRect().top;
    choose(target.value);
    scrollBy({ top: target.getBoundingClientRect().top - topBefore, behavior: 'instant' });
    remember('docs-language', target.value);
  });
};

/* Copying. */

const copyButton = (readText) => {
  const button = make('button', { type: 'button', className: 'copy', textContent: 'Copy' });
  button.addEventListener('click', async () => {
    const done = await navigator.clipboard?.writeText(readText()).then(
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
  for (const block of all('.chapter .code, .example .code').filter((element) => !element.closest('.samples'))) {
    const frame = make('div', { className: 'frame' });
    block.before(frame);
    frame.append(
      block,
      copyButton(() => block.textContent),
    );
  }
};

/* The menu: it marks the part of the page that the reader sees, and closes when the reader follows a link. */

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

/* A link into a folded part opens it, and a link to a program shows the program. */

const unfold = () => {
  const target = document.getElementById(location.hash.slice(1));
  for (let element = target; element; element = element.parentElement) {
    if (element.tagName === 'DETAILS') element.open = true;
  }
  target?.control?.click();
  target?.scrollIntoView();
};

/* Search in all pages. The index is fetched at the first search. */

/** Normalises text for comparison: lower case, and the straight apostrophe of keyboards. */
const normalise = (text) => text.toLowerCase().replaceAll('’', "'");

let fetched;
const fetchIndex = () => {
  fetched ??= fetch('/docs/search.json', { credentials: 'omit' })
    .then((response) => response.json())
    .then(({ pages, entries, moved }) => ({
      moved,
      entries: entries.map(([page, id, name, context, text]) => ({
        path: pages[page],
        id,
        name,
        lower: normalise(name),
        context,
        text: normalise(text),
      })),
    }))
    .catch(() => {
      fetched = undefined;
    });
  return fetched;
};

/** Goes to a place on this page or on another one. */
const goTo = ({ path, id }) => {
  if (path !== location.pathname) location.assign(`${path}#${id}`);
  else if (location.hash.slice(1) === id) unfold();
  else location.hash = id;
};

/** Follows an anchor that this page does not have: the guide was one page once. */
const followFormerAnchor = async () => {
  const former = location.hash.slice(1);
  if (former === '' || document.getElementById(former)) return;
  const index = await fetchIndex();
  const id = index?.moved[former] ?? former;
  const place = index?.entries.find((entry) => entry.id === id);
  if (place) location.replace(`${place.path}#${id}`);
};

/** Words of a query that the search ignores. */
const FILLERS = new Set(
  'a an and are by can do for from how i in is it my of on or that the this to what with'.split(' '),
);

/** Splits a query into words without fillers and without an s at the end: `websites` finds a website. */
const splitQuery = (query) => {
  const words = query.split(/\s+/);
  const keywords = words.filter((word) => !FILLERS.has(word));
  return (keywords.length > 0 ? keywords : words).map((word) => (word.length > 3 ? word.replace(/s$/, '') : word));
};

/** Ranks how well an entry fits a query: lower is better, undefined if it does not fit. */
const rankEntry = ({ lower, text }, query, words) => {
  if (lower === query) return 0;
  if (lower.startsWith(query)) return 1;
  if (lower.includes(query)) return 2;
  if (words.every((word) => lower.includes(word))) return 3;
  return words.every((word) => lower.includes(word) || text.includes(word)) ? 4 : undefined;
};

const searchIn = (index, query) => {
  const words = splitQuery(query);
  return index
    .map((entry, order) => ({ entry, order, rank: rankEntry(entry, query, words) }))
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
    const results = options();
    chosen = results.length === 0 ? -1 : (i + results.length) % results.length;
    for (const [position, option] of results.entries()) {
      option.setAttribute('aria-selected', String(position === chosen));
    }
    const option = results[chosen];
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
    const query = normalise(input.value.trim());
    if (query === '' || document.activeElement !== input) return close();
    const results = searchIn(index?.entries ?? [], query);
    list.replaceChildren(
      ...results.map(({ path, id, name, context }, i) => {
        const option = make(
          'li',
          { id: `result-${i}`, attributes: { role: 'option', 'data-id': id, 'data-path': path } },
          name,
          make('span', { className: 'where', textContent: context }),
        );
        option.addEventListener('click', () => go(option));
        return option;
      }),
    );
    if (results.length === 0) {
      list.append(
        make('li', {
          className: 'none',
          textContent: index ? 'Nothing found.' : 'The search got no answer. Are you online?',
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
  // A click into the list must not take the focus from the input, which would close the list.
  list.addEventListener('pointerdown', (event) => event.preventDefault());
  input.addEventListener('blur', close);
  addEventListener('keydown', (event) => {
    const isTyping = event.target.closest?.('input:not([type=radio], [type=checkbox]), textarea, select');
    if (event.key !== '/' || isTyping || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    input.focus();
  });
};

/* Sending requests with a test key. The key stays in memory. */

const TEST_KEY = /^[sp]k_test_\w+$/;
const ONLY_TEST_KEYS = 'Use a test key: sk_test_… or pk_test_…. A live key moves money, so never paste it into a page.';
const SHOWN_HEADERS = ['x-request-id', 'retry-after', 'idempotent-replayed', 'x-next-cursor'];

let testKey = '';
/** The real reference or id for each example one, from the answers so far. */
const names = new Map();

const withNames = (text) => {
  let result = text;
  for (const [example, name] of names) result = result.replaceAll(example, name);
  return result;
};

/** Finds the reference or id of the object in an answer. */
const findReference = ({ data, accounts }) => {
  const result = data ?? accounts;
  const { reference, id } = (Array.isArray(result) ? result[0] : result) ?? {};
  return reference ?? id;
};

const labelControl = (name, hint, control) =>
  make('label', {}, make('span', {}, make('code', { textContent: name }), ` ${hint}`), control);

const makeControl = ({ values, value = '' }) => {
  if (!values) return make('input', { type: 'text', value: withNames(value), autocomplete: 'off', spellcheck: false });
  const options = ['', ...values].map((choice) =>
    make('option', { value: String(choice), textContent: String(choice) }),
  );
  const select = make('select', {}, ...options);
  select.value = value;
  return select;
};

/** Highlights JSON. */
const highlightJson = (text) => {
  const code = make('code');
  const token = /("(?:[^"\\]|\\.)*")(\s*:)?|\b(true|false|null|-?\d[\d.eE+-]*)\b/g;
  let end = 0;
  for (const match of text.matchAll(token)) {
    const [whole, string, colon = '', literal] = match;
    const className = literal ? 'n' : colon ? 'a' : 's';
    code.append(text.slice(end, match.index), make('span', { className, textContent: string ?? literal }), colon);
    end = match.index + whole.length;
  }
  code.append(text.slice(end));
  return code;
};

const parseJson = (text) => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};

const showAnswer = async (output, response, milliseconds) => {
  const text = await response.text();
  const json = parseJson(text);
  const content = (json === undefined ? text : JSON.stringify(json, null, 2)).slice(0, MOST_CHARACTERS);
  const headers = SHOWN_HEADERS.filter((name) => response.headers.has(name)).map(
    (name) => `${name}: ${response.headers.get(name)}`,
  );
  const pre = make(
    'pre',
    { className: 'code', tabIndex: 0, attributes: { role: 'group', 'aria-label': 'Answer' } },
    json === undefined ? make('code', { textContent: content }) : highlightJson(content),
  );
  output.replaceChildren(
    make('span', { className: response.ok ? 'status ok' : 'status', textContent: String(response.status) }),
    ` in ${milliseconds} ms`,
    ...headers.map((line) => make('div', { className: 'type', textContent: line })),
    pre,
  );
  return response.ok && json ? json : undefined;
};

/** Saves the real name for an example one, and replaces it in all open forms. */
const learnName = (example, name) => {
  if (!example || !name) return;
  const oldName = names.get(example) ?? example;
  names.set(example, name);
  for (const control of all('.try input[type=text], .try textarea')) {
    control.value = control.value.replaceAll(oldName, name);
  }
};

const makeForm = (trial) => {
  const key = make('input', { type: 'password', value: testKey, placeholder: 'sk_test_…', autocomplete: 'off' });
  key.addEventListener('input', () => {
    testKey = key.value.trim();
    for (const other of all('.try input[type=password]')) if (other !== key) other.value = key.value;
  });
  const controls = trial.parameters.map((parameter) => [parameter, makeControl(parameter)]);
  const bodies = trial.bodies;
  // The shortest body can be sent again and again: it has no reference that must be unique.
  const shortest = bodies.reduce((best, [, text], i) => (text.length < bodies[best][1].length ? i : best), 0);
  const body = make('textarea', { value: withNames(bodies[shortest]?.[1] ?? ''), spellcheck: false, rows: 8 });
  const choice = make(
    'select',
    {},
    ...bodies.map(([title], i) => make('option', { value: String(i), textContent: title })),
  );
  choice.value = String(shortest);
  choice.addEventListener('change', () => {
    body.value = withNames(bodies[Number(choice.value)][1]);
  });
  const problem = make('p', { className: 'problem', attributes: { role: 'alert' } });
  const send = make('button', { type: 'submit', className: 'main', textContent: 'Send' });
  const output = make('output');
  const form = make(
    'form',
    { noValidate: true },
    ...(trial.keys.length > 0 ? [labelControl('Test key', 'kept in this page only', key)] : []),
    ...controls.map(([{ name, in: place, required }, control]) =>
      labelControl(name, `${place}${required ? ', required' : ''}`, control),
    ),
    ...(bodies.length > 1 ? [labelControl('Example', '', choice)] : []),
    ...(bodies.length > 0 ? [labelControl('Body', 'JSON', body)] : []),
    problem,
    make('div', {}, send),
    output,
  );
  const missing = () => controls.find(([{ required }, { value }]) => required && value === '')?.[0].name;
  const findProblem = () => {
    if (trial.keys.length > 0 && !TEST_KEY.test(testKey)) return ONLY_TEST_KEYS;
    if (missing()) return `${missing()} is required.`;
    if (bodies.length > 0 && parseJson(body.value) === undefined) return 'The body is not JSON.';
    return '';
  };
  form.addEventListener('submit', async (event) => {
    event.preventDefault();
    problem.textContent = findProblem();
    if (problem.textContent !== '') return;
    const filledIn = (place) => controls.filter(([parameter, { value }]) => parameter.in === place && value !== '');
    const path = filledIn('path').reduce(
      (text, [{ name }, { value }]) => text.replace(`{${name}}`, encodeURIComponent(value)),
      trial.path,
    );
    const query = new URLSearchParams(filledIn('query').map(([{ name }, { value }]) => [name, value])).toString();
    const headers = {
      ...(trial.keys.length > 0 && { Authorization: `Bearer ${testKey}` }),
      ...(bodies.length > 0 && { 'Content-Type': 'application/json' }),
      ...Object.fromEntries(filledIn('header').map(([{ name }, { value }]) => [name, value])),
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
      if (answer) learnName(trial.names, findReference(answer));
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
  void followFormerAnchor();
});
if (location.hash) unfold();
void followFormerAnchor();
