/**
 * A strict reader of one line of NDJSON: an object whose values are texts, numbers, true, false and null.
 *
 * `JSON.parse` keeps the last of two members with one name, and the digits of a number that fit into 53 bits. This reader refuses the former
 * and returns numbers as they are written.
 */
import { OperatorError } from '../../errors.ts';

/** The line has another form. The message names no text of the line. */
export class NoRow extends Error {
  /** The member whose value is wrong. */
  readonly member: string | undefined;

  constructor(what: string, member?: string) {
    super(what);
    this.member = member;
  }
}

const text = '"([^"\\\\\\u0000-\\u001f]*(?:\\\\(?:["\\\\/bfnrt]|u[0-9a-fA-F]{4})[^"\\\\\\u0000-\\u001f]*)*)"';
const blanks = '[ \\t\\r]*';
const namePattern = new RegExp(`${blanks}${text}${blanks}:${blanks}`, 'y');
const valuePattern = new RegExp(`(?:${text}|(-?(?:0|[1-9][0-9]*)(?:\\.[0-9]+)?(?:[eE][+-]?[0-9]+)?)|(true|false|null))${blanks}`, 'y');
const startPattern = new RegExp(`${blanks}\\{${blanks}`, 'y');
const endPattern = new RegExp(`${blanks}$`, 'y');

const textOf = (raw: string): string => {
  const value = raw.includes('\\') ? (JSON.parse(`"${raw}"`) as string) : raw;
  if (!isWellFormed(value)) throw new NoRow('a \\u escape is half of a surrogate pair');
  return value;
};

const loneSurrogate = /\p{Surrogate}/u;
export const isWellFormed = (value: string): boolean => !loneSurrogate.test(value);

const matchAt = (pattern: RegExp, line: string, at: number): RegExpExecArray | null => {
  pattern.lastIndex = at;
  return pattern.exec(line);
};

const broken = (at: number): NoRow => new NoRow(`the line is no JSON object: position ${at + 1} is not as JSON requires`);

/** The members of the object; undefined for a blank line. Throws `NoRow`. */
export const readJsonLine = (line: string): ReadonlyMap<string, string | null> | undefined => {
  if (matchAt(endPattern, line, 0)) return undefined;
  const members = new Map<string, string | null>();
  let at = (matchAt(startPattern, line, 0) ?? [''])[0].length;
  if (at === 0) throw broken(line.search(/[^ \t\r]/));
  if (line[at] === '}') at++;
  else
    for (;;) {
      const name = matchAt(namePattern, line, at);
      if (!name) throw broken(at);
      at += name[0].length;
      const member = textOf(name[1] as string);
      const value = matchAt(valuePattern, line, at);
      if (!value) {
        if (line[at] === '{' || line[at] === '[') throw new NoRow('an object or a list is no value of a column', member);
        throw broken(at);
      }
      if (members.has(member)) throw new NoRow('the line has this member twice', member);
      const [whole, string, number, word] = value;
      members.set(member, string === undefined ? (number ?? (word === 'null' ? null : (word as string))) : textOf(string));
      at += whole.length;
      const separator = line[at++];
      if (separator === '}') break;
      if (separator !== ',') throw broken(at - 1);
    }
  if (!matchAt(endPattern, line, at)) throw broken(at);
  return members;
};

/** Refuses a document that is one list, which is JSON and not NDJSON. */
export const refuseList = (file: string, firstLine: string): void => {
  if (/^[ \t]*\[/.test(firstLine))
    throw new OperatorError(`${file} is a JSON list: NDJSON has one object on each line, without brackets and commas (jq -c '.[]').`);
};
