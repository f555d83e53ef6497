//! The server turns to the clients in any order and sees whether the one that it turned to has business
//! with it. A client sees whether the server turned to it, and what the server is at.

use super::super::{Instance, Logic::*};
use super::sheet::{Sheet, truth};
use super::{Design, Stated};

pub const DESIGN: Design = Design {
    about: "\
Clients ask a server that serves one at a time and does not remember whom.

Client 0 thinks until it wants something, asks, gets the reply and uses it. The server turns to one client
after the other, in any order: when it is free and the client wants something that is a request, and it
works; when it is done and the client waits that is the reply. While the server is busy all others have
to wait.",
    data: "\
Each client also has a counter that never stops, and while that is zero it uses the reply for one step or two.",
    formulas: &FORMULAS,
    modules: MODULES,
    write,
};

const FORMULAS: [Stated; 16] = [
    (
        "local: nothing is used before a reply",
        Ctl,
        "!E [!client0.gets U client0.uses & !client0.gets]",
    ),
    ("local: a client can think forever", Ctl, "EG client0.thinks"),
    ("local: a client can always think", Ctl, "AG EX client0.thinks"),
    ("local: a client asks for nothing", Ctl, "E [!client0.wants U client0.asks & !client0.wants]"),
    (
        "two-party: a reply takes work",
        Ctl,
        "AG (client0.asks -> AX !E [!server.works U client0.gets & !server.works])",
    ),
    ("two-party: a request can be answered", Ctl, "EF (client0.asks & EF client0.gets)"),
    ("two-party: clients can be served in turns", Ctl, "EF (client0.uses & EF client1.uses)"),
    (
        "two-party: clients can be served in turns forever",
        Mu,
        "nu X. mu Y. <> (client0.gets & (mu Z. <> (client1.gets & X | Z)) | Y)",
    ),
    ("two-party: who wants something can ask", Ctl, "AG (client0.wants -> EX client0.asks)"),
    (
        "two-party: a reply without work",
        Ctl,
        "EF (client0.asks & EX E [!server.works U client0.gets & !server.works])",
    ),
    (
        "global: one request at a time",
        Ctl,
        "AG (client0.asks -> AX !E [!client0.gets U client1.asks & !client0.gets])",
    ),
    (
        "global: the last does not push in",
        Ctl,
        "AG (client0.asks -> AX !E [!client0.gets U client$.gets & !client0.gets])",
    ),
    ("global: no deadlock", Ctl, "AG EF server.is_free"),
    ("global: who wants something can get it", Ctl, "AG (client0.wants -> EF client0.uses)"),
    (
        "global: two requests at once",
        Ctl,
        "EF (client0.asks & EX E [!client0.gets U client1.asks & !client0.gets])",
    ),
    ("global: who asks gets a reply in the end", Ctl, "AG (client0.asks -> AF client0.gets)"),
];

const MODULES: &str = "\
@sound MODULE client(is_turn, is_free, is_done, is_slow)
@fault MODULE client(is_turn, is_free, is_done, is_slow, is_thief)
VAR
  at : {idle, wanting, waiting, using, finishing};
@data   ticks : unsigned word[@W];
DEFINE
  thinks := at = idle;
  wants := at = wanting;
  uses := at in {using, finishing};
  asks := is_turn & is_free & at = wanting;
@sound   gets := is_turn & is_done & at = waiting;
@fault   gets := is_turn & is_done & (at = waiting | is_thief & at = idle);
  meets := asks | gets;
ASSIGN
  init(at) := idle;
  next(at) := case
    asks : waiting;
    gets : using;
    at = idle : {idle, wanting};
@data     at = using & ticks = 0ud@W_0 : {finishing, idle};
    at = using & is_slow : finishing;
    at in {using, finishing} : idle;
    TRUE : at;
  esac;
@data   init(ticks) := 0ud@W_0;
@data   next(ticks) := ticks + 0ud@W_1;

MODULE server(@CLIENTS)
VAR
  at : {free, busy, done};
  -- Any client, at any time.
  turn : 0..@LAST;
DEFINE
  is_free := at = free;
  works := at = busy;
  is_done := at = done;
  meets := @MEETS;
ASSIGN
  init(at) := free;
  next(at) := case
    at = free & meets : busy;
    at = busy : {busy, done};
    at = done & meets : free;
    TRUE : at;
  esac;
";

fn write(instance: &mut Instance, sheet: &mut Sheet) {
    let fault = instance.fault();
    let each = |text: fn(u32) -> String| (0..instance.size).map(text).collect::<Vec<_>>();
    sheet.part("server", "server", each(|i| format!("client{i}.meets")));
    let names = each(|i| format!("client{i}_meets"));
    sheet.replace("@CLIENTS", names.join(", "));
    sheet.replace("@MEETS", names.join(" | "));
    sheet.replace("@LAST", (instance.size - 1).to_string());
    for i in 0..instance.size {
        let server = ["is_free", "is_done"].map(|wire| format!("server.{wire}"));
        let arguments = std::iter::once(format!("server.turn = {i}")).chain(server);
        let arguments = arguments.chain([truth(instance.work() > 1)]);
        sheet.part_at_risk(format!("client{i}"), "client", arguments, fault == Some(i));
    }
}
