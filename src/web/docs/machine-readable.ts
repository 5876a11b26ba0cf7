/**
 * The documentation for programs: `/llms.txt`, each page of the guide as Markdown, and the list of interfaces of RFC 9727 (contract: documentation for programs).
 * They need no key and are the same for all callers.
 */
import type { FastifyInstance } from 'fastify';
import { publicRoute } from '../../http/responses/made-bodies.ts';
import { guide, guideArticle, guideMarkdown, guidePages } from './guide.ts';
import { atAddress } from './markdown.ts';
import type { SiteOptions } from './site.ts';

const apiCatalogPath = '/.well-known/api-catalog';
const pathOf = (page: string): string => `/docs/${page}.md`;

/** The list of pages by the convention of llmstxt.org. */
const llmsText = ({ catalogue, limits }: SiteOptions, address: string): string => {
  const sections = Object.entries(guide).map(([title, pages]) => {
    const lines = Object.entries(pages).map(([page, [name]]) => {
      const { summary } = guideArticle(page, catalogue, limits);
      return `- [${name}](${address}${pathOf(page)}): ${summary}`;
    });
    return `## ${title}\n\n${lines.join('\n')}\n`;
  });
  return `# Estate

> A read-only API for real-estate data of ERP systems: properties, units, contracts, bookings and orders. REST, GraphQL, files and tools for agents read the same tables.

Every request carries its key in the header \`X-API-Key\`. Agents connect to ${address}/mcp.

${sections.join('\n')}
## Interfaces

- [OpenAPI](${address}/openapi.json): every endpoint, parameter and column
- [Tables](${address}/docs/tables): the meaning of each table and column
- [Codes](${address}/docs/codes): the values of coded columns
`;
};

/** The list of interfaces as a link set (RFC 9264). */
const apiCatalog = (address: string): string =>
  JSON.stringify({
    linkset: [
      {
        anchor: `${address}/`,
        'service-desc': [{ href: `${address}/openapi.json`, type: 'application/json' }],
        'service-doc': [{ href: `${address}/docs`, type: 'text/html' }],
        status: [{ href: `${address}/health/ready`, type: 'application/json' }],
      },
      { anchor: `${address}/graphql`, 'service-doc': [{ href: `${address}/docs/graphql`, type: 'text/html' }] },
      { anchor: `${address}/mcp`, 'service-doc': [{ href: `${address}/docs/agents`, type: 'text/html' }] },
    ],
  });

export const machineReadableRoutes = (app: FastifyInstance, options: SiteOptions): void => {
  const { publicUrl } = app;
  const serve = (path: string, type: string, make: () => string, headers: Readonly<Record<string, string>> = {}): void =>
    publicRoute(app, path, { headers: { ...headers, 'content-type': type }, make });
  serve('/llms.txt', 'text/plain; charset=utf-8', () => llmsText(options, publicUrl.address));
  for (const page of guidePages)
    serve(pathOf(page), 'text/markdown; charset=utf-8', () =>
      atAddress(guideMarkdown(page, options.catalogue, options.limits), publicUrl.address),
    );
  serve(
    apiCatalogPath,
    'application/linkset+json; profile="https://www.rfc-editor.org/info/rfc9727"',
    () => apiCatalog(publicUrl.address),
    {
      link: `<${publicUrl.to(apiCatalogPath)}>; rel="api-catalog"`,
    },
  );
};
