/** The form of pages that send requests with the reader's key. `browser/key.ts` fills it. */
import { inBoth } from './frame.ts';
import { html } from './html.ts';

export const keyForm = html`<form id="key-bar" autocomplete="off">
<label for="api-key"${inBoth({ en: 'API key', de: 'API-Schlüssel' })}>API key</label>
<input id="api-key" type="password" placeholder="est_…" spellcheck="false" autocomplete="off">
<button${inBoth({ en: 'Use key', de: 'Verwenden' })}>Use key</button>
<select id="demo-keys" aria-label="Demo key" hidden><option value=""${inBoth({ en: 'Demo keys', de: 'Demo-Schlüssel' })}>Demo keys</option></select>
<span id="key-message" role="status"></span>
</form>`;
