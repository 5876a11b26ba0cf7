/** Elements of the page, made without markup: what an answer says is text and nothing else. */

type Attributes = Readonly<Record<string, string | boolean>>;

/** `true` is an attribute without a value, `false` is none. */
export const element = <Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  attributes: Attributes = {},
  ...children: (Node | string)[]
): HTMLElementTagNameMap[Name] => {
  const made = document.createElement(name);
  for (const [attribute, value] of Object.entries(attributes))
    if (value !== false) made.setAttribute(attribute, value === true ? '' : value);
  made.append(...children);
  return made;
};

export const button = (label: string, act: () => void, attributes: Attributes = {}): HTMLButtonElement => {
  const made = element('button', { type: 'button', ...attributes }, label);
  made.addEventListener('click', act);
  return made;
};

/** A label with a list to choose from. */
export const choice = (label: string, values: readonly string[], chosen: string, choose: (value: string) => void): HTMLLabelElement => {
  const select = element('select', {}, ...values.map((value) => element('option', { value, selected: value === chosen }, value)));
  select.addEventListener('change', () => choose(select.value));
  return element('label', { class: 'picker' }, `${label} `, select);
};

/** A button that copies a text and says for a moment that it has. */
export const copyButton = (label: string, textOf: () => string): HTMLButtonElement => {
  const made: HTMLButtonElement = button(label, async () => {
    made.textContent = await navigator.clipboard.writeText(textOf()).then(
      () => 'Copied',
      () => 'Not allowed',
    );
    setTimeout(() => {
      made.textContent = label;
    }, 2_000);
  });
  return made;
};
