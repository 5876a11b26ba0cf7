/** Figures of each property that people know from paper, to compare them with a delivery before its load. */
import type { TableName } from '../index.ts';
import type { Text } from '../texts/presentation.ts';
import { figures } from './figures.ts';
import { measuresOf } from './measure-formula.ts';

interface PaperFigure {
  readonly label: Text;
  readonly table: TableName;
  /** SQL over the columns of the rows of a property. */
  readonly value: string;
  /** Decimals. */
  readonly digits: number;
  /** SQL that chooses the rows. */
  readonly where?: string;
  /** Only rows that are valid today. */
  readonly isValidToday?: boolean;
}

/** The SQL of a measure that reads columns of its own table only. */
const measured = (table: TableName, measure: string): string => {
  const { formula } = measuresOf(table, () => []).find(({ name }) => name === measure)!;
  return formula.map((part) => (typeof part === 'string' ? part : 'column' in part ? part.column : '')).join('');
};

export const paperFigures = {
  units: { label: figures.units.label, table: 'property_structure', value: 'count(*)', digits: 0, where: 'is_active' },
  rent: {
    label: { en: 'Basic rent a month, net', de: 'Nettokaltmiete im Monat' },
    table: 'contract_debits',
    value: measured('contract_debits', 'monthly_rent'),
    digits: 2,
    where: "debit_type = 'basic_rent'",
    isValidToday: true,
  },
  balance: { label: { en: 'Open balance of tenants', de: 'Offener Saldo der Mieter' }, table: 'tenants', value: 'sum(balance)', digits: 2 },
} as const satisfies Readonly<Record<string, PaperFigure>>;

export type PaperFigureName = keyof typeof paperFigures;
export const paperFigureNames = Object.keys(paperFigures) as readonly PaperFigureName[];
export const paperFigure = (name: PaperFigureName): PaperFigure => paperFigures[name];
