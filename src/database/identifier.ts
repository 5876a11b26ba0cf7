/** Names in SQL text. They are always quoted and schema-qualified. */
export const quote = (name: string): string => `"${name.replaceAll('"', '""')}"`;
export const qualify = (schema: string, name: string): string => `${quote(schema)}.${quote(name)}`;
