/** The explore page: its frame and its files. The script draws everything else. */
import { demoKeysPath } from '../pages/demo-keys.ts';
import { documentOf, publicBar } from '../pages/frame.ts';
import { html } from '../pages/html.ts';
import { keyForm } from '../pages/key-form.ts';
import { pageScript, projectFile, StaticFiles } from '../pages/static-files.ts';

export const exploreFiles = new StaticFiles({
  'explore.js': () => pageScript('src/web/explore/app/main.tsx'),
  'drawing.js': () => pageScript('src/web/browser/charts/drawing.ts'),
  'explore.css': () => projectFile('src/web/explore/assets/explore.css'),
});

export const explorePage = (prefix: string, hasDemoKeys: boolean): string =>
  documentOf({
    prefix,
    title: 'Explore',
    bodyClass: 'explore-page',
    styles: [exploreFiles.path('explore.css')],
    scripts: [exploreFiles.path('explore.js')],
    body: html`${publicBar('/explore', keyForm)}
<main id="content"><noscript>This page needs JavaScript. <span lang="de">Diese Seite braucht JavaScript.</span></noscript>
<div id="root" data-drawing="${exploreFiles.path('drawing.js')}"${hasDemoKeys && html` data-demo-keys="${demoKeysPath}"`}></div></main>`,
  });
