import {
  keptSignalsConformance,
  leftSignalsConformance,
  refusedSignalsConformance,
} from '../conformance/left-signals.js';
import { mailboxConformance, oldSignalsConformance, signalWaitsConformance } from '../conformance/signals.js';
import { describeStorage } from '../../support/storage-cases.js';

describeStorage([
  ...mailboxConformance,
  ...oldSignalsConformance,
  ...keptSignalsConformance,
  ...refusedSignalsConformance,
  ...leftSignalsConformance,
  ...signalWaitsConformance,
]);
