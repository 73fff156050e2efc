import { channelsConformance } from '../../contract/conformance/outbox-channels.js';
import { channelsInMemory } from '../../support/channels-in-memory.js';

describe('channels in memory', () => {
  it.each(channelsConformance)('$name', ({ run }) => run(channelsInMemory()));
});
