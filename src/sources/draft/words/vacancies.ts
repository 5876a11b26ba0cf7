/** Texts in the place of a tenant that mean that there is none. */
import { codesByWord, normalise } from './fit.ts';

const vacantWord =
  'leer|leer ?stehend|leerstand|frei|vacant|vakant|leegstand|leeg|unbewohnt|nicht vermietet|unvermietet|unoccupied|empty|verfügbar|available';
/** Words in the place of a tenant that mean that there is none, with or without a day: `frei ab 01.02.2026`. A person can be called Frei. */
const vacant = new RegExp(
  `^(?:[-–*( ]*)(?:${vacantWord}|n\\.? ?n\\.?|model|down)(?:[ ,:/()*–-]*(?:${vacantWord}|ab|seit|per|zum|from|since|bis|vanaf|sofort|now|unit|einheit|wohnung)?)*[\\d.,/ ()*-]*$`,
  'iu',
);
export const isVacant = (value: string): boolean =>
  vacant.test(value) || codesByWord('occupancy_status').get(normalise(value)) === 'vacant';
/** A text that has such a word and more, so that nobody knows. */
export const isDoubtful = (value: string): boolean =>
  !isVacant(value) && /(?:^|[^\p{L}])(?:leer|leer ?stehend|leerstand|vacant|leegstand|unvermietet|nicht vermietet)(?!\p{L})/iu.test(value);
