// Caches hold copies of one line of memory and keep them coherent by watching a bus (MSI).
//
// The bus carries a command (`cmd`) or none: to read, or to read so as to write (`x`). Cache 0 is its
// master (`m0`) when it likes and no device before it is (`p0`); `p1` tells the caches behind it that
// somebody is, and so on down the chain. A master that reads gets a shared copy (`sh0`), one that will
// write a modified copy (`mod0`); the others give theirs up, or share it. In a step without a command
// a copy may be dropped. No cache can block another, and what one can do to the wires does not depend
// on its copy.
//
// expect: "local: a copy is modified or shared" = true
// expect: "local: who writes alone may write" = true
// expect: "local: another writer invalidates" = true
// expect: "local: another reader ends writing" = true
// expect: "local: cache 0 can write" = true
// expect: "local: cache 0 can go on writing" = true
// expect: "local: cache 0 can write again and again" = true
// expect: "local: cache 0 always writes in the end" = false
// expect: "local: a master writes without a command" = false
// expect: "two-party: neighbours never write together" = true
// expect: "two-party: neighbours are never both master" = true
// expect: "two-party: neighbours can share" = true
// expect: "two-party: cache 1 can take the line over" = true
// expect: "two-party: neighbours always share" = false
// expect: "two-party: neighbours write together" = false
// expect: "global: nobody reads what another writes" = true
// expect: "global: first and last never write together" = true
// expect: "global: first and last are both master" = false
// expect: "global: the last cache writes again and again" = false
// expect: "global: first and last can write in turns forever" = true
component Bus kripke {
  props p0, cmd, x;
  init b000;
  b000: {} -> b000, b001, b010, b011, b100, b101, b110, b111;
  b001: {x} -> b000, b001, b010, b011, b100, b101, b110, b111;
  b010: {cmd} -> b000, b001, b010, b011, b100, b101, b110, b111;
  b011: {cmd, x} -> b000, b001, b010, b011, b100, b101, b110, b111;
  b100: {p0} -> b000, b001, b010, b011, b100, b101, b110, b111;
  b101: {p0, x} -> b000, b001, b010, b011, b100, b101, b110, b111;
  b110: {p0, cmd} -> b000, b001, b010, b011, b100, b101, b110, b111;
  b111: {p0, cmd, x} -> b000, b001, b010, b011, b100, b101, b110, b111;
}

