/** Where a subject of a property is being written: the customer, the property, and the subject's own stream of chance. */
import type { Customer } from '../customer.ts';
import type { Random } from '../source/random.ts';
import type { Property } from './property.ts';

export interface Site {
  readonly customer: Customer;
  readonly property: Property;
  readonly random: Random;
}

export const siteOf = (customer: Customer, property: Property, subject: string): Site => ({
  customer,
  property,
  random: customer.random(subject, property.index),
});
