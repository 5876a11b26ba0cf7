/** Counts the possible cost of a document while it is planned, before anything is read (contract: document limits). */
import { ApiError } from '../../errors.ts';
import { type ConditionCost, stepTerms } from '../../plan/cost.ts';
import { exceeds, limits } from '../document/limits.ts';
import type { ConnectionSelection, RowField } from '../selection/selection.ts';

/** The maximum cost of a document (see `limits`). */
export interface Cost {
  readonly nodes: number;
  readonly values: number;
}

/** The number of values in a row. */
const valuesIn = (fields: readonly RowField[]): number =>
  fields.reduce((sum, field) => sum + 1 + (field.is === 'part' ? valuesIn(field.fields) : 0), 0);

/** The cost of a connection. Each list of its rows counts the rows again. */
export const costOfConnection = ({ fields }: ConnectionSelection, parents: number, rows: number): Cost => {
  let [lists, values] = [0, parents * fields.length];
  for (const field of fields) {
    if (field.is === 'pageInfo') values += parents * field.fields.length;
    if (field.is !== 'nodes' && field.is !== 'edges') continue;
    lists++;
    const nodes = field.is === 'edges' ? field.fields.flatMap((inner) => (inner.is === 'node' ? [inner.fields] : [])) : [field.fields];
    const ofEach = nodes.reduce((sum, inner) => sum + valuesIn(inner), field.is === 'edges' ? field.fields.length : 0);
    values += rows * ofEach;
  }
  return { nodes: rows * Math.max(1, lists), values };
};

/** The cost of a document so far. Each method throws `limitExceeded` with the name of the limit. */
export class CostCounter implements Cost {
  nodes = 0;
  values = 0;
  #terms = 0;
  /** The number of values in lists of filters. */
  #listed = 0;

  add({ nodes, values }: Cost): void {
    this.nodes += nodes;
    this.values += values;
    if (this.nodes > limits.nodes)
      throw new ApiError('limitExceeded', `The document asks for more than ${limits.nodes} nodes, the limit of its cost`);
    if (this.values > limits.values)
      throw new ApiError('limitExceeded', `The document asks for more than ${limits.values} values, the limit of its answer`);
  }

  /** Adds relation steps of an order. */
  addSteps(steps: number): void {
    this.#addTerms(steps * stepTerms);
  }

  /** Adds the terms of conditions and the values of their lists. */
  addConditions({ terms, listed, nesting }: ConditionCost): void {
    if (nesting > limits.nesting) throw exceeds('nesting', nesting);
    this.#listed += listed;
    this.#addTerms(terms);
    if (this.#listed > limits.listed) throw exceeds('listed', this.#listed);
  }

  #addTerms(terms: number): void {
    this.#terms += terms;
    if (this.#terms > limits.terms) throw exceeds('terms', this.#terms);
  }
}
