//! Owner, group, permissions, access list and extended attributes, which a new file has from the old one.

use std::fs::{File, Metadata};
use std::path::Path;

use crate::problem::Result;

/// Gives a new file all that the old one has.
#[cfg(unix)]
pub(super) fn copy(from: &Path, old: &Metadata, new: &File) -> Result<()> {
    let has_group = give_to(new, old);
    let has_attributes = copy_extended(from, new, |_| true)?;
    set_mode(from, old, new, has_group && has_attributes)
}

/// Gives a new file the permissions and the access list of another, whose owner it does not get.
#[cfg(unix)]
pub(super) fn copy_access(from: &Path, model: &Metadata, new: &File) -> Result<()> {
    let is_access = |name: &OsStr| name == "system.posix_acl_access";
    let has_list = copy_extended(from, new, is_access).unwrap_or(false);
    set_mode(from, model, new, has_list)
}

/// Windows gives a new file the access list that its folder passes on.
#[cfg(not(unix))]
pub(super) fn copy(_from: &Path, _old: &Metadata, _new: &File) -> Result<()> {
    Ok(())
}

#[cfg(not(unix))]
pub(super) fn copy_access(_from: &Path, _model: &Metadata, _new: &File) -> Result<()> {
    Ok(())
}

#[cfg(unix)]
use std::ffi::OsStr;

/// Another group may do no more than everybody; nor may the same one if there may be an access list, in whose presence
/// the group's bits say what others than the group may do.
#[cfg(unix)]
fn set_mode(from: &Path, old: &Metadata, new: &File, is_same: bool) -> Result<()> {
    use std::fs::Permissions;
    use std::os::unix::fs::{MetadataExt, PermissionsExt};

    use crate::problem::InFile;

    let everybodys = old.mode() & 0o007;
    let mode = if is_same {
        old.mode()
    } else {
        old.mode() & 0o707 | everybodys << 3
    };
    new.set_permissions(Permissions::from_mode(mode & 0o777))
        .writing(from)
}

/// Gives a new file the owner and the group of the old one: whether it has the group now. Only root gives files
/// away; a group may be given by its members.
#[cfg(unix)]
fn give_to(new: &File, old: &Metadata) -> bool {
    use std::os::unix::fs::{MetadataExt, fchown};

    let is_same = |own: &Metadata| own.uid() == old.uid() && own.gid() == old.gid();
    if new.metadata().is_ok_and(|own| is_same(&own)) {
        return true;
    }
    fchown(new, Some(old.uid()), Some(old.gid())).is_ok()
        || fchown(new, None, Some(old.gid())).is_ok()
        || new.metadata().is_ok_and(|own| own.gid() == old.gid())
}

/// Whether the attributes are known to be the same; some file systems have none. An access list is one of them on
/// Linux.
#[cfg(unix)]
fn copy_extended(from: &Path, to: &File, is_wanted: impl Fn(&OsStr) -> bool) -> Result<bool> {
    use xattr::FileExt;

    use crate::problem::Problem;

    let Ok(names) = xattr::list(from) else {
        return Ok(false);
    };
    for name in names.filter(|name| is_wanted(name)) {
        let Ok(Some(value)) = xattr::get(from, &name) else {
            continue;
        };
        if to
            .get_xattr(&name)
            .is_ok_and(|own| own.as_ref() == Some(&value))
        {
            continue;
        }
        to.set_xattr(&name, &value).map_err(|error| {
            let why = format!(
                "has attributes that cannot be kept: {} ({error})",
                name.display()
            );
            Problem::new(from, why)
        })?;
    }
    Ok(true)
}
