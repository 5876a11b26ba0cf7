/** Invented programs in English: CSV lists and a database of the United Kingdom, and CSV lists and reports of the United States. */
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
  scaledColumn,
  squareFeetColumn,
  streetColumn,
  unitRows,
  unused,
} from './columns.ts';
import { day, dayNumber, decimal, flag, text, typedDay, typedNumber, words } from './forms.ts';
import type { List } from './layout.ts';
import type { World } from './world.ts';

const estuaryKeys: Keys = {
  property: (id) => `EST${id.slice(1)}`,
  unit: (id) => `EST${id.slice(1, 4)}/${Number(id.slice(5))}`,
  contract: (id) => `L${id}`,
  person: (id) => `T${id}`,
  creditor: (number) => `SUP${number}`,
};

const demiseUse = words(
  { apartment: 'Flat', office: 'Off.', retail: 'Shop', parking_space: 'Pkg', garage: 'Lock-up', storage: 'Stg' },
  'Misc',
);

export const estuary = (world: World): List[] => {
  const keys = estuaryKeys;
  const pounds = decimal({ point: '.', groups: [','], places: 2, before: '£', minus: '-' });
  const plain = decimal({ point: '.', groups: [','], places: 2 });
  const whole = decimal({ point: '.', groups: [','], places: 0 });
  const date = day('d/m/y');
  const worded = day('d-Mon-yy');
  return [
    {
      name: 'props',
      tables: ['property_hdr'],
      rows: rowsWith(world, 'property_hdr'),
      columns: [
        keyColumn(['Prop Ref', 'Prop. Cd'], 'property', keys, 'property_hdr.property_id'),
        column(['Prop. Name', 'Bldg Name'], 'property_hdr.property_name'),
        streetColumn(['Addr 1', 'Address Ln 1'], 'property_hdr'),
        column(['Post Town', 'Town'], 'property_hdr.city'),
        column(['P/Code', 'Postcode'], 'property_hdr.postal_code'),
        column(['Yr Built', 'Built'], 'property_hdr.construction_year', text),
        column(['Acq. Dt', 'Acquired'], 'property_hdr.acquisition_date', worded),
        squareFeetColumn(['NIA sq ft', 'Lettable (sq ft)'], 'property_hdr.lettable_area_sqm', whole),
        column(['Val (GBP)', 'Last Val.'], 'property_hdr.market_value', whole),
        column(['Val Dt', 'Valn Date'], 'property_hdr.market_value_date', worded),
        unused(['UPRN', 'Title No'], ({ property_hdr }) => `1000${property_hdr?.property_id}7`),
        unused(['Surveyor', 'Fund Mgr'], () => 'JT', text, ['property_hdr.property_manager_id']),
      ],
    },
    {
      name: 'tenancy_sched',
      tables: ['floor_area', 'person', 'tenancy_hdr', 'contract_condition', 'account', 'property_hdr'],
      rows: unitRows(world),
      columns: [
        keyColumn(['Prop Ref', 'Prop.'], 'property', keys, 'floor_area.property_id'),
        keyColumn(['Demise', 'Demise Ref'], 'unit', keys, 'floor_area.floor_area_id', {
          to: ['floor_area.floor_area_id', 'floor_area.unit_number'],
        }),
        column(['Use', 'Use Class'], 'floor_area.usage_type_key', demiseUse),
        column(['Flr', 'Level'], 'floor_area.floor'),
        squareFeetColumn(['Area (sq ft)', 'NIA ft²'], 'floor_area.area_sqm', whole),
        nameColumn(['Lessee', 'Occupier'], 'first last', 'VACANT'),
        column(['Lse Start', 'Term From'], 'tenancy_hdr.contract_start_date', date),
        column(['Lse Exp', 'Expiry'], 'tenancy_hdr.contract_end_date', date, {
          nothing: 'Holding over',
          also: ['tenancy_hdr.fixed_term_end_date'],
        }),
        rentColumn(['Passing Rent pcm', 'Rent pcm'], 'basic', pounds),
        rentColumn(['S/C pcm', 'Svc Chg'], 'operating', pounds, { nothing: '-' }),
        column(['ERV psf', 'ERV'], 'floor_area.market_rent_per_sqm', plain, {
          to: ['floor_area.market_rent_per_sqm'],
          value: ({ floor_area }) => (floor_area?.market_rent_per_sqm == null ? null : Number(floor_area.market_rent_per_sqm).toFixed(2)),
          cell: ({ floor_area }, random) =>
            floor_area?.market_rent_per_sqm == null
              ? null
              : plain((Number(floor_area.market_rent_per_sqm) * 0.09290304).toFixed(2), random),
          compare: 'none',
        }),
        column(['Dep. held', 'Rent Dep'], 'tenancy_hdr.deposit_amount', pounds),
        unused(['L&T Act', '54 Act'], () => 'Inside'),
      ],
      layout: {
        titles: [['Tenancy Schedule as at 31 October 2026'], ['Prepared for: Board']],
        groupBy: ({ floor_area }) => floor_area?.property_id ?? null,
        subtotal: (group) => `Sub-total ${estuaryKeys.property(group)}`,
        total: 'Grand total',
      },
    },
    {
      name: 'suppliers',
      ...creditorList(world),
      columns: [
        creditorColumn(['Supp. A/C', 'Vend Ref'], keys),
        nameColumn(['Supp. Name', 'Trading As'], 'first last'),
        streetColumn(['Addr', 'Addr 1'], 'person'),
        column(['Town', 'City/Town'], 'person.city'),
        column(['PCode', 'Post Cd'], 'person.postal_code'),
        column(['VAT Reg.', 'VAT No'], 'creditor_hdr.vat_id'),
        column(['IBAN', 'Bank A/C'], 'creditor_hdr.iban'),
        column(['Terms (days)', 'Cr. Terms'], 'creditor_hdr.payment_terms_days', text),
        column(
          ['Trade', 'Discipline'],
          'creditor_hdr.trade_key',
          words(
            { plumbing_heating: 'M&E-P', electrical: 'M&E-E', roofing: 'ROOF', painting: 'DECS', carpentry: 'JOIN', elevator: 'LIFT' },
            'GEN',
          ),
        ),
        column(['PLI exp.', 'Ins. Expiry'], 'creditor_hdr.insurance_valid_until', date),
        column(['Stop', 'On Hold'], 'creditor_hdr.is_blocked', flag('Y', 'N')),
        unused(['CIS', 'UTR'], () => 'Gross'),
      ],
    },
    {
      name: 'invoices',
      tables: ['order_invoice'],
      rows: rowsWith(world, 'order_invoice', { order_hdr: related.order }),
      columns: [
        column(['Inv. #', 'Inv Ref'], 'order_invoice.invoice_no', text, { also: ['order_invoice.order_invoice_id'] }),
        column(['WO', 'Works Order'], 'order_hdr.order_no', text, { to: ['order_invoice.order_hdr_id'], compare: 'key' }),
        column(['Inv Dt', 'Tax Pt'], 'order_invoice.invoice_date', date),
        column(["Rec'd", 'Rcvd'], 'order_invoice.received_date', date),
        column(['Due', 'Pay by'], 'order_invoice.due_date', date),
        column(['Nett', 'Ex VAT'], 'order_invoice.net_amount', plain, { isSummed: true }),
        column(['VAT Amt', 'VAT £'], 'order_invoice.vat_amount', plain, { isSummed: true }),
        column(['Inc VAT', 'Grs'], 'order_invoice.gross_amount', plain, { isSummed: true }),
        column(['Paid Dt', 'BACS Date'], 'order_invoice.payment_date', date),
        unused(['Batch', 'Ledger Pd'], () => 'P07'),
      ],
      layout: { total: 'TOTALS' },
    },
  ];
};

