/** An invented Dutch program with a database that has keys and references. */
import { column, type Keys, keyColumn, related, rowsWith, salutationColumn, scaledColumn, unused } from './columns.ts';
import { text, typedDay, typedNumber, words } from './forms.ts';
import type { List } from './layout.ts';
import type { World } from './world.ts';

const keys: Keys = { property: (id) => id, unit: (id) => id, contract: (id) => id, person: (id) => id, creditor: (number) => number };

const discipline = words(
  { plumbing_heating: 'LG', electrical: 'EL', roofing: 'DAK', painting: 'SCH', carpentry: 'TIM', elevator: 'LIFT' },
  'OV',
);

export const woonbasis = (world: World): List[] => {
  const serial = (path: string, header: string, also: readonly string[] = []) =>
    column(header, path, typedNumber, { also, compare: 'key' });
  const isInCents = world.random.chance(0.5);
  const money = (headers: readonly [cents: string, euros: string], path: string) =>
    isInCents ? scaledColumn(headers[0], path, 100, typedNumber) : column(headers[1], path, typedNumber);
  const ordered = { isOrdered: true } as const;
  return [
    {
      name: 'wb_complex',
      tables: ['property_hdr'],
      rows: rowsWith(world, 'property_hdr'),
      columns: [
        serial('property_hdr.property_id', 'cpx_nr'),
        column(['cpx_oms', 'cpx_naam'], 'property_hdr.property_name'),
        column(['straat', 'str'], 'property_hdr.street'),
        column(['huisnr', 'hnr'], 'property_hdr.house_no'),
        column(['postc', 'pc'], 'property_hdr.postal_code'),
        column(['plaats', 'woonpl'], 'property_hdr.city'),
        column(['bwjr', 'bouwjr'], 'property_hdr.construction_year', typedNumber),
        column(['energielbl', 'en_lbl'], 'property_hdr.energy_certificate_class_key'),
        money(['woz_ct', 'woz'], 'property_hdr.market_value'),
        unused(['bag_id', 'kad_aand'], ({ property_hdr }) => `0363${property_hdr?.property_id}`),
      ],
      layout: ordered,
    },
    {
      name: 'wb_vhe',
      tables: ['floor_area'],
      rows: rowsWith(world, 'floor_area'),
      columns: [
        serial('floor_area.fa_hdr_id', 'vhe_nr', ['floor_area.floor_area_id', 'floor_area.unit_number']),
        keyColumn('cpx_nr', 'property', keys, 'floor_area.property_id', { form: typedNumber }),
        column(
          ['vhe_srt', 'srt_vhe'],
          'floor_area.usage_type_key',
          words({ apartment: 'WON', office: 'KAN', retail: 'WIN', parking_space: 'PP', garage: 'GAR', storage: 'BERG' }, 'OV'),
        ),
        column(['verd', 'etage'], 'floor_area.floor'),
        column(['opp_gbo', 'gbo_m2'], 'floor_area.area_sqm', typedNumber),
        column(['aant_k', 'kamers'], 'floor_area.room_count', typedNumber, { compare: 'number' }),
        money(['streefhr_ct', 'streefhr'], 'floor_area.target_rent_net'),
        column(['leeg_vanaf', 'dt_leeg'], 'floor_area.vacant_since', typedDay),
        unused(['wws_pnt', 'punten'], ({ floor_area }) => String(120 + (Number(floor_area!.fa_hdr_id) % 60)), typedNumber),
      ],
      layout: ordered,
    },
    {
      name: 'wb_rel',
      tables: ['person'],
      rows: rowsWith(world, 'person'),
      columns: [
        serial('person.person_id', 'rel_nr'),
        column(['srt_rel', 'rel_srt'], 'person.person_type_key', words({ natural: 'P' }, 'B')),
        salutationColumn(['aanhef', 'geslacht'], ['dhr.', 'mevr.', '']),
        column(['voornm', 'roepnaam'], 'person.first_name'),
        column(['achternm', 'anaam'], 'person.last_name'),
        column(['bedr_naam', 'handelsnm'], 'person.company_name'),
        column(['straat', 'str'], 'person.street'),
        column(['huisnr', 'hnr'], 'person.house_no'),
        column(['postc', 'pc'], 'person.postal_code'),
        column(['plaats', 'woonpl'], 'person.city'),
        column(['tel_nr', 'tel_vast'], 'person.phone'),
        column(['mob_nr', 'gsm'], 'person.mobile'),
        column(['mailadr', 'e_mail'], 'person.email'),
        column(['geb_dt', 'gebdat'], 'person.birth_date', typedDay),
        unused(['bsn_hash', 'mut_user'], ({ person }) => `x${person?.person_id}`),
      ],
      layout: ordered,
    },
    {
      name: 'wb_hrcontr',
      tables: ['tenancy_hdr', 'account'],
      rows: rowsWith(world, 'tenancy_hdr', { floor_area: (row, { find }) => find('floor_area', 'floor_area_id', row.floor_area_id) }),
      columns: [
        column('hc_nr', 'tenancy_hdr.account_id', typedNumber, {
          to: ['tenancy_hdr.tenancy_hdr_id', 'tenancy_hdr.account_id'],
          also: ['tenancy_hdr.contract_number', 'account.account_id', 'account.account_number'],
          compare: 'key',
        }),
        column('vhe_nr', 'floor_area.fa_hdr_id', typedNumber, { to: ['tenancy_hdr.floor_area_id'], compare: 'none' }),
        keyColumn('rel_nr', 'person', keys, 'tenancy_hdr.person_id', { form: typedNumber }),
        column(['ing_dt', 'dt_ingang'], 'tenancy_hdr.contract_start_date', typedDay),
        column(['eind_dt', 'dt_einde'], 'tenancy_hdr.contract_end_date', typedDay),
        column(['tek_dt', 'dt_getek'], 'tenancy_hdr.contract_date', typedDay),
        money(['borg_ct', 'waarborg'], 'tenancy_hdr.deposit_amount'),
        column(['iban_nr', 'rek_nr'], 'tenancy_hdr.iban'),
        column(['mandaat', 'machtiging'], 'tenancy_hdr.mandate_reference'),
        money(['saldo_ct', 'saldo'], 'tenancy_hdr.balance'),
        column(['opz_mnd', 'opzegterm'], 'tenancy_hdr.notice_period_months', typedNumber),
      ],
      layout: ordered,
    },
    {
      name: 'wb_hrcomp',
      tables: ['contract_condition'],
      rows: rowsWith(world, 'contract_condition'),
      columns: [
        serial('contract_condition.condition_id', 'comp_id'),
        keyColumn('hc_nr', 'contract', keys, 'contract_condition.account_id', { form: typedNumber }),
        column(
          ['comp_srt', 'srt_comp'],
          'contract_condition.debit_type_key',
          words({ basic_rent: 'KH', operating_cost_advance: 'SK', heating_cost_advance: 'STK', parking_rent: 'PP' }, 'OV'),
        ),
        column(['oms', 'comp_oms'], 'contract_condition.description'),
        column(['van_dt', 'dt_van'], 'contract_condition.valid_from', typedDay),
        column(['tm_dt', 'dt_tm'], 'contract_condition.valid_to', typedDay),
        money(['bdr_ex_ct', 'bdr_ex'], 'contract_condition.net_amount'),
        column(['btw_pct', 'btw'], 'contract_condition.vat_rate', typedNumber),
        money(['bdr_btw_ct', 'bdr_btw'], 'contract_condition.vat_amount'),
        money(['bdr_in_ct', 'bdr_in'], 'contract_condition.gross_amount'),
      ],
      layout: ordered,
    },
    {
      name: 'wb_cred',
      tables: ['creditor_hdr', 'account'],
      rows: rowsWith(world, 'creditor_hdr', { person: related.person }),
      columns: [
        column('crd_nr', 'creditor_hdr.creditor_no', typedNumber, {
          to: ['creditor_hdr.creditor_no', 'creditor_hdr.creditor_id'],
          also: ['creditor_hdr.account_id', 'account.account_id', 'account.account_number'],
          compare: 'key',
        }),
        keyColumn('rel_nr', 'person', keys, 'creditor_hdr.person_id', { form: typedNumber }),
        column(['btw_nr', 'btw_id'], 'creditor_hdr.vat_id'),
        column(['iban_nr', 'rek_nr'], 'creditor_hdr.iban'),
        column(['bet_term', 'bet_dgn'], 'creditor_hdr.payment_terms_days', typedNumber),
        column(['discipl', 'vakgeb'], 'creditor_hdr.trade_key', discipline),
        column(['geblok', 'blok'], 'creditor_hdr.is_blocked', words({ true: 'J' }, 'N')),
        unused(['kvk_nr', 'g_rek'], ({ creditor_hdr }) => `3${creditor_hdr?.creditor_no}2`),
      ],
      layout: ordered,
    },
    {
      name: 'wb_werkbon',
      tables: ['order_hdr'],
      rows: rowsWith(world, 'order_hdr'),
      columns: [
        serial('order_hdr.order_hdr_id', 'bon_nr', ['order_hdr.order_no']),
        keyColumn('cpx_nr', 'property', keys, 'order_hdr.property_id', { form: typedNumber }),
        keyColumn('crd_nr', 'creditor', keys, 'order_hdr.creditor_no', { form: typedNumber }),
        column(['opdr_dt', 'dt_opdr'], 'order_hdr.order_date', typedDay),
        column(['gereed_dt', 'dt_gereed'], 'order_hdr.execution_end_date', typedDay, {
          also: ['order_hdr.closed_date', 'order_hdr.acceptance_date'],
        }),
        column(['kort_oms', 'klacht'], 'order_hdr.subject', text, { also: ['order_hdr.description'] }),
        column(['discipl', 'vakgeb'], 'order_hdr.trade_key', discipline),
        money(['bdr_ex_ct', 'bdr_ex'], 'order_hdr.total_net'),
        money(['bdr_in_ct', 'bdr_in'], 'order_hdr.total_gross'),
        column(
          ['bon_st', 'st_bon'],
          'order_hdr.status_key',
          words({ new: '10', approved: '20', in_progress: '30', executed: '40', closed: '90', cancelled: '99' }, '50'),
        ),
      ],
      layout: ordered,
    },
  ];
};
