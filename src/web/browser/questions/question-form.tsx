/** A form that saves a document as a question. A question that exists is replaced only after the reader has confirmed it. */
import { type FormEvent, useState } from 'react';
import { serviceAddress } from '../service.ts';
import { type QuestionToSave, type Saved, saveQuestion } from './saved-questions.ts';

export const questionFormTexts = {
  en: {
    name: 'Name',
    nameHint: 'Small letters, digits, _ and -. It is part of the address.',
    description: 'Question',
    save: 'Save',
    replace: 'Replace it',
    taken: 'There is a question of this name.',
    saved: (name: string) => `Saved for all keys of your company: ${serviceAddress()}/questions/${name}`,
  },
  de: {
    name: 'Name',
    nameHint: 'Kleinbuchstaben, Ziffern, _ und -. Er ist Teil der Adresse.',
    description: 'Frage',
    save: 'Speichern',
    replace: 'Ersetzen',
    taken: 'Es gibt eine Frage mit diesem Namen.',
    saved: (name: string) => `Für alle Schlüssel Ihres Unternehmens gespeichert: ${serviceAddress()}/questions/${name}`,
  },
} as const;

interface QuestionFormProps {
  readonly language: keyof typeof questionFormTexts;
  readonly suggested: Pick<QuestionToSave, 'name' | 'description'>;
  /** The document and its values when the form is sent. Throws if the values cannot be read. */
  readonly content: () => Pick<QuestionToSave, 'document' | 'variables'>;
}

/** `Largest houses` as `largest-houses`. */
export const questionNameOf = (text: string): string =>
  text
    .replaceAll(/([a-z\d])([A-Z])/g, '$1-$2')
    .toLowerCase()
    .replaceAll(/[^a-z\d]+/g, '-')
    .replace(/^[^a-z]+|-+$/g, '')
    .slice(0, 63);

export const QuestionForm = ({ language, suggested, content }: QuestionFormProps) => {
  const t = questionFormTexts[language];
  const [name, setName] = useState(suggested.name);
  const [description, setDescription] = useState(suggested.description);
  const [result, setResult] = useState<Saved & { readonly name: string }>();
  const tag = result?.is === 'taken' && result.name === name ? result.tag : undefined;
  const save = async (event: FormEvent) => {
    event.preventDefault();
    try {
      setResult({ ...(await saveQuestion({ name, description, ...content() }, tag)), name });
    } catch (error) {
      setResult({ is: 'refused', reason: (error as Error).message, name });
    }
  };
  const messages: Record<Saved['is'], () => string> = {
    saved: () => t.saved(result?.name ?? ''),
    taken: () => (tag === undefined ? '' : t.taken),
    refused: () => (result?.is === 'refused' ? result.reason : ''),
  };
  return (
    <form className="question-form" onSubmit={save}>
      <label>
        {t.name}
        <input
          value={name}
          onChange={({ target }) => setName(target.value)}
          required
          pattern="[a-z][a-z0-9_\-]{0,62}"
          title={t.nameHint}
          autoComplete="off"
          spellCheck={false}
        />
      </label>
      <label>
        {t.description}
        <input value={description} onChange={({ target }) => setDescription(target.value)} maxLength={200} autoComplete="off" />
      </label>
      <button type="submit" className="primary">
        {tag === undefined ? t.save : t.replace}
      </button>
      <p role="status" className="hint">
        {result ? messages[result.is]() : t.nameHint}
      </p>
    </form>
  );
};
