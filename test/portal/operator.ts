/** An operator without a browser: stores the cookie, and reads the token from the page with the form. */
export const password = 'correct horse battery';

export interface PageAnswer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** The target of a redirect. */
  readonly location: string | null;
}

export type Fields = Readonly<Record<string, string>> | readonly (readonly [string, string])[];

export class Operator {
  readonly #service: { readonly url: string };
  readonly #headers: Readonly<Record<string, string>>;
  cookie = '';

  constructor(service: { readonly url: string }, headers: Readonly<Record<string, string>> = {}) {
    this.#service = service;
    this.#headers = headers;
  }

  async get(path: string, init: RequestInit = {}): Promise<PageAnswer> {
    const response = await fetch(`${this.#service.url}${path}`, {
      redirect: 'manual',
      ...init,
      headers: { ...this.#headers, ...(this.cookie && { Cookie: this.cookie }), ...(init.headers as Record<string, string>) },
    });
    const set = response.headers.get('set-cookie');
    if (set) this.cookie = set.split(';', 1)[0] ?? '';
    return { status: response.status, headers: response.headers, text: await response.text(), location: response.headers.get('location') };
  }

  /** Sends the fields unchanged. */
  post(path: string, fields: Fields): Promise<PageAnswer> {
    const body = new URLSearchParams(fields as Record<string, string>).toString();
    return this.get(path, { method: 'POST', body, headers: { 'Content-Type': 'application/x-www-form-urlencoded' } });
  }

  /** The hidden fields of the form with this action. */
  async hidden(page: string, action = page): Promise<Record<string, string>> {
    const { text } = await this.get(page);
    const form = text.split('<form').find((part) => part.includes(`action="${action}"`)) ?? '';
    return Object.fromEntries([...form.matchAll(/type="hidden" name="(\w+)" value="([^"]*)"/g)].map(([, name, value]) => [name, value]));
  }

  /** Fills in the form of a page and sends it. */
  async submit(page: string, fields: Fields = {}, action = page): Promise<PageAnswer> {
    const given = Array.isArray(fields) ? fields : Object.entries(fields);
    return this.post(action, [...Object.entries(await this.hidden(page, action)), ...given] as [string, string][]);
  }

  /** `prefix` is the path prefix of the service. */
  async signIn(prefix = ''): Promise<this> {
    const { status } = await this.submit(`${prefix}/portal/sign-in`, { password });
    if (status !== 303) throw new Error(`Sign-in answered ${status}`);
    return this;
  }

  /** Creates a key and returns its text. */
  async createKey(fields: Readonly<Record<string, string>> = {}): Promise<string> {
    const { text } = await this.submit('/portal/keys/new', [
      ['customer', fields.customer ?? 'nord'],
      ['name', fields.name ?? 'a test'],
      ['tier', fields.tier ?? 'professional'],
      ['groups', 'rest'],
      ['groups', 'raw'],
      ['expires', fields.expires ?? ''],
    ]);
    return keyIn(text);
  }
}

/** The text of a key on the page that shows it. */
export const keyIn = (text: string): string => {
  const key = /<code id="key-text"[^>]*>(est_[a-z0-9]+_[a-z0-9]+)<\/code>/.exec(text)?.[1];
  if (!key) throw new Error(`There is no key on the page: ${text.slice(0, 2_000)}`);
  return key;
};

export const idOf = (key: string): string => key.split('_')[1] ?? '';
