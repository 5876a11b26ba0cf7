/** What the documentation does better with JavaScript: tabs of samples, the reader's own key, the search, and lines of the diagram. */

const keySlot = 'estate-api-key';
const languageSlot = 'estate-language';
const all = (selector, within = document) => [...within.querySelectorAll(selector)];
const element = (name, attributes = {}, ...children) => {
  const made = document.createElement(name);
  for (const [attribute, value] of Object.entries(attributes)) made.setAttribute(attribute, value);
  made.append(...children);
  return made;
};

/* Samples: one language at a time, the same one in all of them. */

const choose = (language) => {
  for (const group of all('[data-sample]')) {
    const parts = all(':scope > [data-language]', group);
    const shown = parts.find((part) => part.dataset.language === language) ?? parts.find((part) => !part.hidden) ?? parts[0];
    for (const part of parts) part.hidden = part !== shown;
    for (const tab of all('[role=tab]', group)) {
      const isShown = tab.textContent === shown.dataset.language;
      tab.setAttribute('aria-selected', String(isShown));
      tab.tabIndex = isShown ? 0 : -1;
    }
  }
};

const copyButton = (group) => {
  const button = element('button', { type: 'button', class: 'copy-code' }, 'Copy');
  button.addEventListener('click', async () => {
    const text = all('pre', group).find((pre) => !pre.closest('[hidden]')).textContent;
    button.textContent = await navigator.clipboard.writeText(text).then(
      () => 'Copied',
      () => 'Not allowed',
    );
    setTimeout(() => {
      button.textContent = 'Copy';
    }, 2_000);
  });
  return button;
};

for (const [index, group] of all('[data-sample]').entries()) {
  const parts = all(':scope > [data-language]', group);
  const tabs = element('div', { role: 'tablist', 'aria-label': 'Language' });
  for (const [at, part] of parts.entries()) {
    part.id = `sample-${index}-${at}`;
    part.setAttribute('role', 'tabpanel');
    part.setAttribute('aria-label', part.dataset.language);
    part.querySelector('.language').hidden = true;
    const tab = element('button', { type: 'button', role: 'tab', 'aria-controls': part.id }, part.dataset.language);
    tab.addEventListener('click', () => {
      localStorage.setItem(languageSlot, part.dataset.language);
      choose(part.dataset.language);
    });
    tabs.append(tab);
  }
  tabs.addEventListener('keydown', ({ key, target }) => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[key];
    if (!step) return;
    const next = tabs.children[([...tabs.children].indexOf(target) + step + parts.length) % parts.length];
    next.focus();
    next.click();
  });
  group.prepend(element('div', { class: 'sample-bar' }, tabs, copyButton(group)));
}
choose(localStorage.getItem(languageSlot) ?? 'curl');

/* The reader's key: in this tab only, never in an address. */

const keyOf = () => sessionStorage.getItem(keySlot) ?? '';
const ask = (path) => fetch(path, { headers: { 'X-API-Key': keyOf() } });

const fillKey = () => {
  for (const place of all('[data-your-key]')) place.textContent = keyOf() || 'est_YOUR_KEY';
};

const tiers = [
  ['enterprise', 'accounting'],
  ['professional', 'operations'],
  ['basic', 'property'],
];

/** What the service says of the key: what it may read, what is left, how fresh the data is. */
const describeKey = async () => {
  const [catalog, changes] = await Promise.all([ask('/catalog'), ask('/changes?since=2000-01-01')]);
  if (!catalog.ok) return (await catalog.json()).detail;
  const { categories } = await catalog.json();
  const { changes: states } = await changes.json();
  const names = categories.map(({ category }) => category);
  const [tier] = tiers.find(([, category]) => names.includes(category)) ?? ['unknown'];
  const tables = categories.reduce((sum, { tables }) => sum + tables.length, 0);
  const synced = states
    .map(({ synced_at }) => synced_at)
    .filter(Boolean)
    .sort()
    .at(-1);
  const left = changes.headers.get('X-RateLimit-Remaining');
  return [
    `Tier ${tier}: ${tables} tables of ${names.join(', ')}.`,
    left === null ? '' : `${left} of ${changes.headers.get('X-RateLimit-Limit')} requests are left this hour.`,
    synced ? `Data of ${new Date(synced).toLocaleString()}.` : '',
  ].join(' ');
};

