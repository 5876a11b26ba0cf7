/** A refused request, in words. */

import { pagePath, servicePath } from '../../../browser/service.ts';
import { operatorView } from '../operator/reader.ts';
import { operatorTextsOf } from '../operator/texts.ts';
import type { Failure } from './api.ts';
import { type LanguageCode, type Texts, textsOf } from './texts.ts';
import { countText } from './values.ts';

const wordsOf = ({ status, message, retryAfter }: Failure, texts: Texts, language: LanguageCode): string => {
  const failures = operatorView ? { ...texts.failures, ...operatorTextsOf[language].failures } : texts.failures;
  if (status === 0) return failures.offline;
  if (status === 401) return operatorView ? operatorTextsOf[language].failures.signedOut : failures.key;
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
      {operatorView && failure.status === 401 && (
        <p>
          <a className="button" href={servicePath(`/portal/sign-in?to=${encodeURIComponent(pagePath())}`)}>
            {operatorTextsOf[language].signIn}
          </a>
        </p>
      )}
      {onRetry && (operatorView || failure.status !== 401) && failure.status !== 403 && (
        <button type="button" onClick={onRetry}>
          {t.failures.retry}
        </button>
      )}
    </div>
  );
};
