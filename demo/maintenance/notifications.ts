/** Writes notifications; their status follows the order they led to, or their age when there is none. */
import type { Tenancy } from '../lettings/tenancy.ts';
import type { Site } from '../portfolio/site.ts';
import { type Day, date, dateOrNull } from '../source/calendar.ts';
import type { Random } from '../source/random.ts';
import type { Case } from './case.ts';
import type { Order } from './order.ts';

type NotificationStatus = 'new' | 'in_progress' | 'ordered' | 'on_hold' | 'completed' | 'cancelled';

const daysToAct = { low: 30, normal: 14, high: 5, critical: 1 } as const;
type Priority = keyof typeof daysToAct;

/** Writes the notification of a case and returns its id; `reporter` is the tenant of the unit, if there was one. */
export const writeNotification = (
  { customer, property, random }: Site,
  one: Case,
  order: Order | null,
  opened: Day,
  reporter: Tenancy | null,
): number => {
  const id = customer.ids.next('report_hdr');
  const { topic } = one;
  const status = order ? statusAfter(order) : statusByAge(random, customer.asOf - opened);
  const completed = status === 'completed' ? (order?.progress.accepted ?? Math.min(opened + random.int(1, 25), customer.asOf - 1)) : null;
  const priority: Priority = topic.isWinter
    ? random.pick(['high', 'critical', 'normal'] as const)
    : random.pick(['low', 'normal', 'normal', 'high'] as const);
  customer.batches.put(
    'report_hdr',
    {
      report_hdr_id: id,
      property_id: property.id,
      to_hdr_id: one.equipment?.id ?? null,
      person_id: reporter?.person.id ?? null,
      report_type_key: topic.reportType,
      status_key: status,
      priority_key: priority,
      report_date: date(opened),
      report_no: `ME-${date(opened).slice(0, 4)}-${id}`,
      subject: topic.subject,
      description: random.chance(0.7) ? `${topic.subject}: ${topic.description}` : null,
      reporter_type_key: reporter ? (reporter.kind === 'owner_user' ? 'owner' : 'tenant') : random.pick(['employee', 'creditor']),
      floor_area_id: one.unit?.id ?? null,
      responsible_employee_id: property.technician,
      due_date: date(opened + daysToAct[priority]),
      completed_date: dateOrNull(completed),
      is_insurance_claim: topic.orderType === 'insurance_damage',
    },
    opened,
    completed ?? order?.progress.ordered ?? opened,
  );
  return id;
};

const statusAfter = ({ progress: { status } }: Order): NotificationStatus => {
  if (status === 'closed' || status === 'accepted') return 'completed';
  if (status === 'rejected' || status === 'cancelled') return 'cancelled';
  return status === 'new' || status === 'in_approval' ? 'in_progress' : 'ordered';
};

const statusByAge = (random: Random, age: number): NotificationStatus => {
  if (age <= 3) return 'new';
  if (age <= 30)
    return random.weighted<NotificationStatus>([
      ['new', 25],
      ['in_progress', 45],
      ['completed', 25],
      ['on_hold', 5],
    ]);
  return random.weighted<NotificationStatus>([
    ['completed', 88],
    ['cancelled', 8],
    ['on_hold', 3],
    ['in_progress', 1],
  ]);
};
