/** What resolvers work with: one request's caller and the services behind it. */
import type { Caller } from '../access/authenticate.ts';
import type { Quota } from '../access/rate-limit.ts';
import type { Catalogue } from '../catalogue/index.ts';
import type { Database } from '../database/connection.ts';
import type { Cursors } from '../read/cursor.ts';
import type { Directories } from '../read/directory.ts';

export interface GraphqlServices {
  readonly catalogue: Catalogue;
  readonly database: Database;
  readonly directories: Directories;
  readonly cursors: Cursors;
}

export interface RequestContext {
  readonly services: GraphqlServices;
  readonly caller: Caller;
  /** Undefined where limiting is switched off. */
  readonly quota: Pick<Quota, 'limit' | 'remaining' | 'resetSeconds'> | undefined;
  /** Hears of the rows that are read for the request; its usage is made of them. */
  readonly onRows: (count: number) => void;
  /** Tells the operator of an error whose cause the client is not told. */
  readonly report: (error: unknown) => void;
  /** Reads a root field of rows; set once the document has been planned. */
  readRoot?: (key: string) => Promise<unknown>;
}
