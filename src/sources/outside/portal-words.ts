/** What stops a load, for a person in a browser: a remedy of the command line becomes the one of the portal. */

const remedies: readonly (readonly [ofCommandLine: RegExp, ofPortal: string])[] = [
  [/\. To allow it: --allow-(?:deletes|empty-columns) \S+/g, '. The page of the load asks for it'],
  [/ If it is right: --accept/g, ' If it is right: the page of the load asks for it.'],
  [/, or state the zone with --time-zone/g, ', or state formats.timezone in the source file'],
  [
    / To make it from the file's columns: --create --key <column>\./g,
    ' Choose “a draft” in the form, or a source file that names a raw table.',
  ],
  [/ A further table is made from a file: estate sync \S+ \S+ --create --key <column>\./g, ''],
  [/: leave the column out, or make a table of another name with --create/g, ': leave the column out'],
];

export const inPortalWords = (text: string): string =>
  remedies.reduce((words, [ofCommandLine, ofPortal]) => words.replaceAll(ofCommandLine, () => ofPortal), text);
