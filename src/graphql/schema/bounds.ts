/** Bounds of `first`, `last` and `offset`. `offset` has the bounds of REST (contract: GraphQL connections). */
import { limits } from '../../plan/parameters.ts';

const page = { standard: 100, min: 1, max: 1_000 } as const;
export const bounds = { first: page, last: page, offset: limits.offset } as const;
