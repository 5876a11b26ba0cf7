/**
 * What an invented program holds: rows of the demo, with the people, places, banks and currency of a country. Equal seeds give equal worlds.
 *
 * Values are in canonical form, the form of the raw tables: numbers with a point, days in ISO 8601, codes of the catalogue.
 */
import { generateDemo } from '../../../demo/generate.ts';
import { Random } from '../../../demo/random.ts';
import { type RawTableName, rawTables } from '../../../src/catalogue/raw/index.ts';

export type Canonical = string | null;
export type Fields = Readonly<Record<string, Canonical>>;
export type Country = keyof typeof countries;

interface Local {
  readonly currency: string;
  readonly firstNames: readonly (readonly [name: string, isWoman: boolean])[];
  readonly lastNames: readonly string[];
  readonly companies: readonly string[];
  readonly streets: readonly string[];
  readonly places: readonly (readonly [postalCode: string, city: string])[];
  readonly iban: (random: Random) => Canonical;
  readonly vatId: (random: Random) => Canonical;
  readonly phone: (random: Random) => string;
  /** Monthly rents and areas are of this size; the demo's are German. */
  readonly floors: (floor: number) => string;
}

const digits = (random: Random, count: number): string => Array.from({ length: count }, () => random.int(0, 9)).join('');

/** An IBAN with its check digits. */
const ibanOf = (country: string, account: string): string => {
  const numbers = [...`${account}${country}00`].map((character) => Number.parseInt(character, 36)).join('');
  return `${country}${String(98n - (BigInt(numbers) % 97n)).padStart(2, '0')}${account}`;
};

const germanFloor = (floor: number) => (floor === 0 ? 'EG' : floor < 0 ? 'UG' : `${floor}. OG`);

