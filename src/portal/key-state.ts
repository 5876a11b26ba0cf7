/** Keys in a word or two: whether they are let in, and which they are. */
import { type KeyRecord, type KeyState, stateOf } from '../access/keys.ts';
import { longName, pill, type Tone } from './elements.ts';
import { type Html, html } from './html.ts';

const tones: Record<KeyState, Tone> = { active: 'good', disabled: 'warn', expired: 'off', revoked: 'bad' };

export const statePill = (key: KeyRecord): Html => pill(stateOf(key), tones[stateOf(key)]);

/** Names may repeat; the public id tells keys apart. */
export const keyLink = ({ id, name }: Pick<KeyRecord, 'id' | 'name'>): Html =>
  html`<span class="key">${longName(`/portal/keys/${id}`, name || 'unnamed')} <code>${id}</code></span>`;
