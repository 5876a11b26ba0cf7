/** What is left of the requests of pages with this key, from the headers of the last answer (contract: requests of pages). */
import { useSyncExternalStore } from 'react';
import type { LanguageCode } from '../../described.ts';
import { textsOf } from './texts.ts';
import { countText } from './values.ts';

interface Left {
  readonly remaining: number;
  readonly limit: number;
}

let left: Left | undefined;
const listeners = new Set<() => void>();

/** Records the quota of an answer. Those of an operator have none. */
export const recordQuota = (headers: Headers): void => {
  const [remaining, limit] = [headers.get('X-RateLimit-Remaining'), headers.get('X-RateLimit-Limit')];
  if (remaining === null || limit === null) return;
  left = { remaining: Number(remaining), limit: Number(limit) };
  for (const listener of listeners) listener();
};

const subscribe = (listener: () => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};

export const QuotaNote = ({ language }: { readonly language: LanguageCode }) => {
  const shown = useSyncExternalStore(subscribe, () => left);
  if (!shown) return null;
  const { remaining, limit } = shown;
  return (
    <p className={remaining * 10 < limit ? 'notice warn' : 'hint quota'}>
      {textsOf[language].quota(countText(remaining, language), countText(limit, language))}
    </p>
  );
};
