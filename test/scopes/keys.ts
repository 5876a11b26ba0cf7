/** Keys with data scopes in a test service. */
import { KeyStore } from '../../src/access/keys.ts';
import { parseScope } from '../../src/access/scope.ts';
import type { ScopeDefinition } from '../../src/catalogue/data-scope.ts';
import { type EndpointGroup, endpointGroups, type Tier } from '../../src/catalogue/tiers.ts';
import { findCustomer } from '../../src/database/control/customers.ts';
import type { TestService } from '../support/service.ts';
import { testSecret } from '../support/settings.ts';

interface Rights {
  readonly tier?: Tier;
  readonly groups?: readonly EndpointGroup[];
}

type Service = Pick<TestService, 'database'>;

const issue = async ({ database }: Service, scope: ScopeDefinition | null, rights: Rights): Promise<string> => {
  const customer = await findCustomer(database, 'nord');
  const issued = await new KeyStore(database, testSecret).create({
    customer,
    tier: 'enterprise',
    scope: scope && parseScope(JSON.stringify(scope)),
    ...rights,
  });
  return issued.key;
};

/** A new key of the customer `nord` with this scope. */
export const scopedKey = (service: Service, scope: ScopeDefinition, rights: Rights = {}): Promise<string> => issue(service, scope, rights);

/** A new key of the customer `nord` for every endpoint group, with this scope or without one. */
export const keyForAll = (service: Service, scope: ScopeDefinition | null): Promise<string> =>
  issue(service, scope, { groups: endpointGroups });
