/** The views of an answer in GraphiQL. The examples, links to them and the page use these names. */
export const viewNames = ['JSON', 'Table', 'Chart', 'REST', 'Code'] as const;
export type ViewName = (typeof viewNames)[number];
