/**
 * What a person must say about a source before a load: its open questions, required columns without a source, and values without a code.
 * All of it is in the text of the source file and in the lists that it reads. An answer is a change of that text (`answers.ts`).
 */
import { type Document, isScalar } from 'yaml';
import { Rejection } from '../../sync/files/rejections.ts';
import { columnsOfRule, ruleOf } from '../columns/column-value.ts';
import { converter } from '../columns/values.ts';
import type { ColumnRule, Formats, Part, Source, TableRule } from '../source-file.ts';
import { catalogueTarget, requiredWithout } from '../target-table.ts';
import { goneColumns, newColumns } from './changed-columns.ts';
import { codesOf, type Edit, listOf, type OpenDoubt, ownColumns, type Place, placeOf, quote, type SeenList } from './doubt.ts';
import { hasCompanies } from './forms/contents.ts';
import { neededValue } from './needed-value.ts';
import { partIn } from './proposals/parts-of-values.ts';
import { asksForFormats, asksForLastRow, fillDownAskedIn, unitsAskedIn } from './question-texts.ts';

/** Whether a table has the columns of another one, besides its own. */
const inherits = (document: Document, index: number): boolean =>
  ownColumns(document, index)?.items.some(({ key }) => isScalar(key) && key.source === '<<') === true;

/** Forms that a value without evidence can have. */
const numberForms: readonly Formats[] = [
  { decimalChar: ',', groupChar: '.' },
  { decimalChar: '.', groupChar: ',' },
  { decimalChar: '.', groupChar: "'" },
  { decimalChar: ',', groupChar: ' ' },
];

const dateForms = (values: readonly string[]): readonly Formats[] => {
  const [, separator, year = ''] = /^\d{1,2}([./-])\d{1,2}\1(\d{2}|\d{4})$/.exec(values[0] ?? '') ?? [];
  if (separator === undefined) return [];
  const end = `${separator}${year.length === 2 ? '%y' : '%Y'}`;
  return [`%d${separator}%m${end}`, `%m${separator}%d${end}`].map((format) => ({ dateFormats: [format] }));
};

/** The values as a load would read them; undefined if one cannot be read. */
const readAs = (values: readonly string[], type: string, formats: Formats): readonly string[] | undefined => {
  try {
    const convert = converter(type, formats);
    return values.map((value) => convert(value, false) ?? '');
  } catch (error) {
    if (error instanceof Rejection) return undefined;
    throw error;
  }
};

type Choices = OpenDoubt['choices'];

/** The forms in which all values can be read, one for each meaning. */
const readings = (values: readonly string[], type: string, inherited: Formats, at: Edit['at']): Choices => {
  const forms = type === 'date' || type === 'timestamptz' ? dateForms(values) : /^(?:numeric|integer|bigint)/.test(type) ? numberForms : [];
  const read = new Map<string, { readonly formats: Formats; readonly values: readonly string[] }>();
  for (const formats of forms) {
    const found = readAs(values, type, { ...inherited, ...formats });
    if (found && !read.has(found.join('\n'))) read.set(found.join('\n'), { formats, values: found });
  }
  const all = [...read.values()];
  const differs = Math.max(
    0,
    values.findIndex((_, index) => new Set(all.map((one) => one.values[index])).size > 1),
  );
  return all.map(({ formats, values: found }) => ({
    label: `${quote(values[differs] ?? '')} is ${found[differs]}`,
    edits: [...Object.entries(formats).map(([name, value]) => ({ at: [...at, 'formats', name], value })), { at: [...at, 'question'] }],
  }));
};

/** Two targets that can share a column. */
const shared: Readonly<Record<string, readonly [own: Part, target: string, part: Part, words: string]>> = {
  last_name: ['lastName', 'first_name', 'firstName', 'last name'],
  street: ['street', 'house_no', 'houseNumber', 'street'],
  city: ['city', 'postal_code', 'postalCode', 'city'],
};

