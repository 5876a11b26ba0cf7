/** The exports of eight invented programs, each from the world of its country. A seed chooses names, orders, encodings and forms. */
import type { Random } from '../../../demo/random.ts';
import { gipfel, zinshaus } from './alpine.ts';
import { woonbasis } from './dutch.ts';
import { estuary, landbase, rentPoint } from './english.ts';
import { hausblick, kontor } from './german.ts';
import { gridOf, type List, truthOf } from './layout.ts';
import type { TrueList, Unseen } from './truth.ts';
import { type Country, type World, worldOf } from './world.ts';
import { type Csv, csvOf, type SqlTable, statementsOf, workbookOf } from './writer.ts';

type Export = Pick<Unseen, 'files' | 'database' | 'lists'>;

const csvFiles = (lists: readonly List[], { random }: World, styles: readonly Csv[], end = 'csv'): Export => {
  const files = new Map<string, Buffer>();
  const style = random.pick(styles);
  const truths = lists.map((list): TrueList => {
    const grid = gridOf(list, random);
    const { bytes, places } = csvOf(grid, style);
    const name = `${list.name}.${end}`;
    files.set(name, bytes);
    return truthOf(name, list, grid, places);
  });
  return { files, lists: truths };
};

const workbook = (lists: readonly List[], { random }: World, name: string, kinds: readonly ('xlsx' | 'xls')[]): Export => {
  const grids = new Map(lists.map((list) => [list.name, gridOf(list, random)]));
  const kind = random.pick(kinds);
  const file = `${name}.${kind}`;
  return {
    files: new Map([[file, workbookOf(grids, kind)]]),
    lists: lists.map((list) => {
      const grid = grids.get(list.name)!;
      return truthOf(
        `${file}#${list.name}`,
        list,
        grid,
        grid.places.map((place) => place + 1),
      );
    }),
  };
};

type References = Readonly<Record<string, NonNullable<SqlTable['references']>>>;

const database = (lists: readonly List[], random: Random, type: 'postgres' | 'mysql', references: References): Export => {
  const tables = lists.map((list): SqlTable => {
    const grid = gridOf(list, random);
    return { name: list.name, grid, key: grid.columns[0]!.name, references: references[list.name] ?? {} };
  });
  return {
    files: new Map(),
    database: { type, statements: statementsOf(tables, type) },
    lists: tables.map(({ name, grid }, index) =>
      truthOf(
        name,
        lists[index]!,
        grid,
        grid.places.map((place) => {
          const [first] = grid.lines[place]!;
          return typeof first === 'object' ? (first?.text ?? '') : first!;
        }),
      ),
    ),
  };
};

const semicolon = (encoding: Csv['encoding']): Csv => ({ encoding, delimiter: ';' });

const programs: Readonly<Record<string, readonly [country: Country, write: (world: World) => Export]>> = {
  'German workbook': ['DE', (world) => workbook(hausblick(world), world, 'Hausblick', ['xlsx', 'xls'])],
  'German CSV': [
    'DE',
    (world) =>
      csvFiles(kontor(world), world, [
        semicolon('windows-1252'),
        semicolon('utf-8 with mark'),
        { encoding: 'windows-1252', delimiter: '\t' },
      ]),
  ],
  'Swiss CSV': [
    'CH',
    (world) =>
      csvFiles(gipfel(world), world, [
        semicolon('utf-8'),
        semicolon('utf-16le'),
        { encoding: 'windows-1252', delimiter: ';', isQuoted: true },
      ]),
  ],
  'Austrian workbook': ['AT', (world) => workbook(zinshaus(world), world, 'Zinshaus', ['xlsx', 'xls'])],
  'English CSV': [
    'GB',
    (world) =>
      csvFiles(estuary(world), world, [
        { encoding: 'utf-8', delimiter: ',' },
        { encoding: 'windows-1252', delimiter: ',' },
        { encoding: 'utf-8', delimiter: '|' },
      ]),
  ],
  'English database': ['GB', (world) => database(landbase(world), world.random, 'mysql', {})],
  'US CSV': [
    'US',
    (world) =>
      csvFiles(rentPoint(world), world, [
        { encoding: 'utf-8', delimiter: ',' },
        { encoding: 'utf-8 with mark', delimiter: ',', isQuoted: true },
      ]),
  ],
  'Dutch database': [
    'NL',
    (world) =>
      database(woonbasis(world), world.random, 'postgres', {
        wb_vhe: { cpx_nr: ['wb_complex', 'cpx_nr'] },
        wb_hrcontr: { vhe_nr: ['wb_vhe', 'vhe_nr'], rel_nr: ['wb_rel', 'rel_nr'] },
        wb_hrcomp: { hc_nr: ['wb_hrcontr', 'hc_nr'] },
        wb_cred: { rel_nr: ['wb_rel', 'rel_nr'] },
        wb_werkbon: { cpx_nr: ['wb_complex', 'cpx_nr'] },
      }),
  ],
};

export const programNames: readonly string[] = Object.keys(programs);

/** The export of a program. Equal seeds give equal exports. */
export const unseenExport = (program: string, seed: number): Unseen => {
  const [country, write] = programs[program]!;
  const world = worldOf(country, seed);
  return { program, currency: world.currency, ...write(world) };
};
