/**
 * Sources that are kept with a customer: the text of each version, with its comments, and who kept it when (contract: kept sources). A
 * customer can have several, one for each name. Each change is in the audit log, in its transaction.
 */
import type { Kysely } from 'kysely';
import { type Actor, recordAction } from '../../access/audit.ts';
import type { Customer } from '../../database/control/customers.ts';
import type { ControlTables } from '../../database/control-tables.ts';
import { OperatorError } from '../../errors.ts';
import { shown } from '../../sync/files/rejections.ts';
import type { Source } from '../source-file.ts';

type Control = Kysely<ControlTables>;
type Owner = Pick<Customer, 'id' | 'slug'>;

/** A version of a source, without its text. */
export interface SourceVersion {
  readonly name: string;
  readonly version: number;
  readonly kept_by: string;
  readonly kept_at: Date;
  /** Whether this version ended the source: it has no text, and loads do not find the source. */
  readonly isEnd: boolean;
}

export interface KeptSource extends SourceVersion {
  readonly text: string;
}

/** The name of the source file in messages and downloads. */
export const fileNameOf = ({ name }: Pick<SourceVersion, 'name'>): string => `${name}.yml`;

export const versionInWords = ({ name, version, kept_by, kept_at }: Omit<SourceVersion, 'isEnd'>): string =>
  `${name}, version ${version}, kept by ${kept_by} at ${kept_at.toISOString()}`;

/** Parses the number of a version. Throws an `OperatorError` if it is none. */
export const parseVersion = (text: string): number => {
  if (!/^[1-9]\d{0,8}$/.test(text)) throw new OperatorError(`'${shown(text)}' is no version: it is a number from 1.`);
  return Number(text);
};

/** A kept source as that of a delivery. */
export const deliveredSource = (source: KeptSource) => ({
  text: source.text,
  name: fileNameOf(source),
  kept: { name: source.name, version: source.version },
});

const versionsOf = (control: Control, { id }: Pick<Customer, 'id'>) =>
  control
    .selectFrom('kept_sources')
    .select(['name', 'version', 'kept_by', 'kept_at'])
    .select((build) => build('text', 'is', null).as('isEnd'))
    .where('customer_id', '=', id)
    .orderBy('name')
    .orderBy('version', 'desc');

/** All versions, by name, the newest first. */
export const sourceHistory = async (control: Control, customer: Pick<Customer, 'id'>): Promise<readonly SourceVersion[]> =>
  (await versionsOf(control, customer).execute()).map((row) => ({ ...row, isEnd: Boolean(row.isEnd) }));

/** The sources that loads can use: the newest version of each name. */
export const currentOf = (history: readonly SourceVersion[]): readonly SourceVersion[] =>
  history.filter(({ name, isEnd }, index) => !isEnd && history[index - 1]?.name !== name);

export const currentSources = async (control: Control, customer: Pick<Customer, 'id'>): Promise<readonly SourceVersion[]> =>
  currentOf(await sourceHistory(control, customer));

const textOf = async (control: Control, { id, slug }: Owner, name: string, version: number): Promise<KeptSource> => {
  const row = await control
    .selectFrom('kept_sources')
    .selectAll()
    .where('customer_id', '=', id)
    .where('name', '=', name)
    .where('version', '=', version)
    .executeTakeFirst();
  if (row?.text == null) throw new OperatorError(`${slug} has no version ${version} of a source '${shown(name)}'.`);
  return { ...row, text: row.text, isEnd: false };
};

/**
 * The source with this name, or the only one. Without `version`, it is the newest. Throws an `OperatorError` that names the sources if there is
 * none, or if several are possible.
 */
