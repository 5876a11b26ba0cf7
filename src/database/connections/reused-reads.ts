/**
 * Sockets that read into one buffer. Node allocates a buffer outside the heap for each read, and 64 MB of them start a full garbage
 * collection.
 */
import { Socket, type SocketConstructorOpts } from 'node:net';

/** As many bytes as Node reads at once. */
const bufferSize = 64 * 1024;

/** Receives bytes that are valid until it returns. If it pauses the socket, they are valid until the socket resumes. */
export type Borrower = (bytes: Buffer) => void;

/** The current borrower of each socket with a buffer of its own. */
const borrowers = new WeakMap<Socket, { current: Borrower | undefined }>();

/** Node has this option of `net.connect` in the constructor, too, but its types do not. */
interface ReadingOptions extends SocketConstructorOpts {
  readonly onread: { readonly buffer: Uint8Array; readonly callback: (length: number) => boolean };
}

/** A socket with one buffer for all reads. Listeners of `data` receive copies, because they may keep the bytes. */
export const socketWithReusedBuffer = (): Socket => {
  const borrower: { current: Borrower | undefined } = { current: undefined };
  const buffer = Buffer.allocUnsafeSlow(bufferSize);
  const callback = (length: number): boolean => {
    const bytes = buffer.subarray(0, length);
    if (borrower.current) borrower.current(bytes);
    else socket.emit('data', Buffer.from(bytes));
    return true;
  };
  const options: ReadingOptions = { onread: { buffer, callback } };
  const socket = new Socket(options);
  borrowers.set(socket, borrower);
  return socket;
};

/** Passes the socket's bytes to `borrow` instead of its listeners. Returns false if the socket has no buffer of its own, as with TLS. */
export const borrowReads = (socket: Socket, borrow: Borrower): boolean => {
  const borrower = borrowers.get(socket);
  if (borrower) borrower.current = borrow;
  return borrower !== undefined;
};

export const endBorrowing = (socket: Socket): void => {
  const borrower = borrowers.get(socket);
  if (borrower) borrower.current = undefined;
};
