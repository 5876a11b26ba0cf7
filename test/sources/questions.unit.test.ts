/** Questions of a draft refuse the check and the load until they are answered. */
import { expect, test } from 'vitest';
import { questionsOf, refuseQuestions } from '../../src/sources/questions.ts';

const rule = {
  table: 'person',
  question: 'is a row a person?',
  columns: { last_name: 'Name', birth_date: { from: 'Geb', question: 'day or month?' } },
};

test('each question is named with its place', () => {
  expect(questionsOf(rule)).toEqual(['person: is a row a person?', 'person.birth_date: day or month?']);
  expect(() => refuseQuestions(rule)).toThrow('person has 2 questions: answer it in the source file');
  expect(() => refuseQuestions({ table: 'person', columns: { last_name: 'Name' } })).not.toThrow();
});
