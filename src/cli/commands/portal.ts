/** `estate portal hash` */
import { isOperatorName, minPassword, writeHash } from '../../access/password.ts';
import { OperatorError } from '../../errors.ts';
import { askOperator, isOnTerminal, readLine } from '../ask.ts';

/** Prompts twice, because the input is hidden. */
const askPassword = async (): Promise<string> => {
  const password = await askOperator('Password: ', true);
  if (password.length >= minPassword && (await askOperator('Once more: ', true)) !== password)
    throw new OperatorError('The two are not the same; nothing was printed.');
  return password;
};

export const printHash = async (name: string | undefined): Promise<void> => {
  if (name !== undefined && !isOperatorName(name))
    throw new OperatorError(`'${name}' is no name of an operator: small letters, digits and . _ @ -`);
  const password = isOnTerminal() ? await askPassword() : await readLine();
  if (password.length < minPassword) throw new OperatorError(`A password has at least ${minPassword} characters.`);
  process.stdout.write(`${name === undefined ? '' : `${name}:`}${writeHash(password)}\n`);
};
