/** The schemas of callers, each with its documents. There is one for each tier, and one for each tier and shape of data scopes. */
import type { GraphQLSchema } from 'graphql';
import { LRUCache } from 'lru-cache';
import type { Caller } from '../access/caller.ts';
import type { Catalogue } from '../catalogue/index.ts';
import { schemaReaders } from '../catalogue/readership.ts';
import { Documents } from './document/documents.ts';
import { createSchema } from './schema/schema.ts';

export interface ServedSchema {
  readonly schema: GraphQLSchema;
  readonly documents: Documents;
}

/** The maximum number of schemas for data scopes. The least recently used schema is built again when it is needed. */
const maxScoped = 12;

export class Schemas {
  readonly #catalogue: Catalogue;
  readonly #byTier = new Map<string, ServedSchema>();
  readonly #scoped = new LRUCache<string, ServedSchema>({ max: maxScoped });

  constructor(catalogue: Catalogue) {
    this.#catalogue = catalogue;
  }

  /** The schema of a caller. It is built for the first request. */
  of({ tier, scope }: Pick<Caller, 'tier' | 'scope'>): ServedSchema {
    const schemas = scope ? this.#scoped : this.#byTier;
    const readers = schemaReaders({ tier, scope });
    const known = schemas.get(readers);
    if (known) return known;
    const schema = createSchema(this.#catalogue, tier, scope);
    const served = { schema, documents: new Documents(schema) };
    schemas.set(readers, served);
    return served;
  }
}
