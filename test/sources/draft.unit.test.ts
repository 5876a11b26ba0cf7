/** A draft proposes the target of the columns that the shipped sources map. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { columnsOfRule, ruleOf } from '../../src/sources/columns/column-value.ts';
import { draftSource } from '../../src/sources/draft/draft.ts';
import { parseSource, type Source } from '../../src/sources/source-file.ts';
import { shareOf } from './draft-share.ts';

/** The pairs of raw column and column of the export that a source has. A pair of a key is one, too. */
const pairsOf = ({ tables }: Source): Set<string> =>
  new Set(
    tables.flatMap(({ table, columns }) =>
      Object.entries(columns).flatMap(([target, rule]) => columnsOfRule(ruleOf(rule)).map((column) => `${table}.${target} ${column}`)),
    ),
  );

test.each(['german-erp', 'english-excel'])('the draft of %s has at least 80 percent of the targets', async (name) => {
  const shipped = pairsOf(parseSource(readFileSync(`examples/sources/${name}/source.yml`, 'utf8'), 'source.yml'));
  const { text } = await draftSource(`examples/sources/${name}/export`);
  const drafted = pairsOf(parseSource(text, 'draft'));
  const found = [...shipped].filter((pair) => drafted.has(pair));
  expect(found.length / shipped.size).toBeGreaterThanOrEqual(0.8);
});

test.each(['german-erp', 'english-excel', 'datev'])('the draft of %s finds a right target for 80 percent of the columns', async (name) => {
  expect(shareOf(name, (await draftSource(`examples/sources/${name}/export`)).text)).toBeGreaterThanOrEqual(0.8);
});

test('a file whose last line has no end is drafted as such', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'estate-draft-'));
  writeFileSync(join(folder, 'objekte.csv'), 'Objekt-Nr;Bezeichnung;Ort\n1;a;b\n2;c;d');
  expect((await draftSource(folder)).text).toContain('lastLineEnd: false');
  rmSync(folder, { recursive: true });
});

test('columns without a target can identify a row together', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'estate-draft-'));
  const lines = ['1001;10;Miete;500,00', '1001;20;Miete;500,00', '1002;10;Miete;500,00', '1002;20;Miete;500,00'];
  writeFileSync(join(folder, 'buchungen.csv'), `Beleg;Pos;Buchungstext;Betrag\n${lines.join('\n')}\n`);
  expect((await draftSource(folder)).text).toContain('primaryKey: [Beleg, Pos] # these columns identify each row together');
  rmSync(folder, { recursive: true });
});

test('the draft names what it does not know', async () => {
  const { text } = await draftSource('examples/sources/german-erp/export');
  expect(text).toContain('# needs a value: is_active (whether the unit is active). State its column or a constant.');
  expect(text).toContain('# not used: Bezeichnung (2)');
  expect(text).toContain('# needs a value: tenant_type_key (kind of tenancy: residential, commercial, ');
});

test('the draft reads a minus after the number, and a key of amounts has their first day', async () => {
  const { text } = await draftSource('examples/sources/german-erp/export');
  expect(text).toContain('trailingMinus: true');
  expect(text).toContain('primaryKey: [Vertrags-Nr, Sollart, Gültig ab]');
});
