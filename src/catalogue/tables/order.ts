/**
 * The order of what a catalogue file exports. A module namespace is sorted by name in Node, but its keys are in the order of the source
 * under the test runner, so the order is made explicit.
 */
export const inNameOrder = <M extends object>(namespace: M): M =>
  Object.fromEntries(Object.entries(namespace).sort(([one], [other]) => (one < other ? -1 : 1))) as M;
