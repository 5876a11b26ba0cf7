/** A refused request, in words. */
import type { Failure } from './api.ts';
import { type LanguageCode, type Texts, textsOf } from './texts.ts';
import { countText } from './values.ts';

const wordsOf = ({ status, message, retryAfter }: Failure, { failures }: Texts, language: LanguageCode): string => {
  if (status === 0) return failures.offline;
  if (status === 401) return failures.key;
  if (status === 403) return failures.forbidden;
  if (status === 404) return failures.missing;
  if (status === 429) return failures.quota(countText(Math.max(1, Math.ceil(retryAfter / 60)), language));
  if (status === 503) return failures.busy;
  return `${failures.other} ${message}`;
};

interface FailureNoteProps {
  readonly failure: Failure;
  readonly language: LanguageCode;
  readonly onRetry?: () => void;
}

export const FailureNote = ({ failure, language, onRetry }: FailureNoteProps) => {
  const t = textsOf[language];
  return (
    <div className="notice bad" role="alert">
      <p>
        <strong>{t.failures.title}.</strong> {wordsOf(failure, t, language)}
      </p>
      {onRetry && failure.status !== 401 && failure.status !== 403 && (
        <button type="button" onClick={onRetry}>
          {t.failures.retry}
        </button>
      )}
    </div>
  );
};
