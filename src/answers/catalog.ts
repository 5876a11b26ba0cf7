/** The tables by category, and the codes of a column (contract: catalogue endpoints; lookup values). */
import { z } from 'zod';
import { category, namedAnswers, text } from './values.ts';

export const catalogCategory = z
  .object({ category: category.describe('name of the category'), tables: z.array(text).describe('names of its tables') })
  .meta({ title: 'Category', description: 'a category and its tables, with their names in REST' });

export const catalog = z.object({ categories: z.array(catalogCategory) }).register(namedAnswers, { id: 'Catalog' });

export const lookupValue = z
  .object({ value: text.describe('the code in the rows'), label: text.describe('the meaning of the code') })
  .meta({ title: 'LookupValue', description: 'a code and its label' })
  .register(namedAnswers, { id: 'LookupValue' });
