import { readdirSync, readlinkSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { BufferPool } from '../../src/body.ts';
import { ResponseSpool } from '../../src/execute/spool.ts';

const memory = 100;
const bufferSize = 64;

const readAll = async (spool: ResponseSpool): Promise<Buffer> => {
  const chunks: Buffer[] = [];
  for await (const chunk of spool) chunks.push(Buffer.from(chunk));
  return Buffer.concat(chunks);
};

/** Open spool files of this process. They have no name any more. */
const openFiles = () =>
  readdirSync('/proc/self/fd').filter((fd) => {
    try {
      return readlinkSync(`/proc/self/fd/${fd}`).includes('.spool');
    } catch {
      return false;
    }
  });

describe('data from the database waits in memory, then on disk', () => {
  test('all data is returned once and in order, at any reading speed', async () => {
    const chunks = fc.array(fc.uint8Array({ minLength: 1, maxLength: 120 }), { maxLength: 30 });
    await fc.assert(
      fc.asyncProperty(chunks, fc.nat(30), async (all, before) => {
        const buffers = new BufferPool(bufferSize);
        const spool = new ResponseSpool(buffers, memory);
        const push = (chunk: Uint8Array) => {
          const buffer = buffers.take(chunk.length);
          buffer.set(chunk);
          spool.push(buffer);
        };
        for (const chunk of all.slice(0, before)) push(chunk);
        const read = readAll(spool);
        for (const chunk of all.slice(before)) push(chunk);
        spool.end();
        expect(await read).toEqual(Buffer.concat(all));
      }),
      { numRuns: 60 },
    );
    expect(openFiles()).toEqual([]);
  });

  test('a failure reaches the reader at once, before waiting data', async () => {
    const spool = new ResponseSpool(new BufferPool(bufferSize), memory);
    const chunks = spool[Symbol.asyncIterator]();
    for (let i = 0; i < 5; i++) spool.push(Buffer.alloc(60));
    await chunks.next();
    spool.fail(new Error('the backend died'));
    await expect(chunks.next()).rejects.toThrow('the backend died');
    expect(openFiles()).toEqual([]);
  });

  test('a failure wakes a waiting reader', async () => {
    const spool = new ResponseSpool(new BufferPool(bufferSize), memory);
    const read = readAll(spool);
    spool.fail(new Error('the backend died'));
    await expect(read).rejects.toThrow('the backend died');
  });

  test('a reader that stops early leaves no resources behind', async () => {
    const spool = new ResponseSpool(new BufferPool(bufferSize), memory);
    for (let i = 0; i < 5; i++) spool.push(Buffer.alloc(60));
    for await (const _ of spool) break;
    expect(openFiles()).toEqual([]);
  });

  test('the source pauses while the disk is slower, and continues after it', async () => {
    const signals: string[] = [];
    const spool = new ResponseSpool(new BufferPool(bufferSize), memory, {
      pause: () => signals.push('pause'),
      resume: () => signals.push('resume'),
    });
    for (let i = 0; i < 10; i++) spool.push(Buffer.alloc(90, i));
    expect(signals).toContain('pause');
    spool.end();
    expect((await readAll(spool)).length).toBe(900);
    expect(signals.at(-1)).toBe('resume');
  });
});
