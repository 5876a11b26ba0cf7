/** Files that an operator uploads: received in a temporary folder, and checked or loaded in the background (`sources/outside/uploads.ts`). */
import { createWriteStream, existsSync } from 'node:fs';
import { basename, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { Multipart, MultipartFile } from '@fastify/multipart';
import { type Customer, findCustomer } from '../../../database/control/customers.ts';
import { OperatorError } from '../../../errors.ts';
import { printable } from '../../../printable.ts';
import { deliveredSource, findKeptSource, type SourceVersion } from '../../../sources/kept/kept-sources.ts';
import { rawTableOf } from '../../../sources/keys/key-type.ts';
import { byteLimit } from '../../../sources/outside/byte-limit.ts';
import { fileNameIn, longestName } from '../../../sources/outside/file-names.ts';
import { outsideLimits } from '../../../sources/outside/limits.ts';
import type { DeliveredSource } from '../../../sources/outside/load-outside.ts';
import { endOfLoad, type Place } from '../../../sources/outside/uploads.ts';
import { type Mode, tablesNamedIn } from '../../../sync/files/source-files.ts';
import { field, select } from '../../pages/elements.ts';
import { formatBytes } from '../../pages/format.ts';
import { type Html, html } from '../../pages/html.ts';
import type { PortalCall, PortalContext, Redirect } from '../context.ts';
import { ExpiredForm } from '../failures.ts';
import { tokenField } from '../layout.ts';
import { readTableStates } from './freshness.ts';
import { uploadPath } from './upload-page.ts';

const limits = { fileSize: outsideLimits.fileBytes, files: outsideLimits.files, fields: 10, fieldSize: 1_000 } as const;

const modes = [
  ['full', 'Each file is its whole table'],
  ['upsert', 'Files hold new and changed rows'],
] as const;

/** A form that was refused before its files were read. */
export interface RefusedUpload {
  readonly mode: Mode;
  readonly refused: string;
}

const { files, fileBytes, totalBytes, loads, seconds, memoryMegabytes } = outsideLimits;

/** The bounds of an upload in words. */
const bounds = `Up to ${files} files of ${formatBytes(fileBytes)}, ${formatBytes(totalBytes)} together, and ${loads} deliveries at once. Reading may take ${seconds / 60} minutes and ${memoryMegabytes} MB of memory.`;

/** Values of the field for files without a kept source. No source has these names. */
const byName = '';
const byDraft = '+draft';

/** What can read files without a source file: the sources that are kept with the customer, the names of the files, or a draft. */
const readers = (kept: readonly SourceVersion[]): Html =>
  field(
    'Read by',
    select(
      'kept',
      [
        ...kept.map(({ name, version }) => [name, `the kept source ${name}, version ${version}`] as const),
        [byName, 'the names of the files, such as person.csv'],
        [byDraft, 'a draft: the service proposes a source'],
      ],
      kept[0]?.name ?? byName,
    ),
    'Files without the name of a raw table are drafted. A source file below takes the place of this choice.',
  );

/** `kept` are the sources that are kept with the customer. */
export const uploadForm = (
  action: string,
  token: string,
  { refused, kept }: { readonly refused: RefusedUpload | undefined; readonly kept: readonly SourceVersion[] },
): Html => html`
<form method="post" action="${action}" enctype="multipart/form-data" class="fields panel" data-drop>
${tokenField(token)}
${field('Files', html`<input type="file" name="files" multiple>`, `Choose them, or drop files, a folder or a zip here. CSV, Excel, OpenDocument, JSON, Parquet or DATEV, with any names. ${bounds}`)}
${field('Or a folder', html`<input type="file" name="folder" webkitdirectory multiple>`, 'With its folders, and without hidden files.')}
${readers(kept)}
${field('Source file', sourceInput, 'Optional: describes an export of an ERP system. It reads the uploaded files only: no database and no variable.')}
${field('Mode', select('mode', modes, refused?.mode ?? 'full'), 'A source file has its own mode.')}
<div class="actions"><button name="action" value="check">Check only</button><button name="action" value="load" class="primary">Load</button></div>
</form>`;

/** The control for a source file. */
export const sourceInput = html`<input type="file" name="source" accept=".yml,.yaml,.json">`;

type Fields = ReadonlyMap<string, string>;

/** Anything but `upsert` is a full load, as in a form without the field. */
const modeOf = (fields: Fields): Mode => (fields.get('mode') === 'upsert' ? 'upsert' : 'full');

export interface Received {
  readonly fields: Fields;
  /** The names of the delivered files. */
  readonly names: readonly string[];
  /** The text of the source file, and its name; undefined without one. */
  readonly source: DeliveredSource | undefined;
}

/** The path of a file as the browser named it. Two files of one name would replace each other. */
const pathIn = (folder: string, sent: string): string => {
  const name = fileNameIn(sent);
  const path = join(folder, name);
  if (existsSync(path)) throw new OperatorError(`Two files have the name '${name}'.`);
  return path;
};

/** The text of a source file. */
const readSource = async ({ file, filename }: MultipartFile): Promise<NonNullable<Received['source']>> => {
  const name = printable(basename(filename.replaceAll('\\', '/')).slice(0, longestName));
  const within = byteLimit(
    outsideLimits.sourceBytes,
    () => new OperatorError(`${name} is larger than ${outsideLimits.sourceBytes / 1024} KB, so it is no source file.`),
  );
  const chunks: Buffer[] = [];
  for await (const chunk of within(file)) chunks.push(chunk);
  return { text: Buffer.concat(chunks).toString('utf8'), name };
};

/** Writes the files below `folder`. The form may have none. The token comes first, and nothing is written before it was checked. */
export const receive = async ({ sessions }: PortalContext, { request, session }: PortalCall, folder: string): Promise<Received> => {
  const fields = new Map<string, string>();
  const names: string[] = [];
  let source: Received['source'];
  const within = byteLimit(totalBytes, () => new OperatorError(`The files are larger than ${formatBytes(totalBytes)} together.`));
  const checkToken = () => {
    if (!sessions.hasToken(session, fields.get('token') ?? '')) throw new ExpiredForm();
  };
  for await (const part of request.parts({ limits }) as AsyncIterable<Multipart>) {
    if (part.type === 'field') {
      fields.set(part.fieldname, String(part.value));
      continue;
    }
    checkToken();
    // A browser sends a file field without a file as an empty file without a name.
    if (!part.filename) part.file.resume();
    else if (part.fieldname === 'source') source = await readSource(part);
    else {
      const path = pathIn(folder, part.filename);
      await pipeline(part.file, within, createWriteStream(path, { flags: 'wx', mode: 0o600 }));
      if (part.file.truncated) throw new OperatorError(`${basename(path)} is larger than ${formatBytes(limits.fileSize)}.`);
      names.push(basename(path));
    }
  }
  checkToken();
  return { fields, names, source };
};

/** The kept source that the form names; undefined for files of raw tables. */
const keptSource = async ({ database }: PortalContext, customer: Customer, fields: Fields): Promise<DeliveredSource | undefined> => {
  const name = fields.get('kept') ?? byName;
  return name === byName || name === byDraft ? undefined : deliveredSource(await findKeptSource(database.control, customer, { name }));
};

/** Whether nothing says what the files are, so that the service proposes it. */
const isDrafted = async ({ database }: PortalContext, { schema_name }: Customer, fields: Fields, folder: string): Promise<boolean> => {
  if (fields.get('kept') === byDraft) return true;
  const states = await readTableStates(database, schema_name);
  return !tablesNamedIn(folder).some(
    (name) => rawTableOf(name) !== undefined || states.some((one) => one.kind === 'raw' && one.name === name),
  );
};

/** Begins the check or the load. The log says who did it before it happens, and what came of a load after it. */
const begin = async (context: PortalContext, call: PortalCall, customer: Customer, place: Place): Promise<Redirect> => {
  const { fields, names, source: sent } = await receive(context, call, place.folder);
  if (names.length === 0) throw new OperatorError('Choose the files to load.');
  const source = sent ?? (await keptSource(context, customer, fields));
  const isDraft = !source && (await isDrafted(context, customer, fields, place.folder));
  const isCheck = isDraft || fields.get('action') !== 'load';
  const reader = source ? `${source.name}${source.kept ? ` version ${source.kept.version}` : ''}, ` : '';
  const subject = `${customer.slug}: ${reader}${names.join(', ')}`;
  await context.record(call, `uploaded files to ${isDraft ? 'draft' : isCheck ? 'check' : 'load'}`, subject);
  const id = await context.uploads.start(place, {
    customer,
    actor: call.actor.name,
    isCheck,
    isDraft,
    mode: modeOf(fields),
    files: names,
    source,
    ended: async (isLoaded) => {
      if (!isCheck) await context.record(call, endOfLoad(isLoaded), subject);
    },
  });
  return { to: uploadPath(customer, id) };
};

/** An error of the disk, for people. */
const asRefusal = (error: unknown): unknown =>
  (error as NodeJS.ErrnoException).code === 'ENOSPC' ? new OperatorError('The service has no space left for the files.') : error;

/** Receives a form with files in a place, for `work`. Throws a `PageError` if the form has expired. */
export const receiveForm = async (
  context: PortalContext,
  call: PortalCall,
  work: (customer: Customer, place: Place) => Promise<Redirect>,
): Promise<Redirect | RefusedUpload> => {
  try {
    const customer = await findCustomer(context.database, call.parameter('slug'));
    return await context.uploads.inPlace((place) => work(customer, place));
  } catch (thrown) {
    const error = asRefusal(thrown);
    if (error instanceof OperatorError) return { mode: 'full', refused: error.message };
    throw error;
  } finally {
    // The rest of a body that was refused. Without it, the connection could not be used again.
    call.request.raw.resume();
  }
};

/** Receives the files of a form, and begins to check or load them. */
export const acceptUpload = (context: PortalContext, call: PortalCall): Promise<Redirect | RefusedUpload> =>
  receiveForm(context, call, (customer, place) => begin(context, call, customer, place));
