/** SQL expressions that several columns share (dictionary, common fields); arguments are aliases of joined raw tables. */

/** Full name as one field: the company's name, or title, first and last name. */
export const fullName = (person: string) =>
  `COALESCE(${person}.company_name, NULLIF(concat_ws(' ', ${person}.title, ${person}.first_name, ${person}.last_name), ''))`;

/** Street and house number, null rather than empty. */
export const entranceOf = (place: string) => `NULLIF(concat_ws(' ', ${place}.street, ${place}.house_no), '')`;

/** Postal code and city, separated by a comma, null rather than empty. */
export const addressOf = (place: string) => `NULLIF(concat_ws(', ', ${place}.postal_code, ${place}.city), '')`;

/** The first of two expressions that is not null. */
export const firstOf = (first: string, second: string) => `COALESCE(${first}, ${second})`;
