/** Texts by their contents: places, streets, names, and values of a usual form. */
import type { ColumnProfile, ListProfile } from '../lists/profile.ts';
import { type FoundSign, type ReadList, share } from './read-list.ts';

/** Each text of the first column has one text of the second, and some repeat. */
const follows = (list: ListProfile, from: ColumnProfile, to: ColumnProfile): boolean => {
  const known = new Map<string, string>();
  const texts = list.textsOf(to.name);
  let repeats = 0;
  const isOne = list.textsOf(from.name).every((text, row) => {
    if (text === '') return true;
    const first = known.get(text);
    if (first === undefined) known.set(text, texts[row]!);
    else repeats++;
    return first === undefined || first === texts[row];
  });
  return isOne && known.size >= 2 && repeats >= 3;
};

const isWord = (text: string): boolean => /^\p{Lu}?['’]?\p{L}/u.test(text) && !/\d/.test(text);

/** A postal code, and the city that follows from it. */
export const places = ({ list }: ReadList): FoundSign[] => {
  const codes = list.columns.filter(({ contents, sample }) => contents.has('postalCode') && sample.size >= 2);
  return codes.flatMap((code): FoundSign[] => {
    const cities = list.columns.filter(
      (one) =>
        one !== code &&
        one.look === 'text' &&
        one.different >= 2 &&
        one.filled === code.filled &&
        [...one.sample].every(isWord) &&
        follows(list, code, one),
    );
    const [city] = cities.filter((one) => one.different >= code.different * 0.4);
    return city
      ? [
          { column: code, targets: ['postal_code'], evidence: `${city.name} follows from it` },
          { column: city, targets: ['city'], evidence: `it follows from the postal code in ${code.name}` },
        ]
      : [];
  });
};

/** A street by its words, and the number of its house in another column. */
export const streets = ({ list }: ReadList): FoundSign[] => {
  const named = list.columns.filter(({ contents }) => contents.has('street') && !contents.has('address'));
  const [street] = named;
  if (!street || named.length > 1) return [];
  const bare = ![...street.sample].some((text) => /\d/.test(text));
  const at = list.columns.indexOf(street);
  const next = list.columns[at + 1];
  return [
    { column: street, targets: ['street'], evidence: 'its values are streets' },
    ...(bare && next?.contents.has('houseNumber') && next.filled === street.filled
      ? [{ column: next, targets: ['house_no'], evidence: `it stands beside the street in ${street.name}` }]
      : []),
  ];
};

export const contents = ({ list }: ReadList): FoundSign[] =>
  list.columns.flatMap((column): FoundSign[] => {
    const texts = [...column.sample];
    const has = (content: Parameters<typeof column.contents.has>[0]) => column.contents.has(content);
    if (has('phone') && share(texts, (text) => /^\+|^\(|^0\d+[\s/()-]+\d/.test(text)) >= 0.9)
      return [{ column, targets: ['person.phone'], evidence: 'its values are numbers of phones' }];
    if (has('companyName') && column.different >= 2)
      return [{ column, targets: ['person.company_name'], evidence: 'its values have legal forms' }];
    if (has('personName') && column.different >= 5)
      return [{ column, targets: ['person.last_name'], points: 2, evidence: 'its values are names of persons' }];
    if (has('year') && share(texts, (text) => Number(text) < 2005) >= 0.3 && column.different >= 2)
      return [{ column, targets: ['construction_year'], points: 2, evidence: 'its values are years of buildings' }];
    if (
      column.look === 'text' &&
      column.different >= 2 &&
      texts.every((text) => /^[A-H]\+{0,2}$/.test(text)) &&
      texts.some((text) => /^[C-H]/.test(text))
    )
      return [{ column, targets: ['energy_certificate_class_key'], evidence: 'its values are classes of energy' }];
    return [];
  });

const particle = /^(?:von|van|vom|zu|zum|zur|de|der|den|del|di|la|le|ter|ten|'t)\s|^(?:Mac|Mc|O['’])\p{Lu}|\p{Ll}-\p{Lu}/u;

/** Two columns of names of the same persons. The last ones have particles, such as `von der Heydt`. */
export const names = ({ list }: ReadList): FoundSign[] => {
  const rowsOf = (column: ColumnProfile) =>
    list
      .textsOf(column.name)
      .map((text) => (text === '' || column.missing.includes(text) ? '-' : '+'))
      .join('');
  const called = list.columns
    .filter(
      ({ look, different, filled, sample, contents: found }) =>
        look === 'text' &&
        different >= 4 &&
        filled >= 10 &&
        found.size === 0 &&
        [...sample].every((text) => isWord(text) && text.length <= 30 && text.split(' ').length <= 4),
    )
    .map((column) => ({ column, rows: rowsOf(column), isLast: [...column.sample].some((text) => particle.test(text)) }));
  const pairs = called.flatMap((first) =>
    called.flatMap((last) => (first !== last && last.isLast && !first.isLast && first.rows === last.rows ? [{ first, last }] : [])),
  );
  const [pair] = pairs;
  if (!pair || pairs.length > 1) return [];
  return [
    { column: pair.last.column, targets: ['person.last_name'], evidence: 'its names have particles' },
    { column: pair.first.column, targets: ['person.first_name'], evidence: `it stands with the last name in ${pair.last.column.name}` },
  ];
};
