/*
 * One run of two remote steps, two engines, two workers, and what may go wrong. README.md says what stands for what.
 *
 * A d_step is one transaction of the database. Times are left out: a lease may run out at any moment, so what holds here
 * holds for all durations, and for clocks that are wrong.
 */
#define NOBODY 0
#define NONE 2 /* of the steps 0 and 1 */

/* How often each may happen. */
#ifndef LAPSES
#define LAPSES 0 /* the lease of a task runs out, its worker alive */
#endif
#ifndef STALLS
#define STALLS 0 /* the lease of an engine runs out, its process alive */
#endif
#ifndef CRASHES
#define CRASHES 0 /* a process dies */
#endif
#ifndef LOST_REPLIES
#define LOST_REPLIES 0 /* a commit is done, and nobody hears of it */
#endif
#ifndef FAILURES
#define FAILURES 0 /* a handler throws, and is tried again with a higher attempt */
#endif
#ifndef DELETIONS
#define DELETIONS 0 /* somebody deletes a task by hand */
#endif
#ifndef PARKS
#define PARKS 0 /* a run leaves the memory while it waits */
#endif
#ifndef FAILOVERS
#define FAILOVERS 0 /* the newest commits are lost */
#endif

mtype = { nothing, asked, failed, done } /* what becomes of a step */

/* The rows. `due`: wake_at <= now. `out`: the execution that the outcome comes from; no two are alike. */
typedef Rows {
  byte owner; byte epoch; bool due; bool ended;
  mtype step[2]; byte out[2]; byte attempt[2];
  bool task[2]; byte taskAttempt[2]; byte claim[2]; bool lapsed[2];
  byte result[2]; bool ok[2]
}
Rows db;
Rows standby; /* what it had received when the primary died */
Rows nowhere; /* so that a copy that was used is none of the state */
bool copied = false;
bool stalled[3]; /* by engine: its node lease has run out */
byte holds[2]; /* by worker: the claim that it has in hand */
byte executions = 0;
byte lapses = LAPSES, stalls = STALLS, crashes = CRASHES, lostReplies = LOST_REPLIES, failures = FAILURES;
byte strayLooks = 1; /* what a run that is another's does until its engine hears of it */
byte deletions = DELETIONS, parks = PARKS, failovers = FAILOVERS;

#define copyStep(to, from, s) \
  to.step[s] = from.step[s]; to.out[s] = from.out[s]; to.attempt[s] = from.attempt[s]; to.task[s] = from.task[s]; \
  to.taskAttempt[s] = from.taskAttempt[s]; to.claim[s] = from.claim[s]; to.lapsed[s] = from.lapsed[s]; \
  to.result[s] = from.result[s]; to.ok[s] = from.ok[s]
#define copy(to, from) \
  to.owner = from.owner; to.epoch = from.epoch; to.due = from.due; to.ended = from.ended; \
  copyStep(to, from, 0); copyStep(to, from, 1)

#define isLost(s) (!db.task[s] && db.result[s] == 0)
#define setFree db.owner = NOBODY; db.epoch++; db.due = true

/* A task that is there stays unless its attempt is older. */
#define dispatch(s, n) \
  if \
  :: !db.task[s] || db.taskAttempt[s] < n -> \
     db.task[s] = true; db.taskAttempt[s] = n; db.claim[s] = 0; db.lapsed[s] = false \
  :: else \
  fi

/* Whether the record that the claim builds upon is there, with its place in the order where it has one. */
#define stands(s, settled) (s == NONE || (db.step[s] != nothing && (!settled || db.step[s] == done)))

/* The fence of every write of an engine. */
#if defined(WITHOUT_POSITION)
#define passes(e, me, s, settled) (db.epoch == e && db.owner == me)
#elif defined(WITHOUT_EPOCH)
#define passes(e, me, s, settled) (db.owner == me && stands(s, settled))
#elif defined(WITHOUT_FENCE)
#define passes(e, me, s, settled) (!db.ended)
#else
#define passes(e, me, s, settled) (db.epoch == e && db.owner == me && stands(s, settled))
#endif

mtype = { idle, ask, take, retry, finish } /* what a write is about */

/* What a write carries. It is tried until it is answered. */
#define jotDown \
  d_step { wEpoch = epoch; wKnown = known; wSettled = knownSettled; wSeen[0] = seen[0]; wSeen[1] = seen[1]; missing = false }
#define forget \
  resident = false; epoch = 0; at = 0; known = NONE; knownSettled = false; missing = false; \
  seen[0] = 0; seen[1] = 0; now[0] = nothing; now[1] = nothing; tries[0] = 0; tries[1] = 0
#define written \
  write = idle; wEpoch = 0; wAt = 0; wOut = 0; wTries = 0; wKnown = NONE; wSettled = false; wSeen[0] = 0; wSeen[1] = 0

/* What a claim that is over has asked for and the database has not answered yet. */
#ifdef WRITES_TAKEN_BACK
#define takeBack written
#else
#define takeBack skip
#endif

