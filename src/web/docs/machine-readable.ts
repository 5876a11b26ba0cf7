/**
 * The documentation for programs: `/llms.txt`, each page of the guide as Markdown, and the list of interfaces of RFC 9727 (contract: documentation for programs).
 * They need no key and are the same for all callers.
 */
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { hasTag, sendNotModified } from '../../http/responses/headers.ts';
import { MadeBodies, sendMade } from '../../http/responses/made-bodies.ts';
import { guide, guideArticle, guideMarkdown, guidePages } from './guide.ts';
import { sampleOrigin } from './markdown.ts';
import type { SiteOptions } from './site.ts';

const apiCatalogPath = '/.well-known/api-catalog';
const pathOf = (page: string): string => `/docs/${page}.md`;

/** The list of pages by the convention of llmstxt.org. */
const llmsText = ({ catalogue, limits }: SiteOptions): string => {
  const sections = Object.entries(guide).map(([title, pages]) => {
    const lines = Object.entries(pages).map(([page, [name]]) => {
      const { summary } = guideArticle(page, catalogue, limits);
      return `- [${name}](${sampleOrigin}${pathOf(page)}): ${summary}`;
    });
    return `## ${title}\n\n${lines.join('\n')}\n`;
  });
  return `# Estate

> A read-only API for real-estate data of ERP systems: properties, units, contracts, bookings and orders. REST, GraphQL, files and tools for agents read the same tables.

Every request carries its key in the header \`X-API-Key\`. Agents connect to ${sampleOrigin}/mcp.

${sections.join('\n')}
## Interfaces

- [OpenAPI](${sampleOrigin}/openapi.json): every endpoint, parameter and column
- [Tables](${sampleOrigin}/docs/tables): the meaning of each table and column
- [Codes](${sampleOrigin}/docs/codes): the values of coded columns
`;
};

/** The list of interfaces as a link set (RFC 9264). */
const apiCatalog = (): string =>
  JSON.stringify({
    linkset: [
      {
        anchor: `${sampleOrigin}/`,
        'service-desc': [{ href: `${sampleOrigin}/openapi.json`, type: 'application/json' }],
        'service-doc': [{ href: `${sampleOrigin}/docs`, type: 'text/html' }],
        status: [{ href: `${sampleOrigin}/health/ready`, type: 'application/json' }],
      },
      { anchor: `${sampleOrigin}/graphql`, 'service-doc': [{ href: `${sampleOrigin}/docs/graphql`, type: 'text/html' }] },
      { anchor: `${sampleOrigin}/mcp`, 'service-doc': [{ href: `${sampleOrigin}/docs/agents`, type: 'text/html' }] },
    ],
  });

/** Their text and all compressed forms are a few hundred kilobytes for each address of the service. */
const maxBytes = 8 * 2 ** 20;

export const machineReadableRoutes = (app: FastifyInstance, options: SiteOptions): void => {
  const made = new MadeBodies(maxBytes);
  const serve = (path: string, type: string, write: () => string, headers: Readonly<Record<string, string>> = {}): void => {
    app.route({
      method: ['GET', 'HEAD'],
      url: path,
      config: { isPublic: true },
      handler: async (request: FastifyRequest, reply) => {
        const origin = app.publicUrl.of(request);
        const body = await made.of(JSON.stringify([path, origin]), async () => write().replaceAll(sampleOrigin, origin));
        reply.headers({ ...headers, 'Content-Type': type, 'Cache-Control': 'public, no-cache', ETag: body.etag });
        return hasTag(request, body.etag) ? sendNotModified(reply, body.etag) : sendMade(reply, body);
      },
    });
  };
  serve('/llms.txt', 'text/plain; charset=utf-8', () => llmsText(options));
  for (const page of guidePages)
    serve(pathOf(page), 'text/markdown; charset=utf-8', () => guideMarkdown(page, options.catalogue, options.limits));
  serve(apiCatalogPath, 'application/linkset+json; profile="https://www.rfc-editor.org/info/rfc9727"', apiCatalog, {
    Link: `<${app.publicUrl.to(apiCatalogPath)}>; rel="api-catalog"`,
  });
};
