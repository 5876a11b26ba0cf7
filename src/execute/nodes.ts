/**
 * Chooses the node of Citus that holds a customer, so that a statement goes straight to the rows (decision 073).
 *
 * A placement may be outdated: a move takes the customer to another node, and a load replaces tables. So it is used under a version lease
 * only, and read again after each load (`Versions.leasedRevision`). After a move, the previous node keeps the same rows until the next load
 * commits, and that ends the lease. When Citus removes them earlier, the statement fails, and the coordinator answers it.
 */
import { LRUCache } from 'lru-cache';
import type { RequiredRevision, Versions } from '../cache/versions.ts';
import { citusOf } from '../database/cluster/citus.ts';
import { addressText } from '../database/cluster/nodes.ts';
import { type Placement, readPlacement } from '../database/cluster/placements.ts';
import type { Database, Server } from '../database/connections/connection.ts';
import type { TableNames } from '../database/connections/table-names.ts';
import { schemaOf } from '../database/control/customers.ts';

/** A server that may answer for a customer instead of the primary. */
export interface OtherServer {
  readonly server: Server;
  /** The names of the customer's tables there, if it is a node. */
  readonly names?: TableNames;
  /** Reports a failed connection or statement. */
  readonly failed?: (isUnreachable: boolean) => void;
}

interface Known extends RequiredRevision {
  readonly placement: Promise<Placement | undefined>;
}

/** Placements in memory. Each takes a few kilobytes. Nodes may get other addresses, so placements are read again. */
const placements = { max: 5_000, ttl: 60_000 } as const;
/** A node that cannot be reached is not asked again for this time. */
const avoidedMs = 5_000;

export class NodeReads {
  readonly #database: Database;
  readonly #versions: Versions;
  readonly #known = new LRUCache<number, Known>(placements);
  /** Until when nodes are avoided. */
  readonly #avoided = new Map<string, number>();

  constructor(database: Database, versions: Versions) {
    this.#database = database;
    this.#versions = versions;
  }

  /** The node that holds the customer; undefined if the coordinator must answer. */
  async for(customerId: number): Promise<OtherServer | undefined> {
    const { nodeServer } = this.#database;
    if (!nodeServer || !(await citusOf(this.#database).isThere())) return undefined;
    const required = await this.#versions.leasedRevision(customerId);
    const placement = required && (await this.#placementOf(customerId, required));
    if (!placement) return undefined;
    const { node, names } = placement;
    const address = addressText(node);
    if ((this.#avoided.get(address) ?? 0) > performance.now()) return undefined;
    const failed = (isUnreachable: boolean) => {
      this.#known.delete(customerId);
      if (isUnreachable) this.#avoided.set(address, performance.now() + avoidedMs);
    };
    return { server: nodeServer(node.host, node.port), names, failed };
  }

  #placementOf(customerId: number, { revision, epoch }: RequiredRevision): Promise<Placement | undefined> {
    const known = this.#known.get(customerId);
    if (known && known.revision === revision && known.epoch === epoch) return known.placement;
    const placement = schemaOf(this.#database, customerId)
      .then((schema) => readPlacement(this.#database.pool, schema))
      .catch(() => {
        // The coordinator itself fails, and reports that.
        this.#known.delete(customerId);
        return undefined;
      });
    this.#known.set(customerId, { revision, epoch, placement });
    return placement;
  }
}
