/** The SQLSTATEs of the table of failures. */
import { failures } from '../../src/database-failures.ts';

/** A state for each entry of the table, and the states of a class that an operator causes. */
const statesOf: Readonly<Record<string, readonly string[]>> = {
  '08': ['08000', '08001', '08003', '08004', '08006', '08007', '08P01'],
  28: ['28000', '28P01'],
  53: ['53000', '53100', '53200', '53300', '53400'],
  '57P': ['57P01', '57P02', '57P03', '57P04', '57P05'],
  58: ['58000', '58030', '58P01'],
  F0: ['F0000', 'F0001'],
};
/** The states that tests raise, each with its meaning. */
export const raised = Object.entries(failures).flatMap(([entry, failure]) =>
  (statesOf[entry] ?? [entry]).map((state) => ({ state, failure })),
);
