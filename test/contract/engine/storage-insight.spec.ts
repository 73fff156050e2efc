import { lostAttemptsConformance, nodeRosterConformance, samplesConformance } from '../conformance/nodes.js';
import { actLogConformance, holdsConformance } from '../conformance/operators.js';
import {
  fleetInsightConformance,
  runInsightConformance,
  runListingConformance,
  runStoryConformance,
  stepReadsConformance,
} from '../conformance/run-insight.js';
import { describeStorage } from '../../support/storage-cases.js';

describeStorage([
  ...runInsightConformance,
  ...fleetInsightConformance,
  ...runListingConformance,
  ...runStoryConformance,
  ...stepReadsConformance,
  ...lostAttemptsConformance,
  ...nodeRosterConformance,
  ...samplesConformance,
  ...holdsConformance,
  ...actLogConformance,
]);
