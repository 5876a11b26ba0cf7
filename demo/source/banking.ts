/** Bank details whose IBAN check digits are right and whose account numbers are invented. */
import type { Random } from './random.ts';

const banks = [
  ['10050000', 'BELADEBEXXX', 'Berliner Sparkasse'],
  ['20050550', 'HASPDEHHXXX', 'Hamburger Sparkasse'],
  ['37040044', 'COBADEFFXXX', 'Commerzbank Köln'],
  ['12030000', 'BYLADEM1001', 'Deutsche Kreditbank Berlin'],
  ['50010517', 'INGDDEFFXXX', 'ING-DiBa'],
  ['70150000', 'SSKMDEMMXXX', 'Stadtsparkasse München'],
] as const;

export interface BankDetails {
  readonly iban: string;
  readonly bic: string;
  readonly bankName: string;
}

export const drawBankDetails = (random: Random): BankDetails => {
  const [code, bic, bankName] = random.pick(banks);
  const account = `000${String(random.int(0, 9_999_999)).padStart(7, '0')}`;
  return { iban: ibanOf(code, account), bic, bankName };
};

/** ISO 13616: 98 minus the remainder of bank code, account, 'DE' as 1314 and two zeros by 97. */
const ibanOf = (bankCode: string, account: string): string => {
  let remainder = 0;
  for (const digit of `${bankCode}${account}131400`) remainder = (remainder * 10 + Number(digit)) % 97;
  return `DE${String(98 - remainder).padStart(2, '0')}${bankCode}${account}`;
};
