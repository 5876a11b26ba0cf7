/** SQL expressions that several columns share (dictionary, common fields); arguments are aliases of joined raw tables. */

/** The values that are not null, with the separator between them. `concat_ws` is not immutable, which sharded tables require. */
const joined = (separator: string, ...values: readonly string[]) =>
  `NULLIF(substr(${values.map((value) => `COALESCE('${separator}' || ${value}, '')`).join(' || ')}, ${separator.length + 1}), '')`;

/** Full name as one field: the company's name, or title, first and last name. */
export const fullName = (person: string) =>
  `COALESCE(${person}.company_name, ${joined(' ', `${person}.title`, `${person}.first_name`, `${person}.last_name`)})`;

/** Street and house number, null rather than empty. */
export const entranceOf = (place: string) => joined(' ', `${place}.street`, `${place}.house_no`);

/** Postal code and city, separated by a comma, null rather than empty. */
export const addressExpression = (place: string) => joined(', ', `${place}.postal_code`, `${place}.city`);

/** The first of two expressions that is not null. */
export const firstOf = (first: string, second: string) => `COALESCE(${first}, ${second})`;

/** A raw column of the first of two places that has an address. */
export const ofFirstAddress = (first: string, second: string, column: 'city' | 'postal_code') =>
  `CASE WHEN ${addressExpression(first)} IS NULL THEN ${second}.${column} ELSE ${first}.${column} END`;
