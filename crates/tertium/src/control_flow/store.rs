//! Results of the nodes of a partition, on disk.
//!
//! One file to which records are appended. A record has its length, its key and its checksum, so that reading the file
//! again finds where the valid records end: the file is truncated at the first torn one. The key ([`RecordKey`]) has
//! everything that a record depends on, so records of other questions do no harm.

use crate::error::Error;
use modular::{RecordKey, Store};
use rustc_hash::FxHashMap;
use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{self, BufReader, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::sync::Mutex;

/// The first bytes of every file; the last of them is the version of the format. A folder with files of another
/// version is not used.
const HEADER: [u8; 8] = *b"tertium\x02";
/// The length of a record's content, its key and its checksum.
const FRAME: usize = 4 + 16 + 16;
/// The ending of the names of files. Every question has a file of its own.
const ENDING: &str = "tertium";
fn name(question: u128) -> String {
    format!("{question:032x}.{ENDING}")
}

/// Where in the file the content of a record is.
type Index = FxHashMap<RecordKey, (u64, u32)>;

pub struct Disk {
    state: Mutex<State>,
    /// The file, its folder, and whether that was made for this.
    file: Option<(PathBuf, PathBuf, bool)>,
}

struct State {
    file: File,
    index: Index,
    end: u64,
    /// The first error of writing. From then on nothing is written.
    failed: Option<io::Error>,
}

impl Disk {
    /// In an unlinked file, which vanishes with this process.
    pub fn hidden() -> Result<Self, Error> {
        let file = tempfile::tempfile().map_err(|error| {
            Error::message(format!("there is no room for results on disk: {error}"))
        })?;
        Self::begin(file, None)
            .map_err(|error| Error::message(format!("cannot write results: {error}")))
    }

    /// In a folder, going on from what is there about a question.
    pub fn in_folder(folder: &Path, question: u128) -> Result<Self, Error> {
        let cannot = |error: io::Error| {
            Error::message(format!("cannot use `{}`: {error}", folder.display()))
        };
        let is_new = !folder.exists();
        fs::create_dir_all(folder).map_err(cannot)?;
        let mut options = OpenOptions::new();
        let path = folder.join(name(question));
        let file = options
            .read(true)
            .write(true)
            .create(true)
            .truncate(false)
            .open(&path)
            .map_err(cannot)?;
        match file.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => {
                let message = format!("another run is using `{}`", folder.display());
                return Err(
                    Error::message(message).with_help("wait for it, or give another folder")
                );
            }
            Err(TryLockError::Error(error)) => return Err(cannot(error)),
        }
        if let Some(path) = foreign(folder).map_err(cannot)? {
            let message = format!("`{}` has no results of this version of tertium", path.display());
            return Err(Error::message(message)
                .with_help("give an empty folder, or remove the file: its results are made anew"));
        }
        Self::begin(file, Some((path, folder.to_owned(), is_new))).map_err(cannot)
    }

    fn begin(mut file: File, place: Option<(PathBuf, PathBuf, bool)>) -> io::Result<Self> {
        let (index, end) = scan(&file)?;
        file.set_len(end)?;
        if end == 0 {
            file.seek(SeekFrom::Start(0))?;
            file.write_all(&HEADER)?;
        }
        let end = end.max(HEADER.len() as u64);
        Ok(Self { state: Mutex::new(State { file, index, end, failed: None }), file: place })
    }

    fn state(&self) -> std::sync::MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
    }

    /// How many results there are.
    pub fn len(&self) -> usize {
        self.state().index.len()
    }

    /// The first error of writing, if there is one: the answers are right, but a run that goes on from here has
    /// to find out more again.
    pub fn failure(&self) -> Option<String> {
        self.state().failed.as_ref().map(io::Error::to_string)
    }

    /// The record is not needed any more.
    pub fn remove(self) -> io::Result<()> {
        let Some((file, folder, is_new)) = self.file else { return Ok(()) };
        // Before the lock is released: no other process finds a file that is about to vanish.
        fs::remove_file(file)?;
        drop(self.state);
        // There may be something else in it.
        if is_new {
            let _ = fs::remove_dir(folder);
        }
        Ok(())
    }
}

/// A file of a folder that is of another version, or something else.
fn foreign(folder: &Path) -> io::Result<Option<PathBuf>> {
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.extension().is_none_or(|ending| ending != ENDING) {
            continue;
        }
        let mut start = Vec::new();
        File::open(&path)?.take(HEADER.len() as u64).read_to_end(&mut start)?;
        // A file that was just begun may have less.
        if !HEADER.starts_with(&start) {
            return Ok(Some(path));
        }
    }
    Ok(None)
}

fn checksum(key: RecordKey, content: &[u8]) -> u128 {
    RecordKey::joined([key.0, RecordKey::of(content).0]).0
}

/// Finds all records, and where the last one ends that is whole.
fn scan(file: &File) -> io::Result<(Index, u64)> {
    let mut reader = BufReader::with_capacity(1 << 20, file);
    reader.seek(SeekFrom::Start(0))?;
    let mut header = [0; HEADER.len()];
    let mut index = Index::default();
    if !fill(&mut reader, &mut header)? || header != HEADER {
        return Ok((index, 0));
    }
    let length = file.metadata()?.len();
    let mut end = HEADER.len() as u64;
    let mut frame = [0; FRAME];
    let mut content = Vec::new();
    while fill(&mut reader, &mut frame)? {
        let (size, key, sum) = parse_frame(&frame);
        let at = end + FRAME as u64;
        if at + u64::from(size) > length {
            break;
        }
        content.resize(size as usize, 0);
        if !fill(&mut reader, &mut content)? || checksum(key, &content) != sum {
            break;
        }
        index.insert(key, (at, size));
        end = at + u64::from(size);
    }
    Ok((index, end))
}

