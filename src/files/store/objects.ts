/** Where files are stored: a folder or an S3-compatible store, as objects with names. A name has folders, divided by `/`. */

export interface FoundObject {
  readonly name: string;
  /** The time of the last change in milliseconds; undefined if the object is gone. */
  changedAt(): Promise<number | undefined>;
}

/** Every method throws the error `filesUnavailable` while the store is unreachable or slow. */
export interface Objects {
  /** The objects whose names begin with a prefix. */
  list(prefix: string): Promise<readonly FoundObject[]>;
  /** The text of a small object; undefined if there is none. */
  read(name: string): Promise<string | undefined>;
  /** Creates a small object. Returns false and changes nothing if there is one already. */
  create(name: string, text: string): Promise<boolean>;
  /** Creates an object from a local file, which it may move. The object is complete or absent. */
  upload(path: string, name: string, signal: AbortSignal): Promise<void>;
  /** The bytes from `first` to `last`, read at the speed of the reader; undefined if there is no such object. */
  open(name: string, first: number, last: number): Promise<AsyncIterable<Buffer> | undefined>;
  /** Removes an object if there is one. */
  remove(name: string): Promise<void>;
  /** Removes everything in a folder. */
  removeFolder(folder: string): Promise<void>;
}
