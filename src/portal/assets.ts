/** The pages' style sheet, script and icon: named by their content, so that browsers may keep them for ever. */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { FastifyInstance } from 'fastify';

const types = {
  'portal.css': 'text/css; charset=utf-8',
  'portal.js': 'text/javascript; charset=utf-8',
  'icon.svg': 'image/svg+xml',
} as const;
type AssetName = keyof typeof types;

const load = (name: AssetName) => {
  const body = readFileSync(new URL(`./assets/${name}`, import.meta.url));
  const [stem, extension] = name.split('.');
  const hash = createHash('sha256').update(body).digest('hex').slice(0, 12);
  return { name, body, type: types[name], path: `/portal/assets/${stem}.${hash}.${extension}` };
};

const assets = (Object.keys(types) as AssetName[]).map(load);

/** The address of an asset in its present version. */
export const assetPath = Object.fromEntries(assets.map(({ name, path }) => [name, path])) as Record<AssetName, string>;

export const assetRoutes = (app: FastifyInstance): void => {
  for (const { path, body, type } of assets)
    app.route({
      method: ['GET', 'HEAD'],
      url: path,
      config: { isPublic: true },
      handler: (_request, reply) => reply.header('Cache-Control', 'public, max-age=31536000, immutable').type(type).send(body),
    });
};
