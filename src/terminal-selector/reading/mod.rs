//! The effect of a command on the working directory of the shell that runs it.
//!
//! A shell's language is large, and this reads a small part of it: commands of plain words that are
//! joined by operators, and of these the first 64 KB. Whatever is not in that part, and whatever runs code that is not in the
//! command, such as `eval` and `source`, may change the directory: that is the answer in doubt. An
//! alias, a function of the user's and an option such as `autocd` cannot be seen.
//!
//! A row of plain changes of directory is followed that `&&` joins to the commands before: if they are run and
//! succeed, the shell is where they lead, as long as nothing changes it later.
//!
//! Two more things are read: the changes of directory that a command [begins](leading) with, and the
//! directories that it [moves away or removes](displaced). All three come from one [`Reading`], which splits
//! the command into words once.

mod change;
mod command;
mod displaced;
mod effect;
mod leading;
mod vocabulary;
mod words;

pub(super) use self::command::Reading;
pub(super) use self::displaced::Displaced;
pub(super) use self::leading::{Leading, Without};
