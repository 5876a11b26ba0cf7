/** The views of an answer in GraphiQL. The examples, links to them and the page use these names. */
export const viewNames = ['JSON', 'Table', 'REST', 'Code'] as const;
export type ViewName = (typeof viewNames)[number];

/** The view of a name in an address. A chart is one of Explore, which the table leads to. */
export const viewNamed = (name: string | null): ViewName =>
  viewNames.find((each) => each === name) ?? (name === 'Chart' ? 'Table' : 'JSON');
