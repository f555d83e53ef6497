/* A watchdog that acts when nothing else can: `timeout`, and `else` where nothing is there to do.
 *
 * Holds: the assertions; AG EF alarms > 0.
 * Fails: no invalid end states: when all alarms are used up everything stands still.
 */
chan jobs = [2] of { byte };
byte alarms;

active proctype Worker() {
  byte job;
  do
  :: atomic {
       if
       :: len(jobs) > 0 -> jobs?job; assert(job < 3)
       :: empty(jobs) -> (nempty(jobs) || alarms == 9)
       fi
     }
  od
}

active proctype Watchdog() {
  do
  :: timeout ->
     d_step {
       if
       :: alarms < 3 -> alarms++
       :: else -> skip
       fi
     };
     if
     :: alarms < 3 -> jobs!alarms
     :: else -> break
     fi
  od
}
