/** The syntax colours of code samples, as elements with classes. The page needs no script for them. */
import Prism from 'prismjs';
import 'prismjs/components/prism-bash.js';
import 'prismjs/components/prism-graphql.js';
import 'prismjs/components/prism-json.js';
import 'prismjs/components/prism-powerquery.js';
import 'prismjs/components/prism-python.js';
import 'prismjs/components/prism-typescript.js';
import { type Html, html } from '../pages/html.ts';

/** Prism's names for the languages of samples. */
const grammars: Readonly<Record<string, string>> = {
  sh: 'bash',
  python: 'python',
  ts: 'typescript',
  js: 'javascript',
  powerquery: 'powerquery',
  graphql: 'graphql',
  json: 'json',
};

/** The classes of the style sheet by kinds of tokens. Other kinds have the colour of the text. */
const classes: Readonly<Record<string, string>> = {
  comment: 'comment',
  string: 'string',
  'template-string': 'string',
  'triple-quoted-string': 'string',
  number: 'number',
  boolean: 'number',
  constant: 'number',
  keyword: 'keyword',
  'class-name': 'name',
  function: 'name',
  builtin: 'name',
  property: 'name',
  'attr-name': 'name',
  'definition-query': 'name',
  fragment: 'name',
  object: 'name',
  'property-query': 'name',
  variable: 'name',
  parameter: 'name',
  directive: 'keyword',
};

type Token = string | Prism.Token;
type Content = Prism.TokenStream;

const written = (content: Content, write: (text: string) => Html): Html => {
  if (typeof content === 'string') return write(content);
  const tokens: readonly Token[] = Array.isArray(content) ? content : [content];
  return html`${tokens.map((token) => {
    if (typeof token === 'string') return write(token);
    const name = classes[token.type];
    const inner = written(token.content, write);
    return name ? html`<span class="code-${name}">${inner}</span>` : inner;
  })}`;
};

/** The code with its colours. `write` writes the text between elements. Code of an unknown language has no colours. */
export const highlighted = (code: string, language: string, write: (text: string) => Html): Html => {
  const grammar = Prism.languages[grammars[language] ?? ''];
  return grammar ? written(Prism.tokenize(code, grammar), write) : write(code);
};