/** The parts of a value that has two facts. */
const parts = (rule: ColumnRule, place: Required<Place>, { columns }: TableRule, values: readonly string[]): Choices => {
  const [own, target, part, words] = shared[place.column] ?? [];
  if (own === undefined || target === undefined || part === undefined || rule.part !== undefined || target in columns) return [];
  // The parts of the name of a company are no names.
  if (own === 'lastName' && hasCompanies(values)) return [];
  const example = values.find((value) => typeof partIn(own, value) === 'string' && typeof partIn(part, value) === 'string');
  if (example === undefined) return [];
  const at = ['tables', place.index, 'columns'];
  return [
    {
      label: `${quote(example)} has two facts: the ${words} is ${quote(partIn(own, example) ?? '')}, and the other is ${quote(partIn(part, example) ?? '')}`,
      edits: [
        { at: [...at, place.column, 'part'], value: own },
        { at: [...at, target], value: { from: rule.from, part } },
        { at: [...at, place.column, 'question'] },
      ],
    },
  ];
};

const columnChoices = (source: Source, table: TableRule, place: Required<Place>, list: SeenList | undefined): Choices => {
  const rule = ruleOf(table.columns[place.column]!);
  const at = ['tables', place.index, 'columns', place.column];
  const target = catalogueTarget(table.table)?.columns.get(place.column);
  const name = columnsOfRule(rule)[0];
  const missing = new Set(rule.formats?.missingValues ?? table.formats?.missingValues ?? source.formats?.missingValues);
  const values = (list?.columns.find((column) => column.name === name)?.values ?? []).filter(
    (value) => value !== '' && !missing.has(value),
  );
  const inherited = { ...source.formats, ...table.formats, ...rule.formats };
  const { question = '' } = rule;
  const forms = target && asksForFormats(question) && values.length > 0 ? readings(values, target.type, inherited, at) : [];
  const found = [
    ...forms,
    ...parts(rule, place, table, values),
    ...(rule.apply === undefined ? unitsAskedIn(question) : []).map(({ steps, answer }) => ({
      label: answer,
      edits: [{ at: [...at, 'apply'], value: steps }, { at: [...at, 'question'] }],
    })),
  ];
  return [
    ...found,
    ...(forms.length > 0 ? [] : [{ label: 'It is right as it is', edits: [{ at: [...at, 'question'] }] }]),
    ...(target?.required ? [] : [{ label: `Load nothing into ${place.column}`, edits: [{ at }] }]),
  ];
};

const tableChoices = ({ question = '', latest }: TableRule, index: number): Choices => {
  const at = ['tables', index];
  const answered = { at: [...at, 'question'] };
  const group = fillDownAskedIn(question);
  return [
    ...(asksForLastRow(question) && latest === undefined
      ? [{ label: 'The last row with a key counts', edits: [{ at: [...at, 'latest'], value: '$position' }, answered] }]
      : []),
    ...(group === undefined
      ? []
      : [{ label: `A value of ${group} counts for the rows below it`, edits: [{ at: [...at, 'fillDown'], value: [group] }, answered] }]),
    { label: 'It is right as it is', edits: [answered] },
  ];
};

/** The open questions. One question at several columns of a list is one doubt. */
const openQuestions = (document: Document, source: Source, lists: readonly SeenList[]): OpenDoubt[] => {
  const found = new Map<string, { readonly text: string; readonly list: SeenList | undefined; readonly places: Place[] }>();
  const add = (text: string | undefined, table: TableRule, place: Place) => {
    if (text === undefined) return;
    const list = listOf(source, table, lists);
    const same = JSON.stringify([place.column === undefined ? place.index : list?.name, text]);
    const known = found.get(same);
    if (known) known.places.push(place);
    else found.set(same, { text, list, places: [place] });
  };
  for (const [index, table] of source.tables.entries()) {
    add(table.question, table, { index });
    for (const [column, rule] of Object.entries(table.columns))
      if (ownColumns(document, index)?.has(column)) add(ruleOf(rule).question, table, { index, column });
  }
  return [...found.values()].map(({ text, list, places }) => {
    const all = places.map((place) => {
      const table = source.tables[place.index]!;
      return place.column === undefined
        ? tableChoices(table, place.index)
        : columnChoices(source, table, { index: place.index, column: place.column }, list);
    });
    // An answer is for all places, so each of them has it.
    const labels = (all[0] ?? []).map(({ label }) => label).filter((label) => all.every((some) => some.some((one) => one.label === label)));
    const names = places.flatMap(({ index, column }) =>
      column === undefined ? [] : columnsOfRule(ruleOf(source.tables[index]!.columns[column]!)),
    );
    const [{ index, column }] = places as [Place];
    return {
      id: `question/${index}/${source.tables[index]!.table}${column === undefined ? '' : `/${column}`}`,
      text,
      places,
      place: placeOf(source.tables, list, places),
      values: list?.columns.find(({ name }) => name === names[0])?.values.slice(0, 3) ?? [],
      choices: labels.map((label) => ({ label, edits: all.flatMap((some) => some.find((one) => one.label === label)?.edits ?? []) })),
      input: {},
    };
  });
};

