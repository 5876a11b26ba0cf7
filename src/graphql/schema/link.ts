/** The link of a relation: the column that connects rows of its target to their parents. */
import type { ResolvedRelation } from '../../catalogue/index.ts';
import type { Link } from '../../plan/plan.ts';
import type { Level } from '../selection/selection.ts';

export const linkOf = ({ targetColumn, kind }: ResolvedRelation, { table }: Level): Link => ({
  column: targetColumn,
  kind: table.columns[targetColumn]!.kind,
  isUnique: kind === 'to-one',
});
