/** Figures of the rows that belong to a row, such as the units and the arrears of a property. One request for each relation. */
import type { RelatedFigure } from '../../../../catalogue/presentation.ts';
import { isObject, type JsonObject } from '../../../browser/exact.ts';
import { type Cell, textOf } from '../../../browser/list.ts';
import type { DescribedRelation, DescribedTable } from '../../described.ts';
import { useAnswer } from '../parts/api.ts';
import { usePage } from '../parts/context.ts';
import { figureText } from '../parts/values.ts';
import { ViewLink } from '../parts/view-link.tsx';
import { compared } from '../view/conditions.ts';
import { tableOf } from '../view/tables.ts';
import { addressOf, conditionsIn, type Parameter, viewOfTable } from '../view/view.ts';

/** The name of a figure in the answer: that of its measure, or one for its place. */
const nameOf = ({ value: [is, of] }: RelatedFigure, index: number): string => (is === 'measure' ? of : `f${index}`);

/** Figures with conditions of their own are named values. */
const parametersOf = (figures: readonly RelatedFigure[]): readonly Parameter[] => {
  const measures = figures.flatMap(({ value: [is, of] }) => (is === 'measure' ? [of] : []));
  const named = figures.flatMap(({ value: [is, of], where }, index) =>
    is === 'measure' ? [] : [`f${index}:${is}(${[...(of === undefined ? [] : [of]), ...(where ? [where] : [])].join()})`],
  );
  return [
    ...(named.length > 0 ? [['value', named.join()] as const] : []),
    ...(measures.length > 0 ? [['measure', measures.join()] as const] : []),
  ];
};

interface FiguresOfProps {
  readonly relation: DescribedRelation;
  readonly target: DescribedTable;
  readonly figures: readonly RelatedFigure[];
  readonly own: string;
}

const FiguresOf = ({ relation, target, figures, own }: FiguresOfProps) => {
  const { language } = usePage();
  const path = addressOf(`/${target.category}/${target.name}/groups`, [...parametersOf(figures), ['where', own]]);
  const { answer } = useAnswer(path);
  const [row] = answer?.rows ?? [];
  return figures.map((figure, index) => {
    const value = isObject(row) ? row[nameOf(figure, index)] : undefined;
    const where = [own, ...conditionsIn(figure.where ?? '')];
    return (
      <li key={`${relation.name} ${figure.label.en}`}>
        <ViewLink className="card" view={viewOfTable(target.category, target.name, { where })}>
          <span className="hint">{figure.label[language]}</span>
          <strong>{row === undefined ? '…' : figureText(value, language) || '–'}</strong>
        </ViewLink>
      </li>
    );
  });
};

export const Figures = ({ table, row }: { readonly table: DescribedTable; readonly row: JsonObject }) => {
  const { description } = usePage();
  const names = [...new Set(table.figures.map(({ relation }) => relation))];
  return (
    <ul className="figures">
      {names.map((name) => {
        const relation = table.relations.find((each) => each.name === name);
        const target = relation && tableOf(description, relation.target);
        const value = (relation ? (row[relation.column] ?? null) : null) as Cell;
        if (!relation || !target || value === null) return null;
        const figures = table.figures.filter((figure) => figure.relation === name);
        return (
          <FiguresOf
            key={name}
            relation={relation}
            target={target}
            figures={figures}
            own={compared(relation.targetColumn, 'eq', textOf(value))}
          />
        );
      })}
    </ul>
  );
};