/* An answer to a run that nobody owns: an output is final, a failure waits for an owner to decide. */
inline settle(s) {
  if
  :: db.ok[s] -> db.step[s] = done; db.out[s] = db.result[s]
  :: else -> db.step[s] = failed
  fi;
  db.result[s] = 0; db.due = true
}

proctype Engine(byte me) {
  bool resident = false, missing = false, knownSettled = false;
  byte epoch = 0, at = 0, known = NONE; /* at: how far its code has come; known: see `stands` */
  byte seen[2], tries[2]; mtype now[2];
  mtype write = idle; byte wEpoch, wAt, wOut, wTries, wKnown = NONE, wSeen[2]; bool wSettled;
  d_step { forget };

end:
  do
  /* Claim: owner and epoch in one update, then the history in one read. */
  :: atomic { db.owner == NOBODY && !db.ended && db.due && !stalled[me] ->
       d_step { db.owner = me; db.epoch++; db.due = false; forget; takeBack };
       if
       :: d_step {
            resident = true; epoch = db.epoch;
            now[0] = db.step[0]; seen[0] = db.out[0]; tries[0] = db.attempt[0];
            now[1] = db.step[1]; seen[1] = db.out[1]; tries[1] = db.attempt[1];
            if :: now[0] == done -> at = 1 :: else fi;
            if :: at == 1 && now[1] == done -> at = 2 :: else fi }
       :: lostReplies > 0 -> lostReplies--
       fi }

  /* The code goes on: it asks for a step, tries one again, is handed an answer, or ends. */
  :: atomic { resident && write == idle && at < 2 && now[at] == nothing ->
       write = ask; wAt = at; tries[at] = 1; wTries = 1; now[at] = asked; jotDown }
  :: atomic { resident && write == idle && at < 2 && now[at] == failed ->
       write = retry; wAt = at; tries[at]++; wTries = tries[at]; now[at] = asked; jotDown }
  :: atomic { resident && write == idle && at < 2 && now[at] == asked && db.result[at] != 0 ->
       wAt = at;
       if
       :: db.ok[at] -> write = take; wOut = db.result[at]; seen[at] = wOut; now[at] = done; at++
       :: else -> write = retry; tries[at]++; wTries = tries[at]
       fi;
       jotDown }
  :: atomic { resident && write == idle && at == 2 -> write = finish; jotDown }

  /* The recorder's transaction. Where its reply is lost the same is written again. */
  :: atomic { write != idle && passes(wEpoch, me, wKnown, wSettled) ->
       d_step {
         if
         :: write == ask -> db.step[wAt] = asked; db.attempt[wAt] = wTries; dispatch(wAt, wTries)
         :: write == retry ->
            db.step[wAt] = asked; db.attempt[wAt] = wTries; db.result[wAt] = 0; dispatch(wAt, wTries)
         :: write == take ->
            /* ONE: a step has one outcome, for good. */
            assert(db.step[wAt] != done || db.out[wAt] == wOut);
            db.step[wAt] = done; db.out[wAt] = wOut; db.result[wAt] = 0
         :: else ->
            /* WHOLE: a run ends with what its code has seen, without a hole. */
            assert(db.step[0] == done && db.out[0] == wSeen[0] && db.step[1] == done && db.out[1] == wSeen[1]);
            db.ended = true; db.owner = NOBODY; db.due = false
         fi };
       if
       :: d_step {
            if
            :: resident && epoch == wEpoch && write != finish -> known = wAt; knownSettled = (write == take)
            :: resident && epoch == wEpoch && write == finish -> forget
            :: else
            fi;
            written }
       :: lostReplies > 0 -> lostReplies--
       fi }
  /* Refused: the run is another's, or the database has lost what the claim builds upon; then it is given back. */
  :: d_step { write != idle && !passes(wEpoch, me, wKnown, wSettled) ->
       if :: db.epoch == wEpoch && db.owner == me -> setFree :: else fi;
       if :: epoch == wEpoch -> forget :: else fi;
       written }

  /* A resident run looks after its task: a look, and later a dispatch that no fence guards. */
  :: atomic { resident && !missing && at < 2 && now[at] == asked && write == idle && isLost(at) &&
       ((db.owner == me && db.epoch == epoch) || strayLooks > 0) ->
       d_step {
         if :: db.owner == me && db.epoch == epoch :: else -> strayLooks-- fi;
         missing = true } }
  :: d_step { resident && missing && at < 2 && write == idle && now[at] == asked -> missing = false; dispatch(at, tries[at]) }

  /* Parked while it waits for an answer. */
  :: d_step { resident && parks > 0 && write == idle && at < 2 && now[at] == asked && db.result[at] == 0 && passes(epoch, me, known, knownSettled) ->
       parks--; db.owner = NOBODY; db.due = false; forget }
  :: d_step { db.owner == NOBODY && !db.ended && db.step[0] == asked && db.result[0] != 0 -> settle(0) }
  :: d_step { db.owner == NOBODY && !db.ended && db.step[1] == asked && db.result[1] != 0 -> settle(1) }
  /* Answers to what is settled are dropped. */
  :: d_step { db.step[0] == done && db.result[0] != 0 -> db.result[0] = 0 }
  :: d_step { db.step[1] == done && db.result[1] != 0 -> db.result[1] = 0 }
#ifndef WITHOUT_SWEEP
  :: d_step { db.owner == NOBODY && !db.ended && !db.due && ((db.step[0] == asked && isLost(0)) || (db.step[1] == asked && isLost(1))) -> db.due = true }
#endif

  /* Heartbeats: what is not ours any more is dropped, what is ours without being here given back, the dead are reaped. */
  :: d_step { resident && (db.owner != me || db.epoch != epoch) -> forget; takeBack }
  :: d_step { !resident && write == idle && db.owner == me -> setFree }
  :: d_step { stalled[me] -> stalled[me] = false }
  :: d_step { db.owner == 3 - me && stalled[3 - me] -> setFree }

  /* Only one dies, or nobody would go on. */
  :: d_step { me == 2 && crashes > 0 -> crashes--; stalled[me] = true; forget; written } -> break
  od;
endDead:
  false
}