for (const panel of all('[data-key-panel]')) {
  const [form, state] = [panel.querySelector('form'), panel.querySelector('[data-key-state]')];
  const forget = panel.querySelector('[data-forget]');
  const hint = state.textContent;
  const show = async () => {
    form.key.value = keyOf();
    forget.hidden = !keyOf();
    fillKey();
    state.textContent = keyOf() ? 'Asking what the key may read …' : hint;
    if (keyOf()) state.textContent = await describeKey().catch(() => 'The service does not answer.');
  };
  panel.hidden = false;
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    sessionStorage.setItem(keySlot, form.key.value.trim());
    show();
  });
  forget.addEventListener('click', () => {
    sessionStorage.removeItem(keySlot);
    show();
  });
  show();
}
fillKey();

/* A table's first rows, and the customer's own codes, once there is a key. */

const cell = (value) => (value === null ? element('span', { class: 'quiet' }, 'null') : String(value));

const showRows = async (place) => {
  const query = new URLSearchParams(place.dataset.filters);
  query.set('limit', '5');
  const answer = await ask(`${place.dataset.firstRows}?${query}`);
  const body = await answer.json();
  if (!answer.ok) return [element('p', { class: 'notice warn' }, body.detail)];
  const synced = answer.headers.get('X-Snapshot-At');
  const total = Number(answer.headers.get('X-Total-Count')).toLocaleString('en');
  const said = element(
    'p',
    { role: 'status' },
    `${total} rows, version ${answer.headers.get('X-Data-Version')}${synced ? `, of ${new Date(synced).toLocaleString()}` : ''}.`,
  );
  if (body.length === 0) return [said];
  const names = Object.keys(body[0]);
  const head = element('thead', {}, element('tr', {}, ...names.map((name) => element('th', { scope: 'col' }, name))));
  const rows = body.map((row) => element('tr', {}, ...names.map((name) => element('td', {}, cell(row[name])))));
  return [
    said,
    element(
      'div',
      { class: 'scroll rows', tabindex: '0', role: 'region', 'aria-label': 'First rows' },
      element('table', {}, head, element('tbody', {}, ...rows)),
    ),
  ];
};

for (const place of all('[data-first-rows]')) {
  if (!keyOf()) continue;
  const button = element('button', { type: 'button' }, 'Show the first rows');
  button.addEventListener('click', async () => place.replaceChildren(...(await showRows(place))));
  place.append(button);
  place.hidden = false;
}

for (const details of all('details[data-codes]'))
  details.addEventListener(
    'toggle',
    async () => {
      if (!keyOf()) return;
      const answer = await ask(details.dataset.codes);
      if (!answer.ok) return;
      const values = await answer.json();
      const items = values.map(({ value, label }) =>
        element('div', {}, element('dt', {}, element('code', {}, String(value))), element('dd', {}, label)),
      );
      details.querySelector('dl').replaceChildren(...items);
      details.querySelector('summary').textContent = `${values.length} codes of your own data`;
    },
    { once: true },
  );

/* The search: words are compared without case, accents and plural; what fits in title, words and description counts in this order. */

const idle = new Set(
  'a an and are can do does for from get has have how i in is it me mean means my of on or the there to what where which who with your'.split(
    ' ',
  ),
);
const plain = (text) => text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase();
const wordsOf = (text) =>
  plain(text)
    .split(/[^\p{L}\p{N}]+/u)
    .filter(Boolean)
    .map((word) => (word.length > 3 ? word.replace(/s$/, '') : word));
const bonus = { page: 3, table: 2.5, part: 2, column: 1, code: 1.2, term: 1.5, endpoint: 0.8 };

const closeness = (asked, words) => {
  if (words.includes(asked)) return 1;
  return asked.length > 1 && words.some((word) => word.startsWith(asked)) ? 0.6 : 0;
};

const scoreOf = (asked, { kind, title, about, more }) => {
  const parts = asked.map((word) =>
    Math.max(4 * closeness(word, title), (kind === 'page' ? 4 : 3) * closeness(word, more), closeness(word, about)),
  );
  const found = parts.filter((part) => part > 0).length;
  // A part of a page is called like a page now and then, and then the page is meant.
  const exact = kind !== 'part' && title.length === asked.filter((word) => title.includes(word)).length ? 1.5 : 1;
  return (parts.reduce((sum, part) => sum + part, 0) * (found / asked.length) ** 2 + (found > 0 ? bonus[kind] : 0)) * exact;
};

