import { Inject, Injectable } from '@nestjs/common';
import { DURABLE_STORAGE } from './durable.tokens.js';
import { type DurableNode, listNodes } from '../engine/nodes/node-views.js';
import type { Storage } from './storage.providers.js';
import { checkedOptions, type KnownOptions } from '../options/known-options.js';

export interface ListNodesOptions {
  /** Also processes that have ended within the last day, of these the last 500. Default false. */
  ended?: boolean;
}

const LIST_OPTIONS = { ended: true } satisfies KnownOptions<ListNodesOptions>;

/**
 * The processes that use these tables, in all namespaces, with what they serve. Clients, which only start and inspect
 * runs, and workers in other languages sign in nowhere. A `DbTransport` with handlers does, if it may.
 *
 * @example
 * const nodes = await app.get(DurableNodes).list();
 * const workers = nodes.filter(({ roles }) => roles.includes('worker'));
 */
@Injectable()
export class DurableNodes {
  private readonly storage: Pick<Storage, 'engine'>;

  constructor(@Inject(DURABLE_STORAGE) storage: Storage) {
    this.storage = storage;
  }

  /** Those that started first come first. At most 2,000. @throws DatabaseError */
  async list(options: ListNodesOptions = {}): Promise<DurableNode[]> {
    const { ended = false } = checkedOptions(options, LIST_OPTIONS, 'DurableNodes.list');
    return listNodes(this.storage.engine.roster, ended);
  }
}
