/**
 * Which nodes of Citus answer, how many customers are on them, and how large they are.
 *
 * The coordinator asks the nodes, because the service may not reach them itself. A node that hangs keeps its question open, so no further one
 * is sent to this node. Questions have a pool of their own: callers never wait for them.
 */
import { setTimeout as pause } from 'node:timers/promises';
import type pg from 'pg';
import type { Database } from '../connections/connection.ts';
import { type ClusterNode, listNodes } from './nodes.ts';

export interface NodeState extends ClusterNode {
  readonly isReachable: boolean;
}

interface Probe {
  /** Undefined if the node did not answer. It never rejects. */
  readonly answer: Promise<number | undefined>;
  readonly startedAt: number;
  isOpen: boolean;
}

const answersWithinMs = 1_500;
/** All callers within this time share one question. */
const cachedMs = 1_000;

/** A server looks at each file of the database. A customer has hundreds of them. */
const measuredWithinMs = 60_000;

const literal = (text: string): string => `'${text.replaceAll("'", "''")}'`;

interface Question {
  /** A query with one number. */
  readonly query: string;
  readonly withinMs: number;
}

/**
 * Asks a node. Returns undefined if it does not answer. The limits hold on the coordinator, which opens a connection to the node for each
 * question.
 */
const ask = async (
  { nodeQuestions, pool }: Database,
  { host, port }: ClusterNode,
  { query, withinMs }: Question,
): Promise<number | undefined> => {
  const limits = `set local citus.node_connection_timeout = '1s'; set local statement_timeout = ${withinMs}`;
  const asking = `select success, result from pg_catalog.master_run_on_worker(array[${literal(host)}], array[${port}],
    array[${literal(query)}], false)`;
  try {
    const results = (await (nodeQuestions ?? pool).query(`begin; ${limits}; ${asking}; commit`)) as unknown as pg.QueryResult<{
      success: boolean;
      result: string;
    }>[];
    const [row] = results.find(({ rows }) => rows.length > 0)?.rows ?? [];
    return row?.success ? Number(row.result) : undefined;
  } catch {
    return undefined;
  }
};

export class NodeHealth {
  readonly #database: Database;
  readonly #hasNodes: () => Promise<boolean>;
  readonly #probes = new Map<number, Probe>();

  /** `hasNodes`: whether the database has Citus. */
  constructor(database: Database, hasNodes: () => Promise<boolean>) {
    this.#database = database;
    this.#hasNodes = hasNodes;
  }

  /** The states of all nodes that may hold customers; undefined if the database has no Citus. Throws if the coordinator fails. */
  async read(): Promise<readonly NodeState[] | undefined> {
    if (!(await this.#hasNodes())) return undefined;
    const nodes = (await listNodes(this.#database.pool)).filter(({ customers, takesCustomers }) => takesCustomers || customers > 0);
    const waiting = new AbortController();
    const late = pause(answersWithinMs, undefined, waiting).catch(() => undefined);
    const answers = await Promise.all(nodes.map((node) => Promise.race([this.#probe(node).answer, late])));
    waiting.abort();
    return nodes.map((node, index) => ({ ...node, isReachable: node.isActive && answers[index] !== undefined }));
  }

  #probe(node: ClusterNode): Probe {
    const last = this.#probes.get(node.id);
    if (last && (last.isOpen || performance.now() - last.startedAt < cachedMs)) return last;
    const answer = ask(this.#database, node, { query: 'select 1', withinMs: 2_000 });
    const probe: Probe = { answer, startedAt: performance.now(), isOpen: true };
    void probe.answer.then(() => {
      probe.isOpen = false;
    });
    this.#probes.set(node.id, probe);
    return probe;
  }
}

/**
 * The size of the database on each node that answers, in bytes, by the node's id. It takes seconds for a node with many customers. One node at
 * a time, so that the questions whether nodes answer do not wait for connections.
 */
export const readSizes = async (database: Database, nodes: readonly NodeState[]): Promise<ReadonlyMap<number, number>> => {
  const sizes = new Map<number, number>();
  const question = { query: 'select pg_catalog.pg_database_size(pg_catalog.current_database())', withinMs: measuredWithinMs };
  for (const node of nodes.filter(({ isReachable }) => isReachable)) {
    const bytes = await ask(database, node, question);
    if (bytes !== undefined) sizes.set(node.id, bytes);
  }
  return sizes;
};

/** How much of a cluster answers. */
export interface NodeShare {
  readonly total: number;
  readonly reachable: number;
  /** The share of customers whose node answers, from 0 to 1. */
  readonly customers: number;
}

export const shareOf = (nodes: readonly NodeState[]): NodeShare => {
  const reachable = nodes.filter(({ isReachable }) => isReachable);
  const count = (some: readonly NodeState[]) => some.reduce((sum, { customers }) => sum + customers, 0);
  const all = count(nodes);
  return { total: nodes.length, reachable: reachable.length, customers: all === 0 ? 1 : count(reachable) / all };
};
