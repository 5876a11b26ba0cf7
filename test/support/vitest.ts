/** What the configurations of the tests share: those of the service, of faults and of browsers. */

/** Vite would load a second copy of graphql, beside the one that its users among the packages have. */
export const resolve = { alias: [{ find: /^graphql$/, replacement: 'graphql/index.js' }] };

export const forks = { pool: 'forks', maxWorkers: 2 } as const;
