/** The customer's code lists are those of the catalogue. */
import { lookups } from '../../src/catalogue/lookups.ts';
import type { Setting } from '../setting.ts';
import { dayOf } from '../source/calendar.ts';

export const writeCodeLists = ({ batches, ids }: Setting): void => {
  for (const [name, values] of Object.entries(lookups)) {
    values.forEach(([value, english, german], i) => {
      const id = ids.next('catalog_value');
      batches.put(
        'catalog_value',
        {
          catalog_value_id: id,
          catalog_name: name,
          value_key: value,
          label_en: english,
          label_de: german,
          sort_no: i + 1,
          is_active: true,
        },
        dayOf(2015, 1),
      );
    });
  }
};
