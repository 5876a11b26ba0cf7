/** Settings that the configurations for the service, faults and browsers share. */

/** Otherwise Vite would load a second copy of graphql, next to the one that other packages import. */
export const resolve = { alias: [{ find: /^graphql$/, replacement: 'graphql/index.js' }] };

/** Test files share a process, because each would load the libraries and compile the embedded database again. */
export const forks = { pool: 'forks', maxWorkers: 3, isolate: false } as const;
