/**
 * Columns of composite values: a street with its number, a postal code with its city, a first and a last name. They are split where
 * every value says how. Where some do not, the draft asks, because a street with its number is a wrong street.
 */
import { rawTables } from '../../../catalogue/raw/index.ts';
import { hasCompanies } from '../forms/contents.ts';
import type { ColumnProfile } from '../lists/profile.ts';
import { type QuestionName, questionText } from '../question-texts.ts';
import { hasPart, type PartTarget, partIn, partOfAddress, partOfColumn } from './parts-of-values.ts';
import { type ColumnProposal, missingOf, type TableProposal } from './proposal.ts';

/** The part that a column is taken for, and the one that its values can have besides. */
const pairs: readonly (readonly [main: PartTarget, other: PartTarget, words: string, asks: QuestionName])[] = [
  [partOfAddress('street'), partOfAddress('house_no'), 'a street and its number', 'streetAndNumber'],
  [partOfAddress('city'), partOfAddress('postal_code'), 'a postal code and a city', 'postalCodeAndCity'],
];

const isPlain = ({ rule }: ColumnProposal): boolean => rule === undefined || Object.keys(rule).every((option) => option === 'from');

const replaced = (proposal: TableProposal, column: ColumnProposal, by: readonly ColumnProposal[]): TableProposal => {
  const columns = proposal.columns.flatMap((one) => (one === column ? by : [one]));
  return { ...proposal, columns, missing: missingOf(proposal.table, new Set(columns.map(({ target }) => target))) };
};

const splitAddress = (proposal: TableProposal, [main, other, words, asks]: (typeof pairs)[number]): TableProposal => {
  const column = proposal.columns.find((one) => one.target === main.target && isPlain(one));
  if (!column) return proposal;
  const values = [...column.profile.sample];
  const both = values.filter((value) => typeof partIn(other.part, value) === 'string');
  if (both.length === 0) return proposal;
  const hasOther = proposal.columns.some(({ target }) => target === other.target);
  if (hasPart(column.profile, main.part) && both.length * 2 >= values.length) {
    const evidence = `${both.length} of ${values.length} values have ${words}`;
    const parts = [partOfColumn(column.profile, main, evidence), ...(hasOther ? [] : [partOfColumn(column.profile, other, evidence)])];
    return replaced(proposal, column, parts);
  }
  const question = questionText(asks, { both: both.length, all: values.length, example: both[0]! });
  return replaced(proposal, column, [{ ...column, question }]);
};

const hasWords = (value: string): boolean => /\S[\s,]+\S/.test(value.trim());

/** A comma says which name is the last one. Without it, the order is unknown, and a company is no person. */
const splitNames = (proposal: TableProposal): TableProposal => {
  const column = proposal.columns.find((one) => one.target === 'last_name' && isPlain(one));
  if (!column || proposal.columns.some(({ target }) => target === 'first_name')) return proposal;
  const values = [...column.profile.sample];
  const long = values.filter(hasWords);
  if (long.length * 5 < values.length) return proposal;
  const last: PartTarget = { target: 'last_name', part: 'lastName' };
  const first: PartTarget = { target: 'first_name', part: 'firstName' };
  if (long.every((value) => /^[^,]+,[^,]+$/.test(value)) && !hasCompanies(values)) {
    const evidence = `${long.length} of ${values.length} values have a last and a first name`;
    return replaced(proposal, column, [partOfColumn(column.profile, last, evidence), partOfColumn(column.profile, first, evidence)]);
  }
  const question = questionText('wholeNames', { example: long[0]! });
  return replaced(proposal, column, [{ ...column, question }]);
};

/** A column without a target whose values all have both parts, such as `PLZ Ort`. A street has a word of streets, because `Konto 12` is none. */
const holdsBoth = (column: ColumnProfile, [main, other]: (typeof pairs)[number]): boolean =>
  (main.part !== 'street' || column.contents.has('street')) &&
  hasPart(column, main.part) &&
  hasPart(column, other.part) &&
  (main.part === 'street' || [...column.sample].every((value) => partIn('street', value) === null));

/** Finds composite values in columns that nothing reads. Only one table of the list may lack the parts, otherwise nobody knows whose they are. */
const findComposites = (tables: readonly TableProposal[], pair: (typeof pairs)[number]): readonly TableProposal[] => {
  const [main, other, words] = pair;
  const takes = tables.filter(({ table }) => main.target in rawTables[table].columns && other.target in rawTables[table].columns);
  const [one, ...others] = takes;
  const columns = [...new Set(tables.flatMap(({ unassigned }) => unassigned))].filter((column) => holdsBoth(column, pair));
  const [column] = columns;
  if (!one || others.length > 0 || !column || columns.length > 1) return tables;
  if (one.columns.some(({ target }) => target === main.target || target === other.target)) return tables;
  const parts = [main, other].map((part) => partOfColumn(column, part, `its values have ${words}`));
  return tables.map((table) => {
    // Another table that differs in few columns refers to a proposal by identity, so what does not change stays.
    const rest = table.unassigned.includes(column) ? { ...table, unassigned: table.unassigned.filter((each) => each !== column) } : table;
    if (table !== one) return rest;
    const all = [...table.columns, ...parts];
    return { ...rest, columns: all, missing: missingOf(table.table, new Set(all.map(({ target }) => target))) };
  });
};

/** The proposals for a list, in which each part of a composite value has its target or a question. */
export const splitCompositeValues = (tables: readonly TableProposal[]): readonly TableProposal[] =>
  pairs.reduce(findComposites, tables).map((table) => splitNames(pairs.reduce(splitAddress, table)));
