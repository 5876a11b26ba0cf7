/**
 * Keys of caches for texts of any length. V8 hashes longer texts than these by their length alone, so a cache would compare all long texts of
 * one length letter by letter. Copies of long texts are expensive to allocate, too.
 */
import { createHash } from 'node:crypto';

const longestText = 16_383;
const prefix = 'sha256:';

/** The text itself if it is short; otherwise its digest. Different texts have different keys. */
export const textKey = (text: string): string =>
  text.length > longestText || text.startsWith(prefix) ? prefix + createHash('sha256').update(text).digest('base64url') : text;
