import { limitsConformance } from '../conformance/limits.js';
import { answerWriterConformance } from '../conformance/outgoing.js';
import { transactionsConformance } from '../conformance/run-commits.js';
import { runControlConformance, runResumptionConformance } from '../conformance/run-control.js';
import { runLivesConformance, startsConformance } from '../conformance/run-lives.js';
import { scheduleStoreConformance } from '../conformance/schedules.js';
import { describeStorage } from '../../support/storage-cases.js';

describeStorage([
  ...transactionsConformance,
  ...answerWriterConformance,
  ...scheduleStoreConformance,
  ...runControlConformance,
  ...runResumptionConformance,
  ...runLivesConformance,
  ...limitsConformance,
  ...startsConformance,
]);
