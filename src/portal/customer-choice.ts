/** The control that names a customer: a list while it is short, else a field for the slug. */
import type { Database } from '../database/connection.ts';
import { select } from './elements.ts';
import { type Html, html } from './html.ts';

/** More are easier typed than found in a list. */
const mostListed = 50;

/** `all` is the choice of no customer in particular, where there is that choice. */
export const customerChoice = async (
  { control }: Database,
  chosen: string | undefined,
  all?: string,
): Promise<(attributes: Html) => Html> => {
  const customers = await control
    .selectFrom('customers')
    .select(['slug', 'name', 'tier'])
    .orderBy('slug')
    .limit(mostListed + 1)
    .execute();
  if (customers.length > mostListed)
    return (attributes) =>
      html`<input name="customer" value="${chosen}" placeholder="slug" maxlength="40" autocapitalize="none" spellcheck="false"${all === undefined && html` required`}${attributes}>`;
  const options = customers.map(({ slug, name, tier }) => [slug, all === undefined ? `${name}, ${tier}` : slug] as const);
  return (attributes) => select('customer', all === undefined ? options : [['', all], ...options], chosen, attributes);
};
