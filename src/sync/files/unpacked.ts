/** Bytes that are unpacked: a file that grows beyond measure is refused. */
import { OperatorError } from '../../errors.ts';
import { printable } from '../../printable.ts';

/** Exports shrink by 5 to 50 times. A file that is made to fill a disk shrinks by up to 1,000. */
const maxRatio = 200;
const alwaysAllowed = 100 * 1024 * 1024;

/** Gives the unpacked bytes. Throws an `OperatorError` if they are too many for the packed ones. */
export async function* unpacked(
  bytes: AsyncIterable<Buffer>,
  { name, packedBytes }: { readonly name: string; readonly packedBytes: number },
): AsyncGenerator<Buffer> {
  const most = Math.max(alwaysAllowed, packedBytes * maxRatio);
  let size = 0;
  for await (const chunk of bytes) {
    size += chunk.length;
    if (size > most)
      throw new OperatorError(`${printable(name)} grows to more than ${maxRatio} times its size. If it is no attack, deliver it unpacked.`);
    yield chunk;
  }
}
