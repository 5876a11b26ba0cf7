/** The page with a new key's text and an example. It is shown once. */
import type { IssuedKey } from '../../../access/keys.ts';
import { pathOfTable } from '../../../catalogue/table.ts';
import { properties } from '../../../catalogue/tables/property.ts';
import { programs } from '../../../prints/programs.ts';
import { html } from '../../pages/html.ts';
import type { PortalCall } from '../context.ts';
import type { PageContent } from '../layout.ts';

/** A path that the key may read, so that the example works unchanged. */
const examplePath = ({ groups }: IssuedKey): string => {
  if (groups.includes('rest')) return `${pathOfTable(properties)}?limit=2`;
  return groups.includes('raw') ? '/raw/tables' : '/catalog';
};

export const shownKey = (call: PortalCall, issued: IssuedKey): PageContent => {
  const { key, id, customer, name } = issued;
  const { address } = call.request.server.publicUrl;
  const curl = programs.curl({ origin: address, address: examplePath(issued), key });
  const { issued: t } = call.wording.keys;
  return {
    title: t.title,
    section: 'keys',
    isTranslated: true,
    body: html`
<h1>${t.title}${name && `: ${name}`}</h1>
<p class="notice warn" role="status"><strong>${t.copyNow}</strong> ${t.once}</p>
<div class="panel stack wide" data-address="${address}">
<div class="secret"><span class="label" id="key-label">${t.keyOf(customer)}</span>
<div class="copy"><code id="key-text" aria-labelledby="key-label">${key}</code><button class="primary" data-copy="key-text" hidden>${t.copyKey}</button></div></div>
<div class="secret"><span class="label" id="curl-label">${t.tryIt}</span>
<div class="copy"><code id="curl-text" aria-labelledby="curl-label">${curl}</code><button data-copy="curl-text" hidden>${t.copyCommand}</button></div></div>
</div>
<p><a class="button" href="/portal/keys/${id}">${t.saved}</a></p>`,
  };
};
