import { describe, expectTypeOf, test } from 'vitest';
import { boolean, integer, number, required, string } from '../../src/catalogue/column.ts';
import type { CatalogueRow, ColumnName, TableName } from '../../src/catalogue/index.ts';
import type { RawRow } from '../../src/catalogue/raw/index.ts';
import { raw } from '../../src/catalogue/raw-table.ts';
import { from, join, table, toOne } from '../../src/catalogue/table.ts';

const proper = {
  name: 'things',
  category: 'property',
  purpose: 'Things.',
  grain: 'one thing',
  v1: true,
  source: from('report_hdr', 'rh'),
  key: 'id',
  sort: ['id'],
  filters: ['name'],
  columns: { id: integer('key', { required }), name: string('name'), size: number(5, 2, 'size'), is_open: boolean('open') },
} as const;

/** Checked by the compiler. Nothing can fail at run time. */
describe('the compiler checks every name in a catalogue entry', () => {
  test('a correct entry compiles', () => {
    table({ ...proper, relations: { property: toOne('id', 'properties.property_id', 'things') } });
  });

  test('an unknown key, sort, filter, unique or relation column does not compile', () => {
    // @ts-expect-error no such column
    table({ ...proper, key: 'nothing' });
    // @ts-expect-error no such column
    table({ ...proper, sort: ['nothing'] });
    // @ts-expect-error no such column
    table({ ...proper, filters: ['nothing'] });
    // @ts-expect-error no such column
    table({ ...proper, unique: ['nothing'] });
    // @ts-expect-error a required filter is a filter
    table({ ...proper, requiredFilters: ['size'] });
    // @ts-expect-error no such column
    table({ ...proper, relations: { property: toOne('nothing', 'properties.property_id', 'things') } });
  });

  test('an unknown category, raw table, join column or code list does not compile', () => {
    // @ts-expect-error no such category
    table({ ...proper, category: 'nothing' });
    // @ts-expect-error no such raw table
    from('nothing', 'n');
    // @ts-expect-error no such column in that raw table
    join('person', 'p', 'nothing', 'rh.person_id');
    // @ts-expect-error no such list
    string('a code', { lookup: 'nothing' });
    // @ts-expect-error the key is one of the columns
    raw({ purpose: 'x', key: 'nothing', tier: 'basic', columns: { id: 'integer not null' } });
    // @ts-expect-error no type of the raw tables
    raw({ purpose: 'x', key: 'id', tier: 'basic', columns: { id: 'serial' } });
  });
});

describe('row types follow from the catalogue', () => {
  test('kinds become types, and null if a column is nullable', () => {
    expectTypeOf<CatalogueRow<'offers'>['offer_hdr_id']>().toEqualTypeOf<number>();
    expectTypeOf<CatalogueRow<'offers'>['offer_value']>().toEqualTypeOf<number | null>();
    expectTypeOf<CatalogueRow<'offers'>['offer_accepted']>().toEqualTypeOf<boolean | null>();
    expectTypeOf<CatalogueRow<'notifications'>['report_date']>().toEqualTypeOf<string | null>();
    expectTypeOf<ColumnName<'notifications'>>().toEqualTypeOf<
      'report_hdr_id' | 'property_id' | 'to_hdr_id' | 'person_id' | 'report_type' | 'status' | 'priority_text' | 'report_date'
    >();
  });

  test('tables are typed by name', () => {
    expectTypeOf<'orders'>().toExtend<TableName>();
    expectTypeOf<'nothing'>().not.toExtend<TableName>();
  });

  test('nullable values of raw rows are optional', () => {
    expectTypeOf<RawRow<'person'>['person_id']>().toEqualTypeOf<number>();
    expectTypeOf<RawRow<'person'>['first_name']>().toEqualTypeOf<string | null | undefined>();
  });
});
