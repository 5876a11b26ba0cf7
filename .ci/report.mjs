/** Prints the failed tests and the total of the reports in a folder, which Vitest wrote as JSON. */
import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';

const folder = process.argv[2];
const files = readdirSync(folder).filter((file) => file.endsWith('.json'));
const total = { numPassedTests: 0, numFailedTests: 0, numPendingTests: 0 };
for (const file of files) {
  const report = JSON.parse(readFileSync(join(folder, file), 'utf8'));
  for (const name in total) total[name] += report[name];
  for (const { name, status, message, assertionResults } of report.testResults) {
    if (status !== 'failed') continue;
    const failed = assertionResults.filter((each) => each.status === 'failed').map(({ fullName }) => fullName);
    // A file whose tests could not start has none that failed.
    if (failed.length === 0) failed.push(message.split('\n')[0]);
    for (const what of failed) console.log(`failed in ${file.replace('.json', '')}: ${relative('.', name)}: ${what}`);
  }
}
console.log(`\n${total.numPassedTests} passed, ${total.numFailedTests} failed, ${total.numPendingTests} skipped`);
