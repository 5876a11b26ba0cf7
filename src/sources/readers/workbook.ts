/** The library that reads workbooks, loaded only when one is read. */
import readSheet from 'read-excel-file/node';
import { OperatorError } from '../../errors.ts';
import { shown } from '../rejections.ts';

export interface Sheet {
  readonly name: string;
  readonly data: readonly (readonly unknown[])[];
}

/** All sheets of a workbook, with the blanks of their texts. Throws an `OperatorError` if it is none. */
export const readSheets = async (input: string | Buffer, name: string): Promise<readonly Sheet[]> => {
  try {
    return (await readSheet(input, { trim: false })).map(({ sheet, data }) => ({ name: sheet, data }));
  } catch (error) {
    throw new OperatorError(`${shown(name)} is no workbook in the format .xlsx: ${shown((error as Error).message)}`);
  }
};
