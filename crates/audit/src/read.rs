//! Reading a certificate, a few bytes at a time: any bytes give a value or an error.

use crate::error::AuditError;
use crate::format::{
    CLAIM, CertificateKind, Checksum, Claim, Codec, DEADLOCKS, END, KINDS, LOGICS, MAGIC, PARTS,
};
use std::io::Read;
use std::ops::Range;

pub struct Reader<R> {
    input: R,
    buffer: Vec<u8>,
    /// The bytes of the buffer that are not read yet.
    rest: Range<usize>,
    /// How many bytes were read before the buffer.
    before: u64,
    kind: CertificateKind,
    /// Of the bytes that were read, if the certificate ends with a checksum.
    sum: Option<Checksum>,
    /// That of the system or program that the certificate is about.
    pub(crate) digest: u64,
    /// Whether the claim that was read last is proved of parts.
    pub(crate) is_of_parts: bool,
}

impl<R> Reader<R> {
    pub fn kind(&self) -> CertificateKind {
        self.kind
    }

    /// Whether the certificate is of this kind and about the system or program with this digest.
    pub(crate) fn is_about(&self, kind: CertificateKind, digest: u64) -> bool {
        self.kind == kind && self.digest == digest
    }
}

impl<R: Read> Reader<R> {
    /// Reads the header of a certificate.
    pub fn new(input: R) -> Result<Self, AuditError> {
        let mut reader = Self {
            input,
            buffer: vec![0; 1 << 16],
            rest: 0..0,
            before: 0,
            kind: CertificateKind::Explicit,
            sum: None,
            digest: 0,
            is_of_parts: false,
        };
        reader.kind = reader.header()?;
        reader.sum = reader.kind.has_checksum().then(Checksum::default);
        reader.digest = reader.digest()?;
        Ok(reader)
    }

    /// The first line. Certificates of before, in which nothing but the version of the composition format follows the
    /// line, and of other versions of a kind are refused.
    fn header(&mut self) -> Result<CertificateKind, AuditError> {
        const LONGEST: usize = 64;
        let mut line = Vec::new();
        while line.len() < LONGEST && line.last() != Some(&b'\n') && self.fill()? {
            line.push(self.byte()?);
        }
        let line = String::from_utf8_lossy(&line);
        for (kind, name, version) in KINDS {
            if line == format!("{MAGIC} {name} {version}\n") {
                return Ok(kind);
            }
        }
        const ANEW: &str = "create it again with `tertium check … --certificate FILE`";
        let words: Vec<&str> = match line.strip_prefix(MAGIC) {
            Some(rest) => rest.split_ascii_whitespace().collect(),
            None => {
                return Err(AuditError::Foreign("this is not a certificate of tertium".to_owned()));
            }
        };
        let own = |name: &str| KINDS.iter().find(|kind| kind.1 == name).map(|kind| kind.2);
        Err(AuditError::Foreign(match (&words[..], words.first().and_then(|name| own(name))) {
            ([], _) => format!("the certificate was written by an earlier tertium: {ANEW}"),
            (&[name, theirs], Some(ours)) if theirs.bytes().all(|b| b.is_ascii_digit()) => format!(
                "the certificate has version {theirs} of the kind `{name}`, and this is a reader \
                 of version {ours}: {ANEW}"
            ),
            _ => "the certificate is of an unknown kind".to_owned(),
        }))
    }

    /// Eight bytes, low ones first.
    pub(crate) fn digest(&mut self) -> Result<u64, AuditError> {
        let mut digest = [0; 8];
        self.octets(&mut digest)?;
        Ok(u64::from_le_bytes(digest))
    }

    /// The end of a certificate: the checksum, if it has one, and nothing may follow. It is there for accidents, as
    /// in the map from states to classes, where a change may do no harm to the proof.
    pub(crate) fn end(&mut self) -> Result<(), AuditError> {
        if let Some(Checksum(sum)) = self.sum
            && self.digest()? != sum
        {
            let problem = "the certificate has been changed: its checksum is wrong";
            return Err(AuditError::invalid(problem));
        }
        let is_end = !self.fill()?;
        self.check(is_end, "something follows its end")
    }

