/** What the parameters of query strings mean. The interface description, the tools of agents and the guide show these texts. */
import { bandNames, bands, buckets, seriesExample } from './keys.ts';
import { callNames, connectives, quantifierCalls, quantifierNames, quantifiers, relatedCount, signs } from './operators.ts';
import {
  aggregateNames,
  aggregates,
  computationNames,
  computations,
  insteadForRelated,
  plainAggregates,
  relatedAggregateNames,
  rowFunctionNames,
  rowFunctions,
} from './values.ts';

const code = (text: string): string => `\`${text}\``;

/** The value in an example such as `by=order_date:quarter`. */
const shown = (example: string): string => example.slice(example.indexOf('=') + 1);

/** What an aggregate of columns says about those of related rows. */
const alsoRelated = (name: (typeof plainAggregates)[number]): string =>
  aggregates[name].over !== 'related' && !insteadForRelated(name) ? ', also behind to-one relations' : '';

const signNames = signs.map(([sign]) => sign).join(' ');
const quantifierExamples = quantifierNames.filter((name) => !quantifiers[name].isValidOnDay).map((name) => code(quantifiers[name].example));

const conditions = `Comparisons: ${signNames}. Calls: ${callNames.join(', ')}, such as ${code('status:in(accepted,closed)')}. A value with commas needs quotes, and quotes in it are doubled: ${code('status="a,b"')}. Alternatives: ${code(connectives.any.example)}, and ${code('all(…)')} for several conditions within one of them`;

export const parameterMeanings = {
  by: `Keys: columns, columns behind to-one relations (${code('property.federal_state')}), dates and times with a bucket (${code('order_date:quarter')}; ${buckets.join(', ')}), bands (${bandNames.map((name) => code(shown(bands[name].example))).join(', ')}), and on tables with validity the last days of periods (${code(shown(seriesExample))}). Without keys, all rows are one group.`,
  count: 'Adds the number of rows of each group. It is the default if no value is requested.',
  ...(Object.fromEntries(
    plainAggregates.map((name) => [name, `${aggregates[name].columns}${alsoRelated(name)}, shown as ${code(`${name}_…`)}.`]),
  ) as Record<(typeof plainAggregates)[number], string>),
  measure: 'Real-estate measures, shown by their names.',
  value: `Values with names and conditions of their own: ${code('open:count(status!=closed)')}, ${code('net_2025:sum(total_net,order_date>=2025-01-01)')}, ${code(shown(aggregates.percentile.example))}. Functions: count, ${aggregateNames.join(', ')}. They also apply to a function of two columns of each row, as ${code(shown(rowFunctions.days.example))}; ${rowFunctionNames.join(', ')}. Computed from other values: ${code(shown(computations.ratio.example))}; ${computationNames.join(', ')}.`,
  fill: 'Names of keys whose empty buckets are groups as well: periods, bands and the days of a series. At most 100,000 groups.',
  where: `Conditions on rows, in addition to filters; all must hold. ${conditions}. Names can follow to-one relations: ${code('property.federal_state=BY')}. Conditions on a function of two columns of each row: ${code(rowFunctions.days.condition)}; ${rowFunctionNames.join(', ')}. Conditions on related rows: ${quantifierExamples.join(', ')}, and on their number: ${code(relatedCount.example)}; in groups with a series also ${[...quantifierCalls.keys()].filter((call) => call.endsWith('_valid')).join(' and ')}.`,
  having: `Conditions on keys and values, with the grammar of ${code('where')}; all must hold: ${code('sum_total_net>=10000')}.`,
  rowOrder: `Columns, and named functions and aggregates of ${code('columns')}, also behind to-one relations, ${code('-')} before them for largest first: ${code('-total_net,property.federal_state')}. Null comes last; the sort key decides among equals.`,
  columns: `The columns of the answer, also behind to-one relations: ${code('order_id,property.federal_state')}. The answer has them under these names. A function of two columns of each row has a name of its own: ${code('days:days(order_date,closed_date)')}; ${rowFunctionNames.join(', ')}. So has an aggregate of the rows of a to-many relation, with conditions on them: ${code('open:count(orders,status!=closed)')}, ${code('ordered:sum(orders.total_net)')}; count, ${relatedAggregateNames.join(', ')}. Without the list, all columns of the table.`,
  order: `Names of keys and values, ${code('-')} before them for largest first; the keys decide among equals.`,
} as const;
