/** How well a column of an export fits a target: by its values first, and by its name. */
import type { RawLookupName } from '../../../catalogue/raw/codes.ts';
import { type RawTableName, rawTables } from '../../../catalogue/raw/index.ts';
import { partsOf, type RawTable } from '../../../catalogue/raw-table.ts';
import { contentOfTarget, isTelling } from '../forms/contents.ts';
import type { ColumnProfile } from '../lists/profile.ts';
import type { ValueSigns } from '../signs/value-signs.ts';
import { canHold, codesOf, type Fit, factsOfColumn, fitOf, impliedBy, normalise, type Term, termsOfTable } from '../words/fit.ts';

/** Pairs below this are chance, and nothing is proposed. */
export const least = 1.9;

/** The keys of the lists of an export, by the raw table that each fills. */
export interface KeysOfLists {
  readonly get: (table: RawTableName) => readonly { readonly list: string; readonly column: ColumnProfile }[] | undefined;
  /** The raw table that a foreign key of a database leads to. */
  readonly foreign?: ReadonlyMap<ColumnProfile, RawTableName>;
  /** What the values of the columns say. */
  readonly signs?: ValueSigns;
}

/** Code lists whose words say what a column is, whatever it is called. Of the others, three codes are needed. */
const tellingLists: ReadonlySet<RawLookupName> = new Set([
  'usage_type',
  'debit_type',
  'trade',
  'payment_interval',
  'heating_type',
  'deposit_type',
  'property_type',
]);

/** A price for an area: no amount of its own. */
export const isPerArea = (name: string): boolean =>
  /(?:\/|\b(?:per|pro|je)\b)\s*(?:m²|m2|qm|sqm|sq\.? ?(?:m|ft)|sf)(?![a-z])|\bpsf\b/i.test(name);

/** What relations of columns say of this target. */
const valueSign = (table: RawTableName, target: string, column: ColumnProfile, signs: ValueSigns, hasName: boolean): Sign => {
  const own = signs.get(column);
  const found = own?.get(`${table}.${target}`) ?? own?.get(target);
  if (found) return { points: hasName ? Math.min(1, found.points) : found.points, evidence: found.evidence };
  // The net amount is neither the VAT nor the gross amount.
  const isOther =
    own !== undefined && /_(?:amount|net|gross|vat)$/.test(target) && [...own.keys()].some((one) => /^(?:net|vat|gross)_amount$/.test(one));
  return { points: isOther ? -1.5 : 0 };
};

/** Facts of the data that speak for or against a pair. */
interface Sign {
  readonly points: number;
  readonly evidence?: string;
}

const contentSign = (target: string, { contents, sample, name }: ColumnProfile, hasName: boolean): Sign => {
  // One column for the names of persons and companies.
  if (target === 'company_name' && hasName && sample.size > 0 && !contents.has('companyName') && /na(?:me|am)\b/i.test(name))
    return { points: -1.5 };
  const wanted = contentOfTarget(target);
  if (!wanted || !contents.has(wanted.content)) return { points: wanted && hasName && !wanted.only && contents.size > 0 ? -0.2 : 0 };
  if (isTelling(wanted.content)) return { points: hasName ? 1.6 : 2.3, evidence: `its values are of the kind ${wanted.content}` };
  // Four letters and digits such as 1012 AB are nothing else.
  const isTellingCode = wanted.content === 'postalCode' && [...sample].every((value) => /[A-Z]/.test(value));
  return { points: isTellingCode ? (hasName ? 1.2 : 2.1) : hasName ? 0.4 : 0, evidence: `its values are of the kind ${wanted.content}` };
};

const codeSign = (table: RawTableName, target: string, column: ColumnProfile, hasName: boolean): Sign => {
  const { lookup } = factsOfColumn(table, target);
  if (!lookup || column.values.length === 0) return { points: lookup && column.different > 30 ? -1 : 0 };
  const { codes, unknown } = codesOf(table, target, column);
  const share = 1 - unknown.length / column.values.length;
  if (share === 0) return { points: hasName ? -0.9 : 0 };
  const found = new Set(codes ? [...codes.values()] : column.values).size;
  const isLong = column.values.filter((value) => value.length >= 4).length >= column.values.length * 0.8;
  const isTellingSet = share >= 0.8 && isLong && found >= (tellingLists.has(lookup) ? 2 : 3);
  const words = `${column.values.length - unknown.length} of ${column.values.length} values are codes of it`;
  if (!hasName) return isTellingSet ? { points: 2.1, evidence: words } : { points: 0 };
  return { points: 0.9 * share, evidence: words };
};

