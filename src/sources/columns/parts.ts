/** Parts of an address and of a name in one field. */
import { Rejection } from '../../sync/files/rejections.ts';
import type { Part } from '../source-file.ts';

type Parts = Partial<Record<Part, string>>;

/** `Seestraße 14a, 13353 Berlin`, also without one of both sides. */
const address =
  /^(?:(?<street>[^,\d][^,]*?)(?:\s+(?<houseNumber>\d+\s*[a-zA-Z]?(?:\s*[-/+]\s*\d+\s*[a-zA-Z]?)?))?)?(?:,?\s*(?:^|(?<=[\s,]))(?:D-)?(?<postalCode>\d{4,5})\s+(?<city>[^\d,][^,]*))?$/;
/** `14a High Street, London SW1A 1AA`. A compass point after a blank belongs to the street: `131 N Lakeshore Dr`. */
const addressWithNumberFirst =
  /^(?<houseNumber>\d+(?:[a-zA-Z]|\s(?![NSEW]\b)[a-zA-Z])?(?:\s?[-/]\s?\d+[a-zA-Z]?)?)\s+(?<street>[^\d,][^,]*?)(?:,\s*(?:(?<postalCode>\d{4,5})\s+(?<city>[^\d,]+)|(?<town>[^\d,]+?)(?:,?\s+(?<postcode>[A-Z]{1,2}\d[A-Z\d]?\s?\d[A-Z]{2}))?))?$/;
const salutation = /^(Herrn?|Frau|Mr\.?|Mrs\.?|Ms\.?|Eheleute|Firma)\s+/;

const partsOfAddress = (text: string): Parts => {
  const groups = address.exec(text)?.groups;
  if (groups) return groups;
  const { town, postcode, ...parts } = addressWithNumberFirst.exec(text)?.groups ?? {};
  if (parts.street) return { ...parts, city: parts.city ?? town, postalCode: parts.postalCode ?? postcode } as Parts;
  throw new Rejection('is no address such as Seestraße 14, 13353 Berlin', text);
};

/** `Weber, Anna` or `Anna Weber`. A name of one word is a last name. */
const partsOfName = (text: string): Parts => {
  const [greeting, title] = salutation.exec(text) ?? [];
  const name = text.slice(greeting?.length ?? 0).trim();
  const greeted = title === undefined ? {} : { salutation: title };
  const comma = name.indexOf(',');
  if (comma >= 0) return { ...greeted, lastName: name.slice(0, comma).trim(), firstName: name.slice(comma + 1).trim() };
  const [, firstName = '', lastName = ''] = /^(.*?)\s*((?:(?:von|van|de|zu|der|den)\s+)*\S+)$/.exec(name) ?? [];
  return { ...greeted, firstName, lastName };
};

/** Longer text is no address and no name. The patterns take up to the cube of its length. */
const longest = 300;

const ofAddress: readonly Part[] = ['street', 'houseNumber', 'postalCode', 'city'];

/** One part of the text; null if the text lacks it. Throws a `Rejection` if the text has another form. */
export const partOf = (part: Part, field: string): string | null => {
  if (field.length > longest) throw new Rejection(`has more than ${longest} characters, so it is no address and no name`, field);
  const text = field.replaceAll(/\s+/g, ' ');
  const parts = ofAddress.includes(part) ? partsOfAddress(text) : partsOfName(text);
  return parts[part]?.trim() || null;
};
