/** What a source says about checks: it switches them off, sets their severity, and adds its own (contract: checks of the data). */
import type { Check, Severity } from '../catalogue/check-rule.ts';
import { checksIn } from '../catalogue/checks.ts';
import type { Catalogue } from '../catalogue/index.ts';
import { OperatorError } from '../errors.ts';
import { quotedValue } from '../plan/validation-errors.ts';
import { parseCheckCondition } from './condition.ts';

/** `check` is the name of a check, or the kind of several, such as `reference`. */
export interface CheckSetting {
  readonly check: string;
  readonly severity: Severity | 'off';
}

/** A check of the source. Rows that meet the condition violate it. */
export interface AddedCheck {
  readonly name: string;
  readonly table: string;
  readonly where: string;
  readonly severity?: Severity | undefined;
  readonly en?: string | undefined;
  readonly de?: string | undefined;
}

export type SourceCheckSetting = CheckSetting | AddedCheck;

const addedCheck = (catalogue: Catalogue, { name, table, where, severity = 'warn', ...texts }: AddedCheck): Check => {
  const { columns, tables } = parseCheckCondition(catalogue, table, where, `check ${quotedValue(name)}`);
  const en = texts.en ?? `rows with ${where}`;
  const de = texts.de ?? texts.en ?? `Zeilen mit ${where}`;
  const others = tables.map((other) => ({ kind: 'category' as const, table: other }));
  return { name: `${table}.${name}`, table, severity, rule: { is: 'where', where }, columns, others, en, de };
};

const strictness = ['off', 'warn', 'refuse'] as const;

/**
 * The checks of a customer: those of the catalogue as the sources set them, and those of the sources. If several sources set a check, the
 * strictest counts; of one source, the last. Throws an `OperatorError` for an unknown check, table or column.
 */
export const checksWith = (catalogue: Catalogue, sources: Iterable<readonly SourceCheckSetting[]>): readonly Check[] => {
  const checks = new Map(checksIn(catalogue).map((check) => [check.name, withConditionTables(catalogue, check)]));
  const settings: ReadonlyMap<string, CheckSetting['severity']>[] = [];
  for (const source of sources) {
    for (const added of source) {
      if ('check' in added) continue;
      const check = addedCheck(catalogue, added);
      if (checksIn(catalogue).some(({ name }) => name === check.name))
        throw new OperatorError(`There is a check ${quotedValue(check.name)} already.`);
      checks.set(check.name, check);
    }
    const own = new Map<string, CheckSetting['severity']>();
    for (const setting of source) {
      if (!('check' in setting)) continue;
      const named = [...checks.values()].filter(({ name, rule }) => name === setting.check || rule.is === setting.check);
      if (named.length === 0) throw new OperatorError(`There is no check ${quotedValue(setting.check)}. estate check --all lists them.`);
      for (const { name } of named) own.set(name, setting.severity);
    }
    settings.push(own);
  }
  return [...checks.values()].flatMap((check) => {
    const set = settings.flatMap((own) => own.get(check.name) ?? []);
    if (set.length === 0) return [check];
    const severity = strictness[Math.max(...set.map((each) => strictness.indexOf(each)))]!;
    return severity === 'off' ? [] : [{ ...check, severity }];
  });
};

/** A declared condition reads columns and tables, too. */
const withConditionTables = (catalogue: Catalogue, check: Check): Check => {
  if (check.rule.is !== 'where') return check;
  const { columns, tables } = parseCheckCondition(catalogue, check.table, check.rule.where, check.name);
  return { ...check, columns, others: tables.map((table) => ({ kind: 'category', table })) };
};
