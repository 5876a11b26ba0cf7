/** A request in other forms (contract: prints). */
import { z } from 'zod';
import { namedAnswers, text } from './values.ts';

const program = text.describe('a command or a program');

export const prints = z
  .object({
    address: text.describe('the request with its query string encoded'),
    graphql: text.nullable().describe('a document for the same rows or groups'),
    notes: z.array(text).describe('a sentence for each difference, or the reason why there is no document'),
    curl: program,
    python: program,
    pandas: program,
    typescript: program,
    power_query: program,
    agent: z
      .object({ tool: text, arguments: z.looseObject({}) })
      .nullable()
      .describe('the tool of agents with its arguments; null if it has none for a part of the request'),
  })
  .register(namedAnswers, { id: 'Prints' });
