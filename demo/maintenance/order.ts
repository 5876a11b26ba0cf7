/** What an order is worth and who does it, before its row is written. */
import type { Creditor } from '../company/creditors.ts';
import type { Customer } from '../customer.ts';
import type { Equipment } from '../portfolio/equipment.ts';
import type { Unit } from '../portfolio/units.ts';
import { date } from '../source/calendar.ts';
import { type Cents, share, vatOn } from '../source/money.ts';
import type { Random } from '../source/random.ts';
import type { Case } from './case.ts';
import { drawProgress, type Progress } from './progress.ts';
import type { Project } from './project.ts';
import type { Topic } from './topics.ts';

export interface Order {
  readonly id: number;
  readonly number: string;
  readonly topic: Topic;
  readonly progress: Progress;
  readonly creditor: Creditor;
  readonly unit: Unit | null;
  readonly equipment: Equipment | null;
  readonly project: Project | null;
  /** Value of the accepted offer, or the estimate; with the supplement it is the net total. */
  readonly offered: Cents;
  readonly supplement: Cents;
  readonly net: Cents;
  readonly vat: Cents;
  readonly retentionPercent: number;
}

export const vatRate = 19;

export const drawOrder = (customer: Customer, random: Random, one: Case): Order => {
  const id = customer.ids.next('order_hdr');
  const offered = drawValue(random, one);
  const supplement = random.chance(one.isTendered ? 0.12 : 0.02) ? share(offered, random.int(5, 25), 100) : 0;
  const net = offered + supplement;
  return {
    id,
    number: `AU-${date(one.day).slice(0, 4)}-${id}`,
    topic: one.topic,
    progress: drawProgress(random, one.day, customer.asOf, customer.volume.settledShare),
    creditor: customer.creditors.pick(one.topic.trade, random),
    unit: one.unit,
    equipment: one.equipment,
    project: one.project,
    offered,
    supplement,
    net,
    vat: vatOn(net, vatRate),
    retentionPercent: one.project ? 5 : 0,
  };
};

/** Small jobs are far more frequent than dear ones; works of a project take a part of its budget. */
const drawValue = (random: Random, { topic, project }: Case): Cents => {
  if (project) return share(project.budgetNet, random.int(8, 24), 100);
  const [low, high] = topic.price;
  return Math.round((low + (high - low) * random.next() ** 2.2) * 100);
};
