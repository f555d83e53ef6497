use crate::Status;
use crate::flags::Solve;
pub fn run(_flags: Solve) -> Status {
    Status::Good
}
