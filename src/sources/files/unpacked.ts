/** Bytes that are unpacked: errors have the file's name, and a file that grows beyond measure is refused. */
import { OperatorError } from '../../errors.ts';
import { shown } from '../rejections.ts';

/** Exports shrink by 5 to 50 times. A file that is made to fill a disk shrinks by up to 1,000. */
const maxRatio = 200;
const alwaysAllowed = 100 * 1024 * 1024;

/** Gives the bytes of `open`. Throws an `OperatorError` if they are damaged or too many. */
export async function* unpacked(
  open: () => AsyncIterable<Buffer> | Promise<AsyncIterable<Buffer>>,
  { name, packedBytes }: { readonly name: string; readonly packedBytes: number },
): AsyncGenerator<Buffer> {
  const most = Math.max(alwaysAllowed, packedBytes * maxRatio);
  let size = 0;
  try {
    for await (const chunk of await open()) {
      size += chunk.length;
      if (size > most)
        throw new OperatorError(`${shown(name)} grows to more than ${maxRatio} times its size. If it is no attack, deliver it unpacked.`);
      yield chunk;
    }
  } catch (error) {
    if (error instanceof OperatorError) throw error;
    throw new OperatorError(
      `${shown(name)} cannot be unpacked, so it may be cut or damaged: deliver it again (${shown((error as Error).message)}).`,
    );
  }
}