const countries = {
  DE: {
    currency: 'EUR',
    firstNames: [
      ['Björn', false],
      ['Anneliese', true],
      ['Kaya', true],
      ['Detlef', false],
      ['Sören', false],
      ['Margarete', true],
      ['Ümit', false],
      ['Lore', true],
    ],
    lastNames: ['Grüneisen', 'Öztürk', 'von der Heydt', 'Kaczmarek', 'Brömmelhaus', 'Tiedje', 'Quandt-Reimers', 'Pfeiffenberger'],
    companies: [
      'Bäckerei Lücke e. K.',
      'Steuerkanzlei Hoppe PartG mbB',
      'Döner & Mehr GmbH',
      'Physio am Markt UG',
      'Elektro Nissen oHG',
      'Gebr. Wüst Sanitär KG',
    ],
    streets: ['Kurze Twiete', 'Am Alten Güterbahnhof', 'Straße der Einheit', 'Prälat-Höfer-Ring', 'Untere Schanzengasse', 'Lohmühlenweg'],
    places: [
      ['01099', 'Dresden'],
      ['06108', 'Halle (Saale)'],
      ['24103', 'Kiel'],
      ['93047', 'Regensburg'],
      ['66111', 'Saarbrücken'],
    ],
    iban: (random) => ibanOf('DE', digits(random, 18)),
    vatId: (random) => `DE${digits(random, 9)}`,
    phone: (random) => `0${random.int(2, 9)}${digits(random, 2)} / ${digits(random, 6)}`,
    floors: germanFloor,
  },
  CH: {
    currency: 'CHF',
    firstNames: [
      ['Reto', false],
      ['Ursina', true],
      ['Beat', false],
      ['Céline', true],
      ['Gian', false],
      ['Vreni', true],
      ['Luca', false],
    ],
    lastNames: ['Aebischer', 'Zgraggen', 'Caduff', 'Rüegg', 'Favre', 'Bernasconi', 'Hürlimann', 'Von Arx'],
    companies: ['Käserei Emmental AG', 'Treuhand Huber & Co.', 'Papeterie Zumstein GmbH', 'Sanitas Troesch Partner AG', 'Garage Moser SA'],
    streets: ['Bahnhofstrasse', 'Rue du Marché', 'Hinterdorfstrasse', 'Seefeldweg', 'Via Nassa', 'Alte Landstrasse'],
    places: [
      ['8004', 'Zürich'],
      ['3011', 'Bern'],
      ['1201', 'Genève'],
      ['9000', 'St. Gallen'],
      ['6900', 'Lugano'],
    ],
    iban: (random) => ibanOf('CH', digits(random, 17)),
    vatId: (random) => `CHE-${digits(random, 3)}.${digits(random, 3)}.${digits(random, 3)}`,
    phone: (random) => `+41 ${random.int(21, 91)} ${digits(random, 3)} ${digits(random, 2)} ${digits(random, 2)}`,
    floors: (floor) => (floor === 0 ? 'EG' : floor < 0 ? 'UG' : `${floor}.OG`),
  },
  AT: {
    currency: 'EUR',
    firstNames: [
      ['Leopold', false],
      ['Resi', true],
      ['Alois', false],
      ['Hannelore', true],
      ['Dragan', false],
      ['Sieglinde', true],
    ],
    lastNames: ['Nowotny', 'Gschwandtner', 'Pichler', 'Hrdlicka', 'Jovanovic', 'Steinwendtner', 'Öllinger'],
    companies: [
      'Trafik Wessely e.U.',
      'Kaffeehaus Demel & Sohn KG',
      'Zahnärzte Mariahilf OG',
      'Installationen Pokorny GmbH',
      'Lift-Service Graz GesmbH',
    ],
    streets: ['Neustiftgasse', 'Obere Augartenstraße', 'Schießstattgasse', 'Linzer Straße', 'Pfarrplatz'],
    places: [
      ['1070', 'Wien'],
      ['1020', 'Wien'],
      ['8010', 'Graz'],
      ['4020', 'Linz'],
      ['6020', 'Innsbruck'],
    ],
    iban: (random) => ibanOf('AT', digits(random, 16)),
    vatId: (random) => `ATU${digits(random, 8)}`,
    phone: (random) => `0${random.int(650, 699)}/${digits(random, 7)}`,
    floors: (floor) => (floor === 0 ? 'EG' : floor < 0 ? 'KG' : `${floor}. Stock`),
  },
  GB: {
    currency: 'GBP',
    firstNames: [
      ['Oliver', false],
      ['Siobhán', true],
      ['Nigel', false],
      ['Priya', true],
      ['Rhys', false],
      ['Gwendolyn', true],
    ],
    lastNames: ["O'Halloran", 'Featherstonehaugh', 'Patel', 'MacAllister', 'Blythe', 'Adeyemi', 'Cholmondeley'],
    companies: [
      'Costa Verde Coffee Ltd',
      'Messrs Tanner & Hide LLP',
      'Boots & Saddles plc',
      'Northgate Dental Practice',
      'Swift Lifts Ltd',
    ],
    streets: ['Station Road', 'High Street', 'Old Mill Lane', 'St. Martin’s Court', 'Albert Quay', 'Church Walk'],
    places: [
      ['EC1V 9HX', 'London'],
      ['M4 1HQ', 'Manchester'],
      ['BS1 4DJ', 'Bristol'],
      ['EH1 3YJ', 'Edinburgh'],
      ['CF10 3AT', 'Cardiff'],
    ],
    iban: (random) => ibanOf('GB', `NWBK${digits(random, 14)}`),
    vatId: (random) => `GB${digits(random, 9)}`,
    phone: (random) => `0${random.int(11, 20)}${digits(random, 2)} ${digits(random, 3)} ${digits(random, 4)}`,
    floors: (floor) => (floor === 0 ? 'Ground' : floor < 0 ? 'LG' : `${floor}${['', 'st', 'nd', 'rd'][floor] ?? 'th'}`),
  },
  US: {
    currency: 'USD',
    firstNames: [
      ['Tyler', false],
      ['Guadalupe', true],
      ['DeShawn', false],
      ['Madison', true],
      ['Wei', false],
      ['Brooklyn', true],
    ],
    lastNames: ['Kowalski', 'Nguyen', 'Hernandez', "D'Angelo", 'Washington', 'Schmidt', 'McKinney'],
    companies: ['Main Street Deli LLC', 'Cascade Dental P.C.', 'QuickPrint Inc.', 'Rocky Mtn. Plumbing Co', 'Apex Elevator Corp.'],
    streets: ['Elm St', 'W 4th Ave', 'Peachtree Blvd', 'N Lakeshore Dr', 'County Rd 12', 'Sunset Pkwy'],
    places: [
      ['02139', 'Cambridge'],
      ['97205', 'Portland'],
      ['30309', 'Atlanta'],
      ['60611', 'Chicago'],
      ['80202', 'Denver'],
    ],
    iban: () => null,
    vatId: (random) => `${digits(random, 2)}-${digits(random, 7)}`,
    phone: (random) => `(${random.int(201, 989)}) 555-${digits(random, 4)}`,
    floors: (floor) => String(floor + 1),
  },
  NL: {
    currency: 'EUR',
    firstNames: [
      ['Joost', false],
      ['Femke', true],
      ['Sjoerd', false],
      ['Anouk', true],
      ['Youssef', false],
      ['Marijke', true],
    ],
    lastNames: ['van den Heuvel', 'de Vries', 'Hoekstra', 'El Amrani', "van 't Hof", 'IJsselstein', 'Brouwer'],
    companies: [
      'Bloemenhuis Tulp V.O.F.',
      'Fietsenmaker De Ketting B.V.',
      'Tandarts Zuid',
      'Loodgietersbedrijf Jansen B.V.',
      'Liftservice Noord N.V.',
    ],
    streets: ['Prinsengracht', 'Oude Kerkstraat', 'Laan van Meerdervoort', 'Dorpsstraat', 'Zeedijk'],
    places: [
      ['1015 DV', 'Amsterdam'],
      ['3511 LX', 'Utrecht'],
      ['9711 JB', 'Groningen'],
      ['2517 AK', "'s-Gravenhage"],
    ],
    iban: (random) => ibanOf('NL', `INGB${digits(random, 10)}`),
    vatId: (random) => `NL${digits(random, 9)}B01`,
    phone: (random) => `0${random.int(10, 79)}-${digits(random, 7)}`,
    floors: (floor) => (floor === 0 ? 'BG' : floor < 0 ? 'SO' : String(floor)),
  },
} as const satisfies Record<string, Local>;