export const findKeptSource = async (
  control: Control,
  customer: Owner,
  { name, version }: { readonly name?: string | undefined; readonly version?: number | undefined } = {},
): Promise<KeptSource> => {
  if (name?.includes('\0')) throw new OperatorError('The name of a source has no NUL.');
  if (name !== undefined && version !== undefined) return textOf(control, customer, name, version);
  const current = await currentSources(control, customer);
  const found = current.filter((one) => name === undefined || one.name === name);
  const [first] = found;
  if (first && found.length === 1) return textOf(control, customer, first.name, version ?? first.version);
  const names = current.map((one) => one.name).join(', ');
  if (found.length > 1) throw new OperatorError(`${customer.slug} has the kept sources ${names}: name one.`);
  throw new OperatorError(
    `${customer.slug} has no kept source${name === undefined ? '' : ` '${shown(name)}'`}.${names === '' ? '' : ` It has ${names}.`}`,
  );
};

/** Refuses a password in the address of a database, because operators read kept sources. */
const refusePasswords = ({ databases = {} }: Source): void => {
  for (const [name, { url }] of Object.entries(databases)) {
    const address = url.replaceAll(/\$\{\w+\}/g, '');
    const parsed = URL.canParse(address) ? new URL(address) : undefined;
    if (parsed && (parsed.password !== '' || /password/i.test(parsed.search)))
      throw new OperatorError(
        `The address of the database ${shown(name)} has a password. A kept source names a variable in its place, such as \${SOURCE_PASSWORD}.`,
      );
  }
};

const uniqueViolation = '23505';

/** Adds a version after `after`, the newest. */
const addVersion = async (
  control: Control,
  { customer: { id, slug }, actor, action }: { readonly customer: Owner; readonly actor: Actor; readonly action: string },
  { name, text, after }: { readonly name: string; readonly text: string | null; readonly after: number },
): Promise<SourceVersion> => {
  const version = after + 1;
  try {
    return await control.transaction().execute(async (transaction) => {
      await recordAction(transaction, actor, action, `${slug}: ${name}, version ${version}`);
      const { kept_by, kept_at } = await transaction
        .insertInto('kept_sources')
        .values({ customer_id: id, name, version, text, kept_by: actor.name })
        .returning(['kept_by', 'kept_at'])
        .executeTakeFirstOrThrow();
      return { name, version, kept_by, kept_at, isEnd: text === null };
    });
  } catch (error) {
    if ((error as { code?: string }).code !== uniqueViolation) throw error;
    throw new OperatorError(changedMeanwhile(name));
  }
};

const changedMeanwhile = (name: string): string =>
  `The source ${name} has a newer version, which somebody else kept meanwhile: look at it, and change that one.`;

export interface Keeping {
  readonly customer: Owner;
  readonly actor: Actor;
}

/**
 * Keeps the text of a source file as the newest version of its source. `source` is what the text says. `after`: the version that was
 * changed, 0 for a new source; absent: whichever is the newest. Throws an `OperatorError` if another version came meanwhile. An equal text
 * makes no version.
 */
export const keepSource = async (
  control: Control,
  { customer, actor }: Keeping,
  { source, text, after }: { readonly source: Source; readonly text: string; readonly after?: number | undefined },
): Promise<SourceVersion> => {
  refusePasswords(source);
  const { name } = source;
  if (text.includes('\0')) throw new OperatorError('A source file has no NUL.');
  const newest = (await sourceHistory(control, customer)).find((one) => one.name === name);
  if (after !== undefined && after !== (newest?.version ?? 0)) throw new OperatorError(changedMeanwhile(name));
  if (newest && !newest.isEnd && (await textOf(control, customer, name, newest.version)).text === text) return newest;
  return addVersion(control, { customer, actor, action: 'kept source' }, { name, text, after: newest?.version ?? 0 });
};

/** Ends a source: loads do not find it any more. Its versions stay. Throws an `OperatorError` if there is none of this name. */
export const endSource = async (control: Control, { customer, actor }: Keeping, name: string): Promise<SourceVersion> => {
  const { version } = await findKeptSource(control, customer, { name });
  return addVersion(control, { customer, actor, action: 'ended source' }, { name, text: null, after: version });
};
