/** `GET /explore/figures`: the figures of the portfolio, or of a row, in one request (contract: figures). */

import { catalogue } from '../../catalogue/index.ts';
import { type FigureOnPage, figuresOf } from '../../catalogue/measures/figures.ts';
import { rowReaders } from '../../catalogue/readership.ts';
import { isReportDay } from '../../catalogue/relative-days.ts';
import { ApiError } from '../../errors.ts';
import { callerOf } from '../../http/gate.ts';
import { requestContextOf } from '../../http/request-context.ts';
import { jsonItems } from '../../http/responses/headers.ts';
import { validationMessage, validationTexts } from '../../plan/validation-errors.ts';
import type { NamedPlan } from '../../query/lists.ts';
import { lastValue } from '../../query/parameters.ts';
import { writtenValue } from '../../query/write/items.ts';
import { queryParametersOf, type Routes } from '../../rest/context.ts';
import { readObjects } from '../../rest/page.ts';
import { JsonResponse, respond } from '../../rest/respond.ts';
import { runInSlice } from '../../scheduling/time-slices.ts';
import { addressPlanner, tablesOfPlan } from './addresses.ts';
import type { DescribedFigure, Figures } from './described.ts';
import { type Asked, askedOf, completed, type FigureRow } from './figure-addresses.ts';

const refuse = (name: string, reason: string): ApiError => new ApiError('invalidParameter', validationMessage(name, reason));

const dayOf = (query: URLSearchParams): string => {
  const day = lastValue(query, 'day');
  if (!day) throw refuse('day', validationTexts.missing);
  if (!isReportDay(day)) throw refuse('day', 'Input should be a day, such as 2025-12-31');
  return day;
};

interface PlannedFigure extends DescribedFigure {
  readonly asked: Asked;
  readonly address: string;
}

export const figureRoutes: Routes = (app, context) => {
  app.route({
    method: ['GET', 'HEAD'],
    url: '/explore/figures',
    handler: async (request, reply) => {
      const caller = callerOf(request);
      const query = queryParametersOf(request);
      const day = dayOf(query);
      const page = lastValue(query, 'page') ?? 'portfolio';
      if (page !== 'portfolio' && !catalogue.tables.has(page)) throw refuse('page', 'Input should be portfolio or the name of a table');
      const plan = addressPlanner(context, caller, await context.directories.of(caller.customer));
      const conditionOf = ({ column }: FigureOnPage): string | undefined => {
        const value = lastValue(query, column);
        return value === undefined ? undefined : `${column}=${writtenValue(value)}`;
      };
      const all = figuresOf(page);
      const { figures, plans } = await runInSlice(caller.customer.id, () => {
        const readable = all.flatMap((figure): readonly PlannedFigure[] => {
          const { name, label, unit, before = 'month', column, address, view } = figure;
          const own = column === '' ? undefined : conditionOf(figure);
          if (column !== '' && own === undefined) return [];
          const asked = askedOf(figure, day);
          const views = completed(view, day, own);
          if (!plan(completed(address, day, undefined, asked.values)) || !plan(completed(view, day, undefined))) return [];
          if (!plan(views)) throw refuse(column, 'Input should be a value of the column');
          return [{ name, label, unit, before, view: views, asked, address: completed(address, day, own) }];
        });
        // Figures of one address are one statement.
        const addresses = [...new Set(readable.map(({ address }) => address))];
        const planned = addresses.map((address) => {
          const values = readable.filter((each) => each.address === address).flatMap(({ asked }) => asked.values);
          return [address, plan(completed(address, day, undefined, values))] as const;
        });
        return { figures: readable, plans: planned.filter((each): each is readonly [string, NamedPlan] => each[1] !== undefined) };
      });
      const tables = [...new Map(plans.flatMap(([, named]) => tablesOfPlan(named)).map((table) => [table.name, table])).values()];
      const read = async (): Promise<Figures> => {
        const rows = new Map<string, readonly FigureRow[]>();
        // One after another, so that a page takes one slot of its customer.
        for (const [address, named] of plans) rows.set(address, await readObjects(context, requestContextOf(request, reply), named));
        return {
          day,
          figures: figures.map(({ asked, address, ...figure }) => ({ ...figure, points: asked.pointsIn(rows.get(address) ?? []) })),
          leftOut: all.length - figures.length,
        };
      };
      const cacheKey = jsonItems('figures', caller.customer.id, rowReaders(caller), day, page, ...figures.map(({ address }) => address));
      return respond(
        context,
        request,
        reply,
        new JsonResponse(cacheKey, read, { tables, states: () => context.versions.of(caller.customer.id) }),
      );
    },
  });
};
