/** The sign-in redirects only to pages of the portal. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { ownPath } from '../../src/web/portal/sign-in/own-path.ts';

test.each([
  ['/portal', '/portal'],
  ['/portal/keys?customer=nord&page=2', '/portal/keys?customer=nord&page=2'],
  ['/portal/keys?search=Müller', '/portal/keys?search=M%C3%BCller'],
  ['/portal/customers/nord-sued', '/portal/customers/nord-sued'],
  ['/portal/customers/../keys', '/portal/keys'],
])('%j leads to %j', (target, path) => {
  expect(ownPath(target)).toBe(path);
});

test.each([
  null,
  '',
  'https://evil.example/',
  'https://evil.example/portal/keys',
  '//evil.example',
  '//evil.example/portal',
  '///evil.example/portal',
  '/\\evil.example/portal',
  '\\\\evil.example/portal',
  '/\t/evil.example/portal',
  '\u0000//evil.example/portal',
  'http:evil.example/portal',
  '/portal.evil.example',
  '/portal@evil.example',
  '/portal/../../evil',
  '/portal/..',
  '/portal/%2e%2e/evil',
  '/portal/%2E%2E/%2e%2e/evil',
  '/portal/.%2e/evil',
  '/portal/..%2fevil',
  '/portal/..%5cevil',
  '/portal/%252e%252e/evil',
  '/portal/\\..\\..\\evil',
  '/portal/..\\evil',
  '/portal/\t../evil',
  '/portal/\u0001',
  '/portal//evil.example',
  'javascript:alert(1)',
])('%j leads to the overview', (target) => {
  expect(ownPath(target)).toBe('/portal');
});

test('for every target, a browser stays below /portal', () => {
  const part = fc.constantFrom('/portal', '/', '//', '\\', '..', '%2e%2e', '%2f', '.', 'evil', '@', ':', '?', '#', '\t', '\r\n', 'http:');
  fc.assert(
    fc.property(
      fc.oneof(
        fc.string(),
        fc.array(part, { maxLength: 8 }).map((parts) => parts.join('')),
      ),
      (target) => {
        const path = ownPath(target);
        const { origin, pathname } = new URL(path, 'https://estate.example/portal/sign-in');
        expect(origin).toBe('https://estate.example');
        expect(pathname).toMatch(/^\/portal(\/|$)/);
        expect(path).toMatch(/^[\x21-\x7e]+$/);
      },
    ),
    { numRuns: 1_000 },
  );
});
