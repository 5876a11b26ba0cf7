/** Tabs by the ARIA pattern: one tab is in the tab order, the arrow keys, Home and End move between the tabs. */

/** The place of the tab to which a key leads from the tab at `at`; undefined for other keys. */
export const placeAfterKey = (key: string, at: number, count: number): number | undefined => {
  const places: Readonly<Record<string, number>> = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: count - 1 };
  return Object.hasOwn(places, key) ? (places[key]! + count) % count : undefined;
};
