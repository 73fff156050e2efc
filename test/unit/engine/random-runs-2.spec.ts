import { describeRandomRuns } from '../../support/random/describe-random-runs.js';

describeRandomRuns(2);
