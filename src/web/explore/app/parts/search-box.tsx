/** A box to find rows by name, number or address. It searches when the text is sent, because each search is a request. */
import { useState } from 'react';
import { usePage } from './context.ts';

interface SearchBoxProps {
  /** The text of the current search. */
  readonly text: string;
  readonly onSearch: (text: string) => void;
}

export const SearchBox = ({ text: searched, onSearch }: SearchBoxProps) => {
  const { t } = usePage();
  const [text, setText] = useState(searched);
  return (
    <search>
      <form
        className="search-box"
        onSubmit={(event) => {
          event.preventDefault();
          onSearch(text.trim());
        }}
      >
        <input
          type="search"
          aria-label={t.find}
          placeholder={t.find}
          title={t.findHint}
          minLength={2}
          value={text}
          onChange={({ target }) => setText(target.value)}
        />
        <button type="submit">{t.search}</button>
      </form>
    </search>
  );
};
