//! The header of certificates, which all kinds have, and what is refused because of it.

use audit::{AuditError, CertificateKind, Reader};

const KINDS: [CertificateKind; 7] = [
    CertificateKind::Explicit,
    CertificateKind::Symbolic,
    CertificateKind::Modular,
    CertificateKind::Integers,
    CertificateKind::Assumption,
    CertificateKind::Components,
    CertificateKind::Recursion,
];

fn refusal(bytes: &[u8]) -> String {
    match Reader::new(bytes) {
        Err(AuditError::Foreign(problem)) => problem,
        Err(other) => panic!("{other}"),
        Ok(reader) => panic!("it is read as {:?}", reader.kind()),
    }
}

#[test]
fn every_kind_is_recognised_by_its_header() {
    for kind in KINDS {
        let header = kind.header(7);
        let text = String::from_utf8_lossy(&header);
        assert!(text.starts_with("tertium certificate "), "{text}");
        let version = text.lines().next().and_then(|line| line.rsplit(' ').next());
        assert!(version.is_some_and(|number| number.parse::<u32>().is_ok()), "{text}");
        assert_eq!(Reader::new(&header[..]).map(|reader| reader.kind()).ok(), Some(kind));
    }
}

#[test]
fn certificates_of_before_are_refused_and_to_be_made_anew() {
    for version in 1..=6 {
        let mut old = b"tertium certificate\n".to_vec();
        old.push(version);
        old.extend([0; 20]);
        let refusal = refusal(&old);
        assert!(refusal.contains("earlier tertium"), "{refusal}");
        assert!(refusal.contains("`tertium check … --certificate FILE`"), "{refusal}");
    }
}

#[test]
fn other_versions_and_kinds_are_refused() {
    let other = refusal(b"tertium certificate explicit 2\n\0\0\0\0\0\0\0\0");
    assert!(other.contains("version 2 of the kind `explicit`"), "{other}");
    assert!(other.contains("a reader of version 1: create it again"), "{other}");
    let unknown = refusal(b"tertium certificate quantum 1\n\0\0\0\0\0\0\0\0");
    assert!(unknown.contains("of an unknown kind"), "{unknown}");
    for bytes in [&b""[..], b"tertium", b"tertium certificat\n", b"\xff\xfe\0", &[b'x'; 200]] {
        assert_eq!(refusal(bytes), "this is not a certificate of tertium");
    }
}
