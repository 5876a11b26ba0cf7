/** `estate nodes` */
import { citusOf } from '../../database/cluster/citus.ts';
import { readSizes } from '../../database/cluster/node-health.ts';
import { addressText } from '../../database/cluster/nodes.ts';
import { columns, report, withSession } from '../session.ts';

const megabytes = (bytes: number | undefined): string => (bytes === undefined ? '' : (bytes / 2 ** 20).toFixed(0));

/** Lists the nodes that can hold customers. A node that does not answer is in the list, without its bytes. */
export const listNodesWithCustomers = (options: { readonly json?: boolean }) =>
  withSession(async ({ database }) => {
    // `nodes` throws an error with the reason if there is no Citus.
    await citusOf(database).nodes();
    const states = (await citusOf(database).health.read()) ?? [];
    const sizes = await readSizes(database, states);
    const nodes = states.map((node) => ({
      node: addressText(node),
      customers: node.customers,
      bytes: sizes.get(node.id) ?? null,
      active: node.isActive,
      reachable: node.isReachable,
      takes_customers: node.takesCustomers,
    }));
    const state = ({ active, reachable }: (typeof nodes)[number]) => (!active ? 'disabled' : reachable ? 'answers' : 'does not answer');
    const rows = nodes.map((node) => [node.node, String(node.customers), megabytes(node.bytes ?? undefined), state(node)]);
    report(nodes, options, () => columns(['node', 'customers', 'MB', 'state'], rows));
  });
