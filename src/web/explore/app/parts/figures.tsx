/** Figures of a page: each with the value before, a line of its months, and a link to what is behind it. One request. */

import { shownText } from '../../../browser/values.ts';
import type { FigurePoint, Figures } from '../../described.ts';
import { parseView } from '../view/view.ts';
import { send, useRead } from './api.ts';
import { usePage } from './context.ts';
import { FailureNote } from './failure.tsx';
import type { LanguageCode } from './texts.ts';
import { amountText } from './values.ts';
import { ViewLink } from './view-link.tsx';

const read = async (path: string, signal: AbortSignal): Promise<Figures> => (await send(path, { signal })).json();

const [width, height] = [120, 30];

/** The points as a line from the smallest to the largest value. The figure beside it is its text. */
const Line = ({ points }: { readonly points: readonly FigurePoint[] }) => {
  const values = points.flatMap(({ value }) => value ?? []);
  const [least, most] = [Math.min(...values), Math.max(...values)];
  if (values.length < 2) return null;
  const at = ({ value }: FigurePoint, index: number): string => {
    const x = (index / (points.length - 1)) * (width - 4) + 2;
    const y = most === least ? height / 2 : height - 3 - (((value ?? 0) - least) / (most - least)) * (height - 6);
    return value === null ? '' : `${x.toFixed(1)},${y.toFixed(1)}`;
  };
  return (
    <svg className="spark" viewBox={`0 0 ${width} ${height}`} preserveAspectRatio="none" aria-hidden="true">
      <polyline points={points.map(at).filter(Boolean).join(' ')} />
    </svg>
  );
};

type ShownFigure = Figures['figures'][number];

const Card = ({ figure }: { readonly figure: ShownFigure }) => {
  const { language, t } = usePage();
  const { label, unit, before, points, view } = figure;
  const shown = parseView(view);
  const value = points.at(-1)?.value ?? null;
  const earlier = before === 'year' ? points[0] : points.at(-2);
  if (!shown) return null;
  return (
    <li>
      <ViewLink className="card" view={shown}>
        <span className="hint">{label[language]}</span>
        <strong>{value === null ? '–' : amountText(value, unit, language)}</strong>
        {points.length > 1 && earlier && (
          <span className="hint before">{t.before[before](earlier.value === null ? '–' : amountText(earlier.value, unit, language))}</span>
        )}
        <Line points={points} />
      </ViewLink>
    </li>
  );
};

/** `address` is that of the figures, and `expected` their number as long as they are read. */
export const FigureCards = ({ address, expected }: { readonly address: string; readonly expected: number }) => {
  const { language, t } = usePage();
  const { answer, failure, isLoading, retry } = useRead(address, read);
  if (failure) return <FailureNote failure={failure} language={language} onRetry={retry} />;
  const waiting = Array.from({ length: answer ? 0 : expected }, (_, index) => index);
  return (
    <>
      <ul className="figures" aria-busy={isLoading || !answer}>
        {answer?.figures.map((figure) => (
          <Card key={figure.name} figure={figure} />
        ))}
        {waiting.map((index) => (
          <li key={index} className="card waiting" aria-hidden="true">
            …
          </li>
        ))}
      </ul>
      {answer && answer.leftOut > 0 && <p className="hint">{t.leftOut(answer.leftOut)}</p>}
    </>
  );
};

/** The day of the figures, in words. */
export const dayText = (day: string, language: LanguageCode): string => shownText(day, '', language);