component Cache0 kripke {
  props sh0, mod0, m0, p1, p0, cmd, x;
  init i.000, i.001, i.010, i.011, i.100, i.101, i.110, i.111;
  i.000: {} -> i.000, i.001, i.010, i.011, i.100, i.101, i.110, i.111, i_master.000, i_master.001, i_master.010, i_master.011;
  i.001: {x} -> i.000, i.001, i.010, i.011, i.100, i.101, i.110, i.111, i_master.000, i_master.001, i_master.010, i_master.011;
  i.010: {cmd} -> i.000, i.001, i.010, i.011, i.100, i.101, i.110, i.111, i_master.000, i_master.001, i_master.010, i_master.011;
  i.011: {cmd, x} -> i.000, i.001, i.010, i.011, i.100, i.101, i.110, i.111, i_master.000, i_master.001, i_master.010, i_master.011;
  i.100: {p1, p0} -> i.000, i.001, i.010, i.011, i.100, i.101, i.110, i.111, i_master.000, i_master.001, i_master.010, i_master.011;
  i.101: {p1, p0, x} -> i.000, i.001, i.010, i.011, i.100, i.101, i.110, i.111, i_master.000, i_master.001, i_master.010, i_master.011;
  i.110: {p1, p0, cmd} -> i.000, i.001, i.010, i.011, i.100, i.101, i.110, i.111, i_master.000, i_master.001, i_master.010, i_master.011;
  i.111: {p1, p0, cmd, x} -> i.000, i.001, i.010, i.011, i.100, i.101, i.110, i.111, i_master.000, i_master.001, i_master.010, i_master.011;
  i_master.000: {m0, p1} -> i.000, i.001, i.010, i.011, i.100, i.101, i.110, i.111, i_master.000, i_master.001, i_master.010, i_master.011;
  i_master.001: {m0, p1, x} -> i.000, i.001, i.010, i.011, i.100, i.101, i.110, i.111, i_master.000, i_master.001, i_master.010, i_master.011;
  i_master.010: {m0, p1, cmd} -> s.000, s.001, s.010, s.011, s.100, s.101, s.110, s.111, s_master.000, s_master.001, s_master.010, s_master.011;
  i_master.011: {m0, p1, cmd, x} -> m.000, m.001, m.010, m.011, m.100, m.101, m.110, m.111, m_master.000, m_master.001, m_master.010, m_master.011;
  s.000: {sh0} -> s.000, s.001, s.010, s.011, s.100, s.101, s.110, s.111, s_master.000, s_master.001, s_master.010, s_master.011, i.000, i.001, i.010, i.011, i.100, i.101, i.110, i.111, i_master.000, i_master.001, i_master.010, i_master.011;
  s.001: {sh0, x} -> s.000, s.001, s.010, s.011, s.100, s.101, s.110, s.111, s_master.000, s_master.001, s_master.010, s_master.011, i.000, i.001, i.010, i.011, i.100, i.101, i.110, i.111, i_master.000, i_master.001, i_master.010, i_master.011;
  s.010: {sh0, cmd} -> s.000, s.001, s.010, s.011, s.100, s.101, s.110, s.111, s_master.000, s_master.001, s_master.010, s_master.011;
  s.011: {sh0, cmd, x} -> i.000, i.001, i.010, i.011, i.100, i.101, i.110, i.111, i_master.000, i_master.001, i_master.010, i_master.011;
  s.100: {sh0, p1, p0} -> s.000, s.001, s.010, s.011, s.100, s.101, s.110, s.111, s_master.000, s_master.001, s_master.010, s_master.011, i.000, i.001, i.010, i.011, i.100, i.101, i.110, i.111, i_master.000, i_master.001, i_master.010, i_master.011;
  s.101: {sh0, p1, p0, x} -> s.000, s.001, s.010, s.011, s.100, s.101, s.110, s.111, s_master.000, s_master.001, s_master.010, s_master.011, i.000, i.001, i.010, i.011, i.100, i.101, i.110, i.111, i_master.000, i_master.001, i_master.010, i_master.011;
  s.110: {sh0, p1, p0, cmd} -> s.000, s.001, s.010, s.011, s.100, s.101, s.110, s.111, s_master.000, s_master.001, s_master.010, s_master.011;
  s.111: {sh0, p1, p0, cmd, x} -> i.000, i.001, i.010, i.011, i.100, i.101, i.110, i.111, i_master.000, i_master.001, i_master.010, i_master.011;
  s_master.000: {sh0, m0, p1} -> s.000, s.001, s.010, s.011, s.100, s.101, s.110, s.111, s_master.000, s_master.001, s_master.010, s_master.011, i.000, i.001, i.010, i.011, i.100, i.101, i.110, i.111, i_master.000, i_master.001, i_master.010, i_master.011;
  s_master.001: {sh0, m0, p1, x} -> s.000, s.001, s.010, s.011, s.100, s.101, s.110, s.111, s_master.000, s_master.001, s_master.010, s_master.011, i.000, i.001, i.010, i.011, i.100, i.101, i.110, i.111, i_master.000, i_master.001, i_master.010, i_master.011;
  s_master.010: {sh0, m0, p1, cmd} -> s.000, s.001, s.010, s.011, s.100, s.101, s.110, s.111, s_master.000, s_master.001, s_master.010, s_master.011;
  s_master.011: {sh0, m0, p1, cmd, x} -> m.000, m.001, m.010, m.011, m.100, m.101, m.110, m.111, m_master.000, m_master.001, m_master.010, m_master.011;
  m.000: {mod0} -> m.000, m.001, m.010, m.011, m.100, m.101, m.110, m.111, m_master.000, m_master.001, m_master.010, m_master.011, i.000, i.001, i.010, i.011, i.100, i.101, i.110, i.111, i_master.000, i_master.001, i_master.010, i_master.011;
  m.001: {mod0, x} -> m.000, m.001, m.010, m.011, m.100, m.101, m.110, m.111, m_master.000, m_master.001, m_master.010, m_master.011, i.000, i.001, i.010, i.011, i.100, i.101, i.110, i.111, i_master.000, i_master.001, i_master.010, i_master.011;
  m.010: {mod0, cmd} -> s.000, s.001, s.010, s.011, s.100, s.101, s.110, s.111, s_master.000, s_master.001, s_master.010, s_master.011;
  m.011: {mod0, cmd, x} -> i.000, i.001, i.010, i.011, i.100, i.101, i.110, i.111, i_master.000, i_master.001, i_master.010, i_master.011;
  m.100: {mod0, p1, p0} -> m.000, m.001, m.010, m.011, m.100, m.101, m.110, m.111, m_master.000, m_master.001, m_master.010, m_master.011, i.000, i.001, i.010, i.011, i.100, i.101, i.110, i.111, i_master.000, i_master.001, i_master.010, i_master.011;
  m.101: {mod0, p1, p0, x} -> m.000, m.001, m.010, m.011, m.100, m.101, m.110, m.111, m_master.000, m_master.001, m_master.010, m_master.011, i.000, i.001, i.010, i.011, i.100, i.101, i.110, i.111, i_master.000, i_master.001, i_master.010, i_master.011;
  m.110: {mod0, p1, p0, cmd} -> s.000, s.001, s.010, s.011, s.100, s.101, s.110, s.111, s_master.000, s_master.001, s_master.010, s_master.011;
  m.111: {mod0, p1, p0, cmd, x} -> i.000, i.001, i.010, i.011, i.100, i.101, i.110, i.111, i_master.000, i_master.001, i_master.010, i_master.011;
  m_master.000: {mod0, m0, p1} -> m.000, m.001, m.010, m.011, m.100, m.101, m.110, m.111, m_master.000, m_master.001, m_master.010, m_master.011, i.000, i.001, i.010, i.011, i.100, i.101, i.110, i.111, i_master.000, i_master.001, i_master.010, i_master.011;
  m_master.001: {mod0, m0, p1, x} -> m.000, m.001, m.010, m.011, m.100, m.101, m.110, m.111, m_master.000, m_master.001, m_master.010, m_master.011, i.000, i.001, i.010, i.011, i.100, i.101, i.110, i.111, i_master.000, i_master.001, i_master.010, i_master.011;
  m_master.010: {mod0, m0, p1, cmd} -> m.000, m.001, m.010, m.011, m.100, m.101, m.110, m.111, m_master.000, m_master.001, m_master.010, m_master.011;
  m_master.011: {mod0, m0, p1, cmd, x} -> m.000, m.001, m.010, m.011, m.100, m.101, m.110, m.111, m_master.000, m_master.001, m_master.010, m_master.011;
}

