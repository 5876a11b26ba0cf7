/** The outcome of one check on standard output. */
export const report = (isGood: boolean, words: string): boolean => {
  console.log(`${isGood ? 'ok' : 'WRONG'}: ${words}`);
  return isGood;
};
