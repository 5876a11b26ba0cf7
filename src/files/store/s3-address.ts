/** The address of an S3-compatible store, as `FILES_S3_URL` holds it: `https://<key>:<secret>@<host>/<bucket>/<prefix>?region=<region>`. */

export interface S3Address {
  /** The address of the bucket, without the key. */
  readonly endpoint: string;
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly region: string;
  /** The beginning of all names, empty or with a `/` at its end. */
  readonly prefix: string;
}

const standardRegion = 'us-east-1';

/** Undefined if the text is no such address. */
export const parseS3Address = (text: string): S3Address | undefined => {
  if (!URL.canParse(text)) return undefined;
  const { protocol, username, password, host, pathname, searchParams, hash } = new URL(text);
  const [bucket, ...folders] = pathname.split('/').filter(Boolean);
  const hasOthers = [...searchParams.keys()].some((name) => name !== 'region');
  if (!/^https?:$/.test(protocol) || !username || !password || !bucket || hasOthers || hash) return undefined;
  return {
    endpoint: `${protocol}//${host}/${bucket}`,
    accessKeyId: decodeURIComponent(username),
    secretAccessKey: decodeURIComponent(password),
    region: searchParams.get('region') || standardRegion,
    prefix: folders.map((folder) => `${folder}/`).join(''),
  };
};
