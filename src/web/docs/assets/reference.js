/**
 * The script of the API reference: Swagger UI with two plugins and accessibility fixes.
 *
 * Optional parameters start empty, because Swagger UI would fill in every example and no row matches all of them. The search also finds
 * endpoints by their response columns. A typed key is forgotten with the page, and no external validator is called.
 */

/** Components by placeholder. A new component for each render would take the focus from a field. */
const placed = new Map();
const placing = (React, Form, placeholder) => {
  const component = placed.get(placeholder) ?? ((props) => React.createElement(Form, { ...props, description: placeholder }));
  placed.set(placeholder, component);
  return component;
};

const emptyForm = ({ React }) => ({
  wrapComponents: {
    parameterRow: (Row) => (props) => {
      const { specSelectors, getComponent, param } = props;
      // The row still shows example and default as text. Only the field starts without them.
      const parameterWithMetaByIdentity = (...args) => {
        const parameter = specSelectors.parameterWithMetaByIdentity(...args);
        return parameter.get('required') ? parameter : parameter.delete('example').deleteIn(['schema', 'default']);
      };
      const example = param?.get('example') ?? param?.getIn(['schema', 'default']);
      const withPlaceholder = (name, ...rest) => {
        const Component = getComponent(name, ...rest);
        return name === 'JsonSchemaForm' && example !== undefined ? placing(React, Component, `such as ${example}`) : Component;
      };
      return React.createElement(Row, {
        ...props,
        getComponent: withPlaceholder,
        specSelectors: { ...specSelectors, parameterWithMetaByIdentity },
      });
    },
  },
});

/** The search text of each path: its words, parameters and columns. */
const indexOf = (spec) => {
  const resolve = (node) =>
    node?.$ref
      ? resolve(
          node.$ref
            .slice(2)
            .split('/')
            .reduce((part, name) => part?.[name], spec),
        )
      : node;
  const columnsOf = (schema) => {
    const { items, properties, anyOf = [] } = resolve(schema) ?? {};
    if (items) return columnsOf(items);
    const own = Object.entries(properties ?? {}).flatMap(([name, column]) => [name, column.description ?? '', ...columnsOf(column)]);
    return [...own, ...anyOf.flatMap(columnsOf)];
  };
  const textOf = (path, { operationId, summary, description, parameters = [], responses }) =>
    [
      path,
      operationId,
      summary,
      description,
      ...parameters.map((parameter) => resolve(parameter).name),
      ...columnsOf(resolve(responses[200])?.content?.['application/json']?.schema),
    ]
      .join(' ')
      .toLowerCase();
  return new Map(Object.entries(spec.paths).map(([path, { get, post }]) => [path, textOf(path, get ?? post)]));
};

const search = (system) => {
  let index;
  const isSearch = (filter) => typeof filter === 'string' && filter.trim() !== '';
  const opsFilter = (tags, phrase) => {
    const words = phrase.toLowerCase().split(/\s+/).filter(Boolean);
    if (words.length === 0) return tags;
    index ??= indexOf(system.specSelectors.specJson().toJS());
    const finds = (tag, operation) => words.every((word) => tag === word || index.get(operation.get('path'))?.includes(word));
    return tags
      .map((group, tag) => group.update('operations', (operations) => operations.filter((operation) => finds(tag, operation))))
      .filter((group) => group.get('operations').size > 0);
  };
  return {
    fn: { opsFilter },
    statePlugins: {
      layout: {
        wrapSelectors: {
          // Search results must not stay hidden in a collapsed section.
          isShown:
            (original) =>
            (state, thing, ...rest) =>
              (thing[0] === 'operations-tag' && isSearch(state.get('filter'))) || original(thing, ...rest),
        },
      },
    },
    wrapComponents: {
      operations:
        (Operations, { React }) =>
        (props) =>
          isSearch(props.layoutSelectors.currentFilter()) && props.specSelectors.taggedOperations().size === 0
            ? React.createElement('p', { className: 'found-nothing', role: 'status' }, 'No endpoint and no column has these words.')
            : React.createElement(Operations, props),
    },
  };
};

/** The heading of an endpoint is a button, which must not contain a link. Opening an endpoint still updates the address. */
const plainTitles = ({ React }) => ({ components: { DeepLink: ({ text }) => React.createElement('span', null, text) } });

const page = document.getElementById('docs');

/** Elements that Swagger UI renders without a name, without keyboard access, or with a skipped heading level. */
const amend = () => {
  const set = (selector, attributes) => {
    for (const element of page.querySelectorAll(selector))
      for (const [name, value] of Object.entries(attributes)) if (element.getAttribute(name) !== value) element.setAttribute(name, value);
  };
  set('.operation-filter-input', { 'aria-label': 'Search endpoints and columns', placeholder: 'Search endpoints and columns' });
  set('.examples-select-element', { 'aria-label': 'Example' });
  set('.content-type', { 'aria-label': 'Media type' });
  set('.close-modal', { 'aria-label': 'Close' });
  set('.highlight-code pre, .curl', { tabindex: '0' });
  set('.information-container', { role: 'region', 'aria-label': 'About this service' });
  set('.scheme-container', { role: 'region', 'aria-label': 'Your key' });
  set('.filter-container', { role: 'search' });
  set('.dialog-ux', { role: 'dialog', 'aria-modal': 'true', 'aria-label': 'Your key' });
  const headings = { h3: 2, '.opblock h4': 3, h5: 4, '.models > h4': 2, '.dialog-ux :is(h4, h6)': 3 };
  for (const [selector, level] of Object.entries(headings)) set(selector, { 'aria-level': String(level) });
  for (const row of page.querySelectorAll('tr[data-param-name]'))
    for (const control of row.querySelectorAll('input, select, textarea'))
      if (!control.getAttribute('aria-label')) control.setAttribute('aria-label', row.dataset.paramName);
  for (const button of page.querySelectorAll('.modal-btn[aria-label]')) button.removeAttribute('aria-label');
};
new MutationObserver(amend).observe(page, { childList: true, subtree: true });

/** Swagger UI has its own dark theme. It follows the system setting, as all pages do. */
const dark = matchMedia('(prefers-color-scheme: dark)');
const colour = () => document.documentElement.classList.toggle('dark-mode', dark.matches);
dark.addEventListener('change', colour);
colour();

const reader = SwaggerUIBundle({
  url: `${document.documentElement.dataset.prefix ?? ''}/openapi.json`,
  dom_id: '#docs',
  deepLinking: true,
  docExpansion: 'none',
  defaultModelsExpandDepth: 0,
  filter: true,
  persistAuthorization: false,
  validatorUrl: null,
  // Highlighting a page of 1,000 rows takes a browser half a minute.
  syntaxHighlight: { activated: false },
  plugins: [emptyForm, search, plainTitles],
  // The key that the other pages of this tab use.
  onComplete: () => {
    const key = sessionStorage.getItem('estate-api-key');
    if (key) reader.preauthorizeApiKey('X-API-Key', key);
  },
});
