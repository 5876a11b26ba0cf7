/** Syntax colours of code samples. */
import { expect, test } from 'vitest';
import { sample, sampleKey } from '../../src/web/docs/markdown.ts';

const textOf = (markup: string): string =>
  (/<code>(.*)<\/code>/s.exec(markup)?.[1] ?? '')
    .replaceAll(/<[^>]+>/g, '')
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&');

test.each([
  ['sh', `curl -H "X-API-Key: ${sampleKey}" 'https://host/a?b=1&c=<2' # comment`],
  ['python', `headers = {"X-API-Key": "${sampleKey}"}  # comment\nfor row in rows: print(1.5)`],
  ['ts', `const answer: string = \`\${a}\`; // ${sampleKey}`],
  ['js', `fetch('a', { 'X-API-Key': '${sampleKey}' })`],
  ['powerquery', `let Answer = Web.Contents("a", [Headers = [#"X-API-Key" = "${sampleKey}"]]) in Answer`],
  ['graphql', '# question\n{ orders(first: 3, filter: { status: { eq: "open" } }) { nodes { orderId } } }'],
  ['json', '[{"order_id": 1, "total_net": 10.50, "is_open": true}]'],
])('a sample in %s has colours and the same text, with the key marked', (language, code) => {
  const { text } = sample([[language, code]]);
  expect(text).toMatch(/<span class="code-(comment|keyword|name|number|string)">/);
  expect(textOf(text)).toBe(code);
  expect(text.includes(`<span data-your-key>${sampleKey}</span>`)).toBe(code.includes(sampleKey));
});

test('a sample in an unknown language has no colours', () => {
  expect(sample([['other', 'a < b']]).text).toContain('<code>a &lt; b</code>');
});
