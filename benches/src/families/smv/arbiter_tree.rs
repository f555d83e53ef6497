//! A node reads what its two sides ask and what its parent grants.

use super::super::{Instance, Logic::*, arbiter_tree::range};
use super::sheet::{Sheet, truth};
use super::{Design, Stated};

pub const DESIGN: Design = Design {
    about: "\
A binary tree of arbiters: users at the leaves ask for one resource at the root.

User 0 asks, and once it is granted uses the resource for a while, then gives it back. A node passes on
what one of its two sides asks, and grants that side what its parent grants; when that is given back it is
the other side's turn. The root grants when it is asked. No part can block another, and every user is
served in the end.",
    data: "\
Each user also has a counter that never stops, and while that is zero it uses the resource for one step or two.",
    formulas: &FORMULAS,
    modules: MODULES,
    write,
};

const FORMULAS: [Stated; 19] = [
    ("local: nothing is used without asking", Ctl, "AG (user0.uses -> user0.asks)"),
    (
        "local: a request stands until it is granted",
        Ctl,
        "AG (user0.asks & !user0.is_granted & !user0.uses -> AX user0.asks)",
    ),
    ("local: use ends", Ctl, "AG (user0.uses -> AF !user0.uses)"),
    ("local: user 0 can ask", Ctl, "EF user0.asks"),
    ("local: user 0 need never ask", Ctl, "EG !user0.asks"),
    ("local: user 0 asks again and again", Ctl, "AG AF user0.asks"),
    (
        "local: user 0 starts without a grant",
        Ctl,
        "EF (!user0.is_granted & !user0.uses & EX user0.uses)",
    ),
    ("two-party: siblings never use it together", Ctl, "AG !(user0.uses & user1.uses)"),
    (
        "two-party: siblings are never granted together",
        Ctl,
        "AG !(user0.is_granted & user1.is_granted)",
    ),
    ("two-party: siblings can ask together", Ctl, "EF (user0.asks & user1.asks)"),
    (
        "two-party: who asks is granted at once",
        Ctl,
        "AG (user0.asks & user1.asks -> AX (user0.is_granted | user1.is_granted))",
    ),
    ("two-party: siblings are granted together", Ctl, "EF (user0.is_granted & user1.is_granted)"),
    ("global: first and last never use it together", Ctl, "AG !(user0.uses & user$.uses)"),
    ("global: who asks is served in the end", Ctl, "AG (user0.asks -> AF user0.uses)"),
    ("global: siblings take turns", Ctl, "AG (user0.uses & user1.asks -> AF user1.uses)"),
    ("global: who uses it has it from the root", Ctl, "AG (user0.uses -> root.grants)"),
    (
        "global: first and last can take turns forever",
        Mu,
        "nu X. mu Y. <> (user0.uses & (mu Z. <> (user$.uses & X | Z)) | Y)",
    ),
    ("global: use without the resource", Ctl, "EF (user0.uses & !root.grants)"),
    ("global: the resource is used again and again", Ctl, "AG AF root.grants"),
];

const MODULES: &str = "\
MODULE root(is_asked)
VAR
  grants : boolean;
ASSIGN
  init(grants) := FALSE;
  next(grants) := is_asked;

@sound MODULE node(left_asks, right_asks, parent_grants)
@fault MODULE node(left_asks, right_asks, parent_grants, is_broken)
VAR
@sound   at : {free, asking, granting, back};
@fault   at : {free, asking, granting, back, granting_both};
  -- Whose turn it is, and from then on who is served.
  side : {left, right};
DEFINE
  is_asked := left_asks | right_asks;
  side_asks := side = left & left_asks | side = right & right_asks;
  asks := at in {asking, granting};
@sound   grants_left := at = granting & side = left;
@sound   grants_right := at = granting & side = right;
@fault   grants_left := at = granting & side = left | at = granting_both;
@fault   grants_right := at = granting & side = right | at = granting_both;
ASSIGN
  init(at) := free;
  next(at) := case
@fault     at = free & is_broken & is_asked : granting_both;
    at = free & is_asked : asking;
    at = asking & parent_grants : granting;
    at = granting & !side_asks : back;
@fault     at = granting_both & !is_asked : back;
    at = back & !parent_grants : free;
    TRUE : at;
  esac;
  init(side) := left;
  next(side) := case
@fault     is_broken : left;
    at = free & is_asked & !side_asks & side = left : right;
    at = free & is_asked & !side_asks : left;
    at = granting & !side_asks & side = left : right;
    at = granting & !side_asks : left;
    TRUE : side;
  esac;

MODULE user(grant, is_slow)
VAR
  at : {idle, asking, using, finishing, back};
@data   ticks : unsigned word[@W];
DEFINE
  is_granted := grant;
  asks := at in {asking, using, finishing};
  uses := at in {using, finishing};
ASSIGN
  init(at) := idle;
  next(at) := case
    at = idle : {idle, asking};
    at = asking & grant : using;
@data     at = using & ticks = 0ud@W_0 : {finishing, back};
    at = using & is_slow : finishing;
    at in {using, finishing} : back;
    at = back & !grant : idle;
    TRUE : at;
  esac;
@data   init(ticks) := 0ud@W_0;
@data   next(ticks) := ticks + 0ud@W_1;
";

fn write(instance: &mut Instance, sheet: &mut Sheet) {
    let top = part(0, instance.size);
    sheet.part("root", "root", [format!("{top}.asks")]);
    write_tree(instance, 0, instance.size, "root.grants", sheet);
}

/// The part of the tree over some leaves, in halves, as in the other notation.
fn write_tree(instance: &mut Instance, first: u32, count: u32, grant: &str, sheet: &mut Sheet) {
    let name = part(first, count);
    if count == 1 {
        let arguments = [grant.to_owned(), truth(instance.work() > 1)];
        return sheet.part(name, "user", arguments);
    }
    let in_left = count.div_ceil(2);
    let halves = [(first, in_left), (first + in_left, count - in_left)];
    let asks = halves.map(|(first, count)| format!("{}.asks", part(first, count)));
    let is_broken = (first, count) == (0, 2);
    let arguments = asks.into_iter().chain([grant.to_owned()]);
    sheet.part_at_risk(name.clone(), "node", arguments, is_broken);
    for ((first, count), side) in halves.into_iter().zip(["left", "right"]) {
        write_tree(instance, first, count, &format!("{name}.grants_{side}"), sheet);
    }
}

/// The name of the part above some leaves, or of the only one.
fn part(first: u32, count: u32) -> String {
    format!("{}{}", if count == 1 { "user" } else { "node" }, range(first, count))
}