const landbaseKeys: Keys = {
  property: (id) => id,
  unit: (id) => id.replace('-', ''),
  contract: (id) => id,
  person: (id) => id,
  creditor: (number) => number,
};

/** Tables of a database with short names, amounts in pence, and days as numbers. */
export const landbase = (world: World): List[] => {
  const keys = landbaseKeys;
  const pence = (headers: string | readonly string[], path: string) => scaledColumn(headers, path, 100, typedNumber);
  const serial = (path: string, header: string) => column(header, path, typedNumber, { compare: 'key' });
  return [
    {
      name: 'pr_mast',
      tables: ['property_hdr'],
      rows: rowsWith(world, 'property_hdr'),
      columns: [
        serial('property_hdr.property_id', 'pr_id'),
        column(['pr_nm', 'pr_desc'], 'property_hdr.property_name'),
        column(['str_nm', 'street'], 'property_hdr.street'),
        column(['hse_no', 'str_no'], 'property_hdr.house_no'),
        column(['pcode', 'pst_cd'], 'property_hdr.postal_code'),
        column(['town', 'twn_nm'], 'property_hdr.city'),
        column(['yr_blt', 'cnstr_yr'], 'property_hdr.construction_year', typedNumber),
        column(['tot_nla', 'nla_m2'], 'property_hdr.lettable_area_sqm', typedNumber),
        column(['mgmt_strt', 'mgd_frm'], 'property_hdr.management_start_date', dayNumber),
        unused(['upd_usr', 'lst_usr'], () => 'SYS'),
      ],
      layout: { isOrdered: true },
    },
    {
      name: 'un_mast',
      tables: ['floor_area'],
      rows: rowsWith(world, 'floor_area'),
      columns: [
        column('un_id', 'floor_area.fa_hdr_id', typedNumber, { to: ['floor_area.fa_hdr_id', 'floor_area.floor_area_id'], compare: 'key' }),
        keyColumn('pr_id', 'property', keys, 'floor_area.property_id', { form: typedNumber }),
        column(['un_ref', 'un_cd'], 'floor_area.unit_number', text, { also: ['floor_area.floor_area_id', 'floor_area.description'] }),
        column(
          ['un_typ', 'use_cd'],
          'floor_area.usage_type_key',
          words({ apartment: 'RES', office: 'OFC', retail: 'RTL', parking_space: 'PKG', garage: 'GRG', storage: 'STG' }, 'OTH'),
        ),
        column(['flr', 'lvl'], 'floor_area.floor_number', typedNumber, { also: ['floor_area.floor'], compare: 'number' }),
        column(['gia', 'ar_m2'], 'floor_area.area_sqm', typedNumber),
        column(['bdrms', 'rms'], 'floor_area.room_count', typedNumber, { compare: 'number' }),
        pence(['erv_p', 'tgt_rnt_p'], 'floor_area.target_rent_net'),
        unused(['epc_ref', 'key_tag'], ({ floor_area }) => `0${floor_area?.fa_hdr_id}`),
      ],
      layout: { isOrdered: true },
    },
    {
      name: 'pa_mast',
      tables: ['person'],
      rows: rowsWith(world, 'person'),
      columns: [
        serial('person.person_id', 'pa_id'),
        column(['pa_typ', 'ent_typ'], 'person.person_type_key', words({ natural: 'I' }, 'C')),
        column(['fnm', 'fst_nm'], 'person.first_name'),
        column(['snm', 'lst_nm'], 'person.last_name'),
        column(['org_nm', 'co_nm'], 'person.company_name'),
        column(['adr_str', 'ad_st'], 'person.street'),
        column(['adr_no', 'ad_no'], 'person.house_no'),
        column(['adr_pc', 'ad_pc'], 'person.postal_code'),
        column(['adr_twn', 'ad_twn'], 'person.city'),
        column(['eml', 'e_addr'], 'person.email'),
        column(['tel', 'ph_1'], 'person.phone'),
        column(['dob', 'brth_dt'], 'person.birth_date', typedDay),
      ],
      layout: { isOrdered: true },
    },
    {
      name: 'ls_mast',
      tables: ['tenancy_hdr', 'account'],
      rows: rowsWith(world, 'tenancy_hdr', { floor_area: (row, { find }) => find('floor_area', 'floor_area_id', row.floor_area_id) }),
      columns: [
        column('ls_id', 'tenancy_hdr.account_id', typedNumber, {
          to: ['tenancy_hdr.tenancy_hdr_id', 'tenancy_hdr.account_id'],
          also: ['tenancy_hdr.contract_number', 'account.account_id', 'account.account_number'],
          compare: 'key',
        }),
        column('un_id', 'floor_area.fa_hdr_id', typedNumber, { to: ['tenancy_hdr.floor_area_id'], compare: 'none' }),
        keyColumn('pr_id', 'property', keys, 'tenancy_hdr.property_id', { form: typedNumber }),
        keyColumn('pa_id', 'person', keys, 'tenancy_hdr.person_id', { form: typedNumber }),
        column(['strt_dt', 'cmnc_dt'], 'tenancy_hdr.contract_start_date', dayNumber),
        column(['exp_dt', 'end_dt'], 'tenancy_hdr.contract_end_date', dayNumber, {
          nothing: '0',
          also: ['tenancy_hdr.fixed_term_end_date'],
        }),
        column(['ntc_mths', 'ntc_prd'], 'tenancy_hdr.notice_period_months', typedNumber),
        pence(['dep_p', 'bond_p'], 'tenancy_hdr.deposit_amount'),
        pence(['bal_p', 'arrs_p'], 'tenancy_hdr.balance'),
        column(['ls_sts', 'sts_cd'], 'tenancy_hdr.status_key', words({ active: 'A', terminated: 'N', ended: 'X' }, 'P')),
        unused(['rgn_cd', 'mgr_cd'], () => 'N2'),
      ],
      layout: { isOrdered: true },
    },
    {
      name: 'chg_ln',
      tables: ['contract_condition'],
      rows: rowsWith(world, 'contract_condition'),
      columns: [
        column('chg_id', 'contract_condition.condition_id', typedNumber, { compare: 'key' }),
        keyColumn('ls_id', 'contract', keys, 'contract_condition.account_id', { form: typedNumber }),
        column(
          ['chg_cd', 'chg_typ'],
          'contract_condition.debit_type_key',
          words({ basic_rent: 'RNT', operating_cost_advance: 'SVC', heating_cost_advance: 'HTG', parking_rent: 'PKG' }, 'SUN'),
        ),
        column(['frm_dt', 'eff_dt'], 'contract_condition.valid_from', dayNumber),
        column(['to_dt', 'thru_dt'], 'contract_condition.valid_to', dayNumber, { nothing: '0' }),
        pence(['net_p', 'amt_p'], 'contract_condition.net_amount'),
        pence(['vat_p', 'tax_p'], 'contract_condition.vat_amount'),
        pence(['grs_p', 'tot_p'], 'contract_condition.gross_amount'),
        column(['frq', 'prd_cd'], 'contract_condition.payment_interval_key', words({ monthly: 'M', quarterly: 'Q', annual: 'A' }, 'O')),
      ],
      layout: { isOrdered: true },
    },
  ];
};

