/** Whether the system is in dark mode. Charts are drawn again when it changes. */
import { useSyncExternalStore } from 'react';

const darkScheme = matchMedia('(prefers-color-scheme: dark)');
const subscribe = (listener: () => void) => {
  darkScheme.addEventListener('change', listener);
  return () => darkScheme.removeEventListener('change', listener);
};

export const useIsDark = (): boolean => useSyncExternalStore(subscribe, () => darkScheme.matches);