fn parse_frame(frame: &[u8; FRAME]) -> (u32, RecordKey, u128) {
    let number = |from: usize| {
        let mut bytes = [0; 16];
        bytes.copy_from_slice(&frame[from..from + 16]);
        u128::from_le_bytes(bytes)
    };
    (u32::from_le_bytes([frame[0], frame[1], frame[2], frame[3]]), RecordKey(number(4)), number(20))
}

/// Whether there were so many bytes left.
fn fill(reader: &mut impl Read, bytes: &mut [u8]) -> io::Result<bool> {
    match reader.read_exact(bytes) {
        Ok(()) => Ok(true),
        Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => Ok(false),
        Err(error) => Err(error),
    }
}

impl State {
    fn read(&mut self, key: RecordKey) -> io::Result<Option<Vec<u8>>> {
        let Some(&(at, size)) = self.index.get(&key) else { return Ok(None) };
        let mut frame = [0; FRAME];
        let mut content = vec![0; size as usize];
        self.file.seek(SeekFrom::Start(at - FRAME as u64))?;
        self.file.read_exact(&mut frame)?;
        self.file.read_exact(&mut content)?;
        let is_intact = parse_frame(&frame) == (size, key, checksum(key, &content));
        Ok(is_intact.then_some(content))
    }

    fn write(&mut self, key: RecordKey, content: &[u8]) -> io::Result<()> {
        let size = u32::try_from(content.len()).map_err(io::Error::other)?;
        let mut record = Vec::with_capacity(FRAME + content.len());
        record.extend(size.to_le_bytes());
        record.extend(key.0.to_le_bytes());
        record.extend(checksum(key, content).to_le_bytes());
        record.extend(content);
        self.file.seek(SeekFrom::Start(self.end))?;
        self.file.write_all(&record)?;
        self.index.insert(key, (self.end + FRAME as u64, size));
        self.end += record.len() as u64;
        Ok(())
    }
}

impl Store for Disk {
    fn get(&self, key: RecordKey) -> Option<Vec<u8>> {
        // What cannot be read is computed again.
        let content = self.state().read(key).ok().flatten()?;
        lz4_flex::decompress_size_prepended(&content).ok()
    }

    fn put(&self, key: RecordKey, bytes: &[u8]) {
        let content = lz4_flex::compress_prepend_size(bytes);
        let mut state = self.state();
        if state.failed.is_none()
            && let Err(error) = state.write(key, &content)
        {
            state.failed = Some(error);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn folder() -> tempfile::TempDir {
        tempfile::tempdir().expect("a folder")
    }

    fn record(number: u128) -> Vec<u8> {
        (0..number as u8 * 7).collect()
    }

    fn filled(folder: &Path, records: u128) {
        let disk = Disk::in_folder(folder, 7).expect("it can be used");
        for number in 0..records {
            disk.put(RecordKey(number), &record(number));
        }
    }

    #[test]
    fn what_was_put_is_found_again() {
        let folder = folder();
        filled(folder.path(), 20);
        let disk = Disk::in_folder(folder.path(), 7).expect("it can be used");
        assert_eq!(disk.len(), 20);
        for number in 0..20 {
            assert_eq!(disk.get(RecordKey(number)), Some(record(number)));
        }
        assert_eq!(disk.get(RecordKey(20)), None);
        disk.remove().expect("it can be removed");
        assert!(!folder.path().join(name(7)).exists());
    }

    /// Wherever the file is cut off and whichever byte is changed, what is found is what was put.
    #[test]
    fn a_torn_file_is_never_wrong() {
        let folder = folder();
        filled(folder.path(), 6);
        let path = folder.path().join(name(7));
        let whole = fs::read(&path).expect("it is there");
        let mut torn: Vec<Vec<u8>> =
            (0..whole.len()).map(|length| whole[..length].to_vec()).collect();
        torn.extend((0..whole.len()).map(|at| {
            let mut bytes = whole.clone();
            bytes[at] ^= 0x10;
            bytes
        }));
        for bytes in torn {
            fs::write(&path, &bytes).expect("it can be written");
            let Ok(disk) = Disk::in_folder(folder.path(), 7) else {
                assert!(!bytes.starts_with(&HEADER));
                continue;
            };
            for number in 0..6 {
                assert!(disk.get(RecordKey(number)).is_none_or(|found| found == record(number)));
                disk.put(RecordKey(number), &record(number));
            }
            for number in 0..6 {
                assert_eq!(disk.get(RecordKey(number)), Some(record(number)));
            }
        }
    }

    #[test]
    fn a_folder_of_another_version_is_refused() {
        let folder = folder();
        filled(folder.path(), 3);
        let other = folder.path().join(name(8));
        fs::write(&other, b"tertium\x01").expect("it can be written");
        let Err(Error::Input(found)) = Disk::in_folder(folder.path(), 7) else {
            panic!("results of before are used")
        };
        let expected = format!("`{}` has no results of this version of tertium", other.display());
        assert_eq!(found.messages[0].message, expected);
        assert!(found.messages[0].help.as_ref().is_some_and(|help| help.contains("made anew")));
        fs::write(&other, HEADER).expect("it can be written");
        assert_eq!(Disk::in_folder(folder.path(), 7).map(|disk| disk.len()).ok(), Some(3));
    }

    #[test]
    fn two_runs_do_not_share_a_folder() {
        let folder = folder();
        let _first = Disk::in_folder(folder.path(), 7).expect("it can be used");
        assert!(Disk::in_folder(folder.path(), 7).is_err());
    }
}
