/** The choice of a language. It is the cookie that Explore writes (`pages/language.ts`), and the form works without a script. */
import type { FastifyInstance } from 'fastify';
import { isLanguage, languageCookie, languageSeconds } from '../../pages/language.ts';
import type { PortalCall, PortalContext, Redirect } from '../context.ts';
import { languagePath } from '../layout.ts';
import { addPage } from '../page.ts';
import { ownPath } from './own-path.ts';

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
  return { to: ownPath(query.get('to')) };
};

export const languagePages = (scope: FastifyInstance, context: PortalContext): void =>
  addPage(scope, context, languagePath, { isForVisitors: true, post: choose });
