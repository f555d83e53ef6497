// The sliding window protocol of paper A, section 7, whose model is not printed there: this one is ours.
//
// A sender and a receiver with two places each, which hold messages of several kinds, over a channel that
// loses what it likes: `data` reaches the receiver and `lost` does not, `ack` reaches the sender and
// `lostack` does not. Selective repeat: the receiver keeps what comes out of order, so numbers run to twice
// the places, 0 to 3, and `ack2` says that all before number 2 has come.
//
// The sender (s, number of its oldest message, lower place, upper place, phase) fills the upper place
// (`in_red`); what stands there moves down as soon as there is room. It goes round in phases: i, it may
// take a message; t, it may transmit any that it has; a, it may be told an acknowledgement.
//
// The receiver (r, number that it waits for, place for it, place for the next, phase) listens (l). If a
// frame of its window comes it keeps it (n, for new), if another comes its acknowledgement was lost (o, for
// old); in both cases it acknowledges. The user takes what is in order at any time (`out_red`).
//
// Each has 4 numbers, 3 phases and in each of the two places nothing or a message of one of the kinds: with
// three kinds 4 * 3 * 4 * 4 = 192 states, all of which it can reach by itself.
//
// A: the protocol invents no white messages. B: the sender does not. C: the receiver does not. D: nothing
// is ever delivered, which is wrong.
//
// The assumption is to stand for Receiver.
//
// expect: A = true
// expect: B = true
// expect: C = true
// expect: D = false
component Sender lts {
  init s0__i;
  s0__i: -tau-> s0__t -in_red-> s0_rt -in_white-> s0_wt;
  s0__t: -tau-> s0__a;
  s0__a: -tau-> s0__i -ack0-> s0__i -ack1-> s0__i -ack2-> s0__i -ack3-> s0__i;
  s0_ri: -tau-> s0r_i -tau-> s0_rt;
  s0_rt: -tau-> s0r_t -tau-> s0_ra -data0_red-> s0_ra -lost0_red-> s0_ra;
  s0_ra: -tau-> s0r_a -tau-> s0_ri -ack0-> s0_ri -ack1-> s1__i -ack2-> s0_ri -ack3-> s0_ri;
  s0_wi: -tau-> s0w_i -tau-> s0_wt;
  s0_wt: -tau-> s0w_t -tau-> s0_wa -data0_white-> s0_wa -lost0_white-> s0_wa;
  s0_wa: -tau-> s0w_a -tau-> s0_wi -ack0-> s0_wi -ack1-> s1__i -ack2-> s0_wi -ack3-> s0_wi;
  s0r_i: -tau-> s0r_t -in_red-> s0rrt -in_white-> s0rwt;
  s0r_t: -tau-> s0r_a -data0_red-> s0r_a -lost0_red-> s0r_a;
  s0r_a: -tau-> s0r_i -ack0-> s0r_i -ack1-> s1__i -ack2-> s0r_i -ack3-> s0r_i;
  s0rri: -tau-> s0rrt;
  s0rrt: -tau-> s0rra -data0_red-> s0rra -lost0_red-> s0rra -data1_red-> s0rra -lost1_red-> s0rra;
  s0rra: -tau-> s0rri -ack0-> s0rri -ack1-> s1_ri -ack2-> s2__i -ack3-> s0rri;
  s0rwi: -tau-> s0rwt;
  s0rwt: -tau-> s0rwa -data0_red-> s0rwa -lost0_red-> s0rwa -data1_white-> s0rwa -lost1_white-> s0rwa;
  s0rwa: -tau-> s0rwi -ack0-> s0rwi -ack1-> s1_wi -ack2-> s2__i -ack3-> s0rwi;
  s0w_i: -tau-> s0w_t -in_red-> s0wrt -in_white-> s0wwt;
  s0w_t: -tau-> s0w_a -data0_white-> s0w_a -lost0_white-> s0w_a;
  s0w_a: -tau-> s0w_i -ack0-> s0w_i -ack1-> s1__i -ack2-> s0w_i -ack3-> s0w_i;
  s0wri: -tau-> s0wrt;
  s0wrt: -tau-> s0wra -data0_white-> s0wra -lost0_white-> s0wra -data1_red-> s0wra -lost1_red-> s0wra;
  s0wra: -tau-> s0wri -ack0-> s0wri -ack1-> s1_ri -ack2-> s2__i -ack3-> s0wri;
  s0wwi: -tau-> s0wwt;
  s0wwt: -tau-> s0wwa -data0_white-> s0wwa -lost0_white-> s0wwa -data1_white-> s0wwa -lost1_white-> s0wwa;
  s0wwa: -tau-> s0wwi -ack0-> s0wwi -ack1-> s1_wi -ack2-> s2__i -ack3-> s0wwi;
  s1__i: -tau-> s1__t -in_red-> s1_rt -in_white-> s1_wt;
  s1__t: -tau-> s1__a;
  s1__a: -tau-> s1__i -ack0-> s1__i -ack1-> s1__i -ack2-> s1__i -ack3-> s1__i;
  s1_ri: -tau-> s1r_i -tau-> s1_rt;
  s1_rt: -tau-> s1r_t -tau-> s1_ra -data1_red-> s1_ra -lost1_red-> s1_ra;
  s1_ra: -tau-> s1r_a -tau-> s1_ri -ack0-> s1_ri -ack1-> s1_ri -ack2-> s2__i -ack3-> s1_ri;
  s1_wi: -tau-> s1w_i -tau-> s1_wt;
  s1_wt: -tau-> s1w_t -tau-> s1_wa -data1_white-> s1_wa -lost1_white-> s1_wa;
  s1_wa: -tau-> s1w_a -tau-> s1_wi -ack0-> s1_wi -ack1-> s1_wi -ack2-> s2__i -ack3-> s1_wi;
  s1r_i: -tau-> s1r_t -in_red-> s1rrt -in_white-> s1rwt;
  s1r_t: -tau-> s1r_a -data1_red-> s1r_a -lost1_red-> s1r_a;
  s1r_a: -tau-> s1r_i -ack0-> s1r_i -ack1-> s1r_i -ack2-> s2__i -ack3-> s1r_i;
  s1rri: -tau-> s1rrt;
  s1rrt: -tau-> s1rra -data1_red-> s1rra -lost1_red-> s1rra -data2_red-> s1rra -lost2_red-> s1rra;
  s1rra: -tau-> s1rri -ack0-> s1rri -ack1-> s1rri -ack2-> s2_ri -ack3-> s3__i;
  s1rwi: -tau-> s1rwt;
  s1rwt: -tau-> s1rwa -data1_red-> s1rwa -lost1_red-> s1rwa -data2_white-> s1rwa -lost2_white-> s1rwa;
  s1rwa: -tau-> s1rwi -ack0-> s1rwi -ack1-> s1rwi -ack2-> s2_wi -ack3-> s3__i;
  s1w_i: -tau-> s1w_t -in_red-> s1wrt -in_white-> s1wwt;
  s1w_t: -tau-> s1w_a -data1_white-> s1w_a -lost1_white-> s1w_a;
  s1w_a: -tau-> s1w_i -ack0-> s1w_i -ack1-> s1w_i -ack2-> s2__i -ack3-> s1w_i;
  s1wri: -tau-> s1wrt;
  s1wrt: -tau-> s1wra -data1_white-> s1wra -lost1_white-> s1wra -data2_red-> s1wra -lost2_red-> s1wra;
  s1wra: -tau-> s1wri -ack0-> s1wri -ack1-> s1wri -ack2-> s2_ri -ack3-> s3__i;
  s1wwi: -tau-> s1wwt;
  s1wwt: -tau-> s1wwa -data1_white-> s1wwa -lost1_white-> s1wwa -data2_white-> s1wwa -lost2_white-> s1wwa;
  s1wwa: -tau-> s1wwi -ack0-> s1wwi -ack1-> s1wwi -ack2-> s2_wi -ack3-> s3__i;
  s2__i: -tau-> s2__t -in_red-> s2_rt -in_white-> s2_wt;
  s2__t: -tau-> s2__a;
  s2__a: -tau-> s2__i -ack0-> s2__i -ack1-> s2__i -ack2-> s2__i -ack3-> s2__i;
  s2_ri: -tau-> s2r_i -tau-> s2_rt;
  s2_rt: -tau-> s2r_t -tau-> s2_ra -data2_red-> s2_ra -lost2_red-> s2_ra;
  s2_ra: -tau-> s2r_a -tau-> s2_ri -ack0-> s2_ri -ack1-> s2_ri -ack2-> s2_ri -ack3-> s3__i;
  s2_wi: -tau-> s2w_i -tau-> s2_wt;
  s2_wt: -tau-> s2w_t -tau-> s2_wa -data2_white-> s2_wa -lost2_white-> s2_wa;
  s2_wa: -tau-> s2w_a -tau-> s2_wi -ack0-> s2_wi -ack1-> s2_wi -ack2-> s2_wi -ack3-> s3__i;
  s2r_i: -tau-> s2r_t -in_red-> s2rrt -in_white-> s2rwt;
  s2r_t: -tau-> s2r_a -data2_red-> s2r_a -lost2_red-> s2r_a;
  s2r_a: -tau-> s2r_i -ack0-> s2r_i -ack1-> s2r_i -ack2-> s2r_i -ack3-> s3__i;
  s2rri: -tau-> s2rrt;
  s2rrt: -tau-> s2rra -data2_red-> s2rra -lost2_red-> s2rra -data3_red-> s2rra -lost3_red-> s2rra;
  s2rra: -tau-> s2rri -ack0-> s0__i -ack1-> s2rri -ack2-> s2rri -ack3-> s3_ri;
  s2rwi: -tau-> s2rwt;
  s2rwt: -tau-> s2rwa -data2_red-> s2rwa -lost2_red-> s2rwa -data3_white-> s2rwa -lost3_white-> s2rwa;
  s2rwa: -tau-> s2rwi -ack0-> s0__i -ack1-> s2rwi -ack2-> s2rwi -ack3-> s3_wi;
  s2w_i: -tau-> s2w_t -in_red-> s2wrt -in_white-> s2wwt;
  s2w_t: -tau-> s2w_a -data2_white-> s2w_a -lost2_white-> s2w_a;
  s2w_a: -tau-> s2w_i -ack0-> s2w_i -ack1-> s2w_i -ack2-> s2w_i -ack3-> s3__i;
  s2wri: -tau-> s2wrt;
  s2wrt: -tau-> s2wra -data2_white-> s2wra -lost2_white-> s2wra -data3_red-> s2wra -lost3_red-> s2wra;
  s2wra: -tau-> s2wri -ack0-> s0__i -ack1-> s2wri -ack2-> s2wri -ack3-> s3_ri;
  s2wwi: -tau-> s2wwt;
  s2wwt: -tau-> s2wwa -data2_white-> s2wwa -lost2_white-> s2wwa -data3_white-> s2wwa -lost3_white-> s2wwa;
  s2wwa: -tau-> s2wwi -ack0-> s0__i -ack1-> s2wwi -ack2-> s2wwi -ack3-> s3_wi;
  s3__i: -tau-> s3__t -in_red-> s3_rt -in_white-> s3_wt;
  s3__t: -tau-> s3__a;
  s3__a: -tau-> s3__i -ack0-> s3__i -ack1-> s3__i -ack2-> s3__i -ack3-> s3__i;
  s3_ri: -tau-> s3r_i -tau-> s3_rt;
  s3_rt: -tau-> s3r_t -tau-> s3_ra -data3_red-> s3_ra -lost3_red-> s3_ra;
  s3_ra: -tau-> s3r_a -tau-> s3_ri -ack0-> s0__i -ack1-> s3_ri -ack2-> s3_ri -ack3-> s3_ri;
  s3_wi: -tau-> s3w_i -tau-> s3_wt;
  s3_wt: -tau-> s3w_t -tau-> s3_wa -data3_white-> s3_wa -lost3_white-> s3_wa;
  s3_wa: -tau-> s3w_a -tau-> s3_wi -ack0-> s0__i -ack1-> s3_wi -ack2-> s3_wi -ack3-> s3_wi;
  s3r_i: -tau-> s3r_t -in_red-> s3rrt -in_white-> s3rwt;
  s3r_t: -tau-> s3r_a -data3_red-> s3r_a -lost3_red-> s3r_a;
  s3r_a: -tau-> s3r_i -ack0-> s0__i -ack1-> s3r_i -ack2-> s3r_i -ack3-> s3r_i;
  s3rri: -tau-> s3rrt;
  s3rrt: -tau-> s3rra -data3_red-> s3rra -lost3_red-> s3rra -data0_red-> s3rra -lost0_red-> s3rra;
  s3rra: -tau-> s3rri -ack0-> s0_ri -ack1-> s1__i -ack2-> s3rri -ack3-> s3rri;
  s3rwi: -tau-> s3rwt;
  s3rwt: -tau-> s3rwa -data3_red-> s3rwa -lost3_red-> s3rwa -data0_white-> s3rwa -lost0_white-> s3rwa;
  s3rwa: -tau-> s3rwi -ack0-> s0_wi -ack1-> s1__i -ack2-> s3rwi -ack3-> s3rwi;
  s3w_i: -tau-> s3w_t -in_red-> s3wrt -in_white-> s3wwt;
  s3w_t: -tau-> s3w_a -data3_white-> s3w_a -lost3_white-> s3w_a;
  s3w_a: -tau-> s3w_i -ack0-> s0__i -ack1-> s3w_i -ack2-> s3w_i -ack3-> s3w_i;
  s3wri: -tau-> s3wrt;
  s3wrt: -tau-> s3wra -data3_white-> s3wra -lost3_white-> s3wra -data0_red-> s3wra -lost0_red-> s3wra;
  s3wra: -tau-> s3wri -ack0-> s0_ri -ack1-> s1__i -ack2-> s3wri -ack3-> s3wri;
  s3wwi: -tau-> s3wwt;
  s3wwt: -tau-> s3wwa -data3_white-> s3wwa -lost3_white-> s3wwa -data0_white-> s3wwa -lost0_white-> s3wwa;
  s3wwa: -tau-> s3wwi -ack0-> s0_wi -ack1-> s1__i -ack2-> s3wwi -ack3-> s3wwi;
}

