import { runEditsConformance, unfinishedRunsConformance } from '../conformance/run-catalog.js';
import { lastAnswersConformance, runEndingsConformance, runRemovalConformance } from '../conformance/run-endings.js';
import { erasureRivalConformance, runErasureConformance } from '../conformance/run-erasure.js';
import { describeStorage } from '../../support/storage-cases.js';

describeStorage([
  ...lastAnswersConformance,
  ...runRemovalConformance,
  ...runEditsConformance,
  ...runEndingsConformance,
  ...runErasureConformance,
  ...erasureRivalConformance,
  ...unfinishedRunsConformance,
]);