/** Tables of rows, and the values of related rows. */
export interface World {
  readonly country: Country;
  readonly random: Random;
  readonly currency: string;
  rows(table: RawTableName): readonly Fields[];
  /** The row of a table whose column has the value. */
  find(table: RawTableName, column: string, value: Canonical | undefined): Fields | undefined;
}

const textOf = (value: unknown): Canonical => (value === null || value === undefined ? null : String(value));

const localPerson = (local: Local, random: Random, person: Fields): Fields => {
  const [postal_code, city] = random.pick(local.places);
  const isNatural = person.person_type_key === 'natural';
  const [first_name, isWoman] = random.pick(local.firstNames);
  const last_name = random.pick(local.lastNames);
  return {
    ...person,
    first_name: isNatural ? first_name : null,
    last_name: isNatural ? last_name : null,
    title: null,
    salutation: isNatural ? (isWoman ? 'woman' : 'man') : null,
    company_name: isNatural ? null : random.pick(local.companies),
    street: random.pick(local.streets),
    house_no: String(random.int(1, 180)),
    postal_code,
    city,
    email: random.chance(0.8) ? `${isNatural ? 'privat' : 'office'}.${person.person_id}@example.org` : null,
    phone: random.chance(0.7) ? local.phone(random) : null,
    mobile: random.chance(0.4) ? local.phone(random) : null,
  };
};

/** The world of a country. */
export const worldOf = (country: Country, seed: number): World => {
  const local: Local = countries[country];
  const random = Random.of(seed, 'unseen', country);
  const tables = new Map<string, Fields[]>();
  for (const { table, rows } of generateDemo({ scale: 'tiny', seed: seed + country.charCodeAt(0) * 31 + country.charCodeAt(1) })) {
    const columns = Object.keys(rawTables[table].columns);
    const named = rows.map((row) => Object.fromEntries(columns.map((column, index) => [column, textOf(row[index])])));
    tables.set(table, [...(tables.get(table) ?? []), ...named]);
  }
  const change = (table: RawTableName, to: (row: Fields) => Fields) => tables.set(table, (tables.get(table) ?? []).map(to));
  change('person', (person) => localPerson(local, random, person));
  change('property_hdr', (property) => {
    const [postal_code, city] = random.pick(local.places);
    const street = random.pick(local.streets);
    const house_no = String(random.int(1, 180));
    return { ...property, street, house_no, postal_code, city, property_name: `${street} ${house_no}` };
  });
  const find: World['find'] = (table, column, value) => {
    const index = indexes.get(`${table}.${column}`) ?? new Map(tables.get(table)?.map((row) => [row[column], row] as const));
    indexes.set(`${table}.${column}`, index);
    return value === undefined || value === null ? undefined : index.get(value);
  };
  const indexes = new Map<string, Map<Canonical | undefined, Fields>>();
  change('building', (building) => {
    const property = tables.get('property_hdr')!.find((one) => one.property_id === building.property_id)!;
    return { ...building, street: property.street!, postal_code: property.postal_code!, city: property.city! };
  });
  change('floor_area', (unit) => ({ ...unit, floor: unit.floor_number == null ? null : local.floors(Number(unit.floor_number)) }));
  const second = () => `${random.pick(local.firstNames)[0]} ${random.pick(local.lastNames)}`;
  change('tenancy_hdr', (tenancy) => ({
    ...tenancy,
    iban: tenancy.iban === null ? null : local.iban(random),
    co_tenant_name: tenancy.co_tenant_name === null ? null : second(),
  }));
  change('creditor_hdr', (creditor) => ({
    ...creditor,
    iban: local.iban(random),
    vat_id: random.chance(0.8) ? local.vatId(random) : null,
  }));
  change('owner_hdr', (owner) => ({ ...owner, iban: local.iban(random) }));
  for (const [table, rows] of tables)
    if ('currency' in (rows[0] ?? {}))
      tables.set(
        table,
        rows.map((row) => ({ ...row, currency: local.currency })),
      );
  return { country, random, currency: local.currency, rows: (table) => tables.get(table) ?? [], find };
};
