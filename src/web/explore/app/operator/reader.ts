/** Who reads: the holder of a key, or a signed-in operator of the portal for one customer (contract: operator view). */
import { apiKey } from '../../../browser/key.ts';

export interface ViewedCustomer {
  /** The path before the REST requests of the customer. */
  readonly rest: string;
  /** The name of the customer. */
  readonly customer: string;
  readonly slug: string;
}

const { rest, customer, slug } = (document.getElementById('root') as HTMLElement).dataset;

/** Undefined on the public page, which reads with a key. */
export const operatorView: ViewedCustomer | undefined = rest && customer && slug ? { rest, customer, slug } : undefined;

export const canRead = operatorView !== undefined || apiKey !== '';

/** The path of a REST request, and the key that it is sent with. An operator's session is a cookie, and a key in the tab is not sent. */
export const requestOf = (path: string): readonly [path: string, key: string] =>
  operatorView ? [`${operatorView.rest}${path}`, ''] : [path, apiKey];
