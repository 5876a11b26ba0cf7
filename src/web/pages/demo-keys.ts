/**
 * The keys of the demo customers, for the pages of a service with demo data. Its start messages print the same keys. A page asks for them;
 * only a browser on the service's own machine receives them.
 */
import type { FastifyInstance, FastifyRequest } from 'fastify';

export interface DemoKey {
  /** The customer and the tier. */
  readonly name: string;
  readonly key: string;
}

export const demoKeysPath = '/docs/demo-keys';

const isLoopbackAddress = (address = ''): boolean => /^(?:::ffff:)?127\.|^::1$/.test(address);
/** A page of another website that resolves its name to this machine sends that name. */
const isLoopbackHost = (host = ''): boolean => /^(?:localhost|127\.0\.0\.1|\[::1\])(?::\d+)?$/.test(host);
const proxyHeaders = ['forwarded', 'via', 'x-forwarded-for', 'x-forwarded-host', 'x-forwarded-proto', 'x-real-ip'];

/** The one comparison with the Host header: it can only refuse. */
const isOwnMachine = ({ socket, headers }: FastifyRequest): boolean =>
  isLoopbackAddress(socket.remoteAddress) &&
  // biome-ignore lint/plugin: the keys are the same whatever the host is
  isLoopbackHost(headers.host) &&
  proxyHeaders.every((name) => headers[name] === undefined);

/** Without demo keys there is no route. */
export const demoKeyRoutes = (app: FastifyInstance, keys: readonly DemoKey[]): void => {
  if (keys.length === 0) return;
  app.route({
    method: ['GET', 'HEAD'],
    url: demoKeysPath,
    config: { isPublic: true },
    handler: (request, reply) => reply.header('Cache-Control', 'no-store').send(isOwnMachine(request) ? keys : []),
  });
};
