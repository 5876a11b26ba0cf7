/** The company: its master data, its employees, and the cost centres of its administration. */
import { lookups } from '../../src/catalogue/lookups.ts';
import { places } from '../data/names.ts';
import { Journal } from '../ledger/journal.ts';
import { drawAddress, writeHuman } from '../people.ts';
import type { Random } from '../random.ts';
import type { Setting } from '../setting.ts';
import { addMonths, type Cents, type Day, date, dateOrNull, dayOf, euro } from '../values.ts';
import { type Chart, writeChart } from './chart.ts';
import { type PriceIndices, writePriceIndices } from './indices.ts';
import { type Creditors, type Owners, writeCreditors, writeOwners } from './partners.ts';

/** Data that all properties of a customer use. */
export interface Company extends Setting {
  readonly chart: Chart;
  readonly staff: Staff;
  readonly creditors: Creditors;
  readonly owners: Owners;
  readonly indices: PriceIndices;
  readonly journal: Journal;
}

/** The master data that all properties share. */
export const foundCompany = (setting: Setting): Company => {
  writeCodeLists(setting);
  const chart = writeChart(setting);
  const staff = writeStaff(setting);
  const creditors = writeCreditors(setting, chart);
  const owners = writeOwners(setting);
  const indices = writePriceIndices(setting);
  return { ...setting, chart, staff, creditors, owners, indices, journal: new Journal(setting) };
};

/** The customer's code lists are those of the catalogue. */
const writeCodeLists = ({ batches, ids }: Setting): void => {
  for (const [name, values] of Object.entries(lookups)) {
    values.forEach(([value, english, german], i) => {
      const labels = { value_key: value, label_en: english, label_de: german };
      const row = { catalog_value_id: ids.next('catalog_value'), catalog_name: name, ...labels, sort_no: i + 1, is_active: true };
      batches.put('catalog_value', row, dayOf(2015, 1));
    });
  }
};

/** Approval limits of the roles. */
const limits = {
  management: 1_000_000_000,
  asset_manager: 50_000_000,
  project_manager: 25_000_000,
  technical_manager: 2_500_000,
  property_manager: 500_000,
  accountant: 500_000,
  letting_agent: 300_000,
  caretaker: 50_000,
} as const satisfies Record<string, Cents>;
type Role = keyof typeof limits;

/** The employees of a small company. Larger ones repeat the list without the head. */
const team: readonly (readonly [role: Role, title: string, department: string])[] = [
  ['management', 'Geschäftsführung', 'Geschäftsleitung'],
  ['property_manager', 'Objektbetreuung', 'Bestand'],
  ['technical_manager', 'Technische Betreuung', 'Technik'],
  ['accountant', 'Objektbuchhaltung', 'Rechnungswesen'],
  ['letting_agent', 'Vermietung', 'Bestand'],
  ['project_manager', 'Projektleitung', 'Technik'],
  ['caretaker', 'Hausmeister', 'Technik'],
  ['asset_manager', 'Asset Management', 'Portfolio'],
];

/** Cost centres of the administration, which departments share. */
const administration = Array.from({ length: 10 }, (_, i) => `9000-${(i + 1) * 10}`);
const teams = ['Nord', 'Süd', 'West', 'Ost'];

interface Staff {
  readonly head: number;
  /** A current employee with the role. */
  pick(role: Role, random: Random): number;
  /** The lowest of technician, project manager and head with a sufficient limit. */
  approverOf(net: Cents, technician: number, random: Random): number;
}

const writeStaff = (setting: Setting): Staff => {
  const random = setting.random('staff');
  const active = new Map<Role, number[]>();
  for (let i = 0; i < setting.volume.staff; i++) {
    const position = team[i < team.length ? i : 1 + ((i - 1) % (team.length - 1))]!;
    // One in forty has left. The first of each role stays, so that every role has an employee.
    const left = i >= team.length && i % 40 === 17;
    const id = writeEmployee(setting, random, i, position, left);
    if (!left) active.set(position[0], [...(active.get(position[0]) ?? []), id]);
  }
  writeAdministration(setting);
  const pick = (role: Role, stream: Random) => stream.pick(active.get(role)!);
  const head = active.get('management')![0]!;
  return {
    head,
    pick,
    approverOf: (net, technician, stream) =>
      net <= limits.technical_manager ? technician : net <= limits.project_manager ? pick('project_manager', stream) : head,
  };
};

const writeEmployee = (
  setting: Setting,
  random: Random,
  index: number,
  [role, title, department]: (typeof team)[number],
  left: boolean,
): number => {
  const id = setting.ids.next('staff_hdr');
  const entry: Day = addMonths(setting.asOf, -random.int(30, 240));
  const exit = left ? addMonths(setting.asOf, -random.int(1, 20)) : null;
  const person = writeHuman(setting, random, drawAddress(random, random.pick(places)), entry);
  setting.batches.put(
    'staff_hdr',
    {
      staff_hdr_id: id,
      staff_no: `M-${String(id).padStart(4, '0')}`,
      person_id: person.id,
      user_name: `${person.email.split('.')[0]}.${id}`,
      job_title: title,
      role_key: role,
      department,
      team: role === 'management' ? null : teams[index % teams.length]!,
      supervisor_staff_hdr_id: index === 0 ? null : 1,
      cost_center_id: administration[index % administration.length]!,
      approval_limit_net: euro(limits[role]),
      entry_date: date(entry),
      // The letting agent of a small company has given notice, so that every customer has an exit date.
      exit_date: role === 'letting_agent' && index < team.length ? date(addMonths(setting.asOf, 2)) : dateOrNull(exit),
      is_active: !left,
    },
    entry,
    exit ?? entry,
  );
  return id;
};

const writeAdministration = ({ batches, ids, asOf }: Setting): void => {
  administration.forEach((code, i) => {
    const name = i === 0 ? 'Verwaltung allgemein' : `Verwaltung ${i + 1}`;
    batches.put(
      'cost_center',
      { cost_center_hdr_id: ids.next('cost_center'), cost_center_id: code, cost_center_name: name, is_active: i < 9 },
      addMonths(asOf, -240),
    );
  });
};
