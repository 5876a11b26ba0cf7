/**
 * Questions of analysts. Each is one address of groups or rows, and GraphQL is written from it. They are examples in GraphiQL and Explore, a page of
 * the documentation, and what a delivery can answer. `test/analyst/questions.test.ts` compares their answers with SQL.
 */

import { atDay } from '../../catalogue/relative-days.ts';

export interface Question {
  readonly en: string;
  /** The term of German portfolio managers. */
  readonly de: string;
  /** What counts, in one or more sentences. */
  readonly note: string;
  /** The REST request, with days relative to the day of the question (`catalogue/relative-days.ts`). A client encodes the values of its parameters. */
  readonly address: string;
  /** The chart of Explore, where it is not the one that its groups suggest: its kind, and the fields across, up and of the colours. */
  readonly chart?: string;
  /** The day of the examples, if it is not the usual one. */
  readonly exampleDay?: string;
}

/** The day of the examples in the documentation and in GraphiQL. */
export const exampleDay = '2025-12-31';

/** The request of a question at the day of the examples. */
export const exampleAddress = (question: Question): string => atDay(question.address, question.exampleDay ?? exampleDay);

export const questions = {
  'rent-roll': {
    en: 'What is the rent roll?',
    de: 'Mieterliste',
    note: 'A row for each contract and unit with a basic rent at the end of the month. Amounts are net, for one payment interval.',
    address:
      '/contracts/contract_debits/groups?by=as_of:month({month},{day}),property_id,floor_area_id,contract_number&sum=net_amount,area_sqm&value=per_sqm:ratio(sum_net_amount,sum_area_sqm)&where=debit_type=basic_rent',
  },
  'vacancy-rate-by-month': {
    en: 'What is the vacancy rate of each property at the end of each month?',
    de: 'Leerstandsquote',
    note: 'A unit is vacant if no basic rent is debited for it on that day. As in the measure vacancy_rate_units, only active units to let count: no parking, and none that is occupied by its owner or cannot be let.',
    chart: 'line,as_of,rate,property_id',
    address:
      '/property/property_structure/groups?by=as_of:month({month-11},{day}),property_id&count&value=vacant:count(contract_debits:none_valid(debit_type=basic_rent)),vacant_area:sum(area_sqm,contract_debits:none_valid(debit_type=basic_rent)),rate:ratio(vacant,count)&where=is_active=true,occupancy_status:in(let,vacant),usage_type:not_in(parking_space,garage)',
  },
  'arrears-by-age': {
    en: 'How old are the open items of each debtor?',
    de: 'Mietrückstände nach Alter',
    note: 'Lines on tenant accounts that are not cleared, by the days since their due date.',
    address:
      '/accounting/booking_positions/groups?by=account_id,header.due_date:age(0,30,60,90,on={day})&count&sum=signed_amount&where=account.account_type=debtor,cleared_date:is_null&limit=1000',
  },
  'cost-per-sqm-by-year': {
    en: 'What does maintenance cost per m² in each property and year?',
    de: 'Instandhaltungskosten je m² und Jahr',
    note: 'Invoiced repairs, maintenance and inspections, divided by the lettable area of the property.',
    address: '/operations/orders/groups?by=property_id,order_date:year&sum=invoiced_net&measure=maintenance_cost_per_sqm',
  },
  'bookings-against-last-year': {
    en: 'What was booked on each account per quarter, against the year before?',
    de: 'Buchungen im Vorjahresvergleich',
    note: 'Debits are positive and credits are negative.',
    address:
      '/accounting/booking_positions/groups?by=account_number,booking_date:quarter&sum=signed_amount&value=year_before:previous(sum_signed_amount,4),change:change(sum_signed_amount,4)&limit=1000',
  },
  'orders-against-invoices': {
    en: 'How much of the orders is invoiced, by trade?',
    de: 'Aufträge und Rechnungen',
    note: 'Rejected and cancelled orders are left out.',
    address:
      '/operations/orders/groups?by=trade&count&sum=total_net,invoiced_net&value=not_invoiced:difference(sum_total_net,sum_invoiced_net),part:ratio(sum_invoiced_net,sum_total_net)&where=status:not_in(rejected,cancelled)&order=-not_invoiced',
  },
  'open-notifications-by-age': {
    en: 'How old are the open notifications, by type of equipment?',
    de: 'Offene Meldungen',
    note: 'Each type of equipment has all bands, also those without notifications.',
    address:
      '/operations/notifications/groups?by=technical_object.to_type,report_date:age(30,90,365,on={day})&count&where=status:not_in(completed,cancelled)&fill=report_date_age',
  },
  'lease-expiries': {
    en: 'How much rent expires in which year?',
    de: 'Auslaufende Mietverträge',
    note: 'Basic rents at the end of the month, by the year in which their contract ends. Contracts without an end have no year.',
    address:
      '/contracts/contract_debits/groups?by=as_of:month({month},{day}),tenant.contract_end_date:year&sum=net_amount&distinct=account_id&value=at_risk:share(sum_net_amount)&where=debit_type=basic_rent',
  },
  'lease-term': {
    en: 'How long do the leases of each property still run?',
    de: 'Gewichtete Restlaufzeit, WALT',
    note: 'Years from the end of the last year and of the year to the end of the contracts, weighted by annual basic rents. Contracts without an end are left out.',
    chart: 'bar,property_id,walt',
    address:
      '/contracts/contract_debits/groups?by=property_id,as_of:year({year-1},{day})&measure=walt,annual_rent&where=debit_type=basic_rent',
  },
  'largest-tenants': {
    en: 'Who are the ten largest tenants by rent, and what is their share?',
    de: 'Mieterkonzentration',
    note: 'Annual basic rents at the end of the month. The part and the running total are in percent.',
    chart: 'bar,account_id,annual_rent',
    address:
      '/contracts/contract_debits/groups?by=as_of:month({month},{day}),account_id&measure=annual_rent&value=rank:rank(annual_rent),part:share(annual_rent),so_far:running_total(part)&where=debit_type=basic_rent&order=-annual_rent&limit=10',
  },
  'budget-against-actual': {
    en: 'How do budgets compare with actual costs?',
    de: 'Plan-Ist-Vergleich je Kostenstelle',
    note: 'Budget lines of the version plan against bookings on expense accounts. A cost centre that has only one of them is there, too.',
    chart: 'bar,cost_center_id,actual_costs',
    address:
      '/accounting/budgets/groups?by=cost_center_id,fiscal_year&measure=planned_costs,actual_costs&value=left:difference(planned_costs,actual_costs),used:ratio(actual_costs,planned_costs)&where=fiscal_year>={year_number}',
  },
  'service-charge-recovery': {
    en: 'Which part of the allocable costs do the advances of tenants cover?',
    de: 'Umlage der Betriebskosten',
    note: 'Debited advances against costs that enter the settlement, by the year of the service period.',
    address:
      '/accounting/booking_positions/groups?by=property_id,service_period_from:year&measure=allocable_costs,debited_advances,service_charge_recovery&value=uncovered:difference(allocable_costs,debited_advances)&where=service_period_from>={year}',
  },
  'project-budgets': {
    en: 'How do the budgets of projects compare with the actual amounts?',
    de: 'Projektbudgets',
    note: 'Gross budgets against gross invoiced amounts.',
    address:
      '/operations/projects/groups?by=cost_center_id&sum=project_budget,invoiced_gross&value=left:difference(sum_project_budget,sum_invoiced_gross),used:ratio(sum_invoiced_gross,sum_project_budget)',
  },
  'contracted-rent-by-month': {
    en: 'How does the contracted rent develop from month to month?',
    de: 'Entwicklung der Sollmiete',
    note: 'Annual basic rents that are in force on the last day of the month.',
    address:
      '/contracts/contract_debits/groups?by=as_of:month({month-11},{day})&measure=annual_rent&value=change:change(annual_rent)&where=debit_type=basic_rent',
  },
  'rented-units-by-quarter': {
    en: 'How many units of each property are rented at the end of each quarter?',
    de: 'Vermietete Einheiten',
    note: 'Units with a tenancy that is in force on the last day of the quarter.',
    address: '/stakeholder/tenants/groups?by=as_of:quarter({month-11},{day}),property_id&distinct=floor_area_id&fill=as_of',
  },
  'new-leases': {
    en: 'How many contracts begin in each month, with months without any?',
    de: 'Neuvermietungen',
    note: 'Tenancies by their first day.',
    address:
      '/stakeholder/tenants/groups?by=contract_start_date:month&count&fill=contract_start_date_month&where=contract_start_date>={year-1},contract_start_date<={day}',
  },
  'deposits-by-band': {
    en: 'How are deposits distributed over bands of amounts?',
    de: 'Kautionen',
    note: 'The first band has the tenancies with a deposit of 0. Those without an agreed deposit come last.',
    address:
      '/stakeholder/tenants/groups?by=deposit_amount:ranges(0.01,1000,2500)&count&sum=deposit_amount,deposit_paid_amount&fill=deposit_amount_ranges',
  },
  'creditors-pareto': {
    en: 'Which creditors make up most of the invoiced amounts?',
    de: 'ABC-Analyse der Kreditoren',
    note: 'The part and the running total are in percent of all invoiced net amounts.',
    address:
      '/operations/orders/groups?by=creditor_number&sum=invoiced_net&value=part:share(sum_invoiced_net),so_far:running_total(part)&order=-sum_invoiced_net&limit=1000',
  },
  'order-sizes': {
    en: 'How many orders are small, and how many are large?',
    de: 'Auftragsgrößen',
    note: 'Bands of 2,500 EUR net.',
    address: '/operations/orders/groups?by=total_net:width(2500)&count&sum=total_net&value=part:share(count)',
  },
  'typical-orders': {
    en: 'What does a typical order of each trade cost, and an expensive one?',
    de: 'Typische Auftragskosten',
    note: 'The median, and the net amount that 90 percent of the orders do not exceed.',
    chart: 'bar,trade,median_total_net',
    address: '/operations/orders/groups?by=trade&median=total_net&value=p90:percentile(total_net,90)',
  },
  'last-maintenance': {
    en: 'How long ago was the last maintenance, by type of equipment?',
    de: 'Wartungen',
    note: 'Equipment that needs maintenance, by the days since its last one.',
    exampleDay: '2026-12-31',
    address:
      '/property/technical_objects/groups?by=to_type,last_maintenance_date:age(180,365,730,on={day})&count&where=maintenance_required=true',
  },
  'service-costs': {
    en: 'What do service contracts cost in a year, by kind, and which are the largest?',
    de: 'Dienstleistungsverträge',
    note: 'Net amounts per year of all service contracts.',
    address:
      '/contracts/service_contracts/groups?by=contract_type&count&sum=annual_net&value=part:share(sum_annual_net),rank:rank(sum_annual_net)',
  },
  'depreciation-by-year': {
    en: 'How does depreciation change from year to year?',
    de: 'Abschreibungen',
    note: 'Scheduled depreciation under commercial law, planned and posted, against the year before.',
    address:
      '/depreciation/depreciation/groups?by=period_to:year&sum=depreciation_amount&value=change:change(sum_depreciation_amount),before:previous(sum_depreciation_amount),growth:ratio(change,before)&where=depreciation_area=commercial',
  },
  'completion-days': {
    en: 'How many days pass from a report to its completion, by priority?',
    de: 'Durchlaufzeit je Priorität',
    note: 'Orders that follow a report and are executed. A report counts once for each of its orders.',
    chart: 'bar,notification_priority_text,days',
    address:
      '/operations/orders/groups?by=notification.priority_text&count&value=days:median(days(notification.report_date,execution_end_date)),longest:max(days(notification.report_date,execution_end_date))&where=notification.report_date:is_not_null,execution_end_date:is_not_null&order=-days',
  },
  'vat-by-rate': {
    en: 'What is the VAT by rate and month?',
    de: 'Umsatzsteuer je Steuersatz und Monat',
    note: 'Booking lines with a rate above 0. The tax is the rate in percent of the base of each line, not rounded.',
    address:
      '/accounting/booking_positions/groups?by=vat_rate,booking_date:month&sum=vat_base_amount&value=tax:sum(percentage(vat_base_amount,vat_rate))&where=vat_rate>0&limit=1000',
  },
  'oldest-open-items': {
    en: 'What does each debtor owe, since when, and at which dunning level?',
    de: 'Offene Posten mit Mahnstufe',
    note: 'Lines on tenant accounts that are not cleared, with the oldest due date of their bookings. The oldest come first.',
    address:
      '/accounting/booking_positions/groups?by=account_id&sum=signed_amount&min=header.due_date&max=account.tenant.dunning_level&where=account.account_type=debtor,cleared_date:is_null&having=sum_signed_amount>0&order=min_header_due_date&limit=1000',
  },
  'expiring-leases': {
    en: 'Which leases end within twelve months, with tenant, unit, area and rent?',
    de: 'Auslaufende Verträge mit Mieter und Fläche',
    note: 'Basic rents at the end of the month whose contract ends within twelve months. Amounts are net, for one payment interval. A fixed term without notice is in fixed_term_end_date.',
    address:
      '/contracts/contract_debits/groups?by=as_of:month({month},{day}),tenant.contract_end_date,contract_number,name,floor_area_id&sum=area_sqm,net_amount&where=debit_type=basic_rent,tenant.contract_end_date>{day},tenant.contract_end_date<={month_end+12}&order=tenant_contract_end_date',
  },
  'rent-by-decade-and-city': {
    en: 'What is the rent per m² by city and decade of construction?',
    de: 'Miete je m² nach Ort und Baujahrzehnt',
    note: 'Annual basic rents at the end of the month, and the same per m² of contracts with an area.',
    address:
      '/contracts/contract_debits/groups?by=as_of:month({month},{day}),property.city,property.construction_year:width(10)&measure=annual_rent,annual_rent_per_sqm&where=debit_type=basic_rent',
  },
  'large-maintenance-bookings': {
    en: 'Which bookings on maintenance accounts are over 10,000?',
    de: 'Große Buchungen auf Instandhaltungskonten',
    note: 'Debits above 10,000 EUR on accounts of group 805, in all properties and years. The group of accounts is that of the chart of accounts of the demo data.',
    address:
      '/accounting/booking_positions/groups?by=booking_position_id,booking_date,document_number,property_id,account.account_number,account.account_name,booking_text&sum=signed_amount&where=signed_amount>10000,account.account_group=805&order=-sum_signed_amount',
  },
  'faulty-equipment': {
    en: 'Which equipment has most faults, and what did they cost?',
    de: 'Störanfällige Anlagen',
    note: 'Reports of damage and defects that led to orders, and the invoiced net amounts of these orders. A report without an order has no cost and does not count.',
    address:
      '/operations/orders/groups?by=notification.technical_object.to_id,notification.technical_object.to_name,notification.technical_object.to_type&sum=invoiced_net&distinct=report_hdr_id&where=notification.report_type:in(damage,defect),notification.to_hdr_id:is_not_null&order=-distinct_report_hdr_id,-sum_invoiced_net&limit=10',
  },
  'notifications-without-orders': {
    en: 'Which notifications have no order?',
    de: 'Meldungen ohne Auftrag',
    note: 'All of them, the newest first. Add a condition on the status for those that are still open.',
    address:
      '/operations/notifications?columns=report_hdr_id,report_date,report_type,priority_text,status,property.property_name,technical_object.to_name&where=orders:none()&order=-report_date',
  },
  'arrears-contacts': {
    en: 'Who is in arrears, and how are they reached?',
    de: 'Kontaktliste der Mieter mit Rückstand',
    note: 'Tenants with an open balance, the largest first. A key without contact data gets null in its columns.',
    address:
      '/stakeholder/tenants?columns=contract_number,name,phone,mobile,email,floor_area_id,balance,dunning_level&where=balance>0&order=-balance',
  },
  'contracts-to-cancel': {
    en: 'Which service contracts can be cancelled within 90 days?',
    de: 'Kündbare Dienstleistungsverträge',
    note: 'Active contracts without notice, by the next date to which notice can be given. The notice must arrive the period of notice before that date.',
    exampleDay: '2026-10-15',
    address:
      '/contracts/service_contracts?columns=contract_number,name,contract_type,property.property_name,annual_net,next_termination_date,notice_period_months&where=status=active,termination_date:is_null,next_termination_date>={day},next_termination_date<={day+90}&order=next_termination_date,-annual_net',
  },
} as const satisfies Readonly<Record<string, Question>>;

export type QuestionName = keyof typeof questions;

/** The questions by their names, in the order of the pages. */
export const questionEntries = Object.entries(questions) as readonly (readonly [name: QuestionName, question: Question])[];
