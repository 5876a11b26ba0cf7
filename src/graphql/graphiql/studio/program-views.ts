/** The operation in the editor as REST requests, and as code in four languages. */

import type { RestFacts } from '../rest-tables.ts';
import { codeOf, keyVariable, languages } from './code.ts';
import { choice, copyButton, element } from './element.ts';
import type { Operation } from './operation.ts';
import { restRequests } from './rest.ts';
import type { RestRequest } from './rest-values.ts';

/** Text with `code` in it. */
const prose = (text: string): (Node | string)[] =>
  text.split('`').map((part, index) => (index % 2 === 1 ? element('code', {}, part) : part));

const codeBlock = (label: string, code: string): readonly HTMLElement[] => [
  element('pre', { tabindex: '0', role: 'region', 'aria-label': label }, element('code', {}, code)),
];

const curl = (path: string): string => `curl -H "X-API-Key: $${keyVariable}" '${location.origin}${path.replaceAll("'", '%27')}'`;

const requestView = ({ field, path, notes }: RestRequest): readonly HTMLElement[] => [
  element('h2', {}, element('code', {}, field)),
  ...(path === undefined ? [] : codeBlock(`REST for ${field}`, curl(path))),
  ...(notes.length === 0 ? [] : [element('ul', {}, ...notes.map((note) => element('li', {}, ...prose(note))))]),
];

/** What an operation cannot be turned into says why. */
const whyNot = (error: unknown): readonly HTMLElement[] => [
  element('p', { class: 'hint' }, `There is no query to translate yet: ${(error as Error).message}`),
];

export const restView = (operation: Operation, facts: RestFacts): readonly HTMLElement[] => {
  try {
    const requests = restRequests(operation, facts);
    const commands = requests.flatMap(({ path }) => (path === undefined ? [] : [curl(path)]));
    return [
      element(
        'div',
        { class: 'actions' },
        element('span', { class: 'hint' }, 'Rows come with all columns, by their names in REST.'),
        ...(commands.length > 0 ? [copyButton('Copy', () => `${commands.join('\n')}\n`)] : []),
      ),
      ...requests.flatMap(requestView),
    ];
  } catch (error) {
    return whyNot(error);
  }
};

const slot = 'estate-code-language';
type Language = keyof typeof languages;
const names = Object.keys(languages) as Language[];

export const codeView = (operation: Operation, again: () => void): readonly HTMLElement[] => {
  const language = names.find((name) => name === localStorage.getItem(slot)) ?? 'fetch';
  const chosen = choice('Language', names, language, (name) => {
    localStorage.setItem(slot, name);
    again();
  });
  try {
    const code = codeOf(language, operation, `${location.origin}/graphql`);
    return [
      element(
        'div',
        { class: 'actions' },
        chosen,
        copyButton('Copy', () => code),
      ),
      ...codeBlock(`Code in ${language}`, code),
      element('p', { class: 'hint' }, ...prose(`The key comes from the environment variable \`${keyVariable}\`.`)),
    ];
  } catch (error) {
    return [element('div', { class: 'actions' }, chosen), ...whyNot(error)];
  }
};
