/** Two invented German programs: a workbook of a large suite, and CSV lists of a small one. */
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
  roundedColumn,
  rowsWith,
  salutationColumn,
  streetColumn,
  tenantRows,
  unitRows,
  unused,
} from './columns.ts';
import { day, decimal, flag, text, typedDay, typedNumber, words } from './forms.ts';
import type { List } from './layout.ts';
import type { World } from './world.ts';

const usage = words({ apartment: 'Whg', office: 'Büro', retail: 'Lad', parking_space: 'STP', garage: 'Gar', storage: 'Lag' }, 'Sonst');
const trade = words(
  { plumbing_heating: 'SHK', electrical: 'ELT', roofing: 'DACH', painting: 'MAL', carpentry: 'TI', cleaning: 'REIN', elevator: 'AUFZ' },
  'SO',
);

export const hausblickKeys: Keys = {
  property: (id) => id.slice(1),
  unit: (id) => id.slice(5),
  contract: (id) => `${id.slice(1)}/01`,
  person: (id) => `P${id}`,
  creditor: (number) => number,
};

/** A workbook with a sheet for each list. */
export const hausblick = (world: World): List[] => {
  const keys = hausblickKeys;
  const euro = decimal({ point: ',', groups: ['.'], places: 2, behind: ' €' });
  const square = decimal({ point: ',', groups: ['.'], places: 2, behind: ' m²' });
  const isTyped = world.random.chance(0.5);
  const money = isTyped ? typedNumber : euro;
  const area = isTyped ? typedNumber : square;
  const date = world.random.chance(0.5) ? typedDay : day('d.m.y');
  const titles = (title: string) => [[title], ['Mandant 04 · Stichtag 31.10.2026'], []];
  return [
    {
      name: 'Obj',
      tables: ['property_hdr'],
      rows: rowsWith(world, 'property_hdr'),
      columns: [
        keyColumn(['ObjNr', 'Obj.-Nr.', 'WI'], 'property', keys, 'property_hdr.property_id'),
        column(['Obj.-Bez.', 'Bez.', 'Liegensch.-Bez.'], 'property_hdr.property_name'),
        streetColumn(['Str./HNr.', 'Str. + Nr.'], 'property_hdr'),
        placeColumn(['PLZ/Ort', 'PLZ Ort'], 'property_hdr'),
        column(['Bauj.', 'BJ'], 'property_hdr.construction_year', typedNumber),
        column(
          ['Obj.-Art', 'Typ'],
          'property_hdr.property_type_key',
          words({ residential: 'MFH', commercial: 'GEW', mixed_use: 'WGH', condominium: 'WEG' }, 'SO'),
        ),
        column(['Grdst.-Fl. (m²)', 'Grd.fl.'], 'property_hdr.plot_area_sqm', area),
        column(['Verm. Fl. (m²)', 'verm. Fl.'], 'property_hdr.lettable_area_sqm', area, { also: ['property_hdr.residential_area_sqm'] }),
        column(['Anz. VE', '# VE'], 'property_hdr.unit_count', typedNumber),
        column(['STP-Anz.', 'Anz. Stpl.'], 'property_hdr.parking_count', typedNumber),
        column(
          ['Hzg.', 'Heiz.-Art'],
          'property_hdr.heating_type_key',
          words({ gas_central: 'GZH', oil_central: 'ÖZH', district_heating: 'FW', heat_pump: 'WP' }, 'EH'),
        ),
        column(['Verw. seit', 'Verw.-Beg.'], 'property_hdr.management_start_date', date),
        column(['Energ.-Ausw. bis', 'EA gültig bis'], 'property_hdr.energy_certificate_valid_until', date),
        column(['Verkehrsw.', 'VKW €'], 'property_hdr.market_value', money),
        unused(['Flurst.', 'Flur/Flst.'], ({ property_hdr }) => `12/${property_hdr?.property_id}`),
        unused(['Sachb.', 'SB-Kz.'], () => 'mül', text, ['property_hdr.property_manager_id']),
      ],
      layout: { titles: titles('Objektübersicht') },
    },
    {
      name: 'VE',
      tables: ['floor_area'],
      rows: unitRows(world),
      columns: [
        keyColumn(['Obj', 'ObjNr', 'WI'], 'property', keys, 'floor_area.property_id'),
        keyColumn(['VE-Nr.', 'ME', 'WE-Nr.'], 'unit', keys, 'floor_area.floor_area_id', {
          to: ['floor_area.floor_area_id', 'floor_area.unit_number'],
        }),
        column(['Gesch.', 'Etg.', 'Stw.'], 'floor_area.floor'),
        column(['Lage', 'L/M/R'], 'floor_area.location'),
        column(['Wfl./Nfl. (m²)', 'Wfl.|m²', 'Fl. qm'], 'floor_area.area_sqm', area, { isSummed: true }),
        column(['Zi.', 'Anz. Zi.'], 'floor_area.room_count', decimal({ point: ',', groups: [''] }), { compare: 'number' }),
        column(['Nutz.-Art', 'Nutzg.', 'NA'], 'floor_area.usage_type_key', usage),
        column(['Soll-KM', 'Sollm. kalt'], 'floor_area.target_rent_net', money),
        column(['leer ab', 'Leerst. seit'], 'floor_area.vacant_since', date),
        column(['beheizt (m²)', 'Heizfl.'], 'floor_area.heated_area_sqm', area),
        unused(['Zähl.-Nr.', 'Strom-ZNr.'], ({ floor_area }) => `1ESY${floor_area?.fa_hdr_id}`),
        unused(['Schließanl.', 'Schl.-Nr.'], ({ floor_area }) => `K-${floor_area?.unit_number}`),
      ],
      layout: {
        titles: titles('Verwaltungseinheiten'),
        groupBy: ({ floor_area }) => floor_area?.property_id ?? null,
        subtotal: (group) => `Summe Obj. ${group.slice(1)}`,
        blankAfterGroup: true,
        total: 'Gesamtsumme',
      },
    },
    {
      name: 'Mt-Stamm',
      tables: ['person'],
      rows: tenantRows(world),
      columns: [
        keyColumn(['Mt-Nr.', 'PersNr'], 'person', keys, 'person.person_id'),
        salutationColumn(['Anr.', 'Anrede'], ['Herrn', 'Fr.', 'Fa.']),
        column(['Vorn.', 'VName'], 'person.first_name'),
        column(['Nachn.', 'NName'], 'person.last_name', text, { to: ['person.last_name'] }),
        column(['Fa.', 'Firmierung'], 'person.company_name'),
        streetColumn(['Str.', 'Anschr.'], 'person'),
        column(['PLZ', 'Postltz.'], 'person.postal_code', text, { compare: 'text' }),
        column(['Ort', 'Wohnort'], 'person.city'),
        column(['Tel. p.', 'Fon'], 'person.phone'),
        column(['Handy', 'Mob.'], 'person.mobile'),
        column(['eMail', 'Mailadr.'], 'person.email'),
        column(['geb.', 'Geb.-Dat.'], 'person.birth_date', date),
        unused(['Bonität', 'Schufa'], () => 'A'),
      ],
    },
    {
      name: 'MV',
      tables: ['tenancy_hdr', 'account'],
      rows: rowsWith(world, 'tenancy_hdr', { person: related.person }),
      columns: [
        keyColumn(['V-Nr.', 'MV-Nr.'], 'contract', keys, 'tenancy_hdr.account_id', {
          to: ['tenancy_hdr.account_id', 'tenancy_hdr.contract_number', 'tenancy_hdr.tenancy_hdr_id'],
        }),
        keyColumn(['Mt-Nr.', 'PersNr'], 'person', keys, 'tenancy_hdr.person_id'),
        keyColumn(['Obj', 'WI'], 'property', keys, 'tenancy_hdr.property_id'),
        keyColumn(['VE-Nr.', 'ME'], 'unit', keys, 'tenancy_hdr.floor_area_id', { compare: 'none' }),
        column(['Unterz.', 'V-Datum'], 'tenancy_hdr.contract_date', date),
        column(['V-Beg.', 'Mietbeg.'], 'tenancy_hdr.contract_start_date', date),
        column(['V-Ende', 'Mietende'], 'tenancy_hdr.contract_end_date', date, { nothing: isTyped ? '' : '31.12.9999' }),
        column(['Einz.', 'Einzug am'], 'tenancy_hdr.move_in_date', date),
        column(['K-Frist (Mon.)', 'Künd.-Fr.'], 'tenancy_hdr.notice_period_months', typedNumber),
        column(['Kaut.', 'MK €'], 'tenancy_hdr.deposit_amount', money),
        column(['dav. gez.', 'Kaut. bez.'], 'tenancy_hdr.deposit_paid_amount', money),
        column(
          ['Zahlw.', 'ZA'],
          'tenancy_hdr.payment_method_key',
          words({ sepa_direct_debit: 'LS', bank_transfer: 'ÜW', cash: 'Bar' }, 'SO'),
        ),
        column(['Mand.-Ref.', 'SEPA-Ref'], 'tenancy_hdr.mandate_reference'),
        column(['Bankverb.', 'Kto.'], 'tenancy_hdr.iban'),
        column(['MSt.', 'Mahnst.'], 'tenancy_hdr.dunning_level', typedNumber, { compare: 'number' }),
        column(['Saldo', 'Kto-Stand'], 'tenancy_hdr.balance', money),
        unused(['erf. v.', 'angel. v.'], () => 'imp'),
      ],
      layout: { repeatHeader: 25 },
    },
    {
      name: 'Sollst.',
      tables: ['contract_condition'],
      rows: rowsWith(world, 'contract_condition'),
      columns: [
        keyColumn(['V-Nr.', 'MV'], 'contract', keys, 'contract_condition.account_id'),
        column(
          ['SollArt', 'SA'],
          'contract_condition.debit_type_key',
          words({ basic_rent: '010', operating_cost_advance: '020', heating_cost_advance: '030', parking_rent: '040' }, '090'),
          { also: ['contract_condition.debit_number'] },
        ),
        column(['SA-Text', 'Bez.'], 'contract_condition.description'),
        column(['gült. ab', 'ab'], 'contract_condition.valid_from', date),
        column(['gült. bis', 'bis'], 'contract_condition.valid_to', date),
        column(['Netto €', 'Btr. netto'], 'contract_condition.net_amount', money),
        column(['USt-S.', 'St.-Satz %'], 'contract_condition.vat_rate', typedNumber),
        column(['USt. €', 'St.-Btr.'], 'contract_condition.vat_amount', money),
        column(['Brutto €', 'Btr. brutto'], 'contract_condition.gross_amount', money),
        column(
          ['Turnus', 'ZW'],
          'contract_condition.payment_interval_key',
          words({ monthly: 'mtl.', quarterly: 'vj.', annual: 'jhl.' }, 'einm.'),
        ),
      ],
    },
  ];
};