const rentPointKeys: Keys = {
  property: (id) => `p${id}`,
  unit: (id) => `${id.slice(5, 6)}${id.slice(-3)}`,
  contract: (id) => `t0${id}`,
  person: (id) => `t0${id}`,
  creditor: (number) => `v00${number}`,
};

/** Reports with titles, totals and negative amounts in parentheses. */
export const rentPoint = (world: World): List[] => {
  const keys = rentPointKeys;
  const dollars = decimal({ point: '.', groups: [','], places: 2, before: world.random.pick(['$', '']), minus: 'parentheses' });
  const whole = decimal({ point: '.', groups: [','], places: 0 });
  const date = day(world.random.pick(['m/d/y', 'm/d/y time'] as const));
  const short = day('m/d/y');
  return [
    {
      name: 'RentRoll',
      tables: ['floor_area', 'person', 'tenancy_hdr', 'contract_condition', 'account', 'property_hdr'],
      rows: unitRows(world),
      columns: [
        keyColumn(['Property', 'Prop'], 'property', keys, 'floor_area.property_id', {
          also: ['*.property_id', 'property_hdr.short_name', 'property_hdr.property_name'],
        }),
        keyColumn(['Unit', 'Unit #'], 'unit', keys, 'floor_area.floor_area_id', {
          to: ['floor_area.floor_area_id', 'floor_area.unit_number'],
          compare: 'none',
        }),
        column(
          ['BD/BA', 'Unit Type'],
          'floor_area.usage_type_key',
          words({ apartment: '2/1.00', office: 'Comm', retail: 'Comm', parking_space: 'Pkg', garage: 'Gar' }, 'Stor'),
          { to: [], also: ['floor_area.usage_type_key', 'floor_area.description'], compare: 'none' },
        ),
        squareFeetColumn(['Sq. Ft.', 'SF'], 'floor_area.area_sqm', whole),
        nameColumn(['Resident', 'Tenant'], world.random.pick(['last, first', 'first last'] as const), 'VACANT'),
        column(['Market Rent', 'Mkt Rent'], 'floor_area.target_rent_net', dollars, { isSummed: true }),
        rentColumn(['Actual Rent', 'Lease Rent', 'Rent'], 'basic', dollars, {
          nothing: '0.00',
          value: ({ rent }) => rent!.basic ?? '0.00',
        }),
        column(['Deposit', 'Sec. Dep.'], 'tenancy_hdr.deposit_amount', dollars),
        column(['Move In', 'MI Date'], 'tenancy_hdr.move_in_date', short),
        column(['Lease From', 'Lse Start'], 'tenancy_hdr.contract_start_date', short),
        column(['Lease To', 'Lease Exp'], 'tenancy_hdr.contract_end_date', short, {
          nothing: 'MTM',
          also: ['tenancy_hdr.fixed_term_end_date'],
        }),
        column(['Bal', 'Past Due'], 'tenancy_hdr.balance', dollars, { isSummed: true }),
      ],
      layout: {
        titles: [['Rent Roll'], ['Properties: All'], ['As of: 10/31/2026'], []],
        groupBy: ({ floor_area }) => floor_area?.property_id ?? null,
        subtotal: (group) => `Total p${group}`,
        blankAfterGroup: true,
        total: 'Grand Total',
        footers: ['Page 1 of 1'],
      },
    },
    {
      name: 'Vendors',
      ...creditorList(world),
      columns: [
        creditorColumn(['Vendor Code', 'Vend #'], keys),
        nameColumn(['Payee', 'Remit To'], 'first last'),
        streetColumn(['Addr1', 'Street Address'], 'person', { isNumberFirst: true }),
        placeColumn(['City/ZIP', 'City ZIP'], 'person', { isCityFirst: true }),
        column(['Phone 1', 'Ph'], 'person.phone'),
        column(['Email', 'E-mail Addr'], 'person.email'),
        column(['Tax ID', 'EIN'], 'creditor_hdr.vat_id', text, { to: ['creditor_hdr.tax_number', 'creditor_hdr.vat_id'] }),
        column(['Net Days', 'Terms'], 'creditor_hdr.payment_terms_days', text),
        column(['GL Ins. Exp', 'Liab Ins Exp'], 'creditor_hdr.insurance_valid_until', short),
        unused(['1099?', 'Send 1099'], () => 'Yes'),
      ],
    },
    {
      name: 'GL_Detail',
      tables: ['booking_pos', 'booking_hdr'],
      rows: rowsWith(world, 'booking_pos', { booking_hdr: related.document, account: related.account }, 220),
      columns: [
        column(['Ctrl #', 'Control'], 'booking_hdr.document_number', text, {
          to: ['booking_hdr.document_number', 'booking_pos.booking_hdr_id'],
          also: ['booking_hdr.booking_hdr_id'],
          compare: 'key',
        }),
        keyColumn(['Property', 'Prop Cd'], 'property', keys, 'booking_pos.property_id', {
          to: ['booking_pos.property_id', 'booking_hdr.property_id'],
        }),
        column(['Post Dt', 'Date'], 'booking_pos.booking_date', date, { also: ['booking_hdr.booking_date', 'booking_hdr.document_date'] }),
        column(['Acct', 'GL Acct'], 'account.account_number', text, {
          to: ['booking_pos.account_id'],
          also: ['account.account_number', 'account.account_id'],
          compare: 'key',
        }),
        // Credits are negative.
        column(['Amt', 'Amount'], 'booking_pos.amount', dollars, {
          also: ['booking_pos.debit_credit_key', 'booking_hdr.total_amount'],
          cell: ({ booking_pos }, random) =>
            dollars(`${booking_pos!.debit_credit_key === 'credit' ? '-' : ''}${booking_pos!.amount}`, random),
          valueIn: { 'booking_pos.debit_credit_key': ({ booking_pos }) => booking_pos!.debit_credit_key! },
        }),
        column(['Notes', 'Remarks'], 'booking_pos.booking_text', text, { also: ['booking_hdr.booking_text'] }),
        column(['Inv #', 'Reference'], 'booking_hdr.external_document_number', text, { also: ['booking_hdr.document_number'] }),
      ],
      layout: { titles: [['General Ledger'], ['Book = Accrual']], footers: ['End of report'] },
    },
    {
      name: 'WorkOrders',
      tables: ['report_hdr', 'order_hdr'],
      rows: rowsWith(world, 'report_hdr', { person: related.person }),
      columns: [
        column(['WO #', 'SR No'], 'report_hdr.report_no', text, {
          to: ['report_hdr.report_no', 'report_hdr.report_hdr_id', 'order_hdr.order_no', 'order_hdr.order_hdr_id'],
          compare: 'key',
        }),
        keyColumn(['Prop Cd', 'Property'], 'property', keys, 'report_hdr.property_id', {
          to: ['report_hdr.property_id', 'order_hdr.property_id'],
        }),
        keyColumn(['Unit', 'Apt'], 'unit', keys, 'report_hdr.floor_area_id', {
          to: ['report_hdr.floor_area_id', 'order_hdr.floor_area_id'],
          compare: 'none',
        }),
        column(['Brief Desc', 'Issue'], 'report_hdr.subject', text, { to: ['report_hdr.subject', 'order_hdr.subject'] }),
        column(['Call Dt', 'Opened'], 'report_hdr.report_date', date, { to: ['report_hdr.report_date', 'order_hdr.order_date'] }),
        column(['Closed', 'Completed'], 'report_hdr.completed_date', date, {
          to: ['report_hdr.completed_date', 'order_hdr.closed_date', 'order_hdr.execution_end_date'],
        }),
        column(['Priority', 'Prio'], 'report_hdr.priority_key', words({ low: 'P4', normal: 'P3', high: 'P2', critical: 'P1' }, 'P3'), {
          to: ['report_hdr.priority_key', 'order_hdr.priority_key'],
        }),
        column(
          ['Stat', 'WO Status'],
          'report_hdr.status_key',
          words({ new: 'Call', in_progress: 'In Prog', completed: 'Work Completed', cancelled: 'Canceled' }, 'Scheduled'),
          { to: ['report_hdr.status_key', 'order_hdr.status_key'] },
        ),
        unused(['Entry OK', 'Pet?'], () => 'Y'),
      ],
    },
  ];
};
