component Net unknown { props ack; init {}; }
property "starts with ack": ctl ack;