export const kontorKeys: Keys = {
  property: (id) => `LIN ${id.slice(2)}`,
  unit: (id) => id.slice(-3),
  contract: (id) => id,
  person: (id) => id,
  creditor: (number) => `K${number}`,
};

/** CSV files in which amounts have thousands and often no digits behind them. */
export const kontor = (world: World): List[] => {
  const keys = kontorKeys;
  const money = decimal({ point: ',', groups: ['.'], places: 2 });
  const whole = decimal({ point: ',', groups: ['.'], places: 0 });
  const loose = decimal({ point: ',', groups: ['.', '.', '\u00a0'], places: 2, minus: '- ', whole: '--' });
  const date = day('d.m.y');
  const shortDay = day('d.m.yy');
  return [
    {
      name: 'mieterliste',
      tables: ['floor_area', 'person', 'tenancy_hdr', 'contract_condition', 'account', 'property_hdr'],
      rows: unitRows(world).map((row) => ({
        ...row,
        rent: Object.fromEntries(
          Object.entries(row.rent!).map(([name, value]) => [name, value === null ? null : String(Math.round(Number(value)))]),
        ),
      })),
      columns: [
        keyColumn(['lfd. WE', 'WE'], 'unit', keys, 'floor_area.floor_area_id', {
          to: ['floor_area.floor_area_id', 'floor_area.unit_number'],
          compare: 'none',
        }),
        nameColumn(['Mietp.', 'Bewohner', 'Mietpartei'], 'last, first', world.random.pick(['leer', 'Leerstand', 'frei'])),
        column(['Geschoß', 'OG/EG'], 'floor_area.floor'),
        column(['Art', 'NutzArt'], 'floor_area.usage_type_key', usage),
        column(['qm', 'm2'], 'floor_area.area_sqm', decimal({ point: ',', groups: ['.'] })),
        column(['MB', 'Beg.'], 'tenancy_hdr.contract_start_date', date),
        rentColumn(['KM', 'NKM', 'Grundm.'], 'basic', whole),
        rentColumn(['BKV', 'BK-VZ'], 'operating', whole),
        rentColumn(['HKV', 'HK-VZ'], 'heating', whole, { nothing: '-' }),
        column(['WM', 'Ges.'], 'rent.total', whole, { to: [], also: [], compare: 'number', isSummed: true }),
        roundedColumn(['Kaut', 'Sicherh.'], 'tenancy_hdr.deposit_amount', whole),
      ],
      layout: {
        isOrdered: true,
        titles: [['Mieterliste'], ['Kontor+ 7.2; gedruckt 02.11.2026']],
        groupBy: ({ floor_area }) => floor_area?.property_id ?? null,
        heading: ({ property_hdr }) =>
          `Objekt: ${kontorKeys.property(property_hdr!.property_id!)}, ${property_hdr!.property_name}, ${property_hdr!.postal_code} ${property_hdr!.city}`,
        subtotal: (group) => `Σ ${kontorKeys.property(group)}`.replace('Σ', 'Zw.-Summe'),
        total: 'Summe gesamt',
        below: { column: 'Mietp.', value: ({ tenancy_hdr }) => tenancy_hdr?.co_tenant_name ?? null },
      },
    },
    {
      name: 'kred_stamm',
      ...creditorList(world),
      columns: [
        creditorColumn(['DL-Nr.', 'Kred.'], keys),
        nameColumn(['Firma1', 'Kurzbez.'], 'first last'),
        streetColumn(['Strasse/Nr'], 'person'),
        placeColumn(['PLZ-Ort'], 'person'),
        column(['Gew.', 'Gewerk'], 'creditor_hdr.trade_key', trade),
        column(['USt-ID', 'UStIdNr.'], 'creditor_hdr.vat_id'),
        column(['St.-Nr.', 'SteuerNr'], 'creditor_hdr.tax_number'),
        column(['Z-Ziel (Tg.)', 'ZZ'], 'creditor_hdr.payment_terms_days', text),
        column(['Skt.%', 'Sk %'], 'creditor_hdr.cash_discount_percent', decimal({ point: ',', groups: [''], places: 1, behind: ' %' })),
        column(['Bankkto.', 'IBAN/Kto'], 'creditor_hdr.iban', (value) => value.replaceAll(/(.{4})(?=.)/g, '$1 ')),
        column(['SWIFT', 'BIC'], 'creditor_hdr.bic'),
        column(['Freist. bis', '§48 bis'], 'creditor_hdr.exemption_certificate_valid_until', shortDay),
        column(['Spr.', 'gesp.'], 'creditor_hdr.is_blocked', flag('X', '')),
        unused(['ABC', 'Kl.'], () => 'B', text, ['creditor_hdr.rating']),
      ],
    },
    {
      name: 'auftr',
      tables: ['order_hdr'],
      rows: rowsWith(world, 'order_hdr', { creditor_hdr: related.creditor }),
      columns: [
        column(['Auf.-Nr.', 'A-Nr'], 'order_hdr.order_no', text, { also: ['order_hdr.order_hdr_id'], compare: 'key' }),
        keyColumn(['Obj.', 'Objekt-Kz.'], 'property', keys, 'order_hdr.property_id'),
        keyColumn(['WE', 'Einh.'], 'unit', keys, 'order_hdr.floor_area_id', { compare: 'none' }),
        keyColumn(['DL-Nr.', 'HW-Nr.'], 'creditor', keys, 'order_hdr.creditor_no'),
        column(['Auf.-Dat.', 'vom'], 'order_hdr.order_date', date),
        column(['Gewerk', 'Gew.'], 'order_hdr.trade_key', trade),
        column(['Kurztext', 'Betr.'], 'order_hdr.subject'),
        column(['Langtext'], 'order_hdr.description', (value) => `${value}\nRückfragen bitte tel.`, {
          value: ({ order_hdr }) => (order_hdr?.description == null ? null : `${order_hdr.description}\nRückfragen bitte tel.`),
          cell: ({ order_hdr }) => (order_hdr?.description == null ? null : `${order_hdr.description}\nRückfragen bitte tel.`),
        }),
        column(['Summe nto.', 'netto'], 'order_hdr.total_net', loose, { isSummed: true }),
        column(['MwSt', 'USt-S'], 'order_hdr.vat_rate', decimal({ point: ',', groups: [''], places: 0, behind: '%' })),
        column(['Summe bto.', 'brutto'], 'order_hdr.total_gross', loose, { isSummed: true }),
        column(
          ['Stat.', 'St'],
          'order_hdr.status_key',
          words({ new: 'neu', approved: 'frei', in_progress: 'i.B.', executed: 'ausgef.', closed: 'erl.', cancelled: 'storno' }, 'div.'),
        ),
        column(['Fert.', 'fertig am'], 'order_hdr.execution_end_date', date),
        unused(['VS-Kz', 'Vers.'], () => '0', text, ['order_hdr.is_insurance_claim']),
      ],
      layout: { total: 'Summe' },
    },
    {
      name: 'journal',
      tables: ['booking_pos', 'booking_hdr'],
      rows: rowsWith(world, 'booking_pos', { booking_hdr: related.document, account: related.account, contra: related.contraAccount }, 240),
      columns: [
        column(['Bel.-Nr.', 'Bel.'], 'booking_hdr.document_number', text, {
          to: ['booking_hdr.document_number', 'booking_pos.booking_hdr_id'],
          also: ['booking_hdr.booking_hdr_id', 'booking_hdr.external_document_number'],
          compare: 'key',
        }),
        column(['Pos', 'lfd.'], 'booking_pos.position_number', text, { also: ['booking_pos.booking_pos_id'], compare: 'number' }),
        keyColumn(['Obj.', 'Objekt-Kz.'], 'property', keys, 'booking_pos.property_id', {
          to: ['booking_pos.property_id', 'booking_hdr.property_id'],
        }),
        column(['B-Dat.', 'Buch.-Dat.'], 'booking_pos.booking_date', shortDay, {
          also: [
            'booking_hdr.booking_date',
            'booking_hdr.document_date',
            'booking_pos.fiscal_year',
            'booking_pos.fiscal_period',
            'booking_hdr.fiscal_year',
            'booking_hdr.fiscal_period',
          ],
          valueIn: {
            'booking_pos.fiscal_year': ({ booking_pos }) => booking_pos!.fiscal_year!,
            'booking_pos.fiscal_period': ({ booking_pos }) => booking_pos!.fiscal_period!,
            'booking_hdr.fiscal_year': ({ booking_pos }) => booking_pos!.fiscal_year!,
            'booking_hdr.fiscal_period': ({ booking_pos }) => booking_pos!.fiscal_period!,
          },
        }),
        column(['Kto', 'Konto-Nr.'], 'account.account_number', text, {
          to: ['booking_pos.account_id'],
          also: ['account.account_number', 'account.account_id'],
          compare: 'key',
        }),
        column(['G-Kto', 'Gegenk.'], 'contra.account_number', text, { to: ['booking_pos.contra_account_id'], compare: 'key' }),
        column(['S/H', 'SH-Kz.'], 'booking_pos.debit_credit_key', words({ debit: 'S', credit: 'H' }, '')),
        column(['Betr. EUR', 'Umsatz'], 'booking_pos.amount', money),
        column(['B-Text', 'Buch.text'], 'booking_pos.booking_text', text, { also: ['booking_hdr.booking_text'] }),
        column(['StSchl.', 'USt-Kz.'], 'booking_pos.vat_code_key', words({ none: '0', V19: '9', U19: '3', V7: '8', U7: '2' }, '0')),
        unused(['Stapel', 'Lauf'], () => '2026-114'),
      ],
    },
  ];
};
