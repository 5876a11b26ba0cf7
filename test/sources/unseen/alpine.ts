/** An invented Swiss program with CSV lists, and an Austrian one with a workbook. */
import {
  column,
  creditorColumn,
  creditorList,
  type Keys,
  keyColumn,
  nameColumn,
  placeColumn,
  related,
  rentColumn,
  rowsWith,
  salutationColumn,
  streetColumn,
  tenantRows,
  unitRows,
  unused,
} from './columns.ts';
import { day, decimal, text, typedDay, typedNumber, words } from './forms.ts';
import type { List } from './layout.ts';
import type { World } from './world.ts';

const swissKeys: Keys = {
  property: (id) => `0${id}`,
  unit: (id) => `0${id.replace('-', '.')}`,
  contract: (id) => `${id.slice(-3)}.01`,
  person: (id) => id,
  creditor: (number) => number,
};

const swissUsage = words(
  { apartment: 'Whg.', office: 'Büro', retail: 'Laden', parking_space: 'PP', garage: 'EHP', storage: 'Bastel' },
  'Div.',
);

/** In Switzerland an "Objekt" is a unit, and a "Liegenschaft" a property. */
export const gipfel = (world: World): List[] => {
  const keys = swissKeys;
  const money = decimal({ point: '.', groups: ["'", '’'], places: 2, minus: '-' });
  const date = day('d.m.y');
  return [
    {
      name: 'lieg',
      tables: ['property_hdr'],
      rows: rowsWith(world, 'property_hdr'),
      columns: [
        keyColumn(['Lieg.-Nr.', 'LG'], 'property', keys, 'property_hdr.property_id'),
        column(['Lieg.-Bez.', 'Liegenschaft'], 'property_hdr.property_name'),
        streetColumn(['Strasse', 'Str./Nr.'], 'property_hdr'),
        column(['PLZ', 'Postleitz.'], 'property_hdr.postal_code'),
        column(['Ort', 'Ortschaft'], 'property_hdr.city'),
        column(['Baujahr', 'Bj.'], 'property_hdr.construction_year'),
        column(['Anz. Obj.', 'Obj.'], 'property_hdr.unit_count'),
        column(['Verkehrswert CHF', 'VW'], 'property_hdr.market_value', money),
        unused(['EGID'], ({ property_hdr }) => `1905${property_hdr?.property_id}`),
        unused(['GVZ-Nr.', 'GB-Nr.'], ({ property_hdr }) => `261-${property_hdr?.property_id}`),
        unused(['Bewirtsch.', 'Bew.'], () => 'N. Keller', text, ['property_hdr.property_manager_id']),
      ],
    },
    {
      name: 'mieterspiegel',
      tables: ['floor_area', 'person', 'tenancy_hdr', 'contract_condition', 'account', 'property_hdr'],
      rows: unitRows(world),
      columns: [
        keyColumn(['Lieg.', 'LG-Nr.'], 'property', keys, 'floor_area.property_id', {
          also: ['*.property_id', 'property_hdr.short_name', 'property_hdr.property_name'],
        }),
        keyColumn(['Objekt', 'Obj.-Nr.'], 'unit', keys, 'floor_area.floor_area_id', {
          to: ['floor_area.floor_area_id', 'floor_area.unit_number'],
        }),
        column(['Obj.-Art', 'Objektart'], 'floor_area.usage_type_key', swissUsage),
        column(['Stw.', 'Stockwerk'], 'floor_area.floor'),
        column(['Zi.', 'Anz. Zi'], 'floor_area.room_count', decimal({ point: '.', groups: [''], places: 1 }), { compare: 'number' }),
        column(['HNF m2', 'Fläche m2'], 'floor_area.area_sqm', decimal({ point: '.', groups: ["'"], places: 1 }), {
          value: ({ floor_area }) => Number(floor_area!.area_sqm).toFixed(1),
        }),
        nameColumn(['Mieter', 'Mieterschaft'], 'first last', world.random.pick(['Leerstand', 'leer', ''])),
        column(['Mietbeginn', 'Beginn'], 'tenancy_hdr.contract_start_date', date),
        column(['Kündbar auf', 'Künd. per'], 'tenancy_hdr.contract_end_date', date, { also: ['tenancy_hdr.fixed_term_end_date'] }),
        rentColumn(['Nettomiete', 'NMZ', 'Mietzins netto'], 'basic', money),
        rentColumn(['NK akonto', 'NK a/c', 'HK/NK'], 'operating', money),
        rentColumn(['HK akonto', 'HK a/c'], 'heating', money),
        column(['Bruttomiete', 'BMZ'], 'rent.total', money, { to: [], also: [], compare: 'number', isSummed: true }),
        column(['Depot', 'Mietkaution'], 'tenancy_hdr.deposit_amount', money),
        unused(['RZS %', 'Ref.-Zins'], () => '1.75'),
        unused(['LIK Basis'], () => '107.1'),
      ],
      layout: {
        titles: [['Mieterspiegel per 31.10.2026'], ['Gipfel Immobilien AG, 8004 Zürich'], ['']],
        groupBy: ({ floor_area }) => floor_area?.property_id ?? null,
        subtotal: (group) => `Total Lieg. 0${group}`,
        total: 'Gesamttotal',
        footers: ['Beträge in CHF pro Monat'],
      },
    },
    {
      name: 'debi',
      tables: ['person'],
      rows: tenantRows(world),
      columns: [
        keyColumn(['Deb.-Nr.', 'Debitor'], 'person', keys, 'person.person_id'),
        salutationColumn(['Anrede', 'Anr.'], ['Herr', 'Frau', '']),
        column(['Vorname', 'Vorn.'], 'person.first_name'),
        column(['Name', 'Fam.-Name'], 'person.last_name'),
        column(['Firma', 'Zusatz/Firma'], 'person.company_name'),
        streetColumn(['Adresse', 'Strasse/Nr.'], 'person'),
        placeColumn(['PLZ/Ort', 'Ort'], 'person'),
        column(['Natel', 'Mobil'], 'person.mobile'),
        column(['Tel. P', 'Tel. G'], 'person.phone'),
        column(['E-Mail', 'Mail'], 'person.email'),
        column(['Geb.', 'Jg.'], 'person.birth_date', date),
        unused(['AHV-Nr.', 'Heimatort'], ({ person }) => `756.${person?.person_id}.1234.55`),
      ],
    },
    {
      name: 'kontoblatt',
      tables: ['booking_pos', 'booking_hdr'],
      rows: rowsWith(world, 'booking_pos', { booking_hdr: related.document, account: related.account }, 200),
      columns: [
        column(['Beleg', 'Bel'], 'booking_hdr.document_number', text, {
          to: ['booking_hdr.document_number', 'booking_pos.booking_hdr_id'],
          also: ['booking_hdr.booking_hdr_id'],
          compare: 'key',
        }),
        keyColumn(['Lieg.', 'LG'], 'property', keys, 'booking_pos.property_id', {
          to: ['booking_pos.property_id', 'booking_hdr.property_id'],
        }),
        column(['Valuta', 'Datum'], 'booking_pos.booking_date', day('d.m.yy'), {
          also: ['booking_hdr.booking_date', 'booking_hdr.document_date', 'booking_hdr.due_date'],
        }),
        column(['Kto.', 'Konto'], 'account.account_number', text, {
          to: ['booking_pos.account_id'],
          also: ['account.account_number', 'account.account_id'],
          compare: 'key',
        }),
        // The amount is in one of two columns.
        column(['Soll CHF', 'Soll'], 'booking_pos.amount', money, {
          value: ({ booking_pos }) => (booking_pos!.debit_credit_key === 'debit' ? booking_pos!.amount! : null),
          also: ['booking_pos.debit_credit_key', 'booking_hdr.total_amount'],
        }),
        column(['Haben CHF', 'Haben'], 'booking_pos.amount', money, {
          value: ({ booking_pos }) => (booking_pos!.debit_credit_key === 'credit' ? booking_pos!.amount! : null),
          also: ['booking_pos.debit_credit_key'],
        }),
        column(['Text', 'Buchungstext'], 'booking_pos.booking_text', text, { also: ['booking_hdr.booking_text'] }),
        unused(['Visum'], () => 'nk'),
      ],
      layout: { footers: ['*** Ende der Liste ***'] },
    },
  ];
};

