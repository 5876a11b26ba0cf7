/** The choice of a language. It is the cookie that Explore writes (`pages/language.ts`), and the form works without a script. */
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { redactKeys } from '../../../access/key-text.ts';
import { isLanguage, languageCookie, languageSeconds } from '../../pages/language.ts';
import type { PortalCall, PortalContext, Redirect } from '../context.ts';
import { languagePath } from '../layout.ts';
import { addPage } from '../page.ts';
import { ownPath } from './own-path.ts';

/** The query of the page that sent the form; empty if that is another one, or if somebody searched for a whole key. */
const queryOf = ({ headers: { referer = '' }, server: { publicUrl } }: FastifyRequest, path: string): string => {
  if (!URL.canParse(referer)) return '';
  const { pathname, search } = new URL(referer);
  const isSame = pathname === path || pathname === publicUrl.to(path);
  return isSame && redactKeys(search) === search ? search : '';
};

const choose = ({ request, reply, form, query }: PortalCall): Redirect => {
  const language = form.get('language');
  const { publicUrl } = request.server;
  if (isLanguage(language))
    reply.setCookie(languageCookie, language, {
      path: publicUrl.to('/'),
      maxAge: languageSeconds,
      sameSite: 'lax',
      secure: publicUrl.address.startsWith('https:'),
    });
  const path = ownPath(query.get('to'));
  return { to: ownPath(`${path}${queryOf(request, path)}`) };
};

export const languagePages = (scope: FastifyInstance, context: PortalContext): void =>
  addPage(scope, context, languagePath, { isForVisitors: true, post: choose });
