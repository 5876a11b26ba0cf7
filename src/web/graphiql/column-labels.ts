/** The labels for the GraphiQL page, from the catalogue. */
import type { Column } from '../../catalogue/column.ts';
import type { Catalogue } from '../../catalogue/index.ts';
import { englishLabel, germanLabels } from '../../catalogue/labels.ts';
import { measures } from '../../catalogue/measures.ts';
import { camelCase, upperFirst } from '../../graphql/schema/names.ts';
import type { Labels } from './labels.ts';

const isAdditive = (name: string, { kind, isRate }: Column): boolean => (kind === 'number' ? !isRate : name.endsWith('_count'));

export const columnLabels = ({ tables }: Catalogue): Labels => ({
  ...Object.fromEntries(
    [...tables.values()].flatMap(({ columns }) =>
      Object.entries(columns).map(([name, column]) => [
        camelCase(name),
        { en: englishLabel(name), de: (germanLabels as Record<string, string>)[name] ?? name, isAdditive: isAdditive(name, column) },
      ]),
    ),
  ),
  ...Object.fromEntries(
    measures.map(({ name, label, isAdditive = false }) => [
      camelCase(name),
      { en: upperFirst(label.en), de: upperFirst(label.de), isAdditive },
    ]),
  ),
});
