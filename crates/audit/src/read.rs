//! Reading a certificate, a few bytes at a time: any bytes give a value or a fault.

use crate::fault::Fault;
use crate::format::{
    CLAIM, Checksum, Claim, DEADLOCKS, END, LOGICS, MAGIC, METHODS, Method, VERSION,
    VERSION_OF_ASSUMPTIONS, VERSION_OF_DIAGRAMS, VERSION_OF_INTEGERS, VERSION_OF_PROGRAMS,
};
use std::io::Read;
use std::ops::Range;

pub struct Reader<R> {
    input: R,
    buffer: Vec<u8>,
    /// What of the buffer is not read yet.
    rest: Range<usize>,
    /// How many bytes were read before the buffer.
    before: u64,
    /// Of the format: what the certificate is about.
    version: u64,
    /// Of what was read of a certificate that ends with a checksum.
    sum: Checksum,
    /// That of the system or machine that the certificate is about.
    pub(crate) digest: u64,
    /// That of the claim that was read last.
    pub(crate) method: Method,
}

impl<R> Reader<R> {
    /// Whether its sets of states are lists of states.
    pub(crate) fn has_lists(&self) -> bool {
        self.version == VERSION
    }

    /// Whether the certificate is about a machine, its sets of states being decision diagrams.
    pub fn has_diagrams(&self) -> bool {
        self.version == VERSION_OF_DIAGRAMS
    }

    /// Whether it is about a process that an assumption stands for.
    pub fn has_assumptions(&self) -> bool {
        self.version == VERSION_OF_ASSUMPTIONS
    }

    /// Whether it is about a while-program.
    pub fn has_nodes(&self) -> bool {
        self.version == VERSION_OF_PROGRAMS
    }

    /// Whether it is about a program over integers, whose sets of states are formulas.
    pub fn has_formulas(&self) -> bool {
        self.version == VERSION_OF_INTEGERS
    }
}

impl<R: Read> Reader<R> {
    /// Reads the head of a certificate.
    pub fn new(input: R) -> Result<Self, Fault> {
        let (buffer, rest) = (vec![0; 1 << 16], 0..0);
        let method = Method::Direct;
        let (before, digest, version) = (0, 0, 0);
        let mut reader =
            Self { input, buffer, rest, before, version, sum: Checksum::default(), digest, method };
        let mut magic = MAGIC.iter();
        if !magic.all(|&byte| reader.byte().is_ok_and(|found| found == byte)) {
            return Err(Fault::Foreign("this is no certificate of tertium".to_owned()));
        }
        let version = reader.number()?;
        if !(VERSION..=VERSION_OF_INTEGERS).contains(&version) {
            return Err(Fault::Foreign(format!(
                "the certificate has version {version} of the format, and this is a reader of \
                 versions {VERSION} to {VERSION_OF_INTEGERS}"
            )));
        }
        reader.version = version;
        reader.digest = reader.digest()?;
        Ok(reader)
    }

    /// Eight bytes, low ones first.
    pub(crate) fn digest(&mut self) -> Result<u64, Fault> {
        let mut digest = [0; 8];
        for byte in &mut digest {
            *byte = self.byte()?;
        }
        Ok(u64::from_le_bytes(digest))
    }

    /// The end of a certificate of the later versions: a checksum, and nothing may follow. It is there for
    /// accidents, as in the map from states to classes, where a change may do no harm to the proof.
    pub(crate) fn end(&mut self) -> Result<(), Fault> {
        let sum = self.sum.0;
        if self.digest()? != sum {
            return Err(Fault::Invalid(
                "the certificate has been changed: its checksum is wrong".to_owned(),
            ));
        }
        match self.fill()? {
            true => Err(self.malformed("something follows its end")),
            false => Ok(()),
        }
    }

    /// The next claim; its steps follow. `None` at the end of the certificate.
    pub fn claim(&mut self) -> Result<Option<Claim>, Fault> {
        match self.number()? {
            CLAIM => {}
            END if self.fill()? => return Err(self.malformed("something follows its end")),
            END => return Ok(None),
            _ => return Err(self.malformed("neither a claim nor the end")),
        }
        if !self.has_diagrams() {
            self.method = self.one_of(&METHODS, "no method that is known")?;
        }
        self.content_of_claim().map(Some)
    }

    /// What a claim says.
    pub(crate) fn content_of_claim(&mut self) -> Result<Claim, Fault> {
        Ok(Claim {
            property: self.text()?,
            logic: self.one_of(&LOGICS, "no logic that is known")?,
            formula: self.text()?,
            normal_form: self.bytes()?,
            deadlock: self.one_of(&DEADLOCKS, "no meaning of deadlocks that is known")?,
            verdict: self.one_of(&[false, true], "no verdict")?,
        })
    }

    pub(crate) fn malformed(&self, problem: &str) -> Fault {
        // The place of the byte that was read last.
        let at = (self.before + self.rest.start as u64).saturating_sub(1);
        Fault::Invalid(format!("byte {at} of the certificate: {problem}"))
    }

    /// Whether there is a byte left.
    fn fill(&mut self) -> Result<bool, Fault> {
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
    pub(crate) fn byte(&mut self) -> Result<u8, Fault> {
        if self.rest.is_empty() && !self.fill()? {
            return Err(self.malformed("the certificate ends too early"));
        }
        let byte = self.buffer[self.rest.start];
        self.rest.start += 1;
        if self.version >= VERSION_OF_ASSUMPTIONS {
            self.sum.add(byte);
        }
        Ok(byte)
    }

    #[inline]
    pub(crate) fn number(&mut self) -> Result<u64, Fault> {
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

    pub(crate) fn below(&mut self, limit: usize, problem: &str) -> Result<u32, Fault> {
        let value = self.number()?;
        if value < limit as u64 { Ok(value as u32) } else { Err(self.malformed(problem)) }
    }

    pub(crate) fn one_of<T: Copy>(&mut self, all: &[T], problem: &str) -> Result<T, Fault> {
        let index = self.below(all.len(), problem)?;
        Ok(all[index as usize])
    }

    pub(crate) fn bytes(&mut self) -> Result<Vec<u8>, Fault> {
        const LONGEST: usize = 1 << 30;
        let length = self.below(LONGEST, "a text that is too long")?;
        (0..length).map(|_| self.byte()).collect()
    }

    pub(crate) fn text(&mut self) -> Result<String, Fault> {
        let bytes = self.bytes()?;
        String::from_utf8(bytes).map_err(|_| self.malformed("a text that is not UTF-8"))
    }

    /// The next range of states; `end` is where the one before ended.
    #[inline]
    pub(crate) fn run(&mut self, end: &mut u32, states: usize) -> Result<Range<u32>, Fault> {
        const BEYOND: &str = "a state that the system does not have";
        let left = states - *end as usize;
        let gap = self.below(left, BEYOND)?;
        let more = self.below(left - gap as usize, BEYOND)?;
        let start = *end + gap;
        *end = start + more + 1;
        Ok(start..*end)
    }
}