component Receiver lts {
  init r0__l;
  r0__l: -data0_red-> r0r_n -data0_white-> r0w_n -data1_red-> r0_rn -data1_white-> r0_wn -data2_red-> r0__o -data2_white-> r0__o -data3_red-> r0__o -data3_white-> r0__o;
  r0__n: -ack0-> r0__l -lostack0-> r0__l;
  r0__o: -ack0-> r0__l -lostack0-> r0__l;
  r0_rl: -data0_red-> r0rrn -data0_white-> r0wrn -data1_red-> r0_rn -data1_white-> r0_rn -data2_red-> r0_ro -data2_white-> r0_ro -data3_red-> r0_ro -data3_white-> r0_ro;
  r0_rn: -ack0-> r0_rl -lostack0-> r0_rl;
  r0_ro: -ack0-> r0_rl -lostack0-> r0_rl;
  r0_wl: -data0_red-> r0rwn -data0_white-> r0wwn -data1_red-> r0_wn -data1_white-> r0_wn -data2_red-> r0_wo -data2_white-> r0_wo -data3_red-> r0_wo -data3_white-> r0_wo;
  r0_wn: -ack0-> r0_wl -lostack0-> r0_wl;
  r0_wo: -ack0-> r0_wl -lostack0-> r0_wl;
  r0r_l: -out_red-> r1__l -data0_red-> r0r_n -data0_white-> r0r_n -data1_red-> r0rrn -data1_white-> r0rwn -data2_red-> r0r_o -data2_white-> r0r_o -data3_red-> r0r_o -data3_white-> r0r_o;
  r0r_n: -out_red-> r1__n -ack0-> r0r_l -lostack0-> r0r_l;
  r0r_o: -out_red-> r1__o -ack0-> r0r_l -lostack0-> r0r_l;
  r0rrl: -out_red-> r1r_l -data0_red-> r0rrn -data0_white-> r0rrn -data1_red-> r0rrn -data1_white-> r0rrn -data2_red-> r0rro -data2_white-> r0rro -data3_red-> r0rro -data3_white-> r0rro;
  r0rrn: -out_red-> r1r_n -ack0-> r0rrl -lostack0-> r0rrl;
  r0rro: -out_red-> r1r_o -ack0-> r0rrl -lostack0-> r0rrl;
  r0rwl: -out_red-> r1w_l -data0_red-> r0rwn -data0_white-> r0rwn -data1_red-> r0rwn -data1_white-> r0rwn -data2_red-> r0rwo -data2_white-> r0rwo -data3_red-> r0rwo -data3_white-> r0rwo;
  r0rwn: -out_red-> r1w_n -ack0-> r0rwl -lostack0-> r0rwl;
  r0rwo: -out_red-> r1w_o -ack0-> r0rwl -lostack0-> r0rwl;
  r0w_l: -out_white-> r1__l -data0_red-> r0w_n -data0_white-> r0w_n -data1_red-> r0wrn -data1_white-> r0wwn -data2_red-> r0w_o -data2_white-> r0w_o -data3_red-> r0w_o -data3_white-> r0w_o;
  r0w_n: -out_white-> r1__n -ack0-> r0w_l -lostack0-> r0w_l;
  r0w_o: -out_white-> r1__o -ack0-> r0w_l -lostack0-> r0w_l;
  r0wrl: -out_white-> r1r_l -data0_red-> r0wrn -data0_white-> r0wrn -data1_red-> r0wrn -data1_white-> r0wrn -data2_red-> r0wro -data2_white-> r0wro -data3_red-> r0wro -data3_white-> r0wro;
  r0wrn: -out_white-> r1r_n -ack0-> r0wrl -lostack0-> r0wrl;
  r0wro: -out_white-> r1r_o -ack0-> r0wrl -lostack0-> r0wrl;
  r0wwl: -out_white-> r1w_l -data0_red-> r0wwn -data0_white-> r0wwn -data1_red-> r0wwn -data1_white-> r0wwn -data2_red-> r0wwo -data2_white-> r0wwo -data3_red-> r0wwo -data3_white-> r0wwo;
  r0wwn: -out_white-> r1w_n -ack0-> r0wwl -lostack0-> r0wwl;
  r0wwo: -out_white-> r1w_o -ack0-> r0wwl -lostack0-> r0wwl;
  r1__l: -data0_red-> r1__o -data0_white-> r1__o -data1_red-> r1r_n -data1_white-> r1w_n -data2_red-> r1_rn -data2_white-> r1_wn -data3_red-> r1__o -data3_white-> r1__o;
  r1__n: -ack1-> r1__l -lostack1-> r1__l;
  r1__o: -ack1-> r1__l -lostack1-> r1__l;
  r1_rl: -data0_red-> r1_ro -data0_white-> r1_ro -data1_red-> r1rrn -data1_white-> r1wrn -data2_red-> r1_rn -data2_white-> r1_rn -data3_red-> r1_ro -data3_white-> r1_ro;
  r1_rn: -ack1-> r1_rl -lostack1-> r1_rl;
  r1_ro: -ack1-> r1_rl -lostack1-> r1_rl;
  r1_wl: -data0_red-> r1_wo -data0_white-> r1_wo -data1_red-> r1rwn -data1_white-> r1wwn -data2_red-> r1_wn -data2_white-> r1_wn -data3_red-> r1_wo -data3_white-> r1_wo;
  r1_wn: -ack1-> r1_wl -lostack1-> r1_wl;
  r1_wo: -ack1-> r1_wl -lostack1-> r1_wl;
  r1r_l: -out_red-> r2__l -data0_red-> r1r_o -data0_white-> r1r_o -data1_red-> r1r_n -data1_white-> r1r_n -data2_red-> r1rrn -data2_white-> r1rwn -data3_red-> r1r_o -data3_white-> r1r_o;
  r1r_n: -out_red-> r2__n -ack1-> r1r_l -lostack1-> r1r_l;
  r1r_o: -out_red-> r2__o -ack1-> r1r_l -lostack1-> r1r_l;
  r1rrl: -out_red-> r2r_l -data0_red-> r1rro -data0_white-> r1rro -data1_red-> r1rrn -data1_white-> r1rrn -data2_red-> r1rrn -data2_white-> r1rrn -data3_red-> r1rro -data3_white-> r1rro;
  r1rrn: -out_red-> r2r_n -ack1-> r1rrl -lostack1-> r1rrl;
  r1rro: -out_red-> r2r_o -ack1-> r1rrl -lostack1-> r1rrl;
  r1rwl: -out_red-> r2w_l -data0_red-> r1rwo -data0_white-> r1rwo -data1_red-> r1rwn -data1_white-> r1rwn -data2_red-> r1rwn -data2_white-> r1rwn -data3_red-> r1rwo -data3_white-> r1rwo;
  r1rwn: -out_red-> r2w_n -ack1-> r1rwl -lostack1-> r1rwl;
  r1rwo: -out_red-> r2w_o -ack1-> r1rwl -lostack1-> r1rwl;
  r1w_l: -out_white-> r2__l -data0_red-> r1w_o -data0_white-> r1w_o -data1_red-> r1w_n -data1_white-> r1w_n -data2_red-> r1wrn -data2_white-> r1wwn -data3_red-> r1w_o -data3_white-> r1w_o;
  r1w_n: -out_white-> r2__n -ack1-> r1w_l -lostack1-> r1w_l;
  r1w_o: -out_white-> r2__o -ack1-> r1w_l -lostack1-> r1w_l;
  r1wrl: -out_white-> r2r_l -data0_red-> r1wro -data0_white-> r1wro -data1_red-> r1wrn -data1_white-> r1wrn -data2_red-> r1wrn -data2_white-> r1wrn -data3_red-> r1wro -data3_white-> r1wro;
  r1wrn: -out_white-> r2r_n -ack1-> r1wrl -lostack1-> r1wrl;
  r1wro: -out_white-> r2r_o -ack1-> r1wrl -lostack1-> r1wrl;
  r1wwl: -out_white-> r2w_l -data0_red-> r1wwo -data0_white-> r1wwo -data1_red-> r1wwn -data1_white-> r1wwn -data2_red-> r1wwn -data2_white-> r1wwn -data3_red-> r1wwo -data3_white-> r1wwo;
  r1wwn: -out_white-> r2w_n -ack1-> r1wwl -lostack1-> r1wwl;
  r1wwo: -out_white-> r2w_o -ack1-> r1wwl -lostack1-> r1wwl;
  r2__l: -data0_red-> r2__o -data0_white-> r2__o -data1_red-> r2__o -data1_white-> r2__o -data2_red-> r2r_n -data2_white-> r2w_n -data3_red-> r2_rn -data3_white-> r2_wn;
  r2__n: -ack2-> r2__l -lostack2-> r2__l;
  r2__o: -ack2-> r2__l -lostack2-> r2__l;
  r2_rl: -data0_red-> r2_ro -data0_white-> r2_ro -data1_red-> r2_ro -data1_white-> r2_ro -data2_red-> r2rrn -data2_white-> r2wrn -data3_red-> r2_rn -data3_white-> r2_rn;
  r2_rn: -ack2-> r2_rl -lostack2-> r2_rl;
  r2_ro: -ack2-> r2_rl -lostack2-> r2_rl;
  r2_wl: -data0_red-> r2_wo -data0_white-> r2_wo -data1_red-> r2_wo -data1_white-> r2_wo -data2_red-> r2rwn -data2_white-> r2wwn -data3_red-> r2_wn -data3_white-> r2_wn;
  r2_wn: -ack2-> r2_wl -lostack2-> r2_wl;
  r2_wo: -ack2-> r2_wl -lostack2-> r2_wl;
  r2r_l: -out_red-> r3__l -data0_red-> r2r_o -data0_white-> r2r_o -data1_red-> r2r_o -data1_white-> r2r_o -data2_red-> r2r_n -data2_white-> r2r_n -data3_red-> r2rrn -data3_white-> r2rwn;
  r2r_n: -out_red-> r3__n -ack2-> r2r_l -lostack2-> r2r_l;
  r2r_o: -out_red-> r3__o -ack2-> r2r_l -lostack2-> r2r_l;
  r2rrl: -out_red-> r3r_l -data0_red-> r2rro -data0_white-> r2rro -data1_red-> r2rro -data1_white-> r2rro -data2_red-> r2rrn -data2_white-> r2rrn -data3_red-> r2rrn -data3_white-> r2rrn;
  r2rrn: -out_red-> r3r_n -ack2-> r2rrl -lostack2-> r2rrl;
  r2rro: -out_red-> r3r_o -ack2-> r2rrl -lostack2-> r2rrl;
  r2rwl: -out_red-> r3w_l -data0_red-> r2rwo -data0_white-> r2rwo -data1_red-> r2rwo -data1_white-> r2rwo -data2_red-> r2rwn -data2_white-> r2rwn -data3_red-> r2rwn -data3_white-> r2rwn;
  r2rwn: -out_red-> r3w_n -ack2-> r2rwl -lostack2-> r2rwl;
  r2rwo: -out_red-> r3w_o -ack2-> r2rwl -lostack2-> r2rwl;
  r2w_l: -out_white-> r3__l -data0_red-> r2w_o -data0_white-> r2w_o -data1_red-> r2w_o -data1_white-> r2w_o -data2_red-> r2w_n -data2_white-> r2w_n -data3_red-> r2wrn -data3_white-> r2wwn;
  r2w_n: -out_white-> r3__n -ack2-> r2w_l -lostack2-> r2w_l;
  r2w_o: -out_white-> r3__o -ack2-> r2w_l -lostack2-> r2w_l;
  r2wrl: -out_white-> r3r_l -data0_red-> r2wro -data0_white-> r2wro -data1_red-> r2wro -data1_white-> r2wro -data2_red-> r2wrn -data2_white-> r2wrn -data3_red-> r2wrn -data3_white-> r2wrn;
  r2wrn: -out_white-> r3r_n -ack2-> r2wrl -lostack2-> r2wrl;
  r2wro: -out_white-> r3r_o -ack2-> r2wrl -lostack2-> r2wrl;
  r2wwl: -out_white-> r3w_l -data0_red-> r2wwo -data0_white-> r2wwo -data1_red-> r2wwo -data1_white-> r2wwo -data2_red-> r2wwn -data2_white-> r2wwn -data3_red-> r2wwn -data3_white-> r2wwn;
  r2wwn: -out_white-> r3w_n -ack2-> r2wwl -lostack2-> r2wwl;
  r2wwo: -out_white-> r3w_o -ack2-> r2wwl -lostack2-> r2wwl;
  r3__l: -data0_red-> r3_rn -data0_white-> r3_wn -data1_red-> r3__o -data1_white-> r3__o -data2_red-> r3__o -data2_white-> r3__o -data3_red-> r3r_n -data3_white-> r3w_n;
  r3__n: -ack3-> r3__l -lostack3-> r3__l;
  r3__o: -ack3-> r3__l -lostack3-> r3__l;
  r3_rl: -data0_red-> r3_rn -data0_white-> r3_rn -data1_red-> r3_ro -data1_white-> r3_ro -data2_red-> r3_ro -data2_white-> r3_ro -data3_red-> r3rrn -data3_white-> r3wrn;
  r3_rn: -ack3-> r3_rl -lostack3-> r3_rl;
  r3_ro: -ack3-> r3_rl -lostack3-> r3_rl;
  r3_wl: -data0_red-> r3_wn -data0_white-> r3_wn -data1_red-> r3_wo -data1_white-> r3_wo -data2_red-> r3_wo -data2_white-> r3_wo -data3_red-> r3rwn -data3_white-> r3wwn;
  r3_wn: -ack3-> r3_wl -lostack3-> r3_wl;
  r3_wo: -ack3-> r3_wl -lostack3-> r3_wl;
  r3r_l: -out_red-> r0__l -data0_red-> r3rrn -data0_white-> r3rwn -data1_red-> r3r_o -data1_white-> r3r_o -data2_red-> r3r_o -data2_white-> r3r_o -data3_red-> r3r_n -data3_white-> r3r_n;
  r3r_n: -out_red-> r0__n -ack3-> r3r_l -lostack3-> r3r_l;
  r3r_o: -out_red-> r0__o -ack3-> r3r_l -lostack3-> r3r_l;
  r3rrl: -out_red-> r0r_l -data0_red-> r3rrn -data0_white-> r3rrn -data1_red-> r3rro -data1_white-> r3rro -data2_red-> r3rro -data2_white-> r3rro -data3_red-> r3rrn -data3_white-> r3rrn;
  r3rrn: -out_red-> r0r_n -ack3-> r3rrl -lostack3-> r3rrl;
  r3rro: -out_red-> r0r_o -ack3-> r3rrl -lostack3-> r3rrl;
  r3rwl: -out_red-> r0w_l -data0_red-> r3rwn -data0_white-> r3rwn -data1_red-> r3rwo -data1_white-> r3rwo -data2_red-> r3rwo -data2_white-> r3rwo -data3_red-> r3rwn -data3_white-> r3rwn;
  r3rwn: -out_red-> r0w_n -ack3-> r3rwl -lostack3-> r3rwl;
  r3rwo: -out_red-> r0w_o -ack3-> r3rwl -lostack3-> r3rwl;
  r3w_l: -out_white-> r0__l -data0_red-> r3wrn -data0_white-> r3wwn -data1_red-> r3w_o -data1_white-> r3w_o -data2_red-> r3w_o -data2_white-> r3w_o -data3_red-> r3w_n -data3_white-> r3w_n;
  r3w_n: -out_white-> r0__n -ack3-> r3w_l -lostack3-> r3w_l;
  r3w_o: -out_white-> r0__o -ack3-> r3w_l -lostack3-> r3w_l;
  r3wrl: -out_white-> r0r_l -data0_red-> r3wrn -data0_white-> r3wrn -data1_red-> r3wro -data1_white-> r3wro -data2_red-> r3wro -data2_white-> r3wro -data3_red-> r3wrn -data3_white-> r3wrn;
  r3wrn: -out_white-> r0r_n -ack3-> r3wrl -lostack3-> r3wrl;
  r3wro: -out_white-> r0r_o -ack3-> r3wrl -lostack3-> r3wrl;
  r3wwl: -out_white-> r0w_l -data0_red-> r3wwn -data0_white-> r3wwn -data1_red-> r3wwo -data1_white-> r3wwo -data2_red-> r3wwo -data2_white-> r3wwo -data3_red-> r3wwn -data3_white-> r3wwn;
  r3wwn: -out_white-> r0w_n -ack3-> r3wwl -lostack3-> r3wwl;
  r3wwo: -out_white-> r0w_o -ack3-> r3wwl -lostack3-> r3wwl;
}