/** The column whose values contain those of this one. */
const containedIn = (
  column: ColumnProfile,
  keys: KeysOfLists,
  table: RawTableName,
): { readonly share: number; readonly isSame: boolean; readonly words: string } | undefined => {
  const values = [...column.sample];
  const best = (keys.get(table) ?? [])
    .filter((one) => one.column !== column && values.length > 0)
    .map(({ list, column: key }) => ({ share: values.filter((value) => key.sample.has(value)).length / values.length, list, key }))
    .sort((a, b) => b.share - a.share)[0];
  // A database calls a reference as the key that it leads to.
  return (
    best && {
      share: best.share,
      isSame: normalise(best.key.name) === normalise(column.name),
      words: `${best.list} has ${Math.round(best.share * 100)} % of its values in ${best.key.name}`,
    }
  );
};

const referenceSign = (table: RawTableName, target: string, column: ColumnProfile, keys: KeysOfLists, hasName: boolean): Sign => {
  const { references } = factsOfColumn(table, target);
  const foreign = keys.foreign?.get(column);
  if (foreign) {
    // The account of a tenancy has the key of the contract.
    const isSame = references?.table === foreign || (foreign === 'tenancy_hdr' && target === 'account_id');
    return isSame ? { points: hasName ? 1.5 : 2.4, evidence: `a foreign key leads to ${foreign}` } : { points: -1.5 };
  }
  const found = references && references.table !== table ? containedIn(column, keys, references.table) : undefined;
  if (!found) return { points: 0 };
  // A table has several accounts, and the one of a tenancy is called account_id.
  if (references?.table === 'account' && target !== 'account_id' && !hasName) return { points: 0 };
  const isRich =
    (column.different >= 3 && [...column.sample].every((value) => value.length >= 3)) ||
    [...column.sample].every((value) => value.length >= 5 || /[a-z].*\d|\d.*[a-z]/i.test(value));
  if (found.share >= 0.95) return { points: hasName ? 1.2 : found.isSame ? 2.4 : isRich ? 2.1 : 0, evidence: found.words };
  return { points: found.share < 0.5 ? -0.8 : 0 };
};

/** A street names a row rarely. */
const streetSign = (table: RawTableName, target: string, { contents }: ColumnProfile): Sign => ({
  points:
    (contents.has('street') || contents.has('address')) && (target === rawTables[table].key || factsOfColumn(table, target).references)
      ? -1
      : 0,
});

const keySign = (table: RawTableName, target: string, { isUnique, different, filled }: ColumnProfile): Sign => {
  const { key, unique }: RawTable = rawTables[table];
  const isOwn = target === key || unique.some((names) => names.length === 1 && names[0] === target);
  if (!isOwn || filled === 0) return { points: 0 };
  if (isUnique) return { points: 0.4, evidence: 'its values are unique' };
  return { points: different < filled * 0.9 ? -1 : 0 };
};

const typeSign = (table: RawTableName, target: string, { looks }: ColumnProfile): number => {
  const { type } = partsOf((rawTables[table] as RawTable).columns[target]!);
  return (type === 'date' && looks.has('date')) ||
    (type === 'boolean' && looks.has('boolean') && looks.size === 1) ||
    (type.startsWith('numeric') && looks.has('number'))
    ? 0.2
    : 0;
};

/** The score of a pair; below `least` it is none. `terms`: further terms that count in this kind of list. `isRow`: a row is one of the table. */
export const scoreOf = (
  table: RawTableName,
  target: string,
  column: ColumnProfile,
  {
    keys,
    terms = [],
    implied = impliedBy(table),
    isRow = true,
  }: { readonly keys: KeysOfLists; readonly terms?: readonly Term[]; readonly implied?: ReadonlySet<string>; readonly isRow?: boolean },
): Fit => {
  const none = { score: 0, evidence: '' };
  if (!canHold(table, target, column)) return none;
  if (isPerArea(column.name) !== (target === 'market_rent_per_sqm') && (isPerArea(column.name) || target === 'market_rent_per_sqm'))
    return none;
  const all = [...terms, ...(termsOfTable(table).get(target) ?? [])];
  const name = [column.name, ...(column.comment === undefined ? [] : [column.comment])]
    .map((words) => fitOf(words, all, implied))
    .reduce((best, one) => (one.score > best.score ? one : best));
  // The address of a contact is that of another person.
  if (target.startsWith('contact_') && name.score < 2.2) return none;
  const hasName = name.score > 0;
  const signs = [
    contentSign(target, column, hasName),
    codeSign(table, target, column, hasName),
    referenceSign(table, target, column, keys, hasName),
    streetSign(table, target, column),
    valueSign(table, target, column, keys.signs ?? new Map(), hasName),
    ...(hasName && isRow ? [keySign(table, target, column)] : []),
  ];
  const points = signs.reduce((sum, sign) => sum + sign.points, 0);
  if (!hasName && points <= 0) return none;
  const evidence = [name.evidence, ...signs.flatMap((sign) => (sign.points > 0 && sign.evidence ? [sign.evidence] : []))].filter(
    (words) => words !== '',
  );
  // Without any value, only an exact name counts.
  const isEmpty = column.filled === 0 && name.score < 2.5;
  return { score: isEmpty ? 0 : name.score + points + (hasName ? typeSign(table, target, column) : 0), evidence: evidence.join('; ') };
};
