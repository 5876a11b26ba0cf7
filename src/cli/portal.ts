/** `estate portal hash` */
import { OperatorError } from '../errors.ts';
import { isOperatorName, leastPassword, writeHash } from '../portal/password.ts';
import { ask, isOnTerminal, readLine } from './ask.ts';

/** Twice, since nobody sees what they type. */
const askPassword = async (): Promise<string> => {
  const password = await ask('Password: ', true);
  if (password.length >= leastPassword && (await ask('Once more: ', true)) !== password)
    throw new OperatorError('The two are not the same; nothing was printed.');
  return password;
};

export const printHash = async (name: string | undefined): Promise<void> => {
  if (name !== undefined && !isOperatorName(name))
    throw new OperatorError(`'${name}' is no name of an operator: small letters, digits and . _ @ -`);
  const password = isOnTerminal() ? await askPassword() : await readLine();
  if (password.length < leastPassword) throw new OperatorError(`A password has at least ${leastPassword} characters.`);
  process.stdout.write(`${name === undefined ? '' : `${name}:`}${writeHash(password)}\n`);
};