system Sender || Receiver;

safety A lts {
  actions in_white, out_white;
  init none;
  none: -in_white-> some;
  some: -in_white-> some -out_white-> some;
}
property A: mcf [(!in_white)*.out_white] false;

safety B lts {
  actions in_white, data0_white, lost0_white, data1_white, lost1_white, data2_white, lost2_white, data3_white, lost3_white;
  init none;
  none: -in_white-> some;
  some: -in_white-> some -data0_white-> some -lost0_white-> some -data1_white-> some -lost1_white-> some -data2_white-> some -lost2_white-> some -data3_white-> some -lost3_white-> some;
}
property B: mcf [(!in_white)*.(data0_white || lost0_white || data1_white || lost1_white || data2_white || lost2_white || data3_white || lost3_white)] false;

safety C lts {
  actions data0_white, lost0_white, data1_white, lost1_white, data2_white, lost2_white, data3_white, lost3_white, out_white;
  init none;
  none: -data0_white-> some -lost0_white-> some -data1_white-> some -lost1_white-> some -data2_white-> some -lost2_white-> some -data3_white-> some -lost3_white-> some;
  some: -data0_white-> some -lost0_white-> some -data1_white-> some -lost1_white-> some -data2_white-> some -lost2_white-> some -data3_white-> some -lost3_white-> some -out_white-> some;
}
property C: mcf [(!(data0_white || lost0_white || data1_white || lost1_white || data2_white || lost2_white || data3_white || lost3_white))*.out_white] false;

safety D lts {
  actions out_red, out_white;
  init start;
  start:;
}
property D: mcf [true*.(out_red || out_white)] false;
