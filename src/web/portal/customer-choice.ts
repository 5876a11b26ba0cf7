/** The control that selects a customer. */
import type { Database } from '../../database/connections/connection.ts';
import { select } from '../pages/elements.ts';
import { type Html, html } from '../pages/html.ts';

/** Whether there is a customer to choose. */
export const hasCustomers = async ({ control }: Database): Promise<boolean> =>
  (await control.selectFrom('customers').select('id').limit(1).executeTakeFirst()) !== undefined;

/** Above this number, a text field is easier than a list. */
const maxListed = 50;

/** A list, or a text field for the slug if there are many customers. `all` is the label of the choice without a customer. */
export const customerChoice = async (
  { control }: Database,
  chosen: string | undefined,
  all?: string,
): Promise<(attributes: Html) => Html> => {
  const customers = await control
    .selectFrom('customers')
    .select(['slug', 'name', 'tier'])
    .orderBy('slug')
    .limit(maxListed + 1)
    .execute();
  if (customers.length > maxListed)
    return (attributes) =>
      html`<input name="customer" value="${chosen}" placeholder="slug" maxlength="40" autocapitalize="none" spellcheck="false"${all === undefined && html` required`}${attributes}>`;
  const options = customers.map(({ slug, name, tier }) => [slug, all === undefined ? `${name}, ${tier}` : slug] as const);
  return (attributes) => select('customer', all === undefined ? options : [['', all], ...options], chosen, attributes);
};
