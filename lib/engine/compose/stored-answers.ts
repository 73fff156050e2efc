import type { StepAnswer } from '../../protocol/step.js';
import type { Transaction } from '../../protocol/transaction.js';
import type { Payloads } from '../model/payloads.js';
import type { RunCatalog } from '../model/run-catalog.js';
import type { TaskDispatcher } from '../model/task-dispatcher.js';

/**
 * The dispatcher, with the errors of answers as they are stored in histories: workers in other languages write them in
 * plain text. To seal these, their runs are read: the codec needs to know whose they are. Without anything to redact or
 * to seal, it is the dispatcher itself.
 */
export function withStoredErrors(
  dispatcher: TaskDispatcher,
  payloads: Payloads,
  catalog: Pick<RunCatalog, 'find'>,
): TaskDispatcher {
  const { texts } = payloads;
  if (!texts.seals && !texts.rules.redact) return dispatcher;
  const isPlain = ({ error }: StepAnswer) => texts.isPlain(error);
  const storedWith = (known: ReadonlyMap<string, Payloads>) => (answer: StepAnswer) => {
    const { context } = known.get(answer.runId) ?? payloads.of({ runId: answer.runId });
    return { ...answer, error: texts.answer(answer.error, context) };
  };
  const stored = async (answers: readonly StepAnswer[], tx?: Transaction): Promise<StepAnswer[]> => {
    const ids = [...new Set(answers.filter(isPlain).map(({ runId }) => runId))];
    const runs = ids.length > 0 ? await catalog.find(ids, tx) : [];
    return answers.map(storedWith(new Map(runs.map((run) => [run.id, payloads.ofRun(run)]))));
  };
  return {
    dispatch: (...args) => dispatcher.dispatch(...args),
    peek: async (...args) => {
      const { answers, cursor } = await dispatcher.peek(...args);
      return { answers: await stored(answers), cursor };
    },
    take: (...args) => dispatcher.take(...args),
    withdraw: async (stepIds, tx) => stored(await dispatcher.withdraw(stepIds, tx), tx),
    lost: (...args) => dispatcher.lost(...args),
    holders: (...args) => dispatcher.holders(...args),
    // What is still plain is read as rows.
    onAnswers: (listener) =>
      dispatcher.onAnswers((answers) =>
        listener(answers?.some(isPlain) ? undefined : answers?.map(storedWith(new Map()))),
      ),
  };
}
