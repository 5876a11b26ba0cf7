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
import { type Html, html } from '../../pages/html.ts';
import type { PortalCall, PortalContext, Redirect } from '../context.ts';
import { ExpiredForm, Refusal, refusalText } from '../failures.ts';
import { tokenField } from '../layout.ts';
import type { DataTexts } from '../texts/data.ts';
import type { Wording } from '../texts/wording.ts';
import { readTableStates } from './freshness.ts';
import { uploadPath } from './upload-page.ts';

const limits = { fileSize: outsideLimits.fileBytes, files: outsideLimits.files, fields: 10, fieldSize: 1_000 } as const;

/** A form that was refused before its files were read. */
export interface RefusedUpload {
  readonly mode: Mode;
  readonly refused: Html | string;
}

const { files, fileBytes, totalBytes, loads, seconds, memoryMegabytes } = outsideLimits;

/** The bounds of an upload in words. */
const boundsIn = ({ data: { form }, bytes }: Wording): string =>
  `${form.bounds(files, bytes(fileBytes), bytes(totalBytes), loads)} ${form.reading(seconds / 60, memoryMegabytes)}`;

/** Values of the field for files without a kept source. No source has these names. */
const byName = '';
const byDraft = '+draft';

/** What can read files without a source file: the sources that are kept with the customer, the names of the files, or a draft. */
const readers = (kept: readonly SourceVersion[], { form }: DataTexts): Html =>
  field(
    form.readBy,
    select(
      'kept',
      [...kept.map(({ name, version }) => [name, form.kept(name, version)] as const), [byName, form.byName], [byDraft, form.byDraft]],
      kept[0]?.name ?? byName,
    ),
    form.readByHint,
  );

/** `kept` are the sources that are kept with the customer. */
export const uploadForm = (
  action: string,
  { token, wording }: Pick<PortalCall, 'token' | 'wording'>,
  { refused, kept }: { readonly refused: RefusedUpload | undefined; readonly kept: readonly SourceVersion[] },
): Html => {
  const { form: t } = wording.data;
  const modes = Object.entries(t.modes);
  return html`
<form method="post" action="${action}" enctype="multipart/form-data" class="fields panel" data-drop>
${tokenField(token)}
${field(t.files, html`<input type="file" name="files" multiple>`, t.filesHint(boundsIn(wording)))}
${field(t.folder, html`<input type="file" name="folder" webkitdirectory multiple>`, t.folderHint)}
${readers(kept, wording.data)}
${field(t.source, sourceInput, t.sourceHint)}
${field(t.mode, select('mode', modes, refused?.mode ?? 'full'), t.modeHint)}
<div class="actions"><button name="action" value="check">${t.check}</button><button name="action" value="load" class="primary">${t.load}</button></div>
</form>`;
};

/** The control for a source file. */
export const sourceInput = html`<input type="file" name="source" accept=".yml,.yaml,.json">`;

type RefusalTexts = DataTexts['refusals'];

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
const pathIn = (folder: string, sent: string, { sameName }: RefusalTexts): string => {
  const name = fileNameIn(sent);
  const path = join(folder, name);
  if (existsSync(path)) throw new Refusal(sameName(name));
  return path;
};

/** The text of a source file. */
const readSource = async ({ file, filename }: MultipartFile, { noSource }: RefusalTexts): Promise<NonNullable<Received['source']>> => {
  const name = printable(basename(filename.replaceAll('\\', '/')).slice(0, longestName));
  const within = byteLimit(outsideLimits.sourceBytes, () => new Refusal(noSource(name, outsideLimits.sourceBytes / 1024)));
  const chunks: Buffer[] = [];
  for await (const chunk of within(file)) chunks.push(chunk);
  return { text: Buffer.concat(chunks).toString('utf8'), name };
};

/** Writes the files below `folder`. The form may have none. The token comes first, and nothing is written before it was checked. */
export const receive = async (
  { sessions }: PortalContext,
  { request, session, wording }: PortalCall,
  folder: string,
): Promise<Received> => {
  const { bytes, data } = wording;
  const { refusals: t } = data;
  const fields = new Map<string, string>();
  const names: string[] = [];
  let source: Received['source'];
  const within = byteLimit(totalBytes, () => new Refusal(t.totalSize(bytes(totalBytes))));
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
    else if (part.fieldname === 'source') source = await readSource(part, t);
    else {
      const path = pathIn(folder, part.filename, t);
      await pipeline(part.file, within, createWriteStream(path, { flags: 'wx', mode: 0o600 }));
      if (part.file.truncated) throw new Refusal(t.fileSize(basename(path), bytes(limits.fileSize)));
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
  if (names.length === 0) throw new Refusal(call.wording.data.refusals.noFiles);
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
const asRefusal = (error: unknown, { noSpace }: RefusalTexts): unknown =>
  (error as NodeJS.ErrnoException).code === 'ENOSPC' ? new Refusal(noSpace) : error;

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
    const error = asRefusal(thrown, call.wording.data.refusals);
    if (error instanceof OperatorError) return { mode: 'full', refused: refusalText(error, call.wording) };
    throw error;
  } finally {
    // The rest of a body that was refused. Without it, the connection could not be used again.
    call.request.raw.resume();
  }
};

/** Receives the files of a form, and begins to check or load them. */
export const acceptUpload = (context: PortalContext, call: PortalCall): Promise<Redirect | RefusedUpload> =>
  receiveForm(context, call, (customer, place) => begin(context, call, customer, place));
