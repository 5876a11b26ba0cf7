/** Units and their contracts by numbers within properties, sizes, and what is there if a tenant is. */
import type { ColumnProfile } from '../lists/profile.ts';
import { isVacant } from '../words/vacancies.ts';
import { both, type FoundSign, filledOf, median, type ReadList, share, type Values } from './read-list.ts';
import { isFirstOfMonth } from './terms.ts';

/** Rooms, area and rent of units: a room has some square metres, and a square metre has a price. */
export const sizes = ({ numbers }: ReadList): FoundSign[] => {
  const rooms = numbers.filter((one) => {
    const values = filledOf(one);
    return (
      one.column.filled >= 10 &&
      one.column.different >= 3 &&
      one.column.different <= 16 &&
      values.every((value) => value >= 1 && value <= 12 && (value * 2) % 1 === 0)
    );
  });
  const areas = numbers.filter((one) => {
    const values = filledOf(one).filter((value) => value !== 0);
    return (
      values.length >= 10 &&
      one.column.different > 12 &&
      values.every((value) => value >= 5 && value <= 5_000) &&
      median(values) >= 30 &&
      median(values) <= 200
    );
  });
  const triples = rooms.flatMap((room) =>
    areas.flatMap((area) => {
      const rows = both(area, room).filter(([size]) => size > 0);
      return rows.length >= 10 && share(rows, ([size, count]) => size / count >= 9 && size / count <= 65) >= 0.95 ? [{ room, area }] : [];
    }),
  );
  const [triple] = triples;
  if (!triple || new Set(triples.map(({ room }) => room)).size > 1) return [];
  // A heated or lettable area is larger or smaller than the area, and nobody knows which column is which.
  const all = triples.map(({ area }) => area);
  return [
    { column: triple.room.column, targets: ['floor_area.room_count'], evidence: 'rooms, by the area of the same row' },
    ...(all.length === 1
      ? [{ column: triple.area.column, targets: ['floor_area.area_sqm'], evidence: 'an area, by the rooms of the same row' }]
      : []),
  ];
};

/** Days and amounts that a row has if it has the name of a person: the contract of a tenant. */
export const contracts = ({ list, days, numbers }: ReadList): FoundSign[] => {
  const tenants = list.columns.filter((one) => one.contents.has('personName') && one.different >= 5);
  const [tenant] = tenants;
  if (!tenant || tenants.length > 1) return [];
  const isLet = list.textsOf(tenant.name).map((text) => text !== '' && !tenant.missing.includes(text) && !isVacant(text));
  if (!isLet.includes(false)) return [];
  const stands = ({ values }: Values<unknown>) => values.every((value, row) => (value !== undefined) === isLet[row]);
  const starts = days.filter((one) => stands(one) && share(filledOf(one), isFirstOfMonth) >= 0.8);
  const evidence = `it is there if ${tenant.name} is`;
  return [
    ...starts.map(({ column }) => ({ column, targets: ['tenancy_hdr.contract_start_date'], evidence })),
    ...starts.map(({ column }) => ({ column, targets: ['floor_area.vacant_since', 'floor_area.available_from'], points: -2, evidence })),
    ...deposits(numbers.filter(({ column }) => column.filled >= 5)),
  ];
};

/** Most deposits are two or three rents. */
const deposits = (numbers: readonly Values<number>[]): FoundSign[] => {
  const pairs = numbers.flatMap((rent) =>
    numbers.flatMap((deposit) => {
      const rows = both(rent, deposit).filter(([a, b]) => a > 0 && b > 0);
      const isPair = [2, 3].some((count) => share(rows, ([a, b]) => Math.abs(b - a * count) <= count) >= 0.75);
      return rent !== deposit && rows.length >= 10 && rent.column.different > 5 && isPair
        ? [{ rent: rent.column, deposit: deposit.column }]
        : [];
    }),
  );
  const [pair] = pairs;
  return pair && new Set(pairs.map(({ deposit }) => deposit)).size === 1
    ? [{ column: pair.deposit, targets: ['tenancy_hdr.deposit_amount'], evidence: `it is two or three times ${pair.rent.name}` }]
    : [];
};

/** Letters and digits as they follow each other: `EZ 1001` and `EZ 1002` have one shape. */
const shapeOf = (text: string): string => text.replaceAll(/\d+/g, '9').replaceAll(/\p{L}+/gu, 'a');

const isNumbered = ({ look, filled, rows, sample, contents: found }: ColumnProfile): boolean =>
  (look === 'text' || look === 'integer') &&
  filled === rows &&
  !found.has('street') &&
  !found.has('floor') &&
  new Set([...sample].map(shapeOf)).size === 1 &&
  [...sample].every((text) => /\d/.test(text));

/** A number of few properties, and a number of units that is unique within them. */
export const units = ({ list }: ReadList): FoundSign[] => {
  if (list.rows < 10) return [];
  const numbered = list.columns.filter(isNumbered);
  const pairs = numbered.flatMap((property) => {
    if (property.different < 2 || property.different > list.rows / 4 || [...property.sample].some((text) => text.length < 3)) return [];
    return numbered.flatMap((unit) => {
      const [places, texts] = [list.textsOf(property.name), list.textsOf(unit.name)];
      const isWithin = texts.every((text, row) => text.startsWith(places[row]!) && text.length > places[row]!.length);
      const isUnit =
        unit !== property &&
        list.identifies([property.name, unit.name]) &&
        (isWithin || !unit.isUnique) &&
        unit.different > property.different;
      return isUnit ? [{ property, unit, isWithin }] : [];
    });
  });
  const within = pairs.filter(({ isWithin }) => isWithin);
  const [pair] = within.length > 0 ? within : pairs;
  if (!pair || (within.length === 0 && pairs.length > 1) || within.length > 1) return [];
  const evidence = `${pair.unit.name} is unique within ${pair.property.name}`;
  return [
    { column: pair.property, targets: ['floor_area.property_id', 'property_hdr.property_id'], points: 2, evidence },
    { column: pair.unit, targets: ['floor_area.unit_number'], points: 2, evidence },
  ];
};
