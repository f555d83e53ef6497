//! A fork lies between two philosophers and decides who gets it; both see whose it is.

use super::super::{Instance, Logic::*};
use super::sheet::{Sheet, truth};
use super::{Design, Stated};

pub const DESIGN: Design = Design {
    about: "\
Philosophers at a round table, and a fork between every two of them; who eats needs both.

Philosopher 0 thinks, gets hungry, reaches for a fork with one hand and then with the other, eats and
puts the forks down, one after the other. Fork 0 lies at the left of philosopher 0. A fork goes to one of
those who reach for it, or lets them wait, and stays there until it is put down. One philosopher, not
number 0, takes the right fork first, the others the left one, so there is no deadlock.",
    data: "\
Each philosopher also has a counter that never stops, and while that is zero it takes one bite or two.",
    formulas: &FORMULAS,
    modules: MODULES,
    write,
};

const FORMULAS: [Stated; 16] = [
    (
        "local: nobody eats who was not hungry",
        Ctl,
        "!E [!phil0.is_hungry U phil0.eats & !phil0.is_hungry]",
    ),
    ("local: a philosopher can think forever", Ctl, "EG phil0.thinks"),
    ("local: a philosopher can always think", Ctl, "AG EX phil0.thinks"),
    (
        "local: a philosopher thinks with a fork in the hand",
        Ctl,
        "EF (phil0.thinks & phil0.has_right)",
    ),
    ("two-party: neighbours never eat together", Ctl, "AG !(phil0.eats & phil1.eats)"),
    ("two-party: one fork, one hand", Ctl, "AG !(phil0.has_right & phil1.has_left)"),
    ("two-party: neighbours can eat in turns", Ctl, "EF (phil0.eats & EF phil1.eats)"),
    (
        "two-party: neighbours can eat in turns forever",
        Mu,
        "nu X. mu Y. <> (phil0.eats & (mu Z. <> (phil1.eats & X | Z)) | Y)",
    ),
    (
        "two-party: a free fork waits for philosopher 1",
        Ctl,
        "AG (phil0.puts_right_down -> AX EX fork1.is_lefts)",
    ),
    ("two-party: a fork goes from hand to hand", Ctl, "EF (phil0.has_right & EX phil1.has_left)"),
    ("global: no deadlock", Ctl, "AG !all_wait"),
    ("global: who is hungry can eat", Ctl, "AG (phil0.is_hungry -> EF phil0.eats)"),
    ("global: nobody can do anything", Ctl, "EF all_wait"),
    ("global: first and last can eat in turns", Ctl, "EF (phil0.eats & EF phil$.eats)"),
    ("global: who is hungry eats in the end", Ctl, "AG (phil0.is_hungry -> AF phil0.eats)"),
    (
        "global: some can eat forever while philosopher 0 is hungry",
        Mu,
        "mu W. phil0.is_hungry & (nu X. mu Y. <> (!phil0.eats & (phil$.eats & X | Y))) | <> W",
    ),
];

const MODULES: &str = "\
-- The left fork is that of the philosopher, the right fork that of the next.
MODULE phil(left_is_mine, right_is_mine, takes_right_first, is_slow)
VAR
  at : {thinking, hungry, one, eating, finishing, full, sated};
@data   ticks : unsigned word[@W];
DEFINE
  thinks := at = thinking;
  is_hungry := at in {hungry, one};
  eats := at in {eating, finishing};
  -- It has one fork and waits for the other.
  waits := at = one;
  has_left := eats | at = one & !takes_right_first;
  has_right := eats | at = full | at = one & takes_right_first;
  puts_right_down := at = sated;
  reaches_left := has_left | at = one | at = hungry & !takes_right_first;
  reaches_right := has_right | at = one | at = hungry & takes_right_first;
ASSIGN
  init(at) := thinking;
  next(at) := case
    at = thinking : {thinking, hungry};
    at = hungry & (takes_right_first ? right_is_mine : left_is_mine) : one;
    at = one & left_is_mine & right_is_mine : eating;
@data     at = eating & ticks = 0ud@W_0 : {finishing, full};
    at = eating & is_slow : finishing;
    at in {eating, finishing} : full;
    at = full  : sated;
    at = sated : thinking;
    TRUE : at;
  esac;
@data   init(ticks) := 0ud@W_0;
@data   next(ticks) := ticks + 0ud@W_1;

-- Between the left hand of one philosopher and the right hand of the one before.
MODULE fork(left_reaches, right_reaches)
VAR
  owner : {nobody, left, right};
DEFINE
  is_lefts  := owner = left;
  is_rights := owner = right;
ASSIGN
  init(owner) := nobody;
  next(owner) := case
    owner = nobody & left_reaches & right_reaches : {nobody, left, right};
    owner = nobody & left_reaches  : {nobody, left};
    owner = nobody & right_reaches : {nobody, right};
    owner = left & !left_reaches   : nobody;
    owner = right & !right_reaches : nobody;
    TRUE : owner;
  esac;
";

fn write(instance: &mut Instance, sheet: &mut Sheet) {
    let left_handed = instance.not_the_first();
    let size = instance.size;
    for i in 0..size {
        let (before, after) = ((i + size - 1) % size, (i + 1) % size);
        let hands = [format!("phil{i}.reaches_left"), format!("phil{before}.reaches_right")];
        sheet.part(format!("fork{i}"), "fork", hands);
        let takes_right_first = i == left_handed && !instance.broken;
        let forks = [format!("fork{i}.is_lefts"), format!("fork{after}.is_rights")];
        let habits = [takes_right_first, instance.work() > 1].map(truth);
        sheet.part(format!("phil{i}"), "phil", forks.into_iter().chain(habits));
    }
    let waiting: Vec<String> = (0..size).map(|i| format!("phil{i}.waits")).collect();
    sheet.define("all_wait", waiting.join(" & "));
}
