/** The REST requests for the root fields of an operation, written from their plans (contract: REST requests of a document). */

import type { Catalogue } from '../../catalogue/index.ts';
import { pathOfTable, type Table } from '../../catalogue/table.ts';
import type { Condition } from '../../plan/condition.ts';
import type { Groups } from '../../plan/groups/groups.ts';
import { valueName } from '../../plan/groups/request.ts';
import { type Path, type RelationStep, relationStep } from '../../plan/paths.ts';
import type { Plan } from '../../plan/plan.ts';
import { answerName } from '../../plan/vocabulary/keys.ts';
import { type RelationsOf, snakeCase } from '../../query/relation-names.ts';
import { Unwritable } from '../../query/write/conditions.ts';
import { writtenGroups } from '../../query/write/groups.ts';
import { writtenAddress, writtenPage, writtenRows } from '../../query/write/rows.ts';
import type { GroupsSelection, RelationField, RootSelection } from '../selection/selection.ts';
import type { LevelPlan, RootPlan } from './plan.ts';
import type { RunningOperation } from './service-answers.ts';

export interface WrittenRequest {
  /** The response key of the root field. */
  readonly field: string;
  /** Path and query. Absent if REST has no such request; the first note is then the reason. */
  readonly path?: string;
  /** What differs from the answer of GraphQL, a sentence each. */
  readonly notes: readonly string[];
}

type Written = Omit<WrittenRequest, 'field'>;

interface Context {
  readonly table: Table;
  readonly tables: Catalogue['tables'];
  readonly relations: RelationsOf;
}

/** The names of values in REST: the response key, and the column if the field has several; of row functions, all response keys. */
const valueNames = (groups: GroupsSelection): ((name: string) => string) => {
  const names = new Map<string, string>();
  const sharing = (selected: unknown) => groups.values.filter((value) => value.selected === selected).length;
  for (const [at, value] of groups.values.entries()) {
    if ('applied' in value && value.applied) {
      names.set(valueName(at), snakeCase(answerName(value.paths[0]!)));
      continue;
    }
    const key = 'key' in value ? value.key : [...groups.named].find(([, selected]) => selected === value.selected)?.[0];
    if (key === undefined) continue;
    const isShared = 'paths' in value && sharing(value.selected) > 1;
    const column = 'paths' in value ? [...(value.via ?? []).map(snakeCase), value.of].join('_') : '';
    names.set(valueName(at), isShared ? `${snakeCase(key)}_${column}` : snakeCase(key));
  }
  return (name) => names.get(name) ?? `value_${name}`;
};

const cursorNote = 'The cursor of `after` belongs to the document: begin with the first page.';

/** The columns that rows show, with those of related rows. A relation to several rows needs a request of its own. */
const shownColumns = (
  { plan, relations }: LevelPlan,
  fields: readonly RelationField[],
  context: Context,
  via: readonly RelationStep[] = [],
): { readonly columns: readonly Path[]; readonly notes: readonly string[] } => {
  const own = plan.columns.map((column) => ({ via, column }));
  const inner = relations.map((related, at) => {
    const field = fields[at]!;
    if (field.is === 'one') return shownColumns(related, field.level.relations, context, [...via, relationStep(field.relation)]);
    const { column, target, targetColumn } = field.relation;
    const path = pathOfTable(context.tables.get(target)!);
    const note = `\`${field.key}\`: one request for each row, \`${path}?${targetColumn}={${column}}\`.`;
    return { columns: [], notes: [note] };
  });
  return { columns: [...own, ...inner.flatMap(({ columns }) => columns)], notes: inner.flatMap(({ notes }) => notes) };
};

const rowsRequest = (levelPlan: LevelPlan, fields: readonly RelationField[], context: Context): Written => {
  const { plan } = levelPlan;
  const { table, relations } = context;
  const { columns, notes } = shownColumns(levelPlan, fields, context);
  const query = writtenRows(plan, table, columns, relations);
  return { path: writtenPage(pathOfTable(table), query, plan), notes: [...(plan.after ? [cursorNote] : []), ...notes] };
};

const groupsRequest = (plan: Plan & { readonly groups: Groups }, groups: GroupsSelection, { table, relations }: Context): Written => {
  const query = writtenGroups(plan, relations, valueNames(groups));
  return { path: writtenPage(`${pathOfTable(table)}/groups`, query, plan), notes: plan.after ? [cursorNote] : [] };
};

/** Requests for fields about the service. */
const serviceRequests: Readonly<Record<string, (given: Readonly<Record<string, unknown>>) => Written>> = {
  catalog: () => ({ path: '/catalog', notes: [] }),
  me: () => ({ path: '/me', notes: [] }),
  changes: ({ since }) => ({ path: writtenAddress('/changes', new URLSearchParams({ since: String(since) })), notes: [] }),
  lookupValues: ({ table, column, language }) => ({
    path: writtenAddress(
      `/meta/${encodeURIComponent(String(table))}/values/${encodeURIComponent(String(column))}`,
      new URLSearchParams(language ? { language: String(language) } : {}),
    ),
    notes: [],
  }),
  rateLimit: () => ({
    notes: ['Every answer has it in the headers `X-RateLimit-Limit`, `X-RateLimit-Remaining` and `X-RateLimit-Reset`.'],
  }),
};

const none: Written = { notes: ['REST has no such request.'] };

/** The request for a root field. */
const requestFor = (
  root: RootSelection,
  rootPlan: RootPlan | undefined,
  operation: Pick<RunningOperation, 'variables'>,
  contextOf: (table: Table) => Context,
): Written => {
  if (root.is === 'service') return serviceRequests[root.field.name]?.(root.argumentsOf(operation.variables)) ?? none;
  if (root.is === 'rows' && rootPlan?.is === 'connection') {
    const { level, groups } = root.connection;
    const { plan } = rootPlan.levelPlan;
    const context = contextOf(level.table);
    return plan.groups && groups
      ? groupsRequest({ ...plan, groups: plan.groups }, groups, context)
      : rowsRequest(rootPlan.levelPlan, level.relations, context);
  }
  const [row] = rootPlan?.is === 'rows' ? rootPlan.rows : [];
  if (root.is !== 'row' || !row) return none;
  const { table } = root.level;
  const where: Condition = { is: 'compared', column: table.key, kind: table.columns[table.key]!.kind, by: 'eq', value: row.key };
  const { plan, relations } = row.levelPlan;
  const written = rowsRequest({ plan: { ...plan, where }, relations }, root.level.relations, contextOf(table));
  return { ...written, notes: ['The answer is a list of one row.', ...written.notes] };
};

/** A request for each root field that reads data. */
export const restRequests = (
  operation: Pick<RunningOperation, 'selection' | 'plan' | 'variables'>,
  { tables, relations }: Pick<Catalogue, 'tables' | 'relations'>,
): readonly WrittenRequest[] => {
  const contextOf = (table: Table): Context => ({ table, tables, relations: (from) => relations.get(from) ?? [] });
  const { roots, lookups } = operation.selection;
  const labels = lookups.size > 0 ? ['REST has the codes; their labels are at `/meta/{table}/values/{column}`.'] : [];
  return roots.flatMap((root, at): readonly WrittenRequest[] => {
    if (root.is === 'typename' || root.is === 'introspection') return [];
    try {
      const { path, notes } = requestFor(root, operation.plan.roots[at], operation, contextOf);
      return [{ field: root.key, ...(path !== undefined && { path }), notes: [...notes, ...labels] }];
    } catch (error) {
      if (!(error instanceof Unwritable)) throw error;
      return [{ field: root.key, notes: [`${error.message}.`] }];
    }
  });
};
