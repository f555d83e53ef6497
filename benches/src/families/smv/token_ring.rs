//! A station reads of the one before it whether the token comes.

use super::super::{Instance, Logic::*};
use super::sheet::{Sheet, truth};
use super::{Design, Stated};

pub const DESIGN: Design = Design {
    about: "\
Stations in a ring pass one token round; who has it may work.

Station 0 waits until the token comes, works at least for a while, and hands the token to station 1. It
sees when the station before it passes the token and takes what comes, so no station can block another.
At first station 0 has the token.",
    data: "\
Each station also has a counter that never stops, and while that is zero the first step of work may be longer or shorter.",
    formulas: &FORMULAS,
    modules: MODULES,
    write,
};

const FORMULAS: [Stated; 17] = [
    ("local: passing takes one step", Ctl, "AG (station0.passes -> AX !station0.passes)"),
    ("local: who works has stopped waiting", Ctl, "AG !(station0.waits & station0.works)"),
    (
        "local: work ends in passing",
        Ctl,
        "AG (station0.works -> !E [!station0.passes U !station0.works & !station0.passes])",
    ),
    ("local: station 0 can work", Ctl, "EF station0.works"),
    ("local: station 0 need never work", Ctl, "EG !station0.works"),
    ("local: station 0 works again and again", Ctl, "AG AF station0.works"),
    ("local: station 0 passes while it works", Ctl, "EF (station0.passes & station0.works)"),
    (
        "two-party: who waits works when the token comes",
        Ctl,
        "AG (station0.passes & station1.waits -> AX station1.works)",
    ),
    (
        "two-party: station 1 can work after station 0",
        Ctl,
        "EF (station0.works & EF station1.works)",
    ),
    ("two-party: what comes is always used", Ctl, "AG (station0.passes -> AX station1.works)"),
    (
        "two-party: the token is lost on the way",
        Ctl,
        "EF (station0.passes & station1.waits & EX !station1.works)",
    ),
    ("global: never two at work", Ctl, "AG !(station0.works & station1.works)"),
    ("global: first and last never both at work", Ctl, "AG !(station0.works & station$.works)"),
    ("global: two at work", Ctl, "EF (station0.works & station1.works)"),
    ("global: station 0 can always work again", Ctl, "AG EF station0.works"),
    (
        "global: stations 0 and 1 can take turns forever",
        Mu,
        "nu X. mu Y. <> (station0.works & (mu Z. <> (station1.works & X | Z)) | Y)",
    ),
    ("global: the token comes round", Ctl, "AG AF station0.passes"),
];

const MODULES: &str = "\
@sound MODULE station(comes, is_first, is_slow)
@fault MODULE station(comes, is_first, is_slow, keeps_a_copy)
VAR
  at : {idle, waiting, holding, working, finishing, passing};
@data   ticks : unsigned word[@W];
DEFINE
  waits  := at = waiting;
  works  := at in {working, finishing};
  passes := at = passing;
ASSIGN
  init(at) := case is_first : holding; TRUE : idle; esac;
  next(at) := case
    at = idle & comes    : {holding, passing};
    at = idle            : {idle, waiting};
    at = waiting & comes : working;
    at = holding         : {holding, working, passing};
@data     at = working & ticks = 0ud@W_0 : {working, finishing, passing};
    at = working & is_slow : finishing;
    at = working         : {working, passing};
    at = finishing       : {finishing, passing};
    -- A token that comes to a station that has one is lost: it can only be a copy.
    at = passing & comes : holding;
@fault     at = passing & keeps_a_copy : {idle, waiting, holding};
    at = passing         : {idle, waiting};
    TRUE                 : at;
  esac;
@data   init(ticks) := 0ud@W_0;
@data   next(ticks) := ticks + 0ud@W_1;
";

fn write(instance: &mut Instance, sheet: &mut Sheet) {
    let fault = instance.fault();
    for number in 0..instance.size {
        let before = (number + instance.size - 1) % instance.size;
        let comes = format!("station{before}.passes");
        let arguments = [comes, truth(number == 0), truth(instance.work() > 1)];
        let keeps_a_copy = fault == Some(number);
        sheet.part_at_risk(format!("station{number}"), "station", arguments, keeps_a_copy);
    }
}
