import { type ActedBy, requiredOperator } from '../../acts/act.js';
import { acting, type ActLog } from '../../acts/act-log.js';
import { NodeNotFoundError } from '../../errors/run-errors.js';
import type { Drain } from '../model/node-record.js';
import type { NodeRoster } from '../model/node-roster.js';

interface Ports {
  roster: Pick<NodeRoster, 'setDraining'>;
  acts: ActLog;
}

/** One transaction with its act. Returns whether it was draining already. @throws NodeNotFoundError */
export const drainNode = (ports: Ports, nodeId: string, by: ActedBy): Promise<boolean> =>
  change(ports, nodeId, by, 'drain', (was) => (was ? 'changed' : 'draining'));

/** One transaction with its act. Returns whether it was draining. @throws NodeNotFoundError */
export const resumeNode = (ports: Ports, nodeId: string, by: ActedBy): Promise<boolean> =>
  change(ports, nodeId, by, 'resume', (was) => (was ? 'resumed' : 'missing'));

async function change(
  { roster, acts }: Ports,
  nodeId: string,
  given: ActedBy,
  action: 'drain' | 'resume',
  outcomeOf: (was: boolean) => string,
): Promise<boolean> {
  const by = requiredOperator(given ?? {});
  const deed = {
    ...({ action, kind: 'node', target: nodeId, namespace: null } as const),
    outcome: (before: Drain | null) => ({
      outcome: outcomeOf(before !== null),
      ...(before && { details: { before } }),
    }),
  };
  const before = await acting(acts, by, undefined, deed, async (tx) => {
    const found = await roster.setDraining(nodeId, action === 'drain' ? by : null, tx!);
    if (found === undefined) throw new NodeNotFoundError(nodeId);
    return found;
  });
  return before !== null;
}