proctype Worker(byte me) {
  byte s = 0;

end:
  do
  /* Each claim has a name of its own, so that two claims of one worker are two. */
  :: atomic { holds[me] == 0 && ((db.task[0] && (db.claim[0] == 0 || db.lapsed[0])) || (db.task[1] && (db.claim[1] == 0 || db.lapsed[1]))) ->
       if
       :: db.task[0] && (db.claim[0] == 0 || db.lapsed[0]) -> s = 0
       :: db.task[1] && (db.claim[1] == 0 || db.lapsed[1]) -> s = 1
       fi;
       d_step {
         if :: db.claim[s] != 0 -> db.taskAttempt[s]++ :: else fi;
         executions++; db.claim[s] = executions; db.lapsed[s] = false };
       if
       :: holds[me] = executions
       :: lostReplies > 0 -> lostReplies--; s = 0
       fi }
  /* Renewal; where the claim is gone the handler is aborted. */
  :: d_step { holds[me] != 0 && db.task[s] && db.claim[s] == holds[me] && db.lapsed[s] -> db.lapsed[s] = false }
  :: d_step { holds[me] != 0 && !(db.task[s] && db.claim[s] == holds[me]) -> holds[me] = 0; s = 0 }
  /* The report: the task is deleted under the claim, and the answer is written only if it was. */
#ifdef WITHOUT_CLAIM
  :: atomic { holds[me] != 0 && db.task[s] ->
#else
  :: atomic { holds[me] != 0 && db.task[s] && db.claim[s] == holds[me] ->
#endif
       d_step {
         /* HELD: who lost the claim writes nothing. */
         assert(db.claim[s] == holds[me]);
         db.task[s] = false; db.taskAttempt[s] = 0; db.claim[s] = 0; db.lapsed[s] = false;
         if
         :: db.result[s] == 0 -> db.result[s] = holds[me]; db.ok[s] = true
         :: else
         fi };
       if
       :: failures > 0 && db.result[s] == holds[me] -> failures--; db.ok[s] = false
       :: skip
       fi;
       if
       :: holds[me] = 0; s = 0
       :: lostReplies > 0 -> lostReplies--
       fi }
  :: d_step { holds[me] != 0 && crashes > 0 -> crashes--; holds[me] = 0; s = 0 }
  od
}

/* What nobody of ours decides. A claim that no worker has in hand runs out in any case. */
#define mayLapse(s) (db.task[s] && db.claim[s] != 0 && !db.lapsed[s])
#define inHand(s) (db.claim[s] == holds[0] || db.claim[s] == holds[1])

proctype World() {
  do
  :: d_step { mayLapse(0) && !inHand(0) -> db.lapsed[0] = true }
  :: d_step { mayLapse(1) && !inHand(1) -> db.lapsed[1] = true }
  :: d_step { mayLapse(0) && inHand(0) && lapses > 0 -> lapses--; db.lapsed[0] = true }
  :: d_step { mayLapse(1) && inHand(1) && lapses > 0 -> lapses--; db.lapsed[1] = true }
  :: d_step { stalls > 0 && db.owner != NOBODY && !stalled[db.owner] -> stalls--; stalled[db.owner] = true }
  :: d_step { deletions > 0 && db.task[0] -> deletions--; db.task[0] = false; db.taskAttempt[0] = 0; db.claim[0] = 0; db.lapsed[0] = false }
  :: d_step { deletions > 0 && db.task[1] -> deletions--; db.task[1] = false; db.taskAttempt[1] = 0; db.claim[1] = 0; db.lapsed[1] = false }
  :: d_step { failovers > 0 && !copied -> copied = true; copy(standby, db) }
  :: d_step { failovers > 0 && copied -> failovers--; copied = false; copy(db, standby); copy(standby, nowhere) }
  /* ENDS: this process waits for nothing else, so a standstill before the end of the run is an invalid end state. */
  :: db.ended -> break
  od
}

init {
  atomic {
    db.due = true;
    db.step[0] = nothing; db.step[1] = nothing; standby.step[0] = nothing; standby.step[1] = nothing;
    nowhere.step[0] = nothing; nowhere.step[1] = nothing;
    run Engine(1); run Engine(2); run Worker(0); run Worker(1); run World()
  }
}
