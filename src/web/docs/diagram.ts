/** Diagrams of relations as server-side SVG with links. The page also shows the relations as a table. */
import type { Catalogue } from '../../catalogue/index.ts';
import type { Table } from '../../catalogue/table.ts';
import { type Html, html } from '../pages/html.ts';

const box = { width: 270, height: 46, gap: 12 };
const columns = { left: 0, middle: 325, right: 650 };
const width = columns.right + box.width;

const cut = (text: string, max: number): string => (text.length > max ? `${text.slice(0, max - 1)}…` : text);

interface Place {
  readonly x: number;
  readonly y: number;
}

const tableBox = (name: string, note: string, { x, y }: Place, isSelf = false): Html => {
  const inside = html`<rect x="${x + 0.5}" y="${y + 0.5}" width="${box.width - 1}" height="${box.height - 1}" rx="8"/>
<text x="${x + 14}" y="${y + (note ? 20 : 28)}">${name}</text>${note && html`<text class="note" x="${x + 14}" y="${y + 37}">${cut(note, 36)}</text>`}`;
  return isSelf ? html`<g class="self">${inside}</g>` : html`<a href="/docs/tables/${name}"><title>${name}: ${note}</title>${inside}</a>\n`;
};

/** Names of relations by target table. */
const byTarget = (relations: readonly { readonly name: string; readonly target: string }[]): readonly (readonly [string, string])[] => {
  const names = new Map<string, string[]>();
  for (const { name, target } of relations) names.set(target, [...(names.get(target) ?? []), name]);
  return [...names].map(([target, own]) => [target, own.join(', ')] as const);
};

/** A table between the tables that refer to it and those that it refers to. */
export const neighbourhood = ({ relations }: Catalogue, table: Table): Html | undefined => {
  const all = relations.get(table.name) ?? [];
  if (all.length === 0) return undefined;
  const isOwn = (name: string) => name in table.relations;
  const left = byTarget(all.filter(({ name }) => !isOwn(name)));
  const right = byTarget(all.filter(({ name }) => isOwn(name)));
  const rowHeight = box.height + box.gap;
  const height = Math.max(left.length, right.length, 1) * rowHeight - box.gap;
  const middle = { x: columns.middle, y: (height - box.height) / 2 };
  const place = (x: number, index: number, count: number): Place => ({
    x,
    y: (height - (count * rowHeight - box.gap)) / 2 + index * rowHeight,
  });
  const line = (from: Place, to: Place): Html => {
    const [x1, y1, x2, y2] = [from.x + box.width, from.y + box.height / 2, to.x, to.y + box.height / 2];
    return html`<path d="M${x1} ${y1}C${x1 + 30} ${y1} ${x2 - 30} ${y2} ${x2} ${y2}"/>`;
  };
  const drawn = (side: readonly (readonly [string, string])[], x: number): Html[] =>
    side.map(([name, note], index) => {
      const at = place(x, index, side.length);
      return html`${x === columns.left ? line(at, middle) : line(middle, at)}${tableBox(name, note, at)}`;
    });
  return html`<div class="diagram"><svg viewBox="0 0 ${width} ${height}" role="group" aria-label="Relations of ${table.name}">
${drawn(left, columns.left)}${drawn(right, columns.right)}${tableBox(table.name, table.key, middle, true)}
</svg></div>`;
};

const circle = { width: 860, height: 700, radius: 205 };

/** All tables in a circle by category, with a line for each relation. */
export const allRelations = ({ tables, relations }: Catalogue): Html => {
  const names = [...tables.keys()];
  const centre = { x: circle.width / 2, y: circle.height / 2 };
  const angle = (name: string) => (names.indexOf(name) / names.length) * 2 * Math.PI - Math.PI / 2;
  const point = (name: string, radius: number) => ({
    x: centre.x + Math.cos(angle(name)) * radius,
    y: centre.y + Math.sin(angle(name)) * radius,
  });
  const round = (value: number) => value.toFixed(1);
  const pairs = new Set(
    names.flatMap((name) => Object.values(tables.get(name)?.relations ?? {}).map(({ to }) => `${name} ${to.split('.')[0]}`)),
  );
  const lines = [...pairs].map((pair) => {
    const [from = '', to = ''] = pair.split(' ');
    const [a, b] = [point(from, circle.radius), point(to, circle.radius)];
    return html`<path data-tables="${pair}" d="M${round(a.x)} ${round(a.y)}Q${centre.x} ${centre.y} ${round(b.x)} ${round(b.y)}"/>`;
  });
  const labels = names.map((name) => {
    const { x, y } = point(name, circle.radius + 10);
    const turn = (angle(name) * 180) / Math.PI;
    const isLeft = Math.cos(angle(name)) < -0.001;
    const count = (relations.get(name) ?? []).length;
    return html`<a href="/docs/tables/${name}" data-table="${name}"><text x="${round(x)}" y="${round(y)}" dy="5" text-anchor="${isLeft ? 'end' : 'start'}" transform="rotate(${round(
      isLeft ? turn + 180 : turn,
    )} ${round(x)} ${round(y)})">${name}<title>${count} relations</title></text></a>\n`;
  });
  return html`<div class="diagram circle" data-diagram><svg viewBox="0 0 ${circle.width} ${circle.height}" role="group" aria-label="All tables and their relations">
${lines}${labels}</svg></div>`;
};
