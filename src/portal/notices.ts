/** What a page says after it was reached from an action; the address carries only the name of the notice. */
const texts = {
  customer: 'The customer is added, with empty tables.',
  tier: 'The tier is changed.',
  rights: 'The rights of the key are changed.',
  disabled: 'The key is disabled. Within 5 seconds it is refused everywhere.',
  enabled: 'The key is enabled again.',
  revoked: 'The key is revoked. Within 5 seconds it is refused everywhere.',
  once: 'This form was sent before: its key has been made, and its text was shown then. If it is lost, revoke the key and create another.',
} as const;

export type Notice = keyof typeof texts;

export const notices: ReadonlyMap<string, string> = new Map(Object.entries(texts));