component Cache1 kripke {
  props sh1, mod1, m1, p2, p1, cmd, x;
  init i.000, i.001, i.010, i.011, i.100, i.101, i.110, i.111;
  i.000: {} -> i.000, i.001, i.010, i.011, i.100, i.101, i.110, i.111, i_master.000, i_master.001, i_master.010, i_master.011;
  i.001: {x} -> i.000, i.001, i.010, i.011, i.100, i.101, i.110, i.111, i_master.000, i_master.001, i_master.010, i_master.011;
  i.010: {cmd} -> i.000, i.001, i.010, i.011, i.100, i.101, i.110, i.111, i_master.000, i_master.001, i_master.010, i_master.011;
  i.011: {cmd, x} -> i.000, i.001, i.010, i.011, i.100, i.101, i.110, i.111, i_master.000, i_master.001, i_master.010, i_master.011;
  i.100: {p2, p1} -> i.000, i.001, i.010, i.011, i.100, i.101, i.110, i.111, i_master.000, i_master.001, i_master.010, i_master.011;
  i.101: {p2, p1, x} -> i.000, i.001, i.010, i.011, i.100, i.101, i.110, i.111, i_master.000, i_master.001, i_master.010, i_master.011;
  i.110: {p2, p1, cmd} -> i.000, i.001, i.010, i.011, i.100, i.101, i.110, i.111, i_master.000, i_master.001, i_master.010, i_master.011;
  i.111: {p2, p1, cmd, x} -> i.000, i.001, i.010, i.011, i.100, i.101, i.110, i.111, i_master.000, i_master.001, i_master.010, i_master.011;
  i_master.000: {m1, p2} -> i.000, i.001, i.010, i.011, i.100, i.101, i.110, i.111, i_master.000, i_master.001, i_master.010, i_master.011;
  i_master.001: {m1, p2, x} -> i.000, i.001, i.010, i.011, i.100, i.101, i.110, i.111, i_master.000, i_master.001, i_master.010, i_master.011;
  i_master.010: {m1, p2, cmd} -> s.000, s.001, s.010, s.011, s.100, s.101, s.110, s.111, s_master.000, s_master.001, s_master.010, s_master.011;
  i_master.011: {m1, p2, cmd, x} -> m.000, m.001, m.010, m.011, m.100, m.101, m.110, m.111, m_master.000, m_master.001, m_master.010, m_master.011;
  s.000: {sh1} -> s.000, s.001, s.010, s.011, s.100, s.101, s.110, s.111, s_master.000, s_master.001, s_master.010, s_master.011, i.000, i.001, i.010, i.011, i.100, i.101, i.110, i.111, i_master.000, i_master.001, i_master.010, i_master.011;
  s.001: {sh1, x} -> s.000, s.001, s.010, s.011, s.100, s.101, s.110, s.111, s_master.000, s_master.001, s_master.010, s_master.011, i.000, i.001, i.010, i.011, i.100, i.101, i.110, i.111, i_master.000, i_master.001, i_master.010, i_master.011;
  s.010: {sh1, cmd} -> s.000, s.001, s.010, s.011, s.100, s.101, s.110, s.111, s_master.000, s_master.001, s_master.010, s_master.011;
  s.011: {sh1, cmd, x} -> i.000, i.001, i.010, i.011, i.100, i.101, i.110, i.111, i_master.000, i_master.001, i_master.010, i_master.011;
  s.100: {sh1, p2, p1} -> s.000, s.001, s.010, s.011, s.100, s.101, s.110, s.111, s_master.000, s_master.001, s_master.010, s_master.011, i.000, i.001, i.010, i.011, i.100, i.101, i.110, i.111, i_master.000, i_master.001, i_master.010, i_master.011;
  s.101: {sh1, p2, p1, x} -> s.000, s.001, s.010, s.011, s.100, s.101, s.110, s.111, s_master.000, s_master.001, s_master.010, s_master.011, i.000, i.001, i.010, i.011, i.100, i.101, i.110, i.111, i_master.000, i_master.001, i_master.010, i_master.011;
  s.110: {sh1, p2, p1, cmd} -> s.000, s.001, s.010, s.011, s.100, s.101, s.110, s.111, s_master.000, s_master.001, s_master.010, s_master.011;
  s.111: {sh1, p2, p1, cmd, x} -> i.000, i.001, i.010, i.011, i.100, i.101, i.110, i.111, i_master.000, i_master.001, i_master.010, i_master.011;
  s_master.000: {sh1, m1, p2} -> s.000, s.001, s.010, s.011, s.100, s.101, s.110, s.111, s_master.000, s_master.001, s_master.010, s_master.011, i.000, i.001, i.010, i.011, i.100, i.101, i.110, i.111, i_master.000, i_master.001, i_master.010, i_master.011;
  s_master.001: {sh1, m1, p2, x} -> s.000, s.001, s.010, s.011, s.100, s.101, s.110, s.111, s_master.000, s_master.001, s_master.010, s_master.011, i.000, i.001, i.010, i.011, i.100, i.101, i.110, i.111, i_master.000, i_master.001, i_master.010, i_master.011;
  s_master.010: {sh1, m1, p2, cmd} -> s.000, s.001, s.010, s.011, s.100, s.101, s.110, s.111, s_master.000, s_master.001, s_master.010, s_master.011;
  s_master.011: {sh1, m1, p2, cmd, x} -> m.000, m.001, m.010, m.011, m.100, m.101, m.110, m.111, m_master.000, m_master.001, m_master.010, m_master.011;
  m.000: {mod1} -> m.000, m.001, m.010, m.011, m.100, m.101, m.110, m.111, m_master.000, m_master.001, m_master.010, m_master.011, i.000, i.001, i.010, i.011, i.100, i.101, i.110, i.111, i_master.000, i_master.001, i_master.010, i_master.011;
  m.001: {mod1, x} -> m.000, m.001, m.010, m.011, m.100, m.101, m.110, m.111, m_master.000, m_master.001, m_master.010, m_master.011, i.000, i.001, i.010, i.011, i.100, i.101, i.110, i.111, i_master.000, i_master.001, i_master.010, i_master.011;
  m.010: {mod1, cmd} -> s.000, s.001, s.010, s.011, s.100, s.101, s.110, s.111, s_master.000, s_master.001, s_master.010, s_master.011;
  m.011: {mod1, cmd, x} -> i.000, i.001, i.010, i.011, i.100, i.101, i.110, i.111, i_master.000, i_master.001, i_master.010, i_master.011;
  m.100: {mod1, p2, p1} -> m.000, m.001, m.010, m.011, m.100, m.101, m.110, m.111, m_master.000, m_master.001, m_master.010, m_master.011, i.000, i.001, i.010, i.011, i.100, i.101, i.110, i.111, i_master.000, i_master.001, i_master.010, i_master.011;
  m.101: {mod1, p2, p1, x} -> m.000, m.001, m.010, m.011, m.100, m.101, m.110, m.111, m_master.000, m_master.001, m_master.010, m_master.011, i.000, i.001, i.010, i.011, i.100, i.101, i.110, i.111, i_master.000, i_master.001, i_master.010, i_master.011;
  m.110: {mod1, p2, p1, cmd} -> s.000, s.001, s.010, s.011, s.100, s.101, s.110, s.111, s_master.000, s_master.001, s_master.010, s_master.011;
  m.111: {mod1, p2, p1, cmd, x} -> i.000, i.001, i.010, i.011, i.100, i.101, i.110, i.111, i_master.000, i_master.001, i_master.010, i_master.011;
  m_master.000: {mod1, m1, p2} -> m.000, m.001, m.010, m.011, m.100, m.101, m.110, m.111, m_master.000, m_master.001, m_master.010, m_master.011, i.000, i.001, i.010, i.011, i.100, i.101, i.110, i.111, i_master.000, i_master.001, i_master.010, i_master.011;
  m_master.001: {mod1, m1, p2, x} -> m.000, m.001, m.010, m.011, m.100, m.101, m.110, m.111, m_master.000, m_master.001, m_master.010, m_master.011, i.000, i.001, i.010, i.011, i.100, i.101, i.110, i.111, i_master.000, i_master.001, i_master.010, i_master.011;
  m_master.010: {mod1, m1, p2, cmd} -> m.000, m.001, m.010, m.011, m.100, m.101, m.110, m.111, m_master.000, m_master.001, m_master.010, m_master.011;
  m_master.011: {mod1, m1, p2, cmd, x} -> m.000, m.001, m.010, m.011, m.100, m.101, m.110, m.111, m_master.000, m_master.001, m_master.010, m_master.011;
}

