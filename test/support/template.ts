/** Prepares the template once for a run, also if several projects need it (`template-database.ts`). */
import type { TestProject } from 'vitest/node';

type Template = { readonly folder: string } | { readonly database: string; readonly prefix: string };

declare module 'vitest' {
  interface ProvidedContext {
    /** The files of an embedded database, or the name of a database on the server. */
    template: Template;
  }
}

export interface Prepared {
  readonly template: Template;
  remove(): Promise<void>;
}

/** Each project has its own modules, so what they share is a property of the process. */
const run = globalThis as { estateTemplate?: Promise<Prepared>; estateTemplateUsers?: number };

export default async (project: TestProject) => {
  run.estateTemplateUsers = (run.estateTemplateUsers ?? 0) + 1;
  run.estateTemplate ??= import('./template-database.ts').then(({ prepareTemplate }) => prepareTemplate());
  const { template, remove } = await run.estateTemplate;
  project.provide('template', template);
  return async () => {
    run.estateTemplateUsers!--;
    if (run.estateTemplateUsers === 0) await remove();
  };
};
