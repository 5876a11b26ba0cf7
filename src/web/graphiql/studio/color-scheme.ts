/** The page follows the system's light or dark mode. */
import { useGraphiQLActions } from '@graphiql/react';
import { useEffect } from 'react';
import { useIsDark } from '../../browser/charts/dark-mode.ts';

/** GraphiQL reads the system's colours only when its theme is set. */
export const SystemColors = () => {
  const { setTheme } = useGraphiQLActions();
  const isDark = useIsDark();
  // biome-ignore lint/correctness/useExhaustiveDependencies: the theme is set again when the system changes
  useEffect(() => setTheme(null), [setTheme, isDark]);
  return null;
};