const find = (index, query) => {
  const every = wordsOf(query);
  const telling = every.filter((word) => !idle.has(word));
  const asked = telling.length > 0 ? telling : every;
  if (asked.length === 0) return [];
  return index
    .map((entry) => [scoreOf(asked, entry), entry])
    .sort(([one], [other]) => other - one)
    .filter(([score], _at, [[best]]) => score > 1.5 && score > best / 3)
    .slice(0, 12)
    .map(([, { shown }]) => shown);
};

const search = document.querySelector('[data-search]');
if (search) {
  const [input, list] = [search.querySelector('input'), search.querySelector('ul')];
  let index;
  const load = async () => {
    const entries = await (await fetch(document.querySelector('[data-index]').dataset.index)).json();
    return entries.map((shown) => {
      const [kind, title, , about, more] = shown;
      return { kind, title: wordsOf(title), about: wordsOf(about), more: wordsOf(more), shown };
    });
  };
  const options = () => all('[role=option]', list);
  const close = () => {
    list.hidden = true;
    input.setAttribute('aria-expanded', 'false');
    input.removeAttribute('aria-activedescendant');
  };
  const mark = (option) => {
    for (const other of options()) other.setAttribute('aria-selected', String(other === option));
    if (option) input.setAttribute('aria-activedescendant', option.id);
    option?.scrollIntoView({ block: 'nearest' });
  };
  const go = (option) => {
    close();
    location.href = option.dataset.address;
  };
  const draw = (entries) => {
    list.replaceChildren(
      ...entries.map(([kind, title, address, about], at) => {
        const option = element(
          'li',
          { role: 'option', id: `found-${at}`, 'data-address': address, 'aria-selected': 'false' },
          element('span', { class: 'kind' }, kind),
          element('span', { class: 'what' }, element('strong', {}, title), element('span', {}, about)),
        );
        option.addEventListener('click', () => go(option));
        return option;
      }),
    );
    if (entries.length === 0)
      list.append(element('li', { role: 'option', 'aria-disabled': 'true', 'aria-selected': 'false' }, 'Nothing has these words.'));
    list.hidden = false;
    input.setAttribute('aria-expanded', 'true');
    mark(options().find((option) => option.dataset.address));
  };
  const update = async () => {
    const asked = input.value;
    if (asked.trim() === '') return close();
    index ??= load();
    const entries = await index;
    if (input.value === asked) draw(find(entries, asked));
  };
  input.addEventListener('input', update);
  input.addEventListener('focus', update);
  input.addEventListener('keydown', (event) => {
    const shown = options();
    const at = shown.findIndex((option) => option.getAttribute('aria-selected') === 'true');
    if (event.key === 'Escape') close();
    else if (event.key === 'Enter' && shown[at]?.dataset.address) go(shown[at]);
    else if (event.key === 'ArrowDown') mark(shown[(at + 1) % shown.length]);
    else if (event.key === 'ArrowUp') mark(shown.at(at <= 0 ? -1 : at - 1));
    else return;
    event.preventDefault();
  });
  search.addEventListener('focusout', ({ relatedTarget }) => {
    if (!search.contains(relatedTarget)) close();
  });
  // A press on a result must not take the focus first.
  list.addEventListener('mousedown', (event) => event.preventDefault());
  document.addEventListener('keydown', (event) => {
    if (event.key !== '/' || event.target.closest?.('input, textarea, select, [contenteditable]')) return;
    event.preventDefault();
    input.focus();
  });
  search.hidden = false;
}

/* The diagram of all tables: the lines of the one that is pointed at. */

for (const diagram of all('[data-diagram]')) {
  const show = (name) => {
    for (const line of all('[data-tables]', diagram)) line.classList.toggle('own', line.dataset.tables.split(' ').includes(name));
    diagram.classList.toggle('chosen', name !== undefined);
  };
  for (const type of ['pointerover', 'focusin'])
    diagram.addEventListener(type, ({ target }) => show(target.closest('[data-table]')?.dataset.table));
  for (const type of ['pointerleave', 'focusout']) diagram.addEventListener(type, () => show(undefined));
}

/* A code or column that an address leads to is shown, wherever it is folded away. */

document
  .getElementById(decodeURIComponent(location.hash.slice(1)))
  ?.closest('details')
  ?.setAttribute('open', '');
