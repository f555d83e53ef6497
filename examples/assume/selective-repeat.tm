// The sliding window protocol of paper A, section 7, in another reading: the paper's 192 states a process are
// here 6 numbers, 2 phases and 4 * 4 contents of the two places. The sizes are the paper's, but for D.
//
// A sender and a receiver with two places each, which hold messages of several kinds, over a channel that
// loses what it likes: `data` reaches the receiver and `lost` does not, `ack` reaches the sender and
// `lostack` does not. The receiver keeps what comes out of order; `ack2` says that it waits for number 2.
//
// The sender (s, number of its oldest message, lower place, upper place, phase) fills the upper place
// (`in_red`); what stands there moves down as soon as there is room. Its phases: t, it may take a message or
// transmit any that it has; a, it may be told an acknowledgement.
//
// The receiver (r, number that it waits for, place for it, place for the next, phase) listens (l). Whatever
// frame comes, it owes an acknowledgement (n) and gives it. The user takes what is in order at any time.
//
// A: the protocol invents no white messages. The classes are: no white one; one that will be delivered; and
// for each of the 6 numbers, one that waits for that number in the upper place: 8. B: the sender does not
// invent any: 1. C: the receiver does not: 8. D: nothing is ever delivered, which is wrong. Forward, then
// backward, leaves 2 classes: a receiver that has only the upper place filled cannot deliver together with a
// sender that is past that number. That D is violated is known after a few steps, and every quotient keeps
// that: 1, with `--equivalence auto`.
//
// The assumption is to stand for Receiver.
//
// expect: A = true
// expect: B = true
// expect: C = true
// expect: D = false
component Sender lts {
  init s0__t;
  s0__t: -tau-> s0__a -in_red-> s0_ra -in_white-> s0_wa;
  s0__a: -tau-> s0__t -ack0-> s0__t -ack1-> s0__t -ack2-> s0__t -ack3-> s0__t -ack4-> s0__t -ack5-> s0__t;
  s0_rt: -tau-> s0r_t -tau-> s0_ra -data0_red-> s0_ra -lost0_red-> s0_ra;
  s0_ra: -tau-> s0r_a -tau-> s0_rt -ack0-> s0_rt -ack1-> s1__t -ack2-> s0_rt -ack3-> s0_rt -ack4-> s0_rt -ack5-> s0_rt;
  s0_wt: -tau-> s0w_t -tau-> s0_wa -data0_white-> s0_wa -lost0_white-> s0_wa;
  s0_wa: -tau-> s0w_a -tau-> s0_wt -ack0-> s0_wt -ack1-> s1__t -ack2-> s0_wt -ack3-> s0_wt -ack4-> s0_wt -ack5-> s0_wt;
  s0r_t: -tau-> s0r_a -in_red-> s0rra -in_white-> s0rwa -data0_red-> s0r_a -lost0_red-> s0r_a;
  s0r_a: -tau-> s0r_t -ack0-> s0r_t -ack1-> s1__t -ack2-> s0r_t -ack3-> s0r_t -ack4-> s0r_t -ack5-> s0r_t;
  s0rrt: -tau-> s0rra -data0_red-> s0rra -lost0_red-> s0rra -data1_red-> s0rra -lost1_red-> s0rra;
  s0rra: -tau-> s0rrt -ack0-> s0rrt -ack1-> s1_rt -ack2-> s2__t -ack3-> s0rrt -ack4-> s0rrt -ack5-> s0rrt;
  s0rwt: -tau-> s0rwa -data0_red-> s0rwa -lost0_red-> s0rwa -data1_white-> s0rwa -lost1_white-> s0rwa;
  s0rwa: -tau-> s0rwt -ack0-> s0rwt -ack1-> s1_wt -ack2-> s2__t -ack3-> s0rwt -ack4-> s0rwt -ack5-> s0rwt;
  s0w_t: -tau-> s0w_a -in_red-> s0wra -in_white-> s0wwa -data0_white-> s0w_a -lost0_white-> s0w_a;
  s0w_a: -tau-> s0w_t -ack0-> s0w_t -ack1-> s1__t -ack2-> s0w_t -ack3-> s0w_t -ack4-> s0w_t -ack5-> s0w_t;
  s0wrt: -tau-> s0wra -data0_white-> s0wra -lost0_white-> s0wra -data1_red-> s0wra -lost1_red-> s0wra;
  s0wra: -tau-> s0wrt -ack0-> s0wrt -ack1-> s1_rt -ack2-> s2__t -ack3-> s0wrt -ack4-> s0wrt -ack5-> s0wrt;
  s0wwt: -tau-> s0wwa -data0_white-> s0wwa -lost0_white-> s0wwa -data1_white-> s0wwa -lost1_white-> s0wwa;
  s0wwa: -tau-> s0wwt -ack0-> s0wwt -ack1-> s1_wt -ack2-> s2__t -ack3-> s0wwt -ack4-> s0wwt -ack5-> s0wwt;
  s1__t: -tau-> s1__a -in_red-> s1_ra -in_white-> s1_wa;
  s1__a: -tau-> s1__t -ack0-> s1__t -ack1-> s1__t -ack2-> s1__t -ack3-> s1__t -ack4-> s1__t -ack5-> s1__t;
  s1_rt: -tau-> s1r_t -tau-> s1_ra -data1_red-> s1_ra -lost1_red-> s1_ra;
  s1_ra: -tau-> s1r_a -tau-> s1_rt -ack0-> s1_rt -ack1-> s1_rt -ack2-> s2__t -ack3-> s1_rt -ack4-> s1_rt -ack5-> s1_rt;
  s1_wt: -tau-> s1w_t -tau-> s1_wa -data1_white-> s1_wa -lost1_white-> s1_wa;
  s1_wa: -tau-> s1w_a -tau-> s1_wt -ack0-> s1_wt -ack1-> s1_wt -ack2-> s2__t -ack3-> s1_wt -ack4-> s1_wt -ack5-> s1_wt;
  s1r_t: -tau-> s1r_a -in_red-> s1rra -in_white-> s1rwa -data1_red-> s1r_a -lost1_red-> s1r_a;
  s1r_a: -tau-> s1r_t -ack0-> s1r_t -ack1-> s1r_t -ack2-> s2__t -ack3-> s1r_t -ack4-> s1r_t -ack5-> s1r_t;
  s1rrt: -tau-> s1rra -data1_red-> s1rra -lost1_red-> s1rra -data2_red-> s1rra -lost2_red-> s1rra;
  s1rra: -tau-> s1rrt -ack0-> s1rrt -ack1-> s1rrt -ack2-> s2_rt -ack3-> s3__t -ack4-> s1rrt -ack5-> s1rrt;
  s1rwt: -tau-> s1rwa -data1_red-> s1rwa -lost1_red-> s1rwa -data2_white-> s1rwa -lost2_white-> s1rwa;
  s1rwa: -tau-> s1rwt -ack0-> s1rwt -ack1-> s1rwt -ack2-> s2_wt -ack3-> s3__t -ack4-> s1rwt -ack5-> s1rwt;
  s1w_t: -tau-> s1w_a -in_red-> s1wra -in_white-> s1wwa -data1_white-> s1w_a -lost1_white-> s1w_a;
  s1w_a: -tau-> s1w_t -ack0-> s1w_t -ack1-> s1w_t -ack2-> s2__t -ack3-> s1w_t -ack4-> s1w_t -ack5-> s1w_t;
  s1wrt: -tau-> s1wra -data1_white-> s1wra -lost1_white-> s1wra -data2_red-> s1wra -lost2_red-> s1wra;
  s1wra: -tau-> s1wrt -ack0-> s1wrt -ack1-> s1wrt -ack2-> s2_rt -ack3-> s3__t -ack4-> s1wrt -ack5-> s1wrt;
  s1wwt: -tau-> s1wwa -data1_white-> s1wwa -lost1_white-> s1wwa -data2_white-> s1wwa -lost2_white-> s1wwa;
  s1wwa: -tau-> s1wwt -ack0-> s1wwt -ack1-> s1wwt -ack2-> s2_wt -ack3-> s3__t -ack4-> s1wwt -ack5-> s1wwt;
  s2__t: -tau-> s2__a -in_red-> s2_ra -in_white-> s2_wa;
  s2__a: -tau-> s2__t -ack0-> s2__t -ack1-> s2__t -ack2-> s2__t -ack3-> s2__t -ack4-> s2__t -ack5-> s2__t;
  s2_rt: -tau-> s2r_t -tau-> s2_ra -data2_red-> s2_ra -lost2_red-> s2_ra;
  s2_ra: -tau-> s2r_a -tau-> s2_rt -ack0-> s2_rt -ack1-> s2_rt -ack2-> s2_rt -ack3-> s3__t -ack4-> s2_rt -ack5-> s2_rt;
  s2_wt: -tau-> s2w_t -tau-> s2_wa -data2_white-> s2_wa -lost2_white-> s2_wa;
  s2_wa: -tau-> s2w_a -tau-> s2_wt -ack0-> s2_wt -ack1-> s2_wt -ack2-> s2_wt -ack3-> s3__t -ack4-> s2_wt -ack5-> s2_wt;
  s2r_t: -tau-> s2r_a -in_red-> s2rra -in_white-> s2rwa -data2_red-> s2r_a -lost2_red-> s2r_a;
  s2r_a: -tau-> s2r_t -ack0-> s2r_t -ack1-> s2r_t -ack2-> s2r_t -ack3-> s3__t -ack4-> s2r_t -ack5-> s2r_t;
  s2rrt: -tau-> s2rra -data2_red-> s2rra -lost2_red-> s2rra -data3_red-> s2rra -lost3_red-> s2rra;
  s2rra: -tau-> s2rrt -ack0-> s2rrt -ack1-> s2rrt -ack2-> s2rrt -ack3-> s3_rt -ack4-> s4__t -ack5-> s2rrt;
  s2rwt: -tau-> s2rwa -data2_red-> s2rwa -lost2_red-> s2rwa -data3_white-> s2rwa -lost3_white-> s2rwa;
  s2rwa: -tau-> s2rwt -ack0-> s2rwt -ack1-> s2rwt -ack2-> s2rwt -ack3-> s3_wt -ack4-> s4__t -ack5-> s2rwt;
  s2w_t: -tau-> s2w_a -in_red-> s2wra -in_white-> s2wwa -data2_white-> s2w_a -lost2_white-> s2w_a;
  s2w_a: -tau-> s2w_t -ack0-> s2w_t -ack1-> s2w_t -ack2-> s2w_t -ack3-> s3__t -ack4-> s2w_t -ack5-> s2w_t;
  s2wrt: -tau-> s2wra -data2_white-> s2wra -lost2_white-> s2wra -data3_red-> s2wra -lost3_red-> s2wra;
  s2wra: -tau-> s2wrt -ack0-> s2wrt -ack1-> s2wrt -ack2-> s2wrt -ack3-> s3_rt -ack4-> s4__t -ack5-> s2wrt;
  s2wwt: -tau-> s2wwa -data2_white-> s2wwa -lost2_white-> s2wwa -data3_white-> s2wwa -lost3_white-> s2wwa;
  s2wwa: -tau-> s2wwt -ack0-> s2wwt -ack1-> s2wwt -ack2-> s2wwt -ack3-> s3_wt -ack4-> s4__t -ack5-> s2wwt;
  s3__t: -tau-> s3__a -in_red-> s3_ra -in_white-> s3_wa;
  s3__a: -tau-> s3__t -ack0-> s3__t -ack1-> s3__t -ack2-> s3__t -ack3-> s3__t -ack4-> s3__t -ack5-> s3__t;
  s3_rt: -tau-> s3r_t -tau-> s3_ra -data3_red-> s3_ra -lost3_red-> s3_ra;
  s3_ra: -tau-> s3r_a -tau-> s3_rt -ack0-> s3_rt -ack1-> s3_rt -ack2-> s3_rt -ack3-> s3_rt -ack4-> s4__t -ack5-> s3_rt;
  s3_wt: -tau-> s3w_t -tau-> s3_wa -data3_white-> s3_wa -lost3_white-> s3_wa;
  s3_wa: -tau-> s3w_a -tau-> s3_wt -ack0-> s3_wt -ack1-> s3_wt -ack2-> s3_wt -ack3-> s3_wt -ack4-> s4__t -ack5-> s3_wt;
  s3r_t: -tau-> s3r_a -in_red-> s3rra -in_white-> s3rwa -data3_red-> s3r_a -lost3_red-> s3r_a;
  s3r_a: -tau-> s3r_t -ack0-> s3r_t -ack1-> s3r_t -ack2-> s3r_t -ack3-> s3r_t -ack4-> s4__t -ack5-> s3r_t;
  s3rrt: -tau-> s3rra -data3_red-> s3rra -lost3_red-> s3rra -data4_red-> s3rra -lost4_red-> s3rra;
  s3rra: -tau-> s3rrt -ack0-> s3rrt -ack1-> s3rrt -ack2-> s3rrt -ack3-> s3rrt -ack4-> s4_rt -ack5-> s5__t;
  s3rwt: -tau-> s3rwa -data3_red-> s3rwa -lost3_red-> s3rwa -data4_white-> s3rwa -lost4_white-> s3rwa;
  s3rwa: -tau-> s3rwt -ack0-> s3rwt -ack1-> s3rwt -ack2-> s3rwt -ack3-> s3rwt -ack4-> s4_wt -ack5-> s5__t;
  s3w_t: -tau-> s3w_a -in_red-> s3wra -in_white-> s3wwa -data3_white-> s3w_a -lost3_white-> s3w_a;
  s3w_a: -tau-> s3w_t -ack0-> s3w_t -ack1-> s3w_t -ack2-> s3w_t -ack3-> s3w_t -ack4-> s4__t -ack5-> s3w_t;
  s3wrt: -tau-> s3wra -data3_white-> s3wra -lost3_white-> s3wra -data4_red-> s3wra -lost4_red-> s3wra;
  s3wra: -tau-> s3wrt -ack0-> s3wrt -ack1-> s3wrt -ack2-> s3wrt -ack3-> s3wrt -ack4-> s4_rt -ack5-> s5__t;
  s3wwt: -tau-> s3wwa -data3_white-> s3wwa -lost3_white-> s3wwa -data4_white-> s3wwa -lost4_white-> s3wwa;
  s3wwa: -tau-> s3wwt -ack0-> s3wwt -ack1-> s3wwt -ack2-> s3wwt -ack3-> s3wwt -ack4-> s4_wt -ack5-> s5__t;
  s4__t: -tau-> s4__a -in_red-> s4_ra -in_white-> s4_wa;
  s4__a: -tau-> s4__t -ack0-> s4__t -ack1-> s4__t -ack2-> s4__t -ack3-> s4__t -ack4-> s4__t -ack5-> s4__t;
  s4_rt: -tau-> s4r_t -tau-> s4_ra -data4_red-> s4_ra -lost4_red-> s4_ra;
  s4_ra: -tau-> s4r_a -tau-> s4_rt -ack0-> s4_rt -ack1-> s4_rt -ack2-> s4_rt -ack3-> s4_rt -ack4-> s4_rt -ack5-> s5__t;
  s4_wt: -tau-> s4w_t -tau-> s4_wa -data4_white-> s4_wa -lost4_white-> s4_wa;
  s4_wa: -tau-> s4w_a -tau-> s4_wt -ack0-> s4_wt -ack1-> s4_wt -ack2-> s4_wt -ack3-> s4_wt -ack4-> s4_wt -ack5-> s5__t;
  s4r_t: -tau-> s4r_a -in_red-> s4rra -in_white-> s4rwa -data4_red-> s4r_a -lost4_red-> s4r_a;
  s4r_a: -tau-> s4r_t -ack0-> s4r_t -ack1-> s4r_t -ack2-> s4r_t -ack3-> s4r_t -ack4-> s4r_t -ack5-> s5__t;
  s4rrt: -tau-> s4rra -data4_red-> s4rra -lost4_red-> s4rra -data5_red-> s4rra -lost5_red-> s4rra;
  s4rra: -tau-> s4rrt -ack0-> s0__t -ack1-> s4rrt -ack2-> s4rrt -ack3-> s4rrt -ack4-> s4rrt -ack5-> s5_rt;
  s4rwt: -tau-> s4rwa -data4_red-> s4rwa -lost4_red-> s4rwa -data5_white-> s4rwa -lost5_white-> s4rwa;
  s4rwa: -tau-> s4rwt -ack0-> s0__t -ack1-> s4rwt -ack2-> s4rwt -ack3-> s4rwt -ack4-> s4rwt -ack5-> s5_wt;
  s4w_t: -tau-> s4w_a -in_red-> s4wra -in_white-> s4wwa -data4_white-> s4w_a -lost4_white-> s4w_a;
  s4w_a: -tau-> s4w_t -ack0-> s4w_t -ack1-> s4w_t -ack2-> s4w_t -ack3-> s4w_t -ack4-> s4w_t -ack5-> s5__t;
  s4wrt: -tau-> s4wra -data4_white-> s4wra -lost4_white-> s4wra -data5_red-> s4wra -lost5_red-> s4wra;
  s4wra: -tau-> s4wrt -ack0-> s0__t -ack1-> s4wrt -ack2-> s4wrt -ack3-> s4wrt -ack4-> s4wrt -ack5-> s5_rt;
  s4wwt: -tau-> s4wwa -data4_white-> s4wwa -lost4_white-> s4wwa -data5_white-> s4wwa -lost5_white-> s4wwa;
  s4wwa: -tau-> s4wwt -ack0-> s0__t -ack1-> s4wwt -ack2-> s4wwt -ack3-> s4wwt -ack4-> s4wwt -ack5-> s5_wt;
  s5__t: -tau-> s5__a -in_red-> s5_ra -in_white-> s5_wa;
  s5__a: -tau-> s5__t -ack0-> s5__t -ack1-> s5__t -ack2-> s5__t -ack3-> s5__t -ack4-> s5__t -ack5-> s5__t;
  s5_rt: -tau-> s5r_t -tau-> s5_ra -data5_red-> s5_ra -lost5_red-> s5_ra;
  s5_ra: -tau-> s5r_a -tau-> s5_rt -ack0-> s0__t -ack1-> s5_rt -ack2-> s5_rt -ack3-> s5_rt -ack4-> s5_rt -ack5-> s5_rt;
  s5_wt: -tau-> s5w_t -tau-> s5_wa -data5_white-> s5_wa -lost5_white-> s5_wa;
  s5_wa: -tau-> s5w_a -tau-> s5_wt -ack0-> s0__t -ack1-> s5_wt -ack2-> s5_wt -ack3-> s5_wt -ack4-> s5_wt -ack5-> s5_wt;
  s5r_t: -tau-> s5r_a -in_red-> s5rra -in_white-> s5rwa -data5_red-> s5r_a -lost5_red-> s5r_a;
  s5r_a: -tau-> s5r_t -ack0-> s0__t -ack1-> s5r_t -ack2-> s5r_t -ack3-> s5r_t -ack4-> s5r_t -ack5-> s5r_t;
  s5rrt: -tau-> s5rra -data5_red-> s5rra -lost5_red-> s5rra -data0_red-> s5rra -lost0_red-> s5rra;
  s5rra: -tau-> s5rrt -ack0-> s0_rt -ack1-> s1__t -ack2-> s5rrt -ack3-> s5rrt -ack4-> s5rrt -ack5-> s5rrt;
  s5rwt: -tau-> s5rwa -data5_red-> s5rwa -lost5_red-> s5rwa -data0_white-> s5rwa -lost0_white-> s5rwa;
  s5rwa: -tau-> s5rwt -ack0-> s0_wt -ack1-> s1__t -ack2-> s5rwt -ack3-> s5rwt -ack4-> s5rwt -ack5-> s5rwt;
  s5w_t: -tau-> s5w_a -in_red-> s5wra -in_white-> s5wwa -data5_white-> s5w_a -lost5_white-> s5w_a;
  s5w_a: -tau-> s5w_t -ack0-> s0__t -ack1-> s5w_t -ack2-> s5w_t -ack3-> s5w_t -ack4-> s5w_t -ack5-> s5w_t;
  s5wrt: -tau-> s5wra -data5_white-> s5wra -lost5_white-> s5wra -data0_red-> s5wra -lost0_red-> s5wra;
  s5wra: -tau-> s5wrt -ack0-> s0_rt -ack1-> s1__t -ack2-> s5wrt -ack3-> s5wrt -ack4-> s5wrt -ack5-> s5wrt;
  s5wwt: -tau-> s5wwa -data5_white-> s5wwa -lost5_white-> s5wwa -data0_white-> s5wwa -lost0_white-> s5wwa;
  s5wwa: -tau-> s5wwt -ack0-> s0_wt -ack1-> s1__t -ack2-> s5wwt -ack3-> s5wwt -ack4-> s5wwt -ack5-> s5wwt;
}

