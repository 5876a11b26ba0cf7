/** Links from the documentation to GraphiQL with a query, which GraphiQL runs (contract: GraphiQL). */
import type { Catalogue } from '../../catalogue/index.ts';
import type { ResolvedMeasure } from '../../catalogue/measures/measure-formula.ts';
import type { Table } from '../../catalogue/table.ts';
import { camelCase } from '../../graphql/schema/names.ts';
import { type Html, html } from '../pages/html.ts';
import { exampleView } from './examples.ts';
import { operationFragment } from './studio/operations/link.ts';

/** The address with a query, and with its view if the query is an example. */
export const graphiqlAddress = (query: string): string => {
  return `/graphql${operationFragment({ query, variables: '', operationName: undefined }, exampleView(query))}`;
};

export const runLink = (query: string, subject: string): Html =>
  html`<a class="run" href="${graphiqlAddress(query)}" aria-label="Run in GraphiQL: ${subject}">Run in GraphiQL</a>`;

/** The first rows, with example values for required filters. */
export const tableQuery = (table: Table): string => {
  const names = Object.keys(table.columns).slice(0, 8).map(camelCase);
  const conditions = table.requiredFilters.map((name) => {
    const value = String(table.columns[name]?.example ?? '');
    return `${camelCase(name)}: { eq: ${/^\d+$/.test(value) ? value : JSON.stringify(value)} }`;
  });
  const filter = conditions.length > 0 ? `, filter: { ${conditions.join(', ')} }` : '';
  return `{
  ${camelCase(table.name)}(first: 10${filter}) {
    totalCount
    nodes {
${names.map((name) => `      ${name}`).join('\n')}
    }
  }
}
`;
};

/** The last year of the demo data, as days of a series. */
const series = ', asOf: { every: QUARTER, from: "2024-01-01", to: "2024-12-31" }';

/** The measure of each property, or of all rows if the table has no property. A measure that needs a day has it for each day of a series. */
export const measureQuery = (
  { relations }: Catalogue,
  { name: table }: Table,
  { name, needsDay }: Pick<ResolvedMeasure, 'name' | 'needsDay'>,
): string => {
  const hasProperty = (relations.get(table) ?? []).some((relation) => relation.name === 'property' && relation.kind === 'to-one');
  const key = hasProperty
    ? `
      key {
        property {
          propertyId
          propertyName
        }
      }`
    : '';
  return `{
  ${camelCase(table)}Groups(orderBy: [{ measure: ${name.toUpperCase()}, direction: DESC }], first: 20${needsDay ? series : ''}) {
    groups {${needsDay ? '\n      asOf' : ''}${key}
      measures {
        ${camelCase(name)}
      }
    }
  }
}
`;
};
