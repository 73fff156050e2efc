import { describeRandomRepairs } from '../../support/random/describe-random-runs.js';

describeRandomRepairs(2);