system Bus || Cache0 || Cache1;

property "local: a copy is modified or shared": ctl AG !(mod0 & sh0);
property "local: who writes alone may write": ctl AG (m0 & cmd & x -> AX mod0);
property "local: another writer invalidates": ctl AG (!m0 & cmd & x -> AX (!mod0 & !sh0));
property "local: another reader ends writing": ctl AG (!m0 & cmd -> AX !mod0);
property "local: cache 0 can write": ctl EF mod0;
property "local: cache 0 can go on writing": ctl EF EG mod0;
property "local: cache 0 can write again and again": mu nu X. mu Y. <> (mod0 & (mu Z. <> (!mod0 & X | Z)) | Y);
property "local: cache 0 always writes in the end": ctl AF mod0;
property "local: a master writes without a command": ctl EF (!mod0 & !cmd & EX mod0);
property "two-party: neighbours never write together": ctl AG !(mod0 & mod1);
property "two-party: neighbours are never both master": ctl AG !(m0 & m1);
property "two-party: neighbours can share": ctl EF (sh0 & sh1);
property "two-party: cache 1 can take the line over": ctl EF (mod0 & EX mod1);
property "two-party: neighbours always share": ctl AG (sh0 -> sh1);
property "two-party: neighbours write together": ctl EF (mod0 & mod1);
property "global: nobody reads what another writes": ctl AG !(mod0 & sh1);
property "global: first and last never write together": ctl AG !(mod0 & mod1);
property "global: first and last are both master": ctl EF (m0 & m1);
property "global: the last cache writes again and again": ctl AG AF mod1;
property "global: first and last can write in turns forever": mu nu X. mu Y. <> (mod0 & (mu Z. <> (mod1 & X | Z)) | Y);
