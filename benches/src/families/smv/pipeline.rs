//! A stage reads what the stage before it offers, and whether the stage after it is ready.

use super::super::{Instance, Logic::*};
use super::sheet::{Sheet, truth};
use super::{Design, Stated};

pub const DESIGN: Design = Design {
    about: "\
Stages in a row work on data, one bit at a time, and hand it on when the next stage is ready.

Stage 0 is ready while it is empty; when the source offers a datum it takes it, works and offers it to
stage 1 until that is ready. The source offers and the sink is ready when they like. No stage can block
another, but how long one works cannot be seen from outside.",
    data: "\
With the datum goes a word that a stage increments when it works. Each stage also has a counter that never
stops, and while that or the word is zero it works one step or two.",
    formulas: &FORMULAS,
    modules: MODULES,
    write,
};

const FORMULAS: [Stated; 19] = [
    ("local: stage 0 takes one datum at a time", Ctl, "AG !(stage0.is_ready & stage0.offers)"),
    ("local: work ends in an offer", Ctl, "AG (stage0.works -> AF stage0.offers)"),
    (
        "local: an offer stands until it is taken",
        Ctl,
        "AG (stage0.offers & !stage1.is_ready -> AX stage0.offers)",
    ),
    ("local: stage 0 can work", Ctl, "EF stage0.works"),
    ("local: stage 0 works again and again", Ctl, "AG AF stage0.works"),
    ("local: stage 0 works while it is ready", Ctl, "EF (stage0.is_ready & stage0.works)"),
    (
        "two-party: ones are handed on as ones",
        Ctl,
        "AG (stage0.offers & stage0.datum & stage1.is_ready -> \
         AX A [!stage1.offers U stage1.offers & stage1.datum])",
    ),
    (
        "two-party: what is taken is worked on",
        Ctl,
        "AG (stage0.offers & stage1.is_ready -> AX stage1.works)",
    ),
    ("two-party: stage 0 need never work", Ctl, "EG !stage0.works"),
    ("two-party: both stages can be busy at once", Ctl, "EF (stage0.works & !stage1.is_ready)"),
    ("two-party: nothing is handed on", Ctl, "AG !(stage0.offers & stage1.is_ready)"),
    (
        "two-party: stage 1 loses a datum",
        Ctl,
        "EF (stage0.offers & stage1.is_ready & EX !stage1.works)",
    ),
    (
        "global: nothing comes out before something goes in",
        Ctl,
        "!E [!source.offers U stage$.offers & !source.offers]",
    ),
    (
        "global: all ones until a zero goes in",
        Ctl,
        "!E [!(source.offers & !source.datum) U \
         stage$.offers & !stage$.datum & !(source.offers & !source.datum)]",
    ),
    ("global: something comes out of nothing", Ctl, "E [!source.offers U stage$.offers]"),
    ("global: stage 0 can always get ready", Ctl, "AG EF stage0.is_ready"),
    (
        "global: what goes in makes something come out",
        Ctl,
        "AG (source.offers & stage0.is_ready -> AF stage$.offers)",
    ),
    (
        "global: data can flow forever",
        Mu,
        "nu X. mu Y. <> (source.offers & stage0.is_ready & \
         (mu Z. <> (stage$.offers & sink.is_ready & X | Z)) | Y)",
    ),
    (
        "global: what is offered is taken in the end",
        Ctl,
        "AG (stage0.offers -> AF stage1.is_ready)",
    ),
];

const MODULES: &str = "\
MODULE source(is_taken)
VAR
  offers : boolean;
  datum : boolean;
@data   payload : unsigned word[@W];
ASSIGN
  init(offers) := FALSE;
  next(offers) := case offers & !is_taken : TRUE; TRUE : {FALSE, TRUE}; esac;
  init(datum) := FALSE;
  next(datum) := case offers & !is_taken : datum; TRUE : {FALSE, TRUE}; esac;

@data @sound MODULE stage(is_offered, new_datum, new_payload, is_taken, is_slow)
@data @fault MODULE stage(is_offered, new_datum, new_payload, is_taken, is_slow, invents)
@plain @sound MODULE stage(is_offered, new_datum, is_taken, is_slow)
@plain @fault MODULE stage(is_offered, new_datum, is_taken, is_slow, invents)
VAR
  at : {empty, working, finishing, offering};
  datum : boolean;
@data   payload : unsigned word[@W];
@data   ticks : unsigned word[@W];
DEFINE
  is_ready := at = empty;
  works := at in {working, finishing};
  offers := at = offering;
ASSIGN
  init(at) := empty;
  next(at) := case
    at = empty & is_offered : working;
@fault     at = empty & invents : {empty, offering};
@data     at = working & (ticks = 0ud@W_0 | payload = 0ud@W_0) : {finishing, offering};
    at = working & is_slow : finishing;
    at in {working, finishing} : offering;
    at = offering & is_taken : empty;
    TRUE : at;
  esac;
  init(datum) := FALSE;
  next(datum) := case
    at = empty : is_offered & new_datum;
    TRUE : datum;
  esac;
@data   init(payload) := 0ud@W_0;
@data   next(payload) := case
@data     at = empty & is_offered : new_payload;
@data     at = working : payload + 0ud@W_1;
@data     TRUE : payload;
@data   esac;
@data   init(ticks) := 0ud@W_0;
@data   next(ticks) := ticks + 0ud@W_1;

MODULE sink
VAR
  is_ready : boolean;
ASSIGN
  init(is_ready) := TRUE;
  next(is_ready) := {FALSE, TRUE};
";

fn write(instance: &mut Instance, sheet: &mut Sheet) {
    let fault = instance.fault();
    sheet.part("source", "source", ["stage0.is_ready".to_owned()]);
    for number in 0..instance.size {
        let before = number.checked_sub(1).map_or("source".to_owned(), |n| format!("stage{n}"));
        let is_last = number + 1 == instance.size;
        let after = if is_last { "sink".to_owned() } else { format!("stage{}", number + 1) };
        let mut arguments = vec![format!("{before}.offers"), format!("{before}.datum")];
        arguments.extend(sheet.data.map(|_| format!("{before}.payload")));
        arguments.extend([format!("{after}.is_ready"), truth(instance.work() > 1)]);
        let invents = fault == Some(number);
        sheet.part_at_risk(format!("stage{number}"), "stage", arguments, invents);
    }
    sheet.part("sink", "sink", []);
}
