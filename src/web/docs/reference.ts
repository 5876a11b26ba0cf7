/** The API reference: Swagger UI over `/openapi.json`. */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { html } from '../pages/html.ts';
import { projectFile, StaticFiles } from '../pages/static-files.ts';
import type { Article } from './markdown.ts';

const library = (file: string) => () => readFileSync(createRequire(import.meta.url).resolve(`swagger-ui-dist/${file}`));

export const referenceFiles = new StaticFiles({
  'reference.css': () => `${library('swagger-ui.css')()}${projectFile('src/web/docs/assets/reference.css')}`,
  'swagger-ui-bundle.js': library('swagger-ui-bundle.js'),
  'reference.js': () => projectFile('src/web/docs/assets/reference.js'),
});

export const referenceArticle: Article = {
  title: 'Reference',
  summary: 'Every endpoint with its parameters, headers and columns, to try in the browser.',
  headings: [],
  bringsMain: true,
  body: html`<section aria-label="About the reference"><h1>Endpoints</h1>
<p class="lead">Every endpoint with its parameters, headers and columns. Give a key to try one.</p>
<noscript><p>The reader needs JavaScript. The interface description itself is at <a href="/openapi.json">/openapi.json</a>.</p></noscript></section>
<div id="docs"></div>`,
};
