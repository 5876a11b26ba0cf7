/** Saved questions, and a question to save (contract: saved questions; questions of keys). */
import { z } from 'zod';
import { questionLimits } from '../access/questions.ts';
import { rowFormats } from '../query/parameters.ts';
import { instant, namedAnswers, text } from './values.ts';

export const question = z
  .object({
    name: text,
    title: text.describe('the first comment of the document'),
    endpoint_url: text,
    variables: z.array(z.object({ name: text, type: text })),
    formats: z.array(z.enum(rowFormats)),
    document: text.describe('the GraphQL document'),
    saved_by: text.nullable().describe('the name of the key that saved it; null for the operator'),
    saved_at: instant,
    etag: text.describe('the tag for `If-Match`, with its quotes'),
  })
  .register(namedAnswers, { id: 'Question' });

export const questionToSave = z
  .strictObject({
    document: text.describe(`a document with one query, at most ${questionLimits.documentBytes / 1_024} KB`),
    description: text.nullish().describe('one line, which becomes the first comment of the document: its title'),
    variables: z.looseObject({}).nullish().describe('values, which become the defaults of the variables'),
  })
  .register(namedAnswers, { id: 'QuestionToSave' });
