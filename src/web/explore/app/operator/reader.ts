/** Who reads: the holder of a key, or a signed-in operator of the portal for one customer (contract: operator view). */
import { apiKey } from '../../../browser/key.ts';
import { servicePath } from '../../../browser/service.ts';

export interface OperatorView {
  /** The path before the REST requests of the customer. */
  readonly rest: string;
  /** The name of the customer. */
  readonly customer: string;
  readonly slug: string;
}

const { rest, customer, slug } = (document.getElementById('root') as HTMLElement).dataset;

/** Undefined on the public page, which reads with a key. */
export const operatorView: OperatorView | undefined = rest && customer && slug ? { rest, customer, slug } : undefined;

export const canRead = operatorView !== undefined || apiKey !== '';

/** The address and the headers of a REST request. An operator's session is a cookie, and a key in the tab is not sent. */
export const requestOf = (path: string): { readonly address: string; readonly headers: Readonly<Record<string, string>> } =>
  operatorView
    ? { address: servicePath(`${operatorView.rest}${path}`), headers: {} }
    : { address: servicePath(path), headers: { 'X-API-Key': apiKey } };
