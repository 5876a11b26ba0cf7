/** Files of the project that scripts read and write. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';

const address = (path: string) => new URL(`../../${path}`, import.meta.url);

/** The text of a file of the project; empty if it does not exist. */
export const readProjectFile = (path: string): string => (existsSync(address(path)) ? readFileSync(address(path), 'utf8') : '');

export const writeProjectFile = (path: string, text: string): void => writeFileSync(address(path), text);
