// A sender that tries again for ever.
component Sender lts {
  actions send, fail, done;
  init idle;
  idle:    -send-> sending;
  sending: -fail-> idle -done-> ended;
  ended:   -done-> ended;
}
property "ends": mcf [true*.send] mu X. [!done] X && <true> true;
