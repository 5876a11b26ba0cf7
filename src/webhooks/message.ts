/** The body of an event: the same text in each attempt, because the receiver may compare them. */
export const bodyOf = ({ type, data, created_at }: { readonly type: string; readonly data: string; readonly created_at: Date }): string =>
  `{"type":${JSON.stringify(type)},"timestamp":${JSON.stringify(created_at)},"data":${data}}`;
