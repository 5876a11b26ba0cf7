/** What a page says after it was reached from an action; the address carries only the name of the notice. */
import type { Tone } from './elements.ts';

const texts = {
  customer: ['good', 'The customer is added, with empty tables.'],
  tier: ['good', 'The tier is changed.'],
  rights: ['good', 'The rights of the key are changed.'],
  disabled: ['good', 'The key is disabled. Within 5 seconds it is refused everywhere.'],
  enabled: ['good', 'The key is enabled again.'],
  revoked: ['good', 'The key is revoked. Within 5 seconds it is refused everywhere.'],
  gone: ['warn', 'Nothing was changed: somebody else had revoked the key before. The log says who and when.'],
  once: [
    'warn',
    'This form was sent before: its key has been made, and its text was shown then. If it is lost, revoke the key and create another.',
  ],
} as const satisfies Record<string, readonly [tone: Tone, text: string]>;

export type NoticeName = keyof typeof texts;
export type Notice = readonly [tone: Tone, text: string];

export const notices: ReadonlyMap<string, Notice> = new Map(Object.entries(texts));
