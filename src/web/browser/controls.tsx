/** The small controls of the response views. */
import { useEffect, useState } from 'react';
import { copyText, shownMs } from './copy.ts';

interface PickerProps<Value extends string> {
  readonly label: string;
  readonly values: readonly Value[];
  readonly chosen: Value;
  /** The name of a value for people. Default: the value. */
  readonly nameOf?: (value: Value) => string;
  readonly onChoose: (value: Value) => void;
}

export const Picker = <Value extends string>({ label, values, chosen, nameOf, onChoose }: PickerProps<Value>) => (
  <label className="picker">
    {label}
    <select value={chosen} onChange={({ target }) => onChoose(target.value as Value)}>
      {values.map((value) => (
        <option key={value} value={value}>
          {nameOf?.(value) ?? value}
        </option>
      ))}
    </select>
  </label>
);

interface CopyButtonProps {
  readonly text: string;
  readonly label?: string;
  /** What the button says afterwards. */
  readonly words?: { readonly copied: string; readonly notAllowed: string };
}

const englishWords = { copied: 'Copied', notAllowed: 'Not allowed' };

/** A button that copies a text and shows for a moment that it did. */
export const CopyButton = ({ text, label = 'Copy', words = englishWords }: CopyButtonProps) => {
  const [result, setResult] = useState<{ readonly text: string; readonly label: string }>();
  useEffect(() => {
    if (!result) return;
    const timer = setTimeout(() => setResult(undefined), shownMs);
    return () => clearTimeout(timer);
  }, [result]);
  const copy = async () => setResult({ text, label: (await copyText(text)) ? words.copied : words.notAllowed });
  return (
    <button type="button" onClick={copy}>
      {result?.text === text ? result.label : label}
    </button>
  );
};
