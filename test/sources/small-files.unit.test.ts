/** Small files in the forms of real exports, each with its rows or its refusal (contract: files in loads; values in loads). */
import { afterAll, expect, test } from 'vitest';
import { OperatorError } from '../../src/errors.ts';
import { withPreparedExport } from '../../src/sources/prepare-load.ts';
import { parseSource } from '../../src/sources/source-file.ts';
import { folderWith, removeFolders } from './support.ts';

afterAll(removeFolders);

const source = (path: string, options: string) =>
  parseSource(
    `name: erp
formats: { decimalChar: ",", groupChar: ".", dateFormats: ["%d.%m.%Y"] }
dialect: { delimiter: ";" }
tables:
  - table: creditor_hdr
    path: ${path}
    mode: upsert
    primaryKey: Nr
    columns: { website: Name, cash_discount_percent: Betrag, insurance_valid_until: Tag }
    ${options}
`,
    'erp.yml',
  );

/** The key, the text, the amount and the day of each row; or the first line of the refusal. */
const outcomeOf = async (path: string, content: string | Buffer, options: string): Promise<string> => {
  try {
    const delivery = { source: source(path, options), folder: folderWith({ [path]: content }) };
    return await withPreparedExport(delivery, async ({ tables: [table], rejections }) => {
      rejections.throwIfAny();
      const rows: string[] = [];
      for await (const page of table!.pages())
        for (const { key, values } of page.rows()) rows.push([key < 1e9 ? key : 'assigned', ...values].join('|'));
      return rows.join(' / ');
    });
  } catch (error) {
    if (error instanceof OperatorError) return error.message.split('\n')[0]!;
    throw error;
  }
};

const header = 'Nr;Name;Betrag;Tag\n';

