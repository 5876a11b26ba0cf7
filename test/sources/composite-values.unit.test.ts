/** Columns of composite values, such as a street with its number: a draft splits them, or asks. */
import { afterAll, expect, test } from 'vitest';
import { draftSource } from '../../src/sources/draft/draft.ts';
import { parseSource } from '../../src/sources/source-file.ts';
import { folderWith, removeFolders } from './support.ts';

afterAll(removeFolders);

const drafted = async (header: string, rows: readonly string[]) => {
  const lines = rows.map((row, index) => `${1_001 + index};${row}`);
  const { text, questions } = await draftSource(folderWith({ 'personen.csv': `Personennummer;${header}\n${lines.join('\n')}\n` }));
  const { columns } = parseSource(text, 'draft').tables[0]!;
  return { columns, questions };
};

/** Each target as a part of its column. */
const partsOf = (street: string, place: string) => ({
  street: { from: street, part: 'street' },
  house_no: { from: street, part: 'houseNumber' },
  city: { from: place, part: 'city' },
  postal_code: { from: place, part: 'postalCode' },
});

test('a street with its number, and a postal code with its city', async () => {
  const { columns, questions } = await drafted('Nachname;Vorname;Straße;Ort;E-Mail', [
    'Weber;Anna;Seestraße 14a;13353 Berlin;a@example.org',
    'Kurz;Paul;Am Markt 3;10115 Berlin;p@example.org',
    'Lang;Ida;Lange Gasse 128;20095 Hamburg;i@example.org',
    'Roth;Max;Hof Birke;50667 Köln;m@example.org',
  ]);
  expect(columns).toMatchObject(partsOf('Straße', 'Ort'));
  expect(questions).toEqual([]);
});

test('a column of numbers of its own leaves a street as it is', async () => {
  const { columns } = await drafted('Nachname;Vorname;Straße;Hausnummer;PLZ;Ort', [
    'Weber;Anna;Seestraße;14a;13353;Berlin',
    'Kurz;Paul;Am Markt;3;10115;Berlin',
    'Lang;Ida;Lange Gasse;128;20095;Hamburg',
  ]);
  expect(columns).toMatchObject({ street: 'Straße', house_no: 'Hausnummer', postal_code: 'PLZ', city: 'Ort' });
});

test('a column of composite values is found by them, whatever its name is', async () => {
  const { columns, questions } = await drafted('Nachname;Vorname;Anschr. 1;Anschr. 2;Kto', [
    'Weber;Anna;Seestraße 14a;13353 Berlin;Konto 12',
    'Kurz;Paul;Am Marktplatz 3;10115 Berlin;Konto 13',
    'Lang;Ida;Lange Gasse 128;20095 Hamburg;Konto 14',
  ]);
  expect(columns).toMatchObject(partsOf('Anschr. 1', 'Anschr. 2'));
  expect([JSON.stringify(columns).includes('Kto'), questions]).toEqual([false, []]);
});

test('few streets with a number are a question', async () => {
  const { questions } = await drafted('Nachname;Vorname;Straße;PLZ;Ort', [
    'Weber;Anna;Seestraße;13353;Berlin',
    'Kurz;Paul;Am Markt;10115;Berlin',
    'Lang;Ida;Lange Gasse 128;20095;Hamburg',
    'Roth;Max;Birkenweg;50667;Köln',
  ]);
  expect(questions).toEqual([expect.stringContaining('1 of 4 values look like a street and its number, such as "Lange Gasse 128"')]);
});

test('names with a comma are split, and others are a question', async () => {
  const of = (names: readonly string[]) =>
    drafted(
      'Nachname;Straße;Hausnummer;PLZ;Ort',
      names.map((name, index) => `${name};Seestraße;${index + 1};13353;Berlin`),
    );
  const { columns, questions } = await of(['Weber, Anna', 'Kurz, Paul', 'Lang, Ida']);
  expect(columns).toMatchObject({ last_name: { from: 'Nachname', part: 'lastName' }, first_name: { from: 'Nachname', part: 'firstName' } });
  expect(questions).toEqual([]);
  const asks = [expect.stringContaining('values look like whole names')];
  expect((await of(['Anna Weber', 'Paul Kurz', 'Ida Lang'])).questions).toEqual(asks);
  expect((await of(['Weber, Anna', 'Kurz GmbH', 'Lang, Ida'])).questions).toEqual(asks);
});
