/** Conditions in Explore by clicks alone: each kind is made, changed and removed, on a desktop in English and on a phone in German (contract: explore page). */
import type { Locator, Page } from 'playwright-core';
import { beforeAll, describe, expect, test } from 'vitest';
import { connectiveLabels, countLabels, namedValueLabels, quantifierLabels } from '../../src/plan/vocabulary/labels.ts';
import type { QuantifierName } from '../../src/plan/vocabulary/operators.ts';
import { parseList } from '../../src/query/grammar.ts';
import { conditionTexts } from '../../src/web/explore/app/conditions/words.ts';
import { textsOf } from '../../src/web/explore/app/parts/texts.ts';
import { countText } from '../../src/web/explore/app/parts/values.ts';
import { dayAfter, presets, today } from '../../src/web/explore/app/view/periods.ts';
import { findColumn, findRelations, labelOf, tableOf } from '../../src/web/explore/app/view/tables.ts';
import { viewIn } from '../../src/web/explore/app/view/view.ts';
import type { DescribedTable, Description } from '../../src/web/explore/described.ts';
import { keys } from '../support/settings.ts';
import { violationsOf } from './accessibility.ts';
import { saveScreenshot } from './chromium.ts';
import { pagesOfService } from './pages.ts';

const pages = pagesOfService({}, { mayBeRefused: true });

let description: Description;
beforeAll(async () => {
  description = (await pages.service.get('/explore/description', { key: keys.nordEnterprise })).json;
});

const places = {
  desktop: { language: 'en', locale: 'en', viewport: { width: 1280, height: 850 } },
  phone: { language: 'de', locale: 'de-DE', viewport: { width: 375, height: 780 } },
} as const;

