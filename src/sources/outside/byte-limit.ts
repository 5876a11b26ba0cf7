/** Bounds the bytes that come over HTTP while they are received. */

/** Passes chunks on, and throws the refusal once all that it has passed have more than `most` bytes. It can bound several bodies together. */
export const byteLimit = (
  most: number,
  refusal: () => Error,
): ((chunks: AsyncIterable<Buffer> | Iterable<Buffer>) => AsyncGenerator<Buffer>) => {
  let size = 0;
  return async function* (chunks) {
    for await (const chunk of chunks) {
      size += chunk.length;
      if (size > most) throw refusal();
      yield chunk;
    }
  };
};
