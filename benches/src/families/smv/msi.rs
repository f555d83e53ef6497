//! A cache reads the bus, and of the one before it in the chain whether the bus has a master already.

use super::super::{Instance, Logic::*};
use super::sheet::{Sheet, truth};
use super::{Design, Stated};

pub const DESIGN: Design = Design {
    about: "\
Caches hold copies of one line of memory and keep them coherent by watching a bus (MSI).

The bus carries a command or none: to read, or to read so as to write (`exclusive`). Cache 0 is its master
when it wants to and no device before it is; it tells the caches behind it that the bus is taken, and so on
down the chain. A master that reads gets a shared copy, one that will write a modified copy; the others give
theirs up, or share it. In a step without a command a copy may be dropped. No cache can block another, and
what one can do to the bus does not depend on its copy.",
    data: "\
Each cache also has a counter that never stops, and while that is zero a modified copy that another reads is shared or given up.",
    formulas: &FORMULAS,
    modules: MODULES,
    write,
};

const FORMULAS: [Stated; 20] = [
    ("local: a copy is modified or shared", Ctl, "AG !(cache0.is_modified & cache0.is_shared)"),
    (
        "local: who writes alone may write",
        Ctl,
        "AG (cache0.is_master & bus.command & bus.exclusive -> AX cache0.is_modified)",
    ),
    (
        "local: another writer invalidates",
        Ctl,
        "AG (!cache0.is_master & bus.command & bus.exclusive -> \
         AX (!cache0.is_modified & !cache0.is_shared))",
    ),
    (
        "local: another reader ends writing",
        Ctl,
        "AG (!cache0.is_master & bus.command -> AX !cache0.is_modified)",
    ),
    ("local: cache 0 can write", Ctl, "EF cache0.is_modified"),
    ("local: cache 0 can go on writing", Ctl, "EF EG cache0.is_modified"),
    (
        "local: cache 0 can write again and again",
        Mu,
        "nu X. mu Y. <> (cache0.is_modified & (mu Z. <> (!cache0.is_modified & X | Z)) | Y)",
    ),
    ("local: cache 0 always writes in the end", Ctl, "AF cache0.is_modified"),
    (
        "local: a master writes without a command",
        Ctl,
        "EF (!cache0.is_modified & !bus.command & EX cache0.is_modified)",
    ),
    (
        "two-party: neighbours never write together",
        Ctl,
        "AG !(cache0.is_modified & cache1.is_modified)",
    ),
    (
        "two-party: neighbours are never both master",
        Ctl,
        "AG !(cache0.is_master & cache1.is_master)",
    ),
    ("two-party: neighbours can share", Ctl, "EF (cache0.is_shared & cache1.is_shared)"),
    (
        "two-party: cache 1 can take the line over",
        Ctl,
        "EF (cache0.is_modified & EX cache1.is_modified)",
    ),
    ("two-party: neighbours always share", Ctl, "AG (cache0.is_shared -> cache1.is_shared)"),
    ("two-party: neighbours write together", Ctl, "EF (cache0.is_modified & cache1.is_modified)"),
    (
        "global: nobody reads what another writes",
        Ctl,
        "AG !(cache0.is_modified & cache$.is_shared)",
    ),
    (
        "global: first and last never write together",
        Ctl,
        "AG !(cache0.is_modified & cache$.is_modified)",
    ),
    ("global: first and last are both master", Ctl, "EF (cache0.is_master & cache$.is_master)"),
    ("global: the last cache writes again and again", Ctl, "AG AF cache$.is_modified"),
    (
        "global: first and last can write in turns forever",
        Mu,
        "nu X. mu Y. <> (cache0.is_modified & (mu Z. <> (cache$.is_modified & X | Z)) | Y)",
    ),
];

const MODULES: &str = "\
-- Any command, for a device at the head of the chain or for a cache.
MODULE bus
VAR
  taken : boolean;
  command : boolean;
  exclusive : boolean;
ASSIGN
  init(taken) := FALSE;
  init(command) := FALSE;
  init(exclusive) := FALSE;

@sound MODULE cache(is_taken, command, exclusive, drops)
@fault MODULE cache(is_taken, command, exclusive, drops, is_broken)
VAR
  copy : {invalid, shared, modified};
  wants : boolean;
  -- This cache is master, or a device before it.
  taken : boolean;
@data   ticks : unsigned word[@W];
DEFINE
  is_shared := copy = shared;
  is_modified := copy = modified;
  is_master := wants & !is_taken;
ASSIGN
  init(wants) := FALSE;
  taken := is_taken | wants;
  init(copy) := invalid;
  next(copy) := case
    !command & copy = invalid : invalid;
    !command : {copy, invalid};
    is_master & exclusive : modified;
    is_master & copy = invalid : shared;
    is_master : copy;
    exclusive : invalid;
@fault     copy = modified & is_broken : modified;
@data     copy = modified & ticks = 0ud@W_0 : {shared, invalid};
    copy = modified & drops : invalid;
    copy = modified : shared;
    TRUE : copy;
  esac;
@data   init(ticks) := 0ud@W_0;
@data   next(ticks) := ticks + 0ud@W_1;
";

fn write(instance: &mut Instance, sheet: &mut Sheet) {
    sheet.part("bus", "bus", []);
    for number in 0..instance.size {
        let before = number.checked_sub(1).map_or("bus".to_owned(), |n| format!("cache{n}"));
        let wires = ["bus.command", "bus.exclusive"].map(str::to_owned);
        let drops = truth(instance.random.chance(0.5));
        let arguments = std::iter::once(format!("{before}.taken")).chain(wires).chain([drops]);
        sheet.part_at_risk(format!("cache{number}"), "cache", arguments, number == 0);
    }
}
