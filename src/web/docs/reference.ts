/** The endpoints, rendered from the interface description: parameters, bodies and answers, each with a way to try it. */
import type { Catalogue } from '../../catalogue/index.ts';
import { programs } from '../../prints/programs.ts';
import type { OpenApiDocument, OpenApiOperation, ParameterObject, ReferenceObject, Response } from '../../rest/openapi/document.ts';
import { describeInterface } from '../../rest/openapi.ts';
import { table as grid } from '../pages/elements.ts';
import { type Html, html } from '../pages/html.ts';
import { type Article, sample, sampleKey, sampleOrigin } from './markdown.ts';

/** The place of an operation on the page. */
export const operationId = ({ tags, operationId: name }: OpenApiOperation): string => `/${tags[0]}/${name}`;

const methods = ['get', 'post', 'put', 'delete'] as const;

interface Endpoint {
  readonly method: (typeof methods)[number];
  readonly path: string;
  readonly operation: OpenApiOperation;
}

const endpointsIn = ({ paths }: OpenApiDocument): readonly Endpoint[] =>
  Object.entries(paths).flatMap(([path, item]) =>
    methods.flatMap((method): readonly Endpoint[] => {
      const operation = item[method];
      return operation ? [{ method, path, operation }] : [];
    }),
  );

/** Reads what a reference leads to. */
const resolverOf = (document: OpenApiDocument) => {
  const resolve = <Found extends object>(node: Found | ReferenceObject): Found => {
    if (!('$ref' in node)) return node;
    const found = node.$ref
      .slice(2)
      .split('/')
      .reduce<unknown>((part, name) => (part as Record<string, unknown> | undefined)?.[name], document);
    return resolve(found as Found);
  };
  return resolve;
};

type Resolve = ReturnType<typeof resolverOf>;

const typeOf = ({ type, format, enum: values, minimum, maximum, default: standard }: ParameterObject['schema']): string => {
  const kind = Array.isArray(values) ? values.join(', ') : [type, format && `(${format})`].flat().filter(Boolean).join(' ');
  const range = minimum === undefined && maximum === undefined ? '' : `${minimum ?? ''} to ${maximum ?? ''}`;
  return [kind, range, standard === undefined ? '' : `default ${standard}`].filter(Boolean).join(', ');
};

/** Text of the interface description with inline `code`. */
const prose = (text: string): Html => html`${text.split('`').map((part, at) => (at % 2 === 1 ? html`<code>${part}</code>` : part))}`;

const parameterTable = (parameters: readonly ParameterObject[], path: string): Html =>
  grid(
    [{ label: 'Parameter' }, { label: 'In' }, { label: 'Type' }, { label: 'Meaning' }],
    parameters.map(({ name, in: place, required, schema, description, example }) => [
      html`<code class="strong">${name}</code>${required && html` <small>required</small>`}`,
      place,
      typeOf(schema),
      html`${prose(description)}${example !== undefined && html` <span class="quiet">such as <code>${String(example)}</code></span>`}`,
    ]),
    `Parameters of ${path}`,
  );

const answerTable = (responses: readonly (readonly [status: string, Response])[], path: string): Html =>
  grid(
    [{ label: 'Status' }, { label: 'Meaning' }, { label: 'Headers' }],
    responses.map(([status, { description, headers }]) => [
      html`<code>${status}</code>`,
      prose(description),
      html`${Object.keys(headers ?? {}).map((name) => html`<code>${name}</code> `)}`,
    ]),
    `Answers of ${path}`,
  );

/** The fields of an answer, also within its lists. */
const fieldsOf = (schema: object | undefined, resolve: Resolve, depth = 0): readonly string[] => {
  if (!schema || depth > 3) return [];
  const {
    items,
    properties = {},
    anyOf = [],
  } = resolve(schema as Record<string, never>) as {
    readonly items?: object;
    readonly properties?: Readonly<Record<string, object>>;
    readonly anyOf?: readonly object[];
  };
  if (items) return fieldsOf(items, resolve, depth + 1);
  const own = Object.entries(properties).flatMap(([name, inner]) => [name, ...fieldsOf(inner, resolve, depth + 1)]);
  return [...new Set([...own, ...anyOf.flatMap((each) => fieldsOf(each, resolve, depth + 1))])];
};

const exampleOf = ({ example, schema }: ParameterObject): string => String(example ?? schema.default ?? '');

