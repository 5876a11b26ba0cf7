/** Small changes to a source file, each of which should make a test fail. */
import { parseAst } from 'vitest/node';

export interface Mutant {
  readonly line: number;
  readonly start: number;
  readonly end: number;
  readonly original: string;
  readonly replacement: string;
}

/** A node of an ESTree with the additions of TypeScript. */
interface Node {
  readonly type: string;
  readonly start: number;
  readonly end: number;
  readonly [name: string]: unknown;
}

const isNode = (value: unknown): value is Node => typeof (value as Node | null)?.type === 'string';

/** TypeScript's expressions that have a value. All other additions are types. */
const typedExpressions = new Set(['TSAsExpression', 'TSNonNullExpression', 'TSSatisfiesExpression']);

/** Imports are not mutated, because a missing file would fail every test. */
const isSkipped = ({ type, declaration }: Node): boolean =>
  type === 'ImportDeclaration' ||
  type === 'ExportAllDeclaration' ||
  (type === 'ExportNamedDeclaration' && !declaration) ||
  (type.startsWith('TS') && !typedExpressions.has(type));

const operators: Readonly<Record<string, readonly string[]>> = {
  '<': ['<=', '>='],
  '<=': ['<', '>'],
  '>': ['>=', '<='],
  '>=': ['>', '<'],
  '===': ['!=='],
  '!==': ['==='],
  '+': ['-'],
  '-': ['+'],
  '*': ['/'],
  '/': ['*'],
  '&': ['|'],
  '|': ['&'],
  '^': ['&'],
  '>>': ['<<'],
  '&&': ['||'],
  '||': ['&&'],
  '??': ['&&'],
  '+=': ['-='],
  '-=': ['+='],
  '++': ['--'],
  '--': ['++'],
};

const methods: Readonly<Record<string, string>> = {
  some: 'every',
  every: 'some',
  min: 'max',
  max: 'min',
  flatMap: 'map',
  toSorted: 'slice',
};

type Replacements = readonly (readonly [node: Node, replacement: string])[];

const ofLiteral = (node: Node): Replacements => {
  const { value } = node;
  if (typeof value === 'number') return [value + 1, value - 1].map((other) => [node, String(other)]);
  if (typeof value === 'boolean') return [[node, String(!value)]];
  return typeof value === 'string' ? [[node, value === '' ? "'mutant'" : "''"]] : [];
};

const ofCondition = (test: Node): Replacements => [
  [test, 'true'],
  [test, 'false'],
];

/** The replacement of an expression that gives the value of a function. */
const ofResult = (node: unknown): Replacements => (isNode(node) && node.type !== 'BlockStatement' ? [[node, 'undefined']] : []);

const replacementsOf = (node: Node, text: (node: Node) => string): Replacements => {
  const part = (name: string) => node[name] as Node;
  const operator = node.operator as string;
  switch (node.type) {
    case 'BinaryExpression':
    case 'LogicalExpression':
    case 'AssignmentExpression':
      // Parentheses prevent `a ?? b && c`, which is a syntax error.
      return (operators[operator] ?? []).map((other) => [node, `(${text(part('left'))} ${other} (${text(part('right'))}))`]);
    case 'UpdateExpression':
      return [[node, text(node).replace(operator, () => operators[operator]![0]!)]];
    case 'UnaryExpression':
      return operator === '!' || operator === '-' ? [[node, `(${text(part('argument'))})`]] : [];
    case 'Literal':
      return ofLiteral(node);
    case 'TemplateLiteral':
      return text(node) === '``' ? [] : [[node, '``']];
    case 'ArrayExpression':
      return (node.elements as unknown[]).length > 0 ? [[node, '[]']] : [];
    case 'IfStatement':
    case 'ConditionalExpression':
      return ofCondition(part('test'));
    case 'ForStatement':
    case 'WhileStatement':
      return isNode(node.test) ? [[node.test, 'false']] : [];
    case 'ReturnStatement':
      return ofResult(node.argument);
    case 'ArrowFunctionExpression':
      return ofResult(node.body);
    case 'ExpressionStatement':
    case 'ThrowStatement':
      return [[node, '{}']];
    case 'MemberExpression': {
      const name = part('property');
      const other = node.computed ? undefined : methods[text(name)];
      return other ? [[name, other]] : [];
    }
    default:
      return [];
  }
};

/** All mutants of a source text, in the order of the text. */
export const mutantsOf = (source: string): readonly Mutant[] => {
  const found = new Map<string, Mutant>();
  const text = ({ start, end }: Node) => source.slice(start, end);
  const visit = (node: Node): void => {
    if (isSkipped(node)) return;
    for (const [{ start, end }, replacement] of replacementsOf(node, text)) {
      const original = source.slice(start, end);
      const line = source.slice(0, start).split('\n').length;
      if (original !== replacement) found.set(`${start} ${end} ${replacement}`, { line, start, end, original, replacement });
    }
    for (const [name, child] of Object.entries(node)) {
      // A property name is not a value.
      if (name === 'key' && !node.computed) continue;
      for (const each of Array.isArray(child) ? child : [child]) if (isNode(each)) visit(each);
    }
  };
  visit(parseAst(source, { lang: 'ts' }) as unknown as Node);
  return [...found.values()].sort((a, b) => a.start - b.start || a.end - b.end);
};

export const applied = (source: string, { start, end, replacement }: Mutant): string =>
  `${source.slice(0, start)}${replacement}${source.slice(end)}`;
