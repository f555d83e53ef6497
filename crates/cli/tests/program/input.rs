//! Input of every sort, most of it bad.

use crate::support::{file, ring, run, run_on, stderr, stdout};

#[test]
fn standard_input_is_either_format() {
    let tm = b"component A lts { actions a; init s; s: -a-> s; }";
    let output = run_on(&["check", "-", "--mu", "<a> true"], tm);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    let output = run_on(&["check", "-", "--mu", "<a> true"], &ring(1000));
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    let output = run_on(&["check", "-", "--mu", "true"], b"\xff\xfe");
    assert_eq!(output.status.code(), Some(2));
    assert!(stderr(&output).contains("0xff at offset 0, in line 1"), "{}", stderr(&output));
}

#[test]
fn the_mark_of_utf8_before_any_format() {
    let mark = |text: &[u8]| [b"\xef\xbb\xbf", text].concat();
    let output = run_on(&["check", "-", "--mu", "<a> true"], &mark(&ring(10)));
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    let path = file("marked.aut", &mark(b"des (0,1,1)\r\n(0,a,0)\r\n"));
    assert_eq!(run(&["check", &path, "--mu", "<a> true"]).status.code(), Some(0));
    let path = file("marked.pg", &mark(b"parity 0;\n0 0 0 0;\n"));
    assert_eq!(run(&["solve", &path]).status.code(), Some(0));
    let path = file("marked.tm", &mark(b"component A foo {}"));
    let said = stderr(&run(&["check", &path]));
    assert!(said.contains("marked.tm:1:13 "), "{said}");
}

#[test]
fn standard_input_is_read_once() {
    for command in [["check", "-", "-"], ["compare", "-", "-"]] {
        let output = run_on(&command, b"component A lts { init s; s: ; } property t: mu true;");
        assert_eq!(output.status.code(), Some(2));
        assert!(stderr(&output).contains("named twice"), "{}", stderr(&output));
    }
}

#[test]
fn a_file_that_is_part_of_itself_by_another_name() {
    let twice = b"component A from \"a/../self.tm\"; component B from \"./a/../self.tm\";
system A || B; property t: mu true;";
    let path = file("self.tm", twice);
    let folder = std::path::Path::new(&path).parent().unwrap();
    std::fs::create_dir_all(folder.join("a")).unwrap();
    let output = run(&["check", &path, "--timeout", "20"]);
    assert_eq!(output.status.code(), Some(2), "{}", stderr(&output));
    assert!(stderr(&output).contains("this file includes itself"), "{}", stderr(&output));
}

#[test]
fn very_many_mistakes_are_not_all_reported() {
    let names: Vec<String> = (0..5000).map(|name| format!("x{name}")).collect();
    let formula = names.join(" & ");
    let model = b"component A kripke { props p; init s; s: {p} -> s; }";
    let output = run_on(&["check", "-", "--mu", &formula], model);
    assert_eq!(output.status.code(), Some(2));
    assert!(stderr(&output).len() < 200_000);
}

#[test]
fn an_action_that_never_occurs() {
    let model = b"component A lts { init s; s: -a-> s -b-> s; } system A hide { a };";
    let said = |formula: &str| stderr(&run_on(&["check", "-", "--mcf", formula], model));
    assert!(
        said("[a] false").contains("no transition of the system has it"),
        "{}",
        said("[a] false")
    );
    let several = said("[b|c] false");
    assert!(several.contains("an alternative is `b || c`"), "{several}");
}

#[test]
fn no_colours_in_pipes() {
    let path = file("plain.aut", b"des (0,1,2)\n(0,\"a\",7)\n");
    let output = run(&["check", &path, "--mu", "true"]);
    assert!(!stderr(&output).contains('\u{1b}'));
}

#[cfg(unix)]
#[test]
fn a_file_that_must_not_be_read() {
    use std::os::unix::fs::PermissionsExt;
    let path = file("secret.tm", b"component");
    std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o000)).unwrap();
    let output = run(&["check", &path]);
    assert_eq!(output.status.code(), Some(2));
    // Root may read everything; then the text is wrong.
    assert!(stderr(&output).starts_with("Error: "), "{}", stderr(&output));
    std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o600)).unwrap();
}

#[test]
fn deep_inputs_do_not_overflow_the_stack() {
    let deep = format!("{}p{}", "!(".repeat(200_000), ")".repeat(200_000));
    let file_text =
        format!("component A kripke {{ props p; init s; s: {{p}} -> s; }} property d: mu {deep};");
    let output = run_on(&["check", "-"], file_text.as_bytes());
    assert!(matches!(output.status.code(), Some(0 | 2)), "{:?}", output.status);
    let long = "[] ".repeat(200_000) + "p";
    let file_text =
        format!("component A kripke {{ props p; init s; s: {{p}} -> s; }} property d: mu {long};");
    let output = run_on(&["check", "-"], file_text.as_bytes());
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
}

/// Pieces of good input, cut anywhere, doubled, and with strange bytes in them.
#[test]
fn no_input_makes_the_program_fail_on_its_own() {
    let tm = b"component A kmts { props p; init s; s: {p?} -> s ?> s; } property a: ctl AG p;";
    let aut = b"des (0,2,2)\n(0,\"a\",1)\n(1,i,0)\n";
    let pg = b"parity 1;\n0 1 0 1,0 \"x\";\n1 2 1 0;\n";
    let commands: [(&[u8], &[&str]); 3] = [
        (tm, &["check", "-"]),
        (aut, &["check", "-", "--mu", "<a> true"]),
        (pg, &["solve", "-", "--verify"]),
    ];
    for (text, command) in commands {
        for at in (0..text.len()).step_by(5) {
            let spoilt: [Vec<u8>; 3] = [
                text[..at].to_vec(),
                [&text[..at], &text[at / 2..]].concat(),
                [&text[..at], b"\0\xf0\x9f(}", &text[at..]].concat(),
            ];
            for input in spoilt {
                let output = run_on(command, &input);
                let said = stderr(&output);
                let is_known = matches!(output.status.code(), Some(0..=3));
                assert!(is_known && !said.contains("internal error"), "{said}\n{input:?}");
                assert_eq!(output.status.code() == Some(2), said.contains("Error: "), "{said}");
            }
        }
    }
}

/// Where a missing part starts is open, wherever the part is described.
#[test]
fn a_missing_part_of_another_file() {
    let net = "component Net unknown { props p; init {}; }";
    let known = "component A kripke { props q; init s; s: {q} -> s; }";
    file("net.tm", net.as_bytes());
    let path = file("all.tm", b"component N from \"net.tm\"; property start: mu p;");
    let output = run(&["check", &path]);
    assert_eq!(output.status.code(), Some(3), "{}", stdout(&output));
    assert!(stdout(&output).contains("the initial states disagree"), "{}", stdout(&output));
    file("net.tm", format!("{net} {known} system Net || A;").as_bytes());
    let output = run(&["check", &path]);
    assert_eq!(output.status.code(), Some(2));
    assert!(stderr(&output).contains("`Net` has several initial states"), "{}", stderr(&output));
    file("net.tm", format!("{net} {known} system Net || A;").replace("{}", "{!p}").as_bytes());
    assert_eq!(run(&["check", &path]).status.code(), Some(1));
}