/** The address of an endpoint with the values of its examples, where it needs some. */
const addressOf = (path: string, parameters: readonly ParameterObject[]): string => {
  const filled = parameters
    .filter((parameter) => parameter.in === 'path')
    .reduce((text, parameter) => text.replace(`{${parameter.name}}`, () => encodeURIComponent(exampleOf(parameter))), path);
  const required = parameters.filter((parameter) => parameter.in === 'query' && parameter.required);
  return required.length === 0
    ? filled
    : `${filled}?${new URLSearchParams(required.map((parameter) => [parameter.name, exampleOf(parameter)]))}`;
};

/** Rows and groups open in Explore. Other requests are a command. */
const attempt = ({ method, path }: Endpoint, parameters: readonly ParameterObject[], isTable: boolean): Html | undefined => {
  if (method !== 'get') return undefined;
  const address = addressOf(path, parameters);
  const inExplore = path.endsWith('/groups') ? `${address}${address.includes('?') ? '&' : '?'}count` : address;
  return html`${isTable && html`<p><a class="run" href="/explore#${inExplore.replace(/^\/v1/, '')}" aria-label="Try it in Explore: ${path}">Try it in Explore</a></p>`}
${sample([['sh', programs.curl({ origin: sampleOrigin, address, key: sampleKey })]])}`;
};

const bodyOf = ({ operation }: Endpoint): Html | undefined => {
  const [content] = Object.entries(operation.requestBody?.content ?? {});
  if (!content) return undefined;
  const [type, media] = content as [
    string,
    { readonly example?: unknown; readonly examples?: Readonly<Record<string, { readonly value?: unknown }>> },
  ];
  const shown = media.example ?? Object.values(media.examples ?? {})[0]?.value;
  return html`<p>The body is <code>${type}</code>.</p>${shown !== undefined && sample([['json', JSON.stringify(shown, null, 2)]])}`;
};

const endpointPart = (endpoint: Endpoint, catalogue: Catalogue, resolve: Resolve): Html => {
  const { method, path, operation } = endpoint;
  const parameters = (operation.parameters ?? []).map((parameter) => resolve<ParameterObject>(parameter));
  const responses = Object.entries(operation.responses).map(([status, response]) => [status, resolve<Response>(response)] as const);
  const [, category, name, last] = path.replace(/^\/v1/, '').split('/');
  const table = name === undefined ? undefined : catalogue.tables.get(name);
  const isTable = table !== undefined && table.category === category && (last === undefined || last === 'groups');
  const fields = fieldsOf(responses[0]?.[1].content?.['application/json']?.schema, resolve);
  return html`<details class="endpoint" id="${operationId(operation)}">
<summary><span class="pill off">${method.toUpperCase()}</span> <code class="strong">${path}</code> <span class="quiet">${operation.summary}</span></summary>
<p>${prose(operation.description)}</p>
${attempt(endpoint, parameters, isTable)}
${bodyOf(endpoint)}
${parameters.length > 0 && parameterTable(parameters, path)}
${answerTable(responses, path)}
${fields.length > 0 && html`<p class="quiet">Fields: ${fields.map((field) => html`<code>${field}</code> `)}${table && html`(<a href="/docs/tables/${table.name}">meanings</a>)`}</p>`}
</details>`;
};

export const referenceArticle = (catalogue: Catalogue): Article => {
  const document = describeInterface(catalogue);
  const resolve = resolverOf(document);
  const endpoints = endpointsIn(document);
  const sections = document.tags.map(({ name, description }) => ({
    name,
    description,
    endpoints: endpoints.filter(({ operation }) => operation.tags[0] === name),
  }));
  return {
    title: 'Reference',
    summary: 'Every endpoint with its parameters, headers and columns.',
    headings: sections.map(({ name }) => ({ id: name, text: name })),
    body: html`<h1>Endpoints</h1>
<p class="lead">Every endpoint with its parameters, headers and columns, as in the <a href="/openapi.json">OpenAPI description</a>.</p>
<search class="endpoint-search" data-endpoint-search hidden><input type="search" aria-label="Search endpoints and columns" placeholder="Search endpoints and columns" autocomplete="off" spellcheck="false"><p role="status" class="hint"></p></search>
${sections.map(
  ({ name, description, endpoints: own }) => html`<section class="endpoints" aria-labelledby="${name}"><h2 id="${name}">${name}</h2>
<p>${prose(description)}</p>
${own.map((endpoint) => endpointPart(endpoint, catalogue, resolve))}</section>
`,
)}`,
  };
};
