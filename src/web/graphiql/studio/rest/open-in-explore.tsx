/** Opens what the operation asks for in Explore: the same rows or groups, as a view with an address of its own. */
import { useState } from 'react';
import { servicePath } from '../../../browser/service.ts';
import type { Operation } from '../operations/operation.ts';
import { type RestRequest, requestsOf } from './rest.ts';

/** The page of a REST request. The service has given the path its prefix. */
export const exploreAddress = (path: string): string => `${servicePath('/explore')}#${path.slice(servicePath('').length)}`;

interface OpenInExploreProps {
  readonly operation: Operation;
  /** The field whose rows are shown. */
  readonly field: string;
}

const whyNot = (request: RestRequest | undefined): string => request?.notes[0]?.replaceAll('`', '') ?? 'Explore has no such rows.';

export const OpenInExplore = ({ operation, field }: OpenInExploreProps) => {
  const [message, setMessage] = useState('');
  const open = async (): Promise<void> => {
    setMessage('');
    try {
      const requests = await requestsOf(operation, new AbortController().signal);
      const request = requests.find((each) => each.field === field);
      if (request?.path === undefined) setMessage(whyNot(request));
      else location.assign(exploreAddress(request.path));
    } catch (error) {
      setMessage((error as Error).message);
    }
  };
  return (
    <div className="actions">
      <span className="hint" role="status">
        {message}
      </span>
      <button type="button" onClick={open}>
        Open in Explore
      </button>
    </div>
  );
};