describe.each(Object.entries(places))('on a %s', (place, { language, ...options }) => {
  const t = textsOf[language];
  let page: Page;
  let table: DescribedTable;

  /** Opens a view in the tab of the place. */
  const open = async (fragment: string): Promise<void> => {
    page = await pages.keptPage(place, async () => {
      const kept = await pages.newPage({ ...options, key: keys.nordEnterprise });
      await kept.goto('/explore');
      await kept.locator('.cards-list').first().waitFor();
      return kept;
    });
    await page.keyboard.press('Escape');
    await page.evaluate((hash) => {
      location.hash = hash;
    }, fragment);
    table = tableOf(description, viewIn(fragment)!.table)!;
    await page.getByRole('heading', { level: 1, name: table.label[language], exact: true }).waitFor();
    await page.locator('.grid[aria-busy=false]').first().waitFor();
  };

  const panel = (): Locator => page.locator('.menu-panel:popover-open');
  const click = (name: string, within: Locator = panel()) => within.getByRole('button', { name, exact: true }).click();
  const add = () => click(`+ ${t.filter}`, page.locator('.filter-bar').first());
  const choose = (path: string, from = table) => click(findColumn(description, from, path)!.column.label[language]);
  /** The last form, which is that of the innermost condition. */
  const form = (name: string) => panel().getByRole('combobox', { name: t.form, exact: true }).last().selectOption(name);
  const field = (label: string) => panel().getByLabel(label, { exact: true }).last();
  const apply = () => panel().getByRole('button', { name: t.apply, exact: true }).last().click();
  const check = (text: string) =>
    panel()
      .locator('.values label')
      .filter({ has: page.getByText(text, { exact: true }) })
      .last()
      .click();
  const codeOf = (path: string, value: string, from = table): string => {
    const { codes } = findColumn(description, from, path)!.column;
    return description.codes[codes ?? '']?.find((code) => code.value === value)?.label[language] ?? value;
  };
  const openDetails = (name: string) => panel().locator('summary').getByText(name, { exact: true }).last().click();
  const relationLabel = (name: string) => findRelations(description, table, [name])!.relations[0]!.label[language];
  const quantifier = (relation: string, by: QuantifierName) =>
    panel()
      .getByRole('combobox', { name: relationLabel(relation), exact: true })
      .selectOption({ label: quantifierLabels[by][language] });

  /** Waits until the address has these conditions, and until a chip says them in words. */
  const expectConditions = async (text: string): Promise<void> => {
    const where = () => viewIn(new URL(page.url()).hash)?.where.join();
    await expect.poll(where).toBe(text);
    const items = parseList(text).map((item) => item.text);
    for (const words of conditionTexts(items, table, { description, language }))
      await page.getByText(words, { exact: true }).first().waitFor();
    await expect.poll(() => page.locator('.grid[aria-busy=false]').count()).toBe(1);
    expect(await page.locator('.failure, [role=alert]').count()).toBe(0);
  };
  const orders = '#/operations/orders';

  /** What is clicked after the menu of a new condition is open, and the conditions of the address. */
  const kinds: Readonly<Record<string, { readonly at?: string; readonly make: () => Promise<void>; readonly where: () => string }>> = {
    'one of several codes': {
      make: async () => {
        await choose('status');
        await check(codeOf('status', 'closed'));
        await expectConditions('status=closed');
        await check(codeOf('status', 'accepted'));
      },
      where: () => 'status:in(closed,accepted)',
    },
    'none of several codes': {
      make: async () => {
        await choose('status');
        await form('not_in');
        await check(codeOf('status', 'closed'));
        await check(codeOf('status', 'accepted'));
      },
      where: () => 'status:not_in(closed,accepted)',
    },
    'is not a code': {
      make: async () => {
        await choose('status');
        await form('ne');
        await panel().getByRole('combobox').last().selectOption('closed');
      },
      where: () => 'status!=closed',
    },
    'contains a text, from the search for values': {
      make: async () => {
        await choose('subject');
        await field(t.searchValues).fill('Dach, (rot)');
        await click(t.containing('Dach, (rot)'));
      },
      where: () => 'subject:icontains("Dach, (rot)")',
    },
    'begins with a text': {
      make: async () => {
        await choose('subject');
        await form('istarts_with');
        await panel().getByRole('textbox').last().fill('Dach');
        await apply();
      },
      where: () => 'subject:istarts_with(Dach)',
    },
    'is empty': {
      make: async () => {
        await choose('trade');
        await form('is_null');
      },
      where: () => 'trade:is_null',
    },
    'between two amounts': {
      make: async () => {
        await choose('total_net');
        await field(t.from).fill('100');
        await field(t.to).fill('2500.5');
        await apply();
      },
      where: () => 'total_net>=100,total_net<=2500.5',
    },
    'more than an amount': {
      make: async () => {
        await choose('total_net');
        await form('gt');
        await panel().getByRole('spinbutton').last().fill('42');
        await apply();
      },
      where: () => 'total_net>42',
    },
    'this quarter, as one chip': {
      make: async () => {
        await choose('order_date');
        await click(t.presets.thisQuarter);
      },
      where: () => `order_date>=${presets.thisQuarter(today()).from},order_date<=${presets.thisQuarter(today()).to}`,
    },
    'older than two weeks': {
      make: async () => {
        await choose('order_date');
        await form('older');
        await field(t.number).fill('2');
        await panel().getByRole('combobox', { name: t.unit, exact: true }).selectOption('week');
        await apply();
      },
      where: () => `order_date<${dayAfter(today(), -14)}`,
    },
    'newer than ten days, of a point in time': {
      make: async () => {
        await choose('created_at');
        await form('newer');
        await field(t.number).fill('10');
        await apply();
      },
      where: () => `created_at>=${dayAfter(today(), -10)}T00:00:00Z`,
    },
    'a column over two steps, by a search': {
      make: async () => {
        const found = findColumn(description, table, 'offer.creditor.name')!;
        await field(t.searchColumns).fill(labelOf(found, language).replaceAll(':', ''));
        await click(labelOf(found, language));
        await form('icontains');
        await panel().getByRole('textbox').last().fill('Bau');
        await apply();
      },
      where: () => 'offer.creditor.name:icontains(Bau)',
    },
    'a column over two steps, step by step': {
      make: async () => {
        await panel().locator('summary[title="offer"]').click();
        await panel().locator('summary[title="offer.creditor"]').click();
        await panel().getByTitle('offer.creditor.name', { exact: true }).click();
        await form('is_not_null');
      },
      where: () => 'offer.creditor.name:is_not_null',
    },
    'no related row with two conditions': {
      at: '#/property/properties?columns=property_name',
      make: async () => {
        const target = tableOf(description, 'orders')!;
        await openDetails(t.related);
        await click(`${relationLabel('orders')} …`);
        await quantifier('orders', 'none');
        await choose('status', target);
        await form('not_in');
        await check(codeOf('status', 'closed', target));
        await check(codeOf('status', 'accepted', target));
        await click(`+ ${connectiveLabels.all[language]} …`);
        await choose('total_net', target);
        await click(t.over(countText(1_000, language)));
      },
      where: () => 'orders:none(status:not_in(closed,accepted),total_net>1000)',
    },
    'a related row that a figure counts': {
      at: '#/property/properties?columns=property_name',
      make: async () => {
        const [open] = tableOf(description, 'orders')!.counted;
        await openDetails(t.related);
        await click(`${relationLabel('orders')} …`);
        await click(open!.label[language]);
      },
      where: () =>
        `orders:some(status:not_in(cancelled,rejected),order_date<=${description.day},any(closed_date:is_null,closed_date>${description.day}))`,
    },
    'more than two related rows with a condition': {
      at: '#/property/properties?columns=property_name',
      make: async () => {
        await openDetails(t.related);
        await click(`${relationLabel('orders')} …`);
        await panel()
          .getByRole('combobox', { name: relationLabel('orders'), exact: true })
          .selectOption({ label: `${countLabels.gt[language]} …` });
        await expectConditions('orders:count>1');
        await field(countLabels.gt[language]).fill('2');
        await apply();
        await choose('status', tableOf(description, 'orders'));
        await form('ne');
        await panel().getByRole('combobox').last().selectOption('closed');
      },
      where: () => 'orders:count(status!=closed)>2',
    },
    'days between two dates': {
      make: async () => {
        await openDetails(t.computedValue);
        await panel().getByRole('combobox', { name: t.firstColumn, exact: true }).selectOption('notification.report_date');
        await panel().getByRole('combobox', { name: t.secondColumn, exact: true }).selectOption('execution_end_date');
        await click(t.addCondition);
        await click(t.over('30'));
        await form('gte');
        await panel().getByRole('spinbutton').last().fill('14');
        await apply();
      },
      where: () => 'days(notification.report_date,execution_end_date)>=14',
    },
    'alternatives, one of them of two conditions': {
      make: async () => {
        await choose('trade');
        await form('is_null');
        await click(`+ ${connectiveLabels.any[language]} …`);
        await choose('order_date');
        await click(t.presets.thisYear);
        await expectConditions(
          `any(trade:is_null,all(order_date>=${presets.thisYear(today()).from},order_date<=${presets.thisYear(today()).to}))`,
        );
        await panel().locator('.condition .shown').nth(1).click();
        await click(`+ ${connectiveLabels.all[language]} …`);
        await choose('total_net');
        await click(t.below0);
      },
      where: () =>
        `any(trade:is_null,all(order_date>=${presets.thisYear(today()).from},order_date<=${presets.thisYear(today()).to},total_net<0))`,
    },
  };

  test.each(Object.keys(kinds))('%s', async (name) => {
    const { at = `${orders}?columns=order_number`, make, where } = kinds[name]!;
    await open(at);
    await add();
    await make();
    await expectConditions(where());
    expect([name, await violationsOf(page)]).toEqual([name, []]);
    expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0);
    await saveScreenshot(page, `explore-condition-${place}-${name.replaceAll(/\W+/g, '-')}`);
    await page.keyboard.press('Escape');
    // The condition is changed by a click on its chip, and it is gone after a click on its cross.
    const chip = page.locator('.chip .words').first();
    const words = (await chip.textContent())!;
    await chip.click();
    await panel().waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: t.removeFilter(words), exact: true }).click();
    await expectConditions('');
  });

  test('a condition is changed in its chip', async () => {
    await open(`${orders}?where=status=closed,total_net>=5,total_net<=9`);
    await page.locator('.chip .words').nth(1).click();
    await field(t.to).fill('80');
    await apply();
    await expectConditions('status=closed,total_net>=5,total_net<=80');
    await form('lt');
    await expectConditions('status=closed,total_net<5');
    await page.keyboard.press('Escape');
    await page.goBack();
    await expectConditions('status=closed,total_net>=5,total_net<=80');
  });

  test('alternatives of the address are changed and removed one by one', async () => {
    await open(`${orders}?where=any(total_net>5,trade:is_null,property.tenants:some(balance>0))`);
    await page.locator('.chip .words').click();
    await panel().locator('.condition .shown').nth(1).click();
    await form('is_not_null');
    await expectConditions('any(total_net>5,trade:is_not_null,property.tenants:some(balance>0))');
    await panel()
      .getByRole('button', { name: /^(?:Remove filter|Filter entfernen)/ })
      .nth(1)
      .click();
    await expectConditions('any(total_net>5,property.tenants:some(balance>0))');
    await panel()
      .getByRole('button', { name: /^(?:Remove filter|Filter entfernen)/ })
      .nth(0)
      .click();
    await expectConditions('property.tenants:some(balance>0)');
  });

  test('a value that is none of the column is refused with a sentence', async () => {
    await open(`${orders}?where=order_date=2025-01-01T00`);
    await page.locator('.chip .words').click();
    await form('gt');
    await panel().getByRole('textbox').last().fill('soon');
    await apply();
    await panel().getByText(t.noSuchValue).waitFor();
    await panel().getByRole('textbox').last().fill('2025-01-01');
    await apply();
    await expectConditions('order_date>2025-01-01');
  });

  test('codes that no row has are offered as such', async () => {
    await open(`${orders}?where=total_net<0`);
    await add();
    await choose('status');
    await panel().locator('.values[aria-busy=false]').waitFor();
    const codes = description.codes[findColumn(description, table, 'status')!.column.codes!]!;
    expect(await panel().locator('.values label').count()).toBeGreaterThanOrEqual(codes.length);
    await panel().getByText(t.noRow, { exact: true }).first().waitFor();
    expect(await violationsOf(page)).toEqual([]);
  });

  test('booking lines by the status of the tenant of their account, by the keyboard alone', async () => {
    await open('#/accounting/booking_positions/groups?by=account_id&count');
    await page.getByRole('button', { name: `+ ${t.filter}`, exact: true }).focus();
    await page.keyboard.press('Enter');
    await panel().waitFor();
    const found = findColumn(description, table, 'account.tenant.status')!;
    /** Presses the tab key until the focus is on an element with this text, or of this type. */
    const tabTo = async (wanted: string): Promise<void> => {
      for (let steps = 0; steps < 60; steps += 1) {
        await page.keyboard.press('Tab');
        const names = await page.evaluate(() => [document.activeElement?.textContent, document.activeElement?.getAttribute('type')]);
        if (names.includes(wanted)) return;
      }
      throw new Error(`The tab key does not lead to ${wanted}`);
    };
    // The focus is in the search.
    await expect.poll(() => page.evaluate(() => document.activeElement?.getAttribute('type'))).toBe('search');
    await page.keyboard.type(labelOf(found, language).replaceAll(':', ''));
    await panel()
      .getByRole('button', { name: labelOf(found, language), exact: true })
      .waitFor();
    await tabTo(labelOf(found, language));
    await page.keyboard.press('Enter');
    // The focus is in the form of the condition.
    await expect.poll(() => page.evaluate(() => document.activeElement?.tagName)).toBe('SELECT');
    await panel().locator('.values label').first().waitFor();
    await tabTo('checkbox');
    await page.keyboard.press('Space');
    await expect.poll(() => viewIn(new URL(page.url()).hash)?.where.join()).toMatch(/^account\.tenant\.status(?:=\w+|:is_null)$/);
    await page.keyboard.press('Escape');
    // The browser returns the focus to the button of the menu.
    await expect.poll(() => page.evaluate(() => document.activeElement?.textContent)).toBe(`+ ${t.filter}`);
  });

  test('figures and keys have conditions, too', async () => {
    await open(`${orders}/groups?by=trade&count&sum=total_net`);
    const bar = page.locator('.filter-bar').last();
    await click(`+ ${t.having}`, bar);
    await click(t.count);
    await panel().getByRole('spinbutton').last().fill('10');
    await apply();
    const having = () => viewIn(new URL(page.url()).hash)?.others.find(([name]) => name === 'having')?.[1];
    await expect.poll(having).toBe('count>=10');
    await click(`+ ${connectiveLabels.any[language]} …`);
    await click(`${findColumn(description, table, 'total_net')!.column.label[language]} (${t.lists.sum})`);
    await form('lt');
    await panel().getByRole('spinbutton').last().fill('500');
    await apply();
    await expect.poll(having).toBe('any(count>=10,sum_total_net<500)');
    await page.locator('.grid.groups[aria-busy=false]').waitFor();
    // Totals of all groups are no totals of these.
    expect(await page.locator('.grid tfoot').count()).toBe(0);
    expect(await violationsOf(page)).toEqual([]);
    await saveScreenshot(page, `explore-having-${place}`);
  });

  test('figures with conditions, with a function of two columns, and computed ones', async () => {
    await open(`${orders}/groups?by=trade&count`);
    const value = () => viewIn(new URL(page.url()).hash)?.others.find(([name]) => name === 'value')?.[1];
    const create = async () => {
      await click(`+ ${t.addValue}`, page.locator('.builder'));
      await click(`${t.ownFigure} …`);
    };
    const named = (name: string) => panel().getByRole('textbox', { name: t.name, exact: true }).fill(name);
    const pick = (label: string, choice: string) => panel().getByRole('combobox', { name: label, exact: true }).selectOption(choice);
    await create();
    await named('open');
    await click(t.addCondition);
    await choose('status');
    await form('ne');
    await panel().getByRole('combobox').last().selectOption('closed');
    await apply();
    await expect.poll(value).toBe('open:count(status!=closed)');
    await create();
    await named('duration');
    await pick(t.computation, 'median');
    await pick(t.figureOf, 'days');
    await choose('order_date');
    await choose('execution_end_date');
    expect(await violationsOf(page)).toEqual([]);
    await apply();
    await expect.poll(value).toBe('open:count(status!=closed),duration:median(days(order_date,execution_end_date))');
    await create();
    await named('part');
    await pick(t.computation, 'ratio');
    await pick(t.firstFigure, 'open');
    await pick(t.secondFigure, 'count');
    await apply();
    await expect.poll(value).toBe('open:count(status!=closed),duration:median(days(order_date,execution_end_date)),part:ratio(open,count)');
    await page.locator('.grid.groups[aria-busy=false]').getByText(namedValueLabels.part[language]).first().waitFor();
    await saveScreenshot(page, `explore-figures-${place}`);
    // A figure is changed in its chip, and takes what is computed from it along when it goes.
    await page.locator('.builder .words').first().click();
    await panel().locator('.condition .shown').click();
    await form('is_not_null');
    await apply();
    await expect.poll(value).toMatch(/^open:count\(status:is_not_null\),/);
    await page.getByRole('button', { name: t.remove('Open'), exact: true }).click();
    await expect.poll(value).toBe('duration:median(days(order_date,execution_end_date))');
  });

  test('bands have a field for their width, also of years, without thousands separators', async () => {
    await open('#/property/properties/groups?by=construction_year&count');
    const label = findColumn(description, table, 'construction_year')!.column.label[language];
    await page.getByRole('combobox', { name: label, exact: true }).selectOption('width');
    const width = page.getByLabel(t.width(label), { exact: true });
    await expect.poll(() => width.inputValue()).toBe('10');
    await width.fill('20');
    await width.press('Enter');
    await expect.poll(() => viewIn(new URL(page.url()).hash)?.by.join()).toBe('construction_year:width(20)');
    await page.locator('.grid.groups[aria-busy=false] tbody tr').first().waitFor();
    await expect
      .poll(() =>
        page
          .locator('.grid tbody th')
          .allTextContents()
          .then((heads) => heads.filter((head) => head !== t.noValue).every((head) => /^\d{4} (?:to below|bis unter) \d{4}$/.test(head))),
      )
      .toBe(true);
    await width.fill('-3');
    await width.press('Enter');
    await expect.poll(() => width.getAttribute('aria-invalid')).toBe('true');
    expect(await violationsOf(page)).toEqual([]);
  });

  test('the heads of a pivot sort its rows by a key, a column and the totals', async () => {
    await open(`${orders}/groups?by=trade,status&count&pivot=status`);
    await page.locator('.grid.pivot[aria-busy=false] tfoot').waitFor();
    const figures = (at: number) =>
      page
        .locator('.pivot tbody tr')
        .evaluateAll(
          (rows, cell) => rows.map((row) => Number(row.querySelectorAll('td')[cell]?.textContent?.replaceAll(/\D/g, '') || -1)),
          at,
        );
    const closed = codeOf('status', 'closed');
    const heads = await page.locator('.pivot thead tr').first().locator('th').allTextContents();
    const at = heads.indexOf(closed) - 1;
    await page.getByRole('button', { name: `${closed}: ${t.count}`, exact: true }).click();
    await expect.poll(() => new URL(page.url()).hash).toContain('pivot=status,closed');
    const byColumn = await figures(at);
    expect(byColumn).toEqual(byColumn.toSorted((one, other) => other - one));
    await page.getByRole('button', { name: `${closed}: ${t.count}`, exact: true }).click();
    await expect
      .poll(async () => (await figures(at)).filter((each) => each >= 0).join())
      .toBe(
        byColumn
          .filter((each) => each >= 0)
          .toReversed()
          .join(),
      );
    await page.getByRole('button', { name: `${t.total}: ${t.count}`, exact: true }).click();
    await expect.poll(() => new URL(page.url()).hash).not.toContain('closed');
    await expect
      .poll(async () => {
        const totals = await figures(heads.length - 2);
        return totals.join() === totals.toSorted((one, other) => other - one).join();
      })
      .toBe(true);
    await page.goBack();
    await expect
      .poll(async () => (await figures(at)).filter((each) => each >= 0).join())
      .toBe(
        byColumn
          .filter((each) => each >= 0)
          .toReversed()
          .join(),
      );
    await page.locator('.grid.pivot[aria-busy=false]').waitFor();
    expect(await violationsOf(page)).toEqual([]);
  });
});