component Receiver lts {
  init r0__l;
  r0__l: -data0_red-> r0r_n -data0_white-> r0w_n -data1_red-> r0_rn -data1_white-> r0_wn -data2_red-> r0__n -data2_white-> r0__n -data3_red-> r0__n -data3_white-> r0__n -data4_red-> r0__n -data4_white-> r0__n -data5_red-> r0__n -data5_white-> r0__n;
  r0__n: -ack0-> r0__l -lostack0-> r0__l;
  r0_rl: -data0_red-> r0rrn -data0_white-> r0wrn -data1_red-> r0_rn -data1_white-> r0_rn -data2_red-> r0_rn -data2_white-> r0_rn -data3_red-> r0_rn -data3_white-> r0_rn -data4_red-> r0_rn -data4_white-> r0_rn -data5_red-> r0_rn -data5_white-> r0_rn;
  r0_rn: -ack0-> r0_rl -lostack0-> r0_rl;
  r0_wl: -data0_red-> r0rwn -data0_white-> r0wwn -data1_red-> r0_wn -data1_white-> r0_wn -data2_red-> r0_wn -data2_white-> r0_wn -data3_red-> r0_wn -data3_white-> r0_wn -data4_red-> r0_wn -data4_white-> r0_wn -data5_red-> r0_wn -data5_white-> r0_wn;
  r0_wn: -ack0-> r0_wl -lostack0-> r0_wl;
  r0r_l: -out_red-> r1__l -data0_red-> r0r_n -data0_white-> r0r_n -data1_red-> r0rrn -data1_white-> r0rwn -data2_red-> r0r_n -data2_white-> r0r_n -data3_red-> r0r_n -data3_white-> r0r_n -data4_red-> r0r_n -data4_white-> r0r_n -data5_red-> r0r_n -data5_white-> r0r_n;
  r0r_n: -out_red-> r1__n -ack0-> r0r_l -lostack0-> r0r_l;
  r0rrl: -out_red-> r1r_l -data0_red-> r0rrn -data0_white-> r0rrn -data1_red-> r0rrn -data1_white-> r0rrn -data2_red-> r0rrn -data2_white-> r0rrn -data3_red-> r0rrn -data3_white-> r0rrn -data4_red-> r0rrn -data4_white-> r0rrn -data5_red-> r0rrn -data5_white-> r0rrn;
  r0rrn: -out_red-> r1r_n -ack0-> r0rrl -lostack0-> r0rrl;
  r0rwl: -out_red-> r1w_l -data0_red-> r0rwn -data0_white-> r0rwn -data1_red-> r0rwn -data1_white-> r0rwn -data2_red-> r0rwn -data2_white-> r0rwn -data3_red-> r0rwn -data3_white-> r0rwn -data4_red-> r0rwn -data4_white-> r0rwn -data5_red-> r0rwn -data5_white-> r0rwn;
  r0rwn: -out_red-> r1w_n -ack0-> r0rwl -lostack0-> r0rwl;
  r0w_l: -out_white-> r1__l -data0_red-> r0w_n -data0_white-> r0w_n -data1_red-> r0wrn -data1_white-> r0wwn -data2_red-> r0w_n -data2_white-> r0w_n -data3_red-> r0w_n -data3_white-> r0w_n -data4_red-> r0w_n -data4_white-> r0w_n -data5_red-> r0w_n -data5_white-> r0w_n;
  r0w_n: -out_white-> r1__n -ack0-> r0w_l -lostack0-> r0w_l;
  r0wrl: -out_white-> r1r_l -data0_red-> r0wrn -data0_white-> r0wrn -data1_red-> r0wrn -data1_white-> r0wrn -data2_red-> r0wrn -data2_white-> r0wrn -data3_red-> r0wrn -data3_white-> r0wrn -data4_red-> r0wrn -data4_white-> r0wrn -data5_red-> r0wrn -data5_white-> r0wrn;
  r0wrn: -out_white-> r1r_n -ack0-> r0wrl -lostack0-> r0wrl;
  r0wwl: -out_white-> r1w_l -data0_red-> r0wwn -data0_white-> r0wwn -data1_red-> r0wwn -data1_white-> r0wwn -data2_red-> r0wwn -data2_white-> r0wwn -data3_red-> r0wwn -data3_white-> r0wwn -data4_red-> r0wwn -data4_white-> r0wwn -data5_red-> r0wwn -data5_white-> r0wwn;
  r0wwn: -out_white-> r1w_n -ack0-> r0wwl -lostack0-> r0wwl;
  r1__l: -data0_red-> r1__n -data0_white-> r1__n -data1_red-> r1r_n -data1_white-> r1w_n -data2_red-> r1_rn -data2_white-> r1_wn -data3_red-> r1__n -data3_white-> r1__n -data4_red-> r1__n -data4_white-> r1__n -data5_red-> r1__n -data5_white-> r1__n;
  r1__n: -ack1-> r1__l -lostack1-> r1__l;
  r1_rl: -data0_red-> r1_rn -data0_white-> r1_rn -data1_red-> r1rrn -data1_white-> r1wrn -data2_red-> r1_rn -data2_white-> r1_rn -data3_red-> r1_rn -data3_white-> r1_rn -data4_red-> r1_rn -data4_white-> r1_rn -data5_red-> r1_rn -data5_white-> r1_rn;
  r1_rn: -ack1-> r1_rl -lostack1-> r1_rl;
  r1_wl: -data0_red-> r1_wn -data0_white-> r1_wn -data1_red-> r1rwn -data1_white-> r1wwn -data2_red-> r1_wn -data2_white-> r1_wn -data3_red-> r1_wn -data3_white-> r1_wn -data4_red-> r1_wn -data4_white-> r1_wn -data5_red-> r1_wn -data5_white-> r1_wn;
  r1_wn: -ack1-> r1_wl -lostack1-> r1_wl;
  r1r_l: -out_red-> r2__l -data0_red-> r1r_n -data0_white-> r1r_n -data1_red-> r1r_n -data1_white-> r1r_n -data2_red-> r1rrn -data2_white-> r1rwn -data3_red-> r1r_n -data3_white-> r1r_n -data4_red-> r1r_n -data4_white-> r1r_n -data5_red-> r1r_n -data5_white-> r1r_n;
  r1r_n: -out_red-> r2__n -ack1-> r1r_l -lostack1-> r1r_l;
  r1rrl: -out_red-> r2r_l -data0_red-> r1rrn -data0_white-> r1rrn -data1_red-> r1rrn -data1_white-> r1rrn -data2_red-> r1rrn -data2_white-> r1rrn -data3_red-> r1rrn -data3_white-> r1rrn -data4_red-> r1rrn -data4_white-> r1rrn -data5_red-> r1rrn -data5_white-> r1rrn;
  r1rrn: -out_red-> r2r_n -ack1-> r1rrl -lostack1-> r1rrl;
  r1rwl: -out_red-> r2w_l -data0_red-> r1rwn -data0_white-> r1rwn -data1_red-> r1rwn -data1_white-> r1rwn -data2_red-> r1rwn -data2_white-> r1rwn -data3_red-> r1rwn -data3_white-> r1rwn -data4_red-> r1rwn -data4_white-> r1rwn -data5_red-> r1rwn -data5_white-> r1rwn;
  r1rwn: -out_red-> r2w_n -ack1-> r1rwl -lostack1-> r1rwl;
  r1w_l: -out_white-> r2__l -data0_red-> r1w_n -data0_white-> r1w_n -data1_red-> r1w_n -data1_white-> r1w_n -data2_red-> r1wrn -data2_white-> r1wwn -data3_red-> r1w_n -data3_white-> r1w_n -data4_red-> r1w_n -data4_white-> r1w_n -data5_red-> r1w_n -data5_white-> r1w_n;
  r1w_n: -out_white-> r2__n -ack1-> r1w_l -lostack1-> r1w_l;
  r1wrl: -out_white-> r2r_l -data0_red-> r1wrn -data0_white-> r1wrn -data1_red-> r1wrn -data1_white-> r1wrn -data2_red-> r1wrn -data2_white-> r1wrn -data3_red-> r1wrn -data3_white-> r1wrn -data4_red-> r1wrn -data4_white-> r1wrn -data5_red-> r1wrn -data5_white-> r1wrn;
  r1wrn: -out_white-> r2r_n -ack1-> r1wrl -lostack1-> r1wrl;
  r1wwl: -out_white-> r2w_l -data0_red-> r1wwn -data0_white-> r1wwn -data1_red-> r1wwn -data1_white-> r1wwn -data2_red-> r1wwn -data2_white-> r1wwn -data3_red-> r1wwn -data3_white-> r1wwn -data4_red-> r1wwn -data4_white-> r1wwn -data5_red-> r1wwn -data5_white-> r1wwn;
  r1wwn: -out_white-> r2w_n -ack1-> r1wwl -lostack1-> r1wwl;
  r2__l: -data0_red-> r2__n -data0_white-> r2__n -data1_red-> r2__n -data1_white-> r2__n -data2_red-> r2r_n -data2_white-> r2w_n -data3_red-> r2_rn -data3_white-> r2_wn -data4_red-> r2__n -data4_white-> r2__n -data5_red-> r2__n -data5_white-> r2__n;
  r2__n: -ack2-> r2__l -lostack2-> r2__l;
  r2_rl: -data0_red-> r2_rn -data0_white-> r2_rn -data1_red-> r2_rn -data1_white-> r2_rn -data2_red-> r2rrn -data2_white-> r2wrn -data3_red-> r2_rn -data3_white-> r2_rn -data4_red-> r2_rn -data4_white-> r2_rn -data5_red-> r2_rn -data5_white-> r2_rn;
  r2_rn: -ack2-> r2_rl -lostack2-> r2_rl;
  r2_wl: -data0_red-> r2_wn -data0_white-> r2_wn -data1_red-> r2_wn -data1_white-> r2_wn -data2_red-> r2rwn -data2_white-> r2wwn -data3_red-> r2_wn -data3_white-> r2_wn -data4_red-> r2_wn -data4_white-> r2_wn -data5_red-> r2_wn -data5_white-> r2_wn;
  r2_wn: -ack2-> r2_wl -lostack2-> r2_wl;
  r2r_l: -out_red-> r3__l -data0_red-> r2r_n -data0_white-> r2r_n -data1_red-> r2r_n -data1_white-> r2r_n -data2_red-> r2r_n -data2_white-> r2r_n -data3_red-> r2rrn -data3_white-> r2rwn -data4_red-> r2r_n -data4_white-> r2r_n -data5_red-> r2r_n -data5_white-> r2r_n;
  r2r_n: -out_red-> r3__n -ack2-> r2r_l -lostack2-> r2r_l;
  r2rrl: -out_red-> r3r_l -data0_red-> r2rrn -data0_white-> r2rrn -data1_red-> r2rrn -data1_white-> r2rrn -data2_red-> r2rrn -data2_white-> r2rrn -data3_red-> r2rrn -data3_white-> r2rrn -data4_red-> r2rrn -data4_white-> r2rrn -data5_red-> r2rrn -data5_white-> r2rrn;
  r2rrn: -out_red-> r3r_n -ack2-> r2rrl -lostack2-> r2rrl;
  r2rwl: -out_red-> r3w_l -data0_red-> r2rwn -data0_white-> r2rwn -data1_red-> r2rwn -data1_white-> r2rwn -data2_red-> r2rwn -data2_white-> r2rwn -data3_red-> r2rwn -data3_white-> r2rwn -data4_red-> r2rwn -data4_white-> r2rwn -data5_red-> r2rwn -data5_white-> r2rwn;
  r2rwn: -out_red-> r3w_n -ack2-> r2rwl -lostack2-> r2rwl;
  r2w_l: -out_white-> r3__l -data0_red-> r2w_n -data0_white-> r2w_n -data1_red-> r2w_n -data1_white-> r2w_n -data2_red-> r2w_n -data2_white-> r2w_n -data3_red-> r2wrn -data3_white-> r2wwn -data4_red-> r2w_n -data4_white-> r2w_n -data5_red-> r2w_n -data5_white-> r2w_n;
  r2w_n: -out_white-> r3__n -ack2-> r2w_l -lostack2-> r2w_l;
  r2wrl: -out_white-> r3r_l -data0_red-> r2wrn -data0_white-> r2wrn -data1_red-> r2wrn -data1_white-> r2wrn -data2_red-> r2wrn -data2_white-> r2wrn -data3_red-> r2wrn -data3_white-> r2wrn -data4_red-> r2wrn -data4_white-> r2wrn -data5_red-> r2wrn -data5_white-> r2wrn;
  r2wrn: -out_white-> r3r_n -ack2-> r2wrl -lostack2-> r2wrl;
  r2wwl: -out_white-> r3w_l -data0_red-> r2wwn -data0_white-> r2wwn -data1_red-> r2wwn -data1_white-> r2wwn -data2_red-> r2wwn -data2_white-> r2wwn -data3_red-> r2wwn -data3_white-> r2wwn -data4_red-> r2wwn -data4_white-> r2wwn -data5_red-> r2wwn -data5_white-> r2wwn;
  r2wwn: -out_white-> r3w_n -ack2-> r2wwl -lostack2-> r2wwl;
  r3__l: -data0_red-> r3__n -data0_white-> r3__n -data1_red-> r3__n -data1_white-> r3__n -data2_red-> r3__n -data2_white-> r3__n -data3_red-> r3r_n -data3_white-> r3w_n -data4_red-> r3_rn -data4_white-> r3_wn -data5_red-> r3__n -data5_white-> r3__n;
  r3__n: -ack3-> r3__l -lostack3-> r3__l;
  r3_rl: -data0_red-> r3_rn -data0_white-> r3_rn -data1_red-> r3_rn -data1_white-> r3_rn -data2_red-> r3_rn -data2_white-> r3_rn -data3_red-> r3rrn -data3_white-> r3wrn -data4_red-> r3_rn -data4_white-> r3_rn -data5_red-> r3_rn -data5_white-> r3_rn;
  r3_rn: -ack3-> r3_rl -lostack3-> r3_rl;
  r3_wl: -data0_red-> r3_wn -data0_white-> r3_wn -data1_red-> r3_wn -data1_white-> r3_wn -data2_red-> r3_wn -data2_white-> r3_wn -data3_red-> r3rwn -data3_white-> r3wwn -data4_red-> r3_wn -data4_white-> r3_wn -data5_red-> r3_wn -data5_white-> r3_wn;
  r3_wn: -ack3-> r3_wl -lostack3-> r3_wl;
  r3r_l: -out_red-> r4__l -data0_red-> r3r_n -data0_white-> r3r_n -data1_red-> r3r_n -data1_white-> r3r_n -data2_red-> r3r_n -data2_white-> r3r_n -data3_red-> r3r_n -data3_white-> r3r_n -data4_red-> r3rrn -data4_white-> r3rwn -data5_red-> r3r_n -data5_white-> r3r_n;
  r3r_n: -out_red-> r4__n -ack3-> r3r_l -lostack3-> r3r_l;
  r3rrl: -out_red-> r4r_l -data0_red-> r3rrn -data0_white-> r3rrn -data1_red-> r3rrn -data1_white-> r3rrn -data2_red-> r3rrn -data2_white-> r3rrn -data3_red-> r3rrn -data3_white-> r3rrn -data4_red-> r3rrn -data4_white-> r3rrn -data5_red-> r3rrn -data5_white-> r3rrn;
  r3rrn: -out_red-> r4r_n -ack3-> r3rrl -lostack3-> r3rrl;
  r3rwl: -out_red-> r4w_l -data0_red-> r3rwn -data0_white-> r3rwn -data1_red-> r3rwn -data1_white-> r3rwn -data2_red-> r3rwn -data2_white-> r3rwn -data3_red-> r3rwn -data3_white-> r3rwn -data4_red-> r3rwn -data4_white-> r3rwn -data5_red-> r3rwn -data5_white-> r3rwn;
  r3rwn: -out_red-> r4w_n -ack3-> r3rwl -lostack3-> r3rwl;
  r3w_l: -out_white-> r4__l -data0_red-> r3w_n -data0_white-> r3w_n -data1_red-> r3w_n -data1_white-> r3w_n -data2_red-> r3w_n -data2_white-> r3w_n -data3_red-> r3w_n -data3_white-> r3w_n -data4_red-> r3wrn -data4_white-> r3wwn -data5_red-> r3w_n -data5_white-> r3w_n;
  r3w_n: -out_white-> r4__n -ack3-> r3w_l -lostack3-> r3w_l;
  r3wrl: -out_white-> r4r_l -data0_red-> r3wrn -data0_white-> r3wrn -data1_red-> r3wrn -data1_white-> r3wrn -data2_red-> r3wrn -data2_white-> r3wrn -data3_red-> r3wrn -data3_white-> r3wrn -data4_red-> r3wrn -data4_white-> r3wrn -data5_red-> r3wrn -data5_white-> r3wrn;
  r3wrn: -out_white-> r4r_n -ack3-> r3wrl -lostack3-> r3wrl;
  r3wwl: -out_white-> r4w_l -data0_red-> r3wwn -data0_white-> r3wwn -data1_red-> r3wwn -data1_white-> r3wwn -data2_red-> r3wwn -data2_white-> r3wwn -data3_red-> r3wwn -data3_white-> r3wwn -data4_red-> r3wwn -data4_white-> r3wwn -data5_red-> r3wwn -data5_white-> r3wwn;
  r3wwn: -out_white-> r4w_n -ack3-> r3wwl -lostack3-> r3wwl;
  r4__l: -data0_red-> r4__n -data0_white-> r4__n -data1_red-> r4__n -data1_white-> r4__n -data2_red-> r4__n -data2_white-> r4__n -data3_red-> r4__n -data3_white-> r4__n -data4_red-> r4r_n -data4_white-> r4w_n -data5_red-> r4_rn -data5_white-> r4_wn;
  r4__n: -ack4-> r4__l -lostack4-> r4__l;
  r4_rl: -data0_red-> r4_rn -data0_white-> r4_rn -data1_red-> r4_rn -data1_white-> r4_rn -data2_red-> r4_rn -data2_white-> r4_rn -data3_red-> r4_rn -data3_white-> r4_rn -data4_red-> r4rrn -data4_white-> r4wrn -data5_red-> r4_rn -data5_white-> r4_rn;
  r4_rn: -ack4-> r4_rl -lostack4-> r4_rl;
  r4_wl: -data0_red-> r4_wn -data0_white-> r4_wn -data1_red-> r4_wn -data1_white-> r4_wn -data2_red-> r4_wn -data2_white-> r4_wn -data3_red-> r4_wn -data3_white-> r4_wn -data4_red-> r4rwn -data4_white-> r4wwn -data5_red-> r4_wn -data5_white-> r4_wn;
  r4_wn: -ack4-> r4_wl -lostack4-> r4_wl;
  r4r_l: -out_red-> r5__l -data0_red-> r4r_n -data0_white-> r4r_n -data1_red-> r4r_n -data1_white-> r4r_n -data2_red-> r4r_n -data2_white-> r4r_n -data3_red-> r4r_n -data3_white-> r4r_n -data4_red-> r4r_n -data4_white-> r4r_n -data5_red-> r4rrn -data5_white-> r4rwn;
  r4r_n: -out_red-> r5__n -ack4-> r4r_l -lostack4-> r4r_l;
  r4rrl: -out_red-> r5r_l -data0_red-> r4rrn -data0_white-> r4rrn -data1_red-> r4rrn -data1_white-> r4rrn -data2_red-> r4rrn -data2_white-> r4rrn -data3_red-> r4rrn -data3_white-> r4rrn -data4_red-> r4rrn -data4_white-> r4rrn -data5_red-> r4rrn -data5_white-> r4rrn;
  r4rrn: -out_red-> r5r_n -ack4-> r4rrl -lostack4-> r4rrl;
  r4rwl: -out_red-> r5w_l -data0_red-> r4rwn -data0_white-> r4rwn -data1_red-> r4rwn -data1_white-> r4rwn -data2_red-> r4rwn -data2_white-> r4rwn -data3_red-> r4rwn -data3_white-> r4rwn -data4_red-> r4rwn -data4_white-> r4rwn -data5_red-> r4rwn -data5_white-> r4rwn;
  r4rwn: -out_red-> r5w_n -ack4-> r4rwl -lostack4-> r4rwl;
  r4w_l: -out_white-> r5__l -data0_red-> r4w_n -data0_white-> r4w_n -data1_red-> r4w_n -data1_white-> r4w_n -data2_red-> r4w_n -data2_white-> r4w_n -data3_red-> r4w_n -data3_white-> r4w_n -data4_red-> r4w_n -data4_white-> r4w_n -data5_red-> r4wrn -data5_white-> r4wwn;
  r4w_n: -out_white-> r5__n -ack4-> r4w_l -lostack4-> r4w_l;
  r4wrl: -out_white-> r5r_l -data0_red-> r4wrn -data0_white-> r4wrn -data1_red-> r4wrn -data1_white-> r4wrn -data2_red-> r4wrn -data2_white-> r4wrn -data3_red-> r4wrn -data3_white-> r4wrn -data4_red-> r4wrn -data4_white-> r4wrn -data5_red-> r4wrn -data5_white-> r4wrn;
  r4wrn: -out_white-> r5r_n -ack4-> r4wrl -lostack4-> r4wrl;
  r4wwl: -out_white-> r5w_l -data0_red-> r4wwn -data0_white-> r4wwn -data1_red-> r4wwn -data1_white-> r4wwn -data2_red-> r4wwn -data2_white-> r4wwn -data3_red-> r4wwn -data3_white-> r4wwn -data4_red-> r4wwn -data4_white-> r4wwn -data5_red-> r4wwn -data5_white-> r4wwn;
  r4wwn: -out_white-> r5w_n -ack4-> r4wwl -lostack4-> r4wwl;
  r5__l: -data0_red-> r5_rn -data0_white-> r5_wn -data1_red-> r5__n -data1_white-> r5__n -data2_red-> r5__n -data2_white-> r5__n -data3_red-> r5__n -data3_white-> r5__n -data4_red-> r5__n -data4_white-> r5__n -data5_red-> r5r_n -data5_white-> r5w_n;
  r5__n: -ack5-> r5__l -lostack5-> r5__l;
  r5_rl: -data0_red-> r5_rn -data0_white-> r5_rn -data1_red-> r5_rn -data1_white-> r5_rn -data2_red-> r5_rn -data2_white-> r5_rn -data3_red-> r5_rn -data3_white-> r5_rn -data4_red-> r5_rn -data4_white-> r5_rn -data5_red-> r5rrn -data5_white-> r5wrn;
  r5_rn: -ack5-> r5_rl -lostack5-> r5_rl;
  r5_wl: -data0_red-> r5_wn -data0_white-> r5_wn -data1_red-> r5_wn -data1_white-> r5_wn -data2_red-> r5_wn -data2_white-> r5_wn -data3_red-> r5_wn -data3_white-> r5_wn -data4_red-> r5_wn -data4_white-> r5_wn -data5_red-> r5rwn -data5_white-> r5wwn;
  r5_wn: -ack5-> r5_wl -lostack5-> r5_wl;
  r5r_l: -out_red-> r0__l -data0_red-> r5rrn -data0_white-> r5rwn -data1_red-> r5r_n -data1_white-> r5r_n -data2_red-> r5r_n -data2_white-> r5r_n -data3_red-> r5r_n -data3_white-> r5r_n -data4_red-> r5r_n -data4_white-> r5r_n -data5_red-> r5r_n -data5_white-> r5r_n;
  r5r_n: -out_red-> r0__n -ack5-> r5r_l -lostack5-> r5r_l;
  r5rrl: -out_red-> r0r_l -data0_red-> r5rrn -data0_white-> r5rrn -data1_red-> r5rrn -data1_white-> r5rrn -data2_red-> r5rrn -data2_white-> r5rrn -data3_red-> r5rrn -data3_white-> r5rrn -data4_red-> r5rrn -data4_white-> r5rrn -data5_red-> r5rrn -data5_white-> r5rrn;
  r5rrn: -out_red-> r0r_n -ack5-> r5rrl -lostack5-> r5rrl;
  r5rwl: -out_red-> r0w_l -data0_red-> r5rwn -data0_white-> r5rwn -data1_red-> r5rwn -data1_white-> r5rwn -data2_red-> r5rwn -data2_white-> r5rwn -data3_red-> r5rwn -data3_white-> r5rwn -data4_red-> r5rwn -data4_white-> r5rwn -data5_red-> r5rwn -data5_white-> r5rwn;
  r5rwn: -out_red-> r0w_n -ack5-> r5rwl -lostack5-> r5rwl;
  r5w_l: -out_white-> r0__l -data0_red-> r5wrn -data0_white-> r5wwn -data1_red-> r5w_n -data1_white-> r5w_n -data2_red-> r5w_n -data2_white-> r5w_n -data3_red-> r5w_n -data3_white-> r5w_n -data4_red-> r5w_n -data4_white-> r5w_n -data5_red-> r5w_n -data5_white-> r5w_n;
  r5w_n: -out_white-> r0__n -ack5-> r5w_l -lostack5-> r5w_l;
  r5wrl: -out_white-> r0r_l -data0_red-> r5wrn -data0_white-> r5wrn -data1_red-> r5wrn -data1_white-> r5wrn -data2_red-> r5wrn -data2_white-> r5wrn -data3_red-> r5wrn -data3_white-> r5wrn -data4_red-> r5wrn -data4_white-> r5wrn -data5_red-> r5wrn -data5_white-> r5wrn;
  r5wrn: -out_white-> r0r_n -ack5-> r5wrl -lostack5-> r5wrl;
  r5wwl: -out_white-> r0w_l -data0_red-> r5wwn -data0_white-> r5wwn -data1_red-> r5wwn -data1_white-> r5wwn -data2_red-> r5wwn -data2_white-> r5wwn -data3_red-> r5wwn -data3_white-> r5wwn -data4_red-> r5wwn -data4_white-> r5wwn -data5_red-> r5wwn -data5_white-> r5wwn;
  r5wwn: -out_white-> r0w_n -ack5-> r5wwl -lostack5-> r5wwl;
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
  actions in_white, data0_white, lost0_white, data1_white, lost1_white, data2_white, lost2_white, data3_white, lost3_white, data4_white, lost4_white, data5_white, lost5_white;
  init none;
  none: -in_white-> some;
  some: -in_white-> some -data0_white-> some -lost0_white-> some -data1_white-> some -lost1_white-> some -data2_white-> some -lost2_white-> some -data3_white-> some -lost3_white-> some -data4_white-> some -lost4_white-> some -data5_white-> some -lost5_white-> some;
}
property B: mcf [(!in_white)*.(data0_white || lost0_white || data1_white || lost1_white || data2_white || lost2_white || data3_white || lost3_white || data4_white || lost4_white || data5_white || lost5_white)] false;

safety C lts {
  actions data0_white, lost0_white, data1_white, lost1_white, data2_white, lost2_white, data3_white, lost3_white, data4_white, lost4_white, data5_white, lost5_white, out_white;
  init none;
  none: -data0_white-> some -lost0_white-> some -data1_white-> some -lost1_white-> some -data2_white-> some -lost2_white-> some -data3_white-> some -lost3_white-> some -data4_white-> some -lost4_white-> some -data5_white-> some -lost5_white-> some;
  some: -data0_white-> some -lost0_white-> some -data1_white-> some -lost1_white-> some -data2_white-> some -lost2_white-> some -data3_white-> some -lost3_white-> some -data4_white-> some -lost4_white-> some -data5_white-> some -lost5_white-> some -out_white-> some;
}
property C: mcf [(!(data0_white || lost0_white || data1_white || lost1_white || data2_white || lost2_white || data3_white || lost3_white || data4_white || lost4_white || data5_white || lost5_white))*.out_white] false;

safety D lts {
  actions out_red, out_white;
  init start;
  start:;
}
property D: mcf [true*.(out_red || out_white)] false;