test.each<[what: string, content: string | Buffer, outcome: string, options?: string, path?: string]>([
  ['an amount', `${header}1;x;234,56;\n`, '1|x||234.56'],
  [
    'a German amount',
    `${header}1;x;1.234,56;\n`,
    'a.csv, line 2, column Betrag → cash_discount_percent: "1.234,56" has more than 3 digits before the point',
  ],
  [
    'an amount without a group',
    `${header}1;x;1234,5;\n`,
    'a.csv, line 2, column Betrag → cash_discount_percent: "1234,5" has more than 3 digits before the point',
  ],
  ['an integer', `${header}1;x;-7;\n`, '1|x||-7'],
  ['zeros before a number', `${header}1;x;007,50;\n`, '1|x||7.50'],
  [
    'a group of two digits',
    `${header}1;x;1.23;\n`,
    'a.csv, line 2, column Betrag → cash_discount_percent: "1.23" is no number such as 1.234,56: state decimalChar, groupChar or bareNumber in formats',
  ],
  [
    'an amount with a point',
    `${header}1;x;1234.56;\n`,
    'a.csv, line 2, column Betrag → cash_discount_percent: "1234.56" is no number such as 1.234,56: state decimalChar, groupChar or bareNumber in formats',
  ],
  [
    'a minus after the number',
    `${header}1;x;5-;\n`,
    'a.csv, line 2, column Betrag → cash_discount_percent: "5-" is no number such as 1.234,56: state trailingMinus: true in formats',
  ],
  [
    'an amount in parentheses',
    `${header}1;x;(5);\n`,
    'a.csv, line 2, column Betrag → cash_discount_percent: "(5)" is no number such as 1.234,56: state parentheses: true in formats',
  ],
  [
    'an amount with its currency',
    `${header}1;x;5 €;\n`,
    'a.csv, line 2, column Betrag → cash_discount_percent: "5 €" is no number such as 1.234,56: state decimalChar, groupChar or bareNumber in formats',
  ],
  [
    'an exponent',
    `${header}1;x;1e3;\n`,
    'a.csv, line 2, column Betrag → cash_discount_percent: "1e3" is no number such as 1.234,56: state decimalChar, groupChar or bareNumber in formats',
  ],
  [
    'a third decimal',
    `${header}1;x;1,234;\n`,
    'a.csv, line 2, column Betrag → cash_discount_percent: "1,234" has 3 decimals, and the column has 2: apply [{ round: 2 }]',
  ],
  [
    'more digits than the column has',
    `${header}1;x;1.234.567;\n`,
    'a.csv, line 2, column Betrag → cash_discount_percent: "1.234.567" has more than 3 digits before the point',
  ],
  [
    'infinity',
    `${header}1;x;Infinity;\n`,
    'a.csv, line 2, column Betrag → cash_discount_percent: "Infinity" is no number such as 1.234,56: state decimalChar, groupChar or bareNumber in formats',
  ],
  [
    'per cent',
    `${header}1;x;19%;\n`,
    'a.csv, line 2, column Betrag → cash_discount_percent: "19%" is no number such as 1.234,56: state decimalChar, groupChar or bareNumber in formats',
  ],
  ['a minus after the number, declared', `${header}1;x;5-;\n`, '1|x||-5', 'formats: { trailingMinus: true }'],
  ['a stroke in place of the decimals', `${header}1;x;5,-;\n`, '1|x||5'],
  [
    'a stroke that can be a minus',
    `${header}1;x;5,-;\n`,
    'a.csv, line 2, column Betrag → cash_discount_percent: "5,-" can be a number without decimals or a negative one, because trailingMinus is true',
    'formats: { trailingMinus: true }',
  ],
  ['two strokes are no minus', `${header}1;x;5,--;\n`, '1|x||5', 'formats: { trailingMinus: true }'],
  ['an amount in parentheses, declared', `${header}1;x;(5);\n`, '1|x||-5', 'formats: { parentheses: true }'],
  ['an amount with its currency, declared', `${header}1;x;5 €;\n`, '1|x||5', 'formats: { bareNumber: false }'],
  ['a German day', `${header}1;x;;29.02.2024\n`, '1|x|2024-02-29|'],
  [
    'a day that does not exist',
    `${header}1;x;;29.02.2023\n`,
    'a.csv, line 2, column Tag → insurance_valid_until: "29.02.2023" is no date or time in the format %d.%m.%Y or ISO 8601: state its format in dateFormats',
  ],
  ['a short day', `${header}1;x;;1.2.2024\n`, '1|x|2024-02-01|'],
  ['a day in ISO 8601', `${header}1;x;;2024-03-01\n`, '1|x|2024-03-01|'],
  [
    'an American day',
    `${header}1;x;;12/31/2024\n`,
    'a.csv, line 2, column Tag → insurance_valid_until: "12/31/2024" is no date or time in the format %d.%m.%Y or ISO 8601: state its format in dateFormats',
  ],
  [
    'a day with a time',
    `${header}1;x;;31.12.2024 08:00\n`,
    'a.csv, line 2, column Tag → insurance_valid_until: "31.12.2024 08:00" is no date or time in the format %d.%m.%Y or ISO 8601: state its format in dateFormats',
  ],
  [
    'the year 0',
    `${header}1;x;;01.01.0000\n`,
    'a.csv, line 2, column Tag → insurance_valid_until: "01.01.0000" is no date or time in the format %d.%m.%Y or ISO 8601: state its format in dateFormats',
  ],
  [
    'a year of two digits',
    `${header}1;x;;31.12.24\n`,
    'a.csv, line 2, column Tag → insurance_valid_until: "31.12.24" is no date or time in the format %d.%m.%Y or ISO 8601: state its format in dateFormats',
  ],
  ['a word for no value', `${header}1;x;;31.12.9999\n`, '1|x||', "formats: { missingValues: ['31.12.9999'] }"],
  ['blanks around a text', `${header}1; x ;;\n`, '1|x||'],
  ['a text in quotes', `${header}1;"a;b";;\n`, '1|a;b||'],
  ['a quote in a text', `${header}1;"a ""b""";;\n`, '1|a "b"||'],
  ['a comma in a text', `${header}1;a,b;;\n`, '1|a,b||'],
  ['a line break in a text', `${header}1;"a\nb";;\n`, '1|a\nb||'],
  ['an empty text in quotes', `${header}1;"";;\n`, '1|||'],
  ['letters that are not ASCII', `${header}1;Größe;;\n`, '1|Größe||'],
  ['a blank that is not ASCII', `${header}1;\u00a0x;;\n`, '1|x||'],
  [
    'a control character',
    `${header}1;a\u0085b;;\n`,
    'a.csv, line 2, column Name → website: "a\\u{85}b" has control characters: state the encoding of the file',
  ],
  [
    'a quote that is not closed',
    `${header}1;"a;;\n`,
    'a.csv, line 2, value 2: the quote that begins here is not closed: a quote within a value is doubled, and the value is in quotes, or state dialect.quoteChar; false if the file has no quotes.',
  ],
  [
    'a quote within a text',
    `${header}1;a"b;;\n`,
    'a.csv, line 2, value 2: a quote is in a value without quotes around it: a quote within a value is doubled, and the value is in quotes, or state dialect.quoteChar; false if the file has no quotes.',
  ],
  ['zeros before a key', `${header}007;x;;\n`, '7|x||'],
  ['a key of letters', `${header}K-1;x;;\n`, 'assigned|x||'],
  [
    'a missing key',
    `${header};x;;\n`,
    'a.csv, line 2, column Nr → creditor_id: a column of the key has no value: skip such rows, or state other columns in primaryKey',
  ],
  ['a key twice', `${header}1;x;;\n1;y;;\n`, 'a.csv, line 3, column Nr → creditor_id: "1" is on a.csv, line 2 already'],
  ['two forms of one key', `${header}1;x;;\n01;y;;\n`, 'a.csv, line 3, column Nr → creditor_id: "01" is on a.csv, line 2 already'],
  ['a title before the header', 'Liste\n\nNr;Name;Betrag;Tag\n1;x;;\n', '1|x||', 'dialect: { delimiter: ";", headerRows: [3] }'],
  ['a header of two rows', `${header};;;\n1;x;2,5;\n`, '1|x||2.5', 'dialect: { delimiter: ";", headerRows: [1, 2] }'],
  ['blanks in a header', 'Nr ; Name;Betrag;Tag\n1;x;;\n', '1|x||'],
  [
    'a column that is missing',
    'Nr;Name;Tag\n1;x;\n',
    "a.csv has no column 'Betrag'. It has: Nr, Name, Tag. If exports may lack it: missingColumns: 'null'.",
  ],
  ['a column that is named twice', 'Nr;Name;Betrag;Betrag;Tag\n1;x;1;2;\n', '1|x||1'],
  ['no header', '', 'a.csv: line 1 has no header. State its line in dialect.headerRows, or the names in dialect.header.'],
  ['a header without rows', `${header}`, ''],
  ['an empty row', `${header};;;\n1;x;;\n`, '1|x||'],
  ['a row that is too short', `${header}1;x\n`, 'a.csv, line 2: the row has 2 values, and the header 4 columns'],
  ['a row that is too long', `${header}1;x;;;y\n`, 'a.csv, line 2: the row has 5 values, and the header 4 columns'],
  ['empty values after a row', `${header}1;x;;;;;\n`, '1|x||'],
  ['a sum line', `${header}1;x;2;\nSumme;;2;\n`, '1|x||2', 'skip: [{ column: Nr, startsWith: Summe }]'],
  ['a line that is no row', `${header}# x\n1;x;;\n`, '1|x||', 'dialect: { delimiter: ";", commentChar: "#" }'],
  ['line ends of Windows', 'Nr;Name;Betrag;Tag\r\n1;x;;\r\n', '1|x||'],
  ['line ends of an old Mac', 'Nr;Name;Betrag;Tag\r1;x;;\r', '1|x||'],
  [
    'two kinds of line ends',
    `${header}1;x;;\r\n2;y;;\n`,
    'a.csv, line 2: the line ends with CRLF, and the first line with LF: use one of them.',
  ],
  [
    'a last line without its end',
    `${header}1;x;;`,
    'a.csv, line 2: the last line has no line end, so the file may be cut off: deliver it again, or add the line end if it is whole, or state dialect.lastLineEnd: false.',
  ],
  ['a last line without its end, declared', `${header}1;x;;`, '1|x||', 'dialect: { delimiter: ";", lastLineEnd: false }'],
  ['the mark of UTF-8', '\ufeffNr;Name;Betrag;Tag\n1;x;;\n', '1|x||'],
  [
    'windows-1252',
    Buffer.from(`${header}1;Größe;;\n`, 'latin1'),
    'a.csv: the file is not utf-8, after line 0. State its encoding, such as windows-1252.',
  ],
  ['windows-1252, declared', Buffer.from(`${header}1;Größe;;\n`, 'latin1'), '1|Größe||', 'encoding: windows-1252'],
  ['UTF-16, declared', Buffer.from('\ufeffNr;Name;Betrag;Tag\n1;Größe;;\n', 'utf16le'), '1|Größe||', 'encoding: utf-16le'],
  [
    'commas in place of semicolons',
    'Nr,Name,Betrag,Tag\n1,x,,\n',
    "a.csv has no column 'Name'. It has: Nr,Name,Betrag,Tag. If exports may lack it: missingColumns: 'null'.",
  ],
  ['NDJSON', '{"Nr":1,"Name":"x","Betrag":2.5,"Tag":"2024-03-01"}\n', '1|x|2024-03-01|2.5', '', 'a.ndjson'],
  [
    'a member twice in NDJSON',
    '{"Nr":1,"Nr":2,"Name":"x","Betrag":2.5,"Tag":null}\n',
    'a.ndjson, line 1, column Nr: the object has this member twice',
    '',
    'a.ndjson',
  ],
  [
    'NDJSON that is cut off',
    '{"Nr":1,"Name":"x","Betrag":2.5,"Tag":null}\n{"Nr":2,"Na',
    'a.ndjson, line 2: it is no JSON: position 9 is not as JSON requires',
    '',
    'a.ndjson',
  ],
  ['a JSON list', '[{"Nr":1,"Name":"x","Betrag":2.5,"Tag":null}]', '1|x||2.5', '', 'a.json'],
  ['a workbook that is text', `${header}1;x;;\n`, 'a.xlsx is no workbook: it is neither .xlsx, .xlsb, .ods nor .xls.', '', 'a.xlsx'],
  [
    'text that is a workbook',
    Buffer.from('PK\u0003\u0004xxxx', 'latin1'),
    'a.csv is a ZIP archive or an Excel workbook: unpack it, save the sheet as CSV UTF-8, or load it with a source.',
  ],
])('%s', async (_, content, outcome, options = '', path = 'a.csv') => {
  expect(await outcomeOf(path, content, options)).toBe(outcome);
});
