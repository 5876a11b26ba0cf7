/** The data of an event with the paths of tables as clients see them. Events are stored without the path prefix of the service. */
export const withPublicPaths = (data: string, publicPath: (path: string) => string): string =>
  data.replaceAll('"endpoint_url":"/', () => `"endpoint_url":"${publicPath('/')}`);

/** The body of an event: the same text in each attempt, because the receiver may compare them. */
export const bodyOf = ({ type, data, created_at }: { readonly type: string; readonly data: string; readonly created_at: Date }): string =>
  `{"type":${JSON.stringify(type)},"timestamp":${JSON.stringify(created_at)},"data":${data}}`;
