/** The columns of a table and of its related rows, to choose one: by a search over all paths, or step by step along the relations. */
import { useEffect, useRef, useState } from 'react';
import type { DescribedTable } from '../../described.ts';
import { searchPaths, searchRelated } from '../view/paths.ts';
import { type FoundColumn, findColumn, labelOf, tableOf, toMany, toOne } from '../view/tables.ts';
import { usePage } from './context.ts';

interface ColumnListProps {
  readonly table: DescribedTable;
  readonly onChoose: (found: FoundColumn) => void;
  /** Leaves out columns. */
  readonly includes?: (found: FoundColumn) => boolean;
  /** Offers the relations to many rows as well, by their paths. */
  readonly onChooseRelated?: ((path: string) => void) | undefined;
}

interface StepProps extends Required<Omit<ColumnListProps, 'onChooseRelated'>> {
  readonly onChooseRelated: ColumnListProps['onChooseRelated'];
  /** The path of relations to the columns, with a dot at its end. */
  readonly prefix: string;
  readonly at: DescribedTable;
}

/** A request can follow this many relations. */
const mostSteps = 8;

/** A relation, whose columns are listed when it is opened. */
const Relation = ({ label, ...step }: StepProps & { readonly label: string }) => {
  const [isOpen, setOpen] = useState(false);
  return (
    <details open={isOpen} onToggle={(event) => event.target === event.currentTarget && setOpen(event.currentTarget.open)}>
      <summary title={step.prefix.slice(0, -1)}>{label}</summary>
      {isOpen && <Step {...step} />}
    </details>
  );
};

const Buttons = ({
  found,
  onChoose,
  isLong = false,
}: Pick<StepProps, 'onChoose'> & { readonly found: readonly FoundColumn[]; readonly isLong?: boolean }) => {
  const { language } = usePage();
  return (
    <ul>
      {found.map((each) => (
        <li key={each.path}>
          <button type="button" title={each.path} onClick={() => onChoose(each)}>
            {isLong && each.via.length > 0 ? labelOf(each, language) : each.column.label[language]}
          </button>
        </li>
      ))}
    </ul>
  );
};

interface RelatedButtonsProps {
  readonly related: readonly { readonly path: string; readonly label: string }[];
  readonly onChooseRelated: (path: string) => void;
}

/** Relations to many rows. The dots tell them from columns. */
const RelatedButtons = ({ related, onChooseRelated }: RelatedButtonsProps) => (
  <ul>
    {related.map(({ path, label }) => (
      <li key={path}>
        <button type="button" title={path} onClick={() => onChooseRelated(path)}>
          {label} …
        </button>
      </li>
    ))}
  </ul>
);

const Step = (props: StepProps) => {
  const { description, language, t } = usePage();
  const { table, at, prefix, includes, onChoose, onChooseRelated } = props;
  const columns = at.columns.flatMap(({ name }) => findColumn(description, table, `${prefix}${name}`) ?? []).filter(includes);
  const first = at.first.flatMap((path) => columns.find((found) => found.path === `${prefix}${path}`) ?? []);
  const isLast = prefix.split('.').length > mostSteps;
  return (
    <>
      <Buttons found={[...first, ...columns.filter((found) => !first.includes(found))]} onChoose={onChoose} />
      {!isLast &&
        toOne(at).map(({ name, label, target }) => {
          const next = tableOf(description, target);
          return next && <Relation key={name} {...props} label={label[language]} prefix={`${prefix}${name}.`} at={next} />;
        })}
      {onChooseRelated && toMany(at).length > 0 && (
        <details>
          <summary>{t.related}</summary>
          <RelatedButtons
            related={toMany(at).map(({ name, label }) => ({ path: `${prefix}${name}`, label: label[language] }))}
            onChooseRelated={onChooseRelated}
          />
        </details>
      )}
    </>
  );
};

export const ColumnList = ({ table, onChoose, includes = () => true, onChooseRelated }: ColumnListProps) => {
  const { description, language, t } = usePage();
  const [searched, setSearched] = useState('');
  const search = useRef<HTMLInputElement>(null);
  // On a touch screen, the focus would open the keyboard over the list.
  useEffect(() => {
    if (matchMedia('(pointer: fine)').matches) search.current?.focus({ preventScroll: true });
  }, []);
  return (
    <div className="column-list">
      <input
        ref={search}
        type="search"
        aria-label={t.searchColumns}
        placeholder={t.searchColumns}
        value={searched}
        onChange={({ target }) => setSearched(target.value)}
      />
      {searched.trim() === '' ? (
        <Step table={table} at={table} prefix="" includes={includes} onChoose={onChoose} onChooseRelated={onChooseRelated} />
      ) : (
        <>
          <Buttons found={searchPaths(searched, table, description, language, includes)} onChoose={onChoose} isLong />
          {onChooseRelated && (
            <RelatedButtons related={searchRelated(searched, table, description, language)} onChooseRelated={onChooseRelated} />
          )}
        </>
      )}
    </div>
  );
};
