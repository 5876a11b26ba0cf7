/** The parts of an OpenAPI 3.1 document that this one is made of. */

export interface ReferenceObject {
  readonly $ref: string;
}

/** JSON Schema 2020-12. */
export type Schema = Readonly<Record<string, unknown>>;

export interface Header {
  readonly description: string;
  readonly schema: Schema;
}

export interface Example {
  readonly summary?: string;
  readonly value: unknown;
}

/** Examples by name. */
export type Examples = Readonly<Record<string, Example | (ReferenceObject & { readonly value?: never })>>;

export interface ParameterObject {
  readonly name: string;
  readonly in: 'query' | 'path' | 'header';
  readonly required?: true;
  readonly allowEmptyValue?: true;
  readonly description: string;
  readonly schema: Schema;
  readonly style?: 'form';
  readonly explode?: boolean;
  readonly example?: unknown;
  readonly examples?: Readonly<Record<string, Example>>;
}

export interface Response {
  readonly description: string;
  readonly headers: Readonly<Record<string, ReferenceObject>>;
  readonly content?: Readonly<Record<string, { schema: Schema | ReferenceObject; example?: unknown; examples?: Examples }>>;
}

export interface OpenApiOperation {
  readonly tags: readonly string[];
  readonly operationId: string;
  readonly summary: string;
  readonly description: string;
  readonly security?: readonly Readonly<Record<string, readonly string[]>>[];
  readonly parameters?: readonly (ParameterObject | ReferenceObject)[];
  readonly requestBody?: { readonly required: true; readonly content: Readonly<Record<string, { schema: Schema | ReferenceObject }>> };
  /** The responses, by status. */
  readonly responses: Readonly<Record<string, Response | ReferenceObject>>;
}

/** HEAD answers as GET does, without a body, and is not described (contract: methods). */
export interface PathItem {
  readonly get?: OpenApiOperation;
  readonly post?: OpenApiOperation;
  readonly put?: OpenApiOperation;
  readonly delete?: OpenApiOperation;
}

export interface Components {
  readonly schemas: Readonly<Record<string, Schema>>;
  readonly parameters: Readonly<Record<string, ParameterObject>>;
  readonly headers: Readonly<Record<string, Header>>;
  readonly responses: Readonly<Record<string, Response>>;
  readonly examples: Readonly<Record<string, Example>>;
}

export interface OpenApiDocument {
  readonly openapi: '3.1.0';
  readonly info: { readonly title: string; readonly version: string; readonly summary: string; readonly description: string };
  readonly servers: readonly { readonly url: string }[];
  readonly security: readonly Readonly<Record<string, readonly string[]>>[];
  readonly tags: readonly { readonly name: string; readonly description: string }[];
  readonly paths: Readonly<Record<string, PathItem>>;
  readonly components: Components & { readonly securitySchemes: Readonly<Record<string, Schema>> };
}

/** Paths and the components that they bring along. */
export interface DocumentPart {
  readonly paths: Readonly<Record<string, PathItem>>;
  readonly components?: Partial<Components>;
}

export const ref = (section: keyof Components, name: string): ReferenceObject => ({ $ref: `#/components/${section}/${name}` });

const referencePattern = /"\$ref":"#\/components\/([^/"]+)\/([^/"]+)"/g;

/** Components that the paths mention, directly or through one another, in the order in which they are given. */
export const mentionedComponents = (paths: OpenApiDocument['paths'], components: Components): Components => {
  const mentioned = new Set<string>();
  const visit = (value: unknown): void => {
    for (const [reference, section = '', name = ''] of JSON.stringify(value).matchAll(referencePattern)) {
      if (mentioned.has(reference)) continue;
      mentioned.add(reference);
      visit(components[section as keyof Components][name]);
    }
  };
  visit(paths);
  const keep = <T>(section: keyof Components, all: Readonly<Record<string, T>>): Record<string, T> =>
    Object.fromEntries(Object.entries(all).filter(([name]) => mentioned.has(JSON.stringify(ref(section, name)).slice(1, -1))));
  return {
    schemas: keep('schemas', components.schemas),
    parameters: keep('parameters', components.parameters),
    headers: keep('headers', components.headers),
    responses: keep('responses', components.responses),
    examples: keep('examples', components.examples),
  };
};
