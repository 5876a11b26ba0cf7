/** Grey lines in the place of data that is being read. They take the place of a page, so nothing jumps. */

import { storedLanguage } from '../../../browser/values.ts';
import { textsOf } from './texts.ts';

const lines = Array.from({ length: 12 }, (_, index) => `line ${index}`);

export const Skeleton = () => (
  <div className="skeleton" role="status" aria-label={textsOf[storedLanguage()].loading}>
    {lines.map((line) => (
      <span key={line} />
    ))}
  </div>
);
