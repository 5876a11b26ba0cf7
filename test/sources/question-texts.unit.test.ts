/** Questions of drafts in German: each is known again by its English text, alone and after others. */
import { expect, test } from 'vitest';
import { germanQuestion, questionNames, questionText } from '../../src/sources/draft/question-texts.ts';

const values = Object.fromEntries(
  'column example unique rows repeats lines line words more value other columns table both all day month first second year read examples sample whole one two evidence'
    .split(' ')
    .map((name) => [name, `(${name}). "é" $&`]),
);

test.each(questionNames)('%s is known again', (name) => {
  const text = questionText(name, values);
  const german = germanQuestion(text);
  expect(german).toEqual(expect.any(String));
  expect(german).not.toMatch(/\{\w+\}|remove this question/);
  expect(germanQuestion(`${text}. ${questionText('noVat')}`)).toBe(`${german}. ${germanQuestion(questionText('noVat'))}`);
});

test('words of a person are not known', () => {
  for (const text of ['Is it net?', `${questionText('noVat')}. Ask Anna`, '', 'x: "'.repeat(10_000)])
    expect(germanQuestion(text)).toBeUndefined();
});
