/** What the key of a request is, and the age of its data (contract: me; checks of the data; data scopes). */
import { z } from 'zod';
import type { Caller } from '../access/caller.ts';
import type { Quota } from '../access/rate-limit/rate-limit.ts';
import { scopeObject } from '../access/scope.ts';
import { severities } from '../catalogue/check-rule.ts';
import { endpointGroups, tiers } from '../catalogue/tiers.ts';
import {
  type AnswerBody,
  category,
  count,
  endpointUrl,
  instant,
  longCount,
  namedAnswers,
  rowCount,
  tableName,
  text,
  version,
} from './values.ts';

export const rateLimit = z
  .object({
    limit: count.describe('requests an hour'),
    remaining: count.describe('requests left after this one'),
    resets_at: instant.describe('end of the hour'),
  })
  .meta({ title: 'RateLimit', description: 'the quota of the key in the present hour; this request is counted in it, once' });

const failedCheck = z
  .object({
    name: text.describe('name of the check'),
    severity: z.enum(severities).describe('what a violation does: `warn` or `refuse`'),
    count: count.min(1).describe('number of violations'),
    keys: z.array(text).describe('up to five keys of rows, or names of columns, as examples'),
    en: text.describe('what the rows are'),
    de: text.describe('the same in German'),
  })
  .meta({ title: 'FailedCheck', description: 'a check of the data that failed after the last load' });

const tableFreshness = z
  .object({
    category,
    table: tableName,
    endpoint_url: endpointUrl,
    version,
    row_count: rowCount,
    synced_at: instant.nullable().describe('end of the last successful sync; null before the first'),
    changed_at: instant.nullable().describe('end of the last sync that changed the data'),
    age_seconds: longCount.nullable().describe('seconds since the last successful sync'),
    failed_checks: z
      .array(failedCheck)
      .describe('checks of the data that failed after the last load; counts and keys are those of rows that the key may read'),
  })
  .meta({ title: 'TableFreshness', description: 'the age of the data of a table' })
  .register(namedAnswers, { id: 'TableFreshness' });

export const me = z
  .object({
    tier: z.enum(tiers).describe('the highest tier that the key may read'),
    groups: z.array(z.enum(endpointGroups)).describe('the endpoint groups that the key may use'),
    expires_at: instant.nullable().describe('when the key expires; null if it does not expire'),
    quota: rateLimit.nullable().describe('the quota of the key; null if there is no limit'),
    scope: scopeObject.optional().describe('what the key reads of its tables; no value for a key without a data scope'),
    tables: z.array(tableFreshness).describe('the tables that the key may read'),
  })
  .meta({ title: 'Me', description: 'the key of this request, and the age of its data' })
  .register(namedAnswers, { id: 'Me' });

/** The quota with the time of its end. Null if there is no limit. */
export const quotaAnswer = (quota: Pick<Quota, 'limit' | 'remaining' | 'resetSeconds'> | undefined): AnswerBody<typeof me>['quota'] =>
  quota ? { limit: quota.limit, remaining: quota.remaining, resets_at: new Date(Date.now() + quota.resetSeconds * 1_000) } : null;

/** What `/me` says about the key itself. */
export const keyAnswer = (
  { tier, groups, expiresAt, scope }: Caller,
  quota: Parameters<typeof quotaAnswer>[0],
): Omit<AnswerBody<typeof me>, 'tables'> => ({
  tier,
  groups: [...groups],
  expires_at: expiresAt ?? null,
  quota: quotaAnswer(quota),
  ...(scope && { scope: scope.definition }),
});