/** Required columns without a source. One answer is for all tables that need the column. */
const missingColumns = (document: Document, source: Source, lists: readonly SeenList[]): OpenDoubt[] => {
  const found = new Map<string, Place[]>();
  for (const [index, table] of source.tables.entries()) {
    const target = catalogueTarget(table.table);
    if (!target || (table.mode ?? 'full') !== 'full' || inherits(document, index)) continue;
    for (const column of requiredWithout(table, target)) found.set(column, [...(found.get(column) ?? []), { index, column }]);
  }
  return [...found].map(([column, places]) => {
    const tables = places.map(({ index }) => source.tables[index]!);
    const first = tables[0]!;
    const read = tables.map((table) => listOf(source, table, lists));
    const list = new Set(read).size === 1 ? read[0] : undefined;
    // A column that each of the lists has, such as those of a year in one file for each month.
    const shared = read[0]?.columns.filter(({ name }) => read.every((one) => one?.columns.some((column) => column.name === name))) ?? [];
    const isBoolean = catalogueTarget(first.table)?.columns.get(column)?.type === 'boolean';
    return {
      id: `missing/${column}`,
      text: `Each row needs a value: ${neededValue(first.table, column)}`,
      places,
      place: placeOf(source.tables, list, places),
      values: [],
      choices: [],
      input: {
        constant: { codes: isBoolean ? ['true', 'false'] : codesOf(first.table, column) },
        ...(shared.length > 0 && { columns: shared.map(({ name }) => name) }),
      },
    };
  });
};

/** Values of columns with codes that have none. A load refuses them. */
const valuesWithoutCode = (document: Document, source: Source, lists: readonly SeenList[]): OpenDoubt[] =>
  source.tables.flatMap((table, index) => {
    const list = listOf(source, table, lists);
    return Object.entries(table.columns).flatMap(([column, stated]) => {
      const rule = ruleOf(stated);
      const { codes, unknownCodes = 'refuse', from, part, apply } = rule;
      if (!codes || unknownCodes !== 'refuse' || typeof from !== 'string' || part || apply || !ownColumns(document, index)?.has(column))
        return [];
      const read = list?.columns.find(({ name }) => name === from);
      const { missingValues = [] } = { ...source.formats, ...table.formats, ...rule.formats };
      const values = read?.isWhole
        ? read.values.filter((value) => value !== '' && !Object.hasOwn(codes, value) && !missingValues.includes(value))
        : [];
      const known = codesOf(table.table, column);
      if (values.length === 0 || known.length === 0) return [];
      return [
        {
          id: `codes/${index}/${table.table}/${column}`,
          text: `${from}: ${values.length === 1 ? 'a value has' : `${values.length} values have`} no code of ${column}`,
          places: [{ index, column }],
          place: placeOf(source.tables, list, [{ index, column }]),
          values: values.slice(0, 3),
          choices: [],
          input: { values: { values, codes: known } },
        },
      ];
    });
  });

/** The doubts of a source, those about changed lists first. `document` is its text, and `source` what the text says. */
export const doubtsOf = (document: Document, source: Source, lists: readonly SeenList[]): readonly OpenDoubt[] => [
  ...goneColumns(document, source, lists),
  ...newColumns(document, source, lists),
  ...openQuestions(document, source, lists),
  ...valuesWithoutCode(document, source, lists),
  ...missingColumns(document, source, lists),
];
