/**
 * GraphQL Code Generator: the SDL of the full tier's schema, and types for the operations of the examples and the tests. `npm run codegen`
 * writes them after the examples. A test and CI fail if they are outdated.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import type { CodegenConfig } from '@graphql-codegen/cli';
import { printSchema } from 'graphql';
import { catalogue } from './src/catalogue/index.ts';
import { createSchema } from './src/graphql/schema/schema.ts';
import { examples } from './src/web/graphiql/examples.ts';

mkdirSync('examples', { recursive: true });
for (const [name, document] of Object.entries(examples)) writeFileSync(`examples/${name}.graphql`, document);
writeFileSync('schema.graphql', `${printSchema(createSchema(catalogue, 'enterprise'))}\n`);

const config: CodegenConfig = {
  schema: 'schema.graphql',
  documents: ['examples/*.graphql', 'test/graphql/operations/*.graphql'],
  generates: {
    'test/graphql/generated/': {
      preset: 'client',
      presetConfig: { fragmentMasking: false },
      config: {
        importExtension: '.ts',
        useTypeImports: true,
        enumsAsTypes: true,
        strictScalars: true,
        scalars: { Date: 'string', DateTime: 'string', BigInt: 'number' },
      },
    },
  },
};

export default config;
