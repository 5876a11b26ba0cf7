/** The bounds of `first` and `last`, and of `offset`, which are REST's (contract: GraphQL connections). */
import { limits } from '../read/parameters.ts';

const page = { standard: 100, least: 1, most: 1_000 } as const;
export const bounds = { first: page, last: page, offset: limits.offset } as const;
