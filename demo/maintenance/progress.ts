/** How far an order has come: old orders are closed, recent ones wait or are under way, and the dates follow the process. */
import { addMonths, type Day } from '../source/calendar.ts';
import type { Random } from '../source/random.ts';

export type OrderStatus =
  | 'new'
  | 'in_approval'
  | 'approved'
  | 'in_progress'
  | 'executed'
  | 'accepted'
  | 'closed'
  | 'rejected'
  | 'cancelled';

export interface Progress {
  readonly status: OrderStatus;
  readonly ordered: Day;
  readonly approved: Day | null;
  readonly sent: Day | null;
  readonly plannedStart: Day;
  readonly plannedEnd: Day;
  readonly started: Day | null;
  readonly finished: Day | null;
  readonly accepted: Day | null;
  readonly warrantyEnds: Day | null;
}

type Stages = readonly (readonly [OrderStatus, number])[];

/** By age in days: what an order of that age may be. An order needs at most 18 days to its acceptance and 50 to be closed. */
const stagesByAge: readonly (readonly [upTo: number, Stages])[] = [
  [
    4,
    [
      ['new', 50],
      ['in_approval', 38],
      ['approved', 12],
    ],
  ],
  [
    19,
    [
      ['approved', 38],
      ['in_progress', 34],
      ['in_approval', 16],
      ['rejected', 6],
      ['cancelled', 6],
    ],
  ],
  [
    60,
    [
      ['in_progress', 30],
      ['executed', 36],
      ['accepted', 20],
      ['approved', 8],
      ['cancelled', 4],
      ['rejected', 2],
    ],
  ],
];

const drawStatus = (random: Random, age: number, settledShare: number): OrderStatus => {
  for (const [upTo, stages] of stagesByAge) if (age <= upTo) return random.weighted(stages);
  if (random.chance(0.035)) return 'cancelled';
  if (random.chance(0.02)) return 'rejected';
  return random.chance(settledShare) ? 'closed' : 'accepted';
};

const beginsWork: readonly OrderStatus[] = ['in_progress', 'executed', 'accepted', 'closed'];
const endsWork: readonly OrderStatus[] = ['executed', 'accepted', 'closed'];
const hasAcceptance: readonly OrderStatus[] = ['accepted', 'closed'];
const lacksApproval: readonly OrderStatus[] = ['new', 'in_approval', 'rejected'];

export const drawProgress = (random: Random, ordered: Day, asOf: Day, settledShare: number): Progress => {
  const status = drawStatus(random, asOf - ordered, settledShare);
  const approved = ordered + random.int(0, 1);
  const sent = approved + random.int(0, 1);
  const started = sent + random.int(1, 8);
  const finished = started + random.int(0, 4);
  const accepted = finished + random.int(0, 4);
  const isApproved = !lacksApproval.includes(status);
  const isAccepted = hasAcceptance.includes(status);
  return {
    status,
    ordered,
    approved: isApproved ? Math.min(approved, asOf) : null,
    sent: isApproved && status !== 'cancelled' ? Math.min(sent, asOf) : null,
    plannedStart: started - random.int(0, 1),
    plannedEnd: finished + random.int(0, 3),
    // Work that is under way began by yesterday, however young the order.
    started: beginsWork.includes(status) ? Math.max(sent, Math.min(started, asOf - 1)) : null,
    finished: endsWork.includes(status) ? finished : null,
    accepted: isAccepted ? accepted : null,
    warrantyEnds: isAccepted ? addMonths(accepted, 48) : null,
  };
};