    /// The next claim; its proof follows. `None` at the end of the certificate.
    pub fn claim(&mut self) -> Result<Option<Claim>, AuditError> {
        match self.number()? {
            CLAIM => {}
            END => return self.end().map(|()| None),
            _ => return Err(self.malformed("neither a claim nor the end")),
        }
        if self.kind == CertificateKind::Explicit {
            self.is_of_parts = self.below(2, "an unknown method")? == PARTS as u32;
        }
        Ok(Some(Claim {
            property: self.text()?,
            logic: self.one_of(&LOGICS, "an unknown logic")?,
            formula: self.text()?,
            normal_form: self.bytes()?,
            deadlock: self.one_of(&DEADLOCKS, "an unknown treatment of deadlocks")?,
            verdict: self.one_of(&[false, true], "no verdict")?,
        }))
    }

    pub(crate) fn malformed(&self, problem: &str) -> AuditError {
        // The place of the byte that was read last.
        let at = (self.before + self.rest.start as u64).saturating_sub(1);
        AuditError::invalid(format_args!("byte {at} of the certificate: {problem}"))
    }

    /// Whether there is a byte left.
    fn fill(&mut self) -> Result<bool, AuditError> {
        while self.rest.is_empty() {
            match self.input.read(&mut self.buffer) {
                Ok(0) => return Ok(false),
                Ok(read) => {
                    self.before += self.rest.end as u64;
                    self.rest = 0..read;
                }
                Err(error) if error.kind() == std::io::ErrorKind::Interrupted => {}
                Err(error) => return Err(error.into()),
            }
        }
        Ok(true)
    }

    #[inline]
    pub(crate) fn byte(&mut self) -> Result<u8, AuditError> {
        if self.rest.is_empty() && !self.fill()? {
            return Err(self.malformed("the certificate ends too early"));
        }
        let byte = self.buffer[self.rest.start];
        self.rest.start += 1;
        if let Some(sum) = &mut self.sum {
            sum.add(byte);
        }
        Ok(byte)
    }

    #[inline]
    pub(crate) fn number(&mut self) -> Result<u64, AuditError> {
        let mut value = 0;
        for shift in (0..63).step_by(7) {
            let byte = self.byte()?;
            value |= u64::from(byte & 0x7f) << shift;
            if byte < 0x80 {
                return Ok(value);
            }
        }
        Err(self.malformed("a number that is too long"))
    }

    pub(crate) fn below(&mut self, limit: usize, problem: &str) -> Result<u32, AuditError> {
        let value = self.number()?;
        if value < limit as u64 { Ok(value as u32) } else { Err(self.malformed(problem)) }
    }

    pub(crate) fn one_of<T: Copy>(&mut self, all: &[T], problem: &str) -> Result<T, AuditError> {
        let index = self.below(all.len(), problem)?;
        Ok(all[index as usize])
    }

    pub(crate) fn bytes(&mut self) -> Result<Vec<u8>, AuditError> {
        const LONGEST: usize = 1 << 30;
        let length = self.below(LONGEST, "a text that is too long")?;
        (0..length).map(|_| self.byte()).collect()
    }

    pub(crate) fn text(&mut self) -> Result<String, AuditError> {
        let bytes = self.bytes()?;
        String::from_utf8(bytes).map_err(|_| self.malformed("a text that is not UTF-8"))
    }

    /// The next range of states; `end` is where the one before ended.
    #[inline]
    pub(crate) fn run(&mut self, end: &mut u32, states: usize) -> Result<Range<u32>, AuditError> {
        const BEYOND: &str = "a state that the system does not have";
        let left = states - *end as usize;
        let gap = self.below(left, BEYOND)?;
        let more = self.below(left - gap as usize, BEYOND)?;
        let start = *end + gap;
        *end = start + more + 1;
        Ok(start..*end)
    }
}

impl<R: Read> Codec for Reader<R> {
    type Error = AuditError;

    fn size(&mut self, value: &mut u64) -> Result<(), AuditError> {
        *value = self.number()?;
        Ok(())
    }

    fn octets(&mut self, bytes: &mut [u8]) -> Result<(), AuditError> {
        for byte in bytes {
            *byte = self.byte()?;
        }
        Ok(())
    }

    fn check(&self, holds: bool, problem: &str) -> Result<(), AuditError> {
        if holds { Ok(()) } else { Err(self.malformed(problem)) }
    }

    fn string(&mut self, text: &mut String) -> Result<(), AuditError> {
        *text = self.text()?;
        Ok(())
    }
}
