/** A button that copies a text. */
import { useState } from 'react';
import { usePage } from './context.ts';

export const Copy = ({ text, label }: { readonly text: string; readonly label: string }) => {
  const { t } = usePage();
  const [result, setResult] = useState<string>();
  const copy = async () =>
    setResult(
      await navigator.clipboard.writeText(text).then(
        () => t.copied,
        () => t.notAllowed,
      ),
    );
  return (
    <button type="button" onClick={copy}>
      {result ?? label}
    </button>
  );
};
