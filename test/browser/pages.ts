/** A service and a browser that the tests of a file share, and pages that send requests to the service only. */
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect } from 'vitest';
import { type ServiceOptions, startService, type TestService } from '../support/service.ts';
import { launchChromium, longestWaitMs } from './chromium.ts';

export interface PageOptions extends BrowserContextOptions {
  /** The key of the tab. Without one, the page asks for it. */
  readonly key?: string;
}

export interface Pages<Service> {
  readonly service: Service;
  /** A page with a separate storage, which is closed after the test. */
  newPage(options?: PageOptions): Promise<Page>;
  /** A page for several tests of the file: the same page for the same name, until the file ends. */
  keptPage(name: string, open: () => Promise<Page>): Promise<Page>;
  /** Script errors, violations of the policy, and requests to other servers. Empty after each test. */
  readonly complaints: string[];
}

interface Rules {
  /** Whether the service may refuse a request of a page, as it refuses a wrong key, or any request when it is busy. */
  readonly mayBeRefused?: boolean;
  /** Messages that a library writes to the console as errors, without a fault. */
  readonly harmless?: RegExp;
}

/** Adds to a list what a page does wrong. */
const listen = (page: Page, origin: string, complaints: string[], { mayBeRefused = false, harmless }: Rules = {}): void => {
  page.on('pageerror', (error) => complaints.push(String(error)));
  page.on('console', (message) => {
    const isRefusal = mayBeRefused && /status of (?:4\d\d|503)/.test(message.text());
    if (message.type() === 'error' && !isRefusal && !harmless?.test(message.text())) complaints.push(message.text());
  });
  page.on('dialog', (dialog) => complaints.push(`dialog: ${dialog.message()}`));
  page.on('request', (request) => {
    if (/^https?:/.test(request.url()) && !request.url().startsWith(`${origin}/`)) complaints.push(`asked ${request.url()}`);
  });
};

/** Starts both before the tests of the file, and ends them after its tests. */
export const pagesOf = <Service extends { readonly url: string; stop(): Promise<void> }>(
  start: () => Promise<Service>,
  rules: Rules = {},
): Pages<Service> => {
  let service: Service;
  let browser: Browser;
  const complaints: string[] = [];
  let open: Page[] = [];
  const kept = new Map<string, Page>();

  beforeAll(async () => {
    [service, browser] = await Promise.all([start(), launchChromium()]);
  });
  afterAll(() => Promise.all([browser?.close(), service?.stop()]));
  afterEach(async () => {
    const lasting = new Set(kept.values());
    const ended = open.filter((page) => !lasting.has(page));
    open = open.filter((page) => lasting.has(page));
    await Promise.all(ended.map((page) => page.context().close()));
    expect(complaints.splice(0)).toEqual([]);
  });

  const newPage = async ({ key, ...options }: PageOptions = {}): Promise<Page> => {
    const baseURL = options.baseURL ?? service.url;
    const context = await browser.newContext({
      viewport: { width: 1280, height: 850 },
      permissions: ['clipboard-read', 'clipboard-write'],
      reducedMotion: 'reduce',
      ...options,
      baseURL,
    });
    context.setDefaultTimeout(longestWaitMs);
    context.on('page', (page) => listen(page, baseURL, complaints, rules));
    const page = await context.newPage();
    open.push(page);
    if (key !== undefined) await page.addInitScript((text) => sessionStorage.setItem('estate-api-key', text), key);
    return page;
  };
  return {
    get service() {
      return service;
    },
    newPage,
    keptPage: async (name, openPage) => {
      const page = kept.get(name) ?? (await openPage());
      kept.set(name, page);
      return page;
    },
    complaints,
  };
};

/** Pages of a service over a fresh copy of the template. */
export const pagesOfService = (options: ServiceOptions = {}, rules: Rules = {}): Pages<TestService> =>
  pagesOf(() => startService(options), rules);
