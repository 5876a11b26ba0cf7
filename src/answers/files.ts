/** Files of tables, and a file that is not built yet (contract: files; building files). */
import { z } from 'zod';
import { fileFormats } from '../files/formats.ts';
import { longCount, namedAnswers, text } from './values.ts';

const format = z.enum(fileFormats);

export const tableFiles = z
  .object({
    category: text.describe('category of the table, or `raw`'),
    table: text.describe('name of the table'),
    version: longCount.describe('current version of the data, as X-Data-Version'),
    rows: longCount.describe('rows in the table'),
    columns: z.array(text).describe('columns in their order'),
    files: z.array(
      z.object({
        format,
        endpoint_url: text.describe('path of the file of the current version'),
        bytes: z.int().nullable().describe('length of the file; null until it is built'),
        sha256: text.nullable().describe('SHA-256 of the file in hexadecimal; null until it is built'),
        kept_versions: z.array(longCount).describe('versions whose files can be read, newest first'),
      }),
    ),
  })
  .register(namedAnswers, { id: 'TableFiles' });

export const buildingFile = z
  .object({
    state: z.literal('building'),
    table: text,
    format,
    version: longCount,
    endpoint_url: text.describe('path to ask again'),
  })
  .register(namedAnswers, { id: 'BuildingFile' });
