/** What resolvers work with: one request's caller and the services behind it. */
import type { Caller } from '../access/authenticate.ts';
import type { Quota } from '../access/rate-limit.ts';
import type { Catalogue } from '../catalogue/index.ts';
import type { LookupName } from '../catalogue/lookups.ts';
import type { DatasetKind } from '../database/control.ts';
import type { DatasetState } from '../database/datasets.ts';
import type { Asker } from '../read/connections.ts';
import type { Directories } from '../read/directory.ts';
import type { KeptAnswers, TableName } from '../read/kept.ts';
import type { LookupValue } from '../read/lookup.ts';
import type { ReaderContext } from '../read/reader.ts';

export interface GraphqlServices {
  readonly catalogue: Catalogue;
  readonly directories: Directories;
  readonly reading: ReaderContext;
  readonly kept: KeptAnswers;
}

export interface RequestContext {
  readonly services: GraphqlServices;
  readonly caller: Caller;
  readonly asker: Asker;
  /** Undefined where limiting is switched off. */
  readonly quota: Pick<Quota, 'limit' | 'remaining' | 'resetSeconds'> | undefined;
  /** Hears of the rows that are read for the request; its usage is made of them. */
  readonly onRows: (count: number) => void;
  /** Tells the operator of an error whose cause the client is not told. */
  readonly report: (error: unknown) => void;
  /** Takes the JSON of `data` when it is written; Yoga writes what else the answer holds. */
  readonly onData: (data: WrittenData) => void;
  /** What resolvers ask of the database; set while a document is being read. */
  questions?: Questions;
}

/** The JSON of an answer's `data`, held in memory or waiting on disk. */
export interface WrittenData {
  readonly chunks: readonly Buffer[] | AsyncIterable<Buffer>;
  /** The tables that it follows from, if from nothing else. */
  readonly tables?: readonly TableName[] | undefined;
  /** Of chunks that are used again once they have been sent. */
  readonly release?: (() => void) | undefined;
  /** Gives up what nobody reads. */
  readonly cancel?: (() => void) | undefined;
}

/** Each is asked of the database once, however often a document asks. */
export interface Questions {
  readonly lookup: (name: LookupName) => Promise<readonly LookupValue[]>;
  readonly states: (kind: DatasetKind) => Promise<ReadonlyMap<string, DatasetState>>;
}