const austrianKeys: Keys = {
  property: (id) => `EZ ${id}`,
  unit: (id) => `Top ${Number(id.slice(5))}`,
  contract: (id) => `BN${id}`,
  person: (id) => `BN${id}`,
  creditor: (number) => number,
};

/** A workbook with header lines of two rows, and the property in the first line of its group only. */
export const zinshaus = (world: World): List[] => {
  const keys = austrianKeys;
  const euro = decimal({ point: ',', groups: ['.'], places: 2, before: '€ ' });
  const money = world.random.chance(0.5) ? typedNumber : euro;
  const date = world.random.chance(0.5) ? typedDay : day('d.m.y');
  return [
    {
      name: 'Zinsliste',
      tables: ['floor_area', 'person', 'tenancy_hdr', 'contract_condition', 'account', 'property_hdr'],
      rows: unitRows(world),
      columns: [
        keyColumn(['Liegenschaft|EZ', 'Haus|EZ-Nr.'], 'property', keys, 'floor_area.property_id', { isOncePerGroup: true }),
        streetColumn(['|Adresse', '|Straße'], 'property_hdr', {
          isOncePerGroup: true,
          also: ['property_hdr.house_no', 'property_hdr.property_name'],
        }),
        column(['Bestandobjekt|Stg.', 'Objekt|Stiege'], 'building.building_no', text, {
          to: [],
          also: ['building.building_no', 'floor_area.location', 'floor_area.floor_area_id', 'floor_area.building_id'],
          compare: 'text',
        }),
        keyColumn(['|Top', '|Top-Nr.'], 'unit', keys, 'floor_area.floor_area_id', {
          to: ['floor_area.floor_area_id', 'floor_area.unit_number'],
          compare: 'none',
        }),
        column(
          ['|Kat.', '|Verw.'],
          'floor_area.usage_type_key',
          words({ apartment: 'W', office: 'B', retail: 'GL', parking_space: 'KFZ', garage: 'GAR', storage: 'L' }, 'S'),
        ),
        column(['|Nfl. m²', '|NNF'], 'floor_area.area_sqm', typedNumber, { isSummed: true }),
        nameColumn(['Bestandnehmer|Name', 'Mieter/in|Name'], 'last, first', world.random.pick(['leerstehend', 'LEER'])),
        column(['|BN seit', '|MV-Beginn'], 'tenancy_hdr.contract_start_date', date),
        column(['|befr. bis', '|Befristung'], 'tenancy_hdr.contract_end_date', date, {
          nothing: 'unbefr.',
          also: ['tenancy_hdr.fixed_term_end_date'],
        }),
        rentColumn(['Vorschreibung EUR|HMZ', 'mtl. Vorschr.|Hauptmietzins'], 'basic', money),
        rentColumn(['|BK-Akonto', '|BK'], 'operating', money),
        rentColumn(['|HK-Akonto', '|Hzg.'], 'heating', money),
        column(['|Summe nto.', '|Gesamt'], 'rent.total', money, { to: [], also: [], compare: 'number', isSummed: true }),
        unused(['|Richtwert-Zu/Ab', '|RW'], () => '0'),
      ],
      layout: {
        isOrdered: true,
        titles: [['Zinsliste / Vorschreibung 10/2026'], []],
        groupBy: ({ floor_area }) => floor_area?.property_id ?? null,
        subtotal: () => 'Summe Haus',
        blankAfterGroup: true,
      },
    },
    {
      name: 'Eigentümer',
      tables: ['owner_hdr', 'person'],
      rows: rowsWith(world, 'owner_hdr', { person: related.person }),
      columns: [
        column(['ET-Nr.', 'Eig.-Nr.'], 'owner_hdr.owner_no', text, {
          to: ['owner_hdr.owner_no', 'owner_hdr.owner_hdr_id'],
          also: ['owner_hdr.person_id', 'person.person_id'],
          compare: 'key',
        }),
        nameColumn(['ET-Name', 'Wohnungseigentümer'], 'first last'),
        streetColumn(['Zustelladr.', 'Anschrift'], 'person'),
        column(['Plz', 'PLZ'], 'person.postal_code'),
        column(['Stadt', 'Ort'], 'person.city'),
        column(['Kto. (IBAN)', 'Kontonr.'], 'owner_hdr.iban'),
        column(['St.Nr.', 'FA-Nr.'], 'owner_hdr.tax_number'),
        column(['Ausz.-Tag', 'Ausschüttung am'], 'owner_hdr.payout_day', typedNumber, { compare: 'number' }),
        column(['aktiv', 'Akt.'], 'owner_hdr.is_active', words({ true: 'ja' }, 'nein')),
        unused(['Abst.-Verh.', 'WEG-Beschl.'], () => 'dafür'),
      ],
    },
    {
      name: 'Firmen',
      ...creditorList(world),
      columns: [
        creditorColumn(['Lief.-Nr.', 'Prof.-Nr.'], keys),
        nameColumn(['Professionist', 'Firmenwortlaut'], 'first last'),
        placeColumn(['PLZ u. Ort', 'Sitz'], 'person'),
        column(['UID', 'UID-Nr.'], 'creditor_hdr.vat_id'),
        column(['IBAN-Nr.', 'Bankverb.'], 'creditor_hdr.iban'),
        column(['Zahlungsfr.', 'netto Tg.'], 'creditor_hdr.payment_terms_days', typedNumber),
        column(
          ['Branche', 'Gew.'],
          'creditor_hdr.trade_key',
          words({ plumbing_heating: 'GWH', electrical: 'EL', roofing: 'DD', painting: 'MA', carpentry: 'TI', elevator: 'LIFT' }, 'DIV'),
        ),
        unused(['Kd.-Nr. bei Fa.', 'unsere KdNr'], ({ creditor_hdr }) => `99-${creditor_hdr?.creditor_no}`),
      ],
    },
  ];
};
