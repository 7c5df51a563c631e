//! Owner, group, permissions, access list and extended attributes, which a new file has from the old one.

use std::fs::{File, Metadata};
use std::path::Path;

use crate::problem::Result;

#[cfg(unix)]
pub(super) fn copy(from: &Path, old: &Metadata, new: &File, to: &Path) -> Result<()> {
    use std::fs::Permissions;
    use std::os::unix::fs::{MetadataExt, PermissionsExt};

    use crate::problem::InFile;

    let has_group = give_to(new, old);
    let has_attributes = copy_extended(from, to)?;
    let everybodys = old.mode() & 0o007;
    // Another group may do no more than everybody; nor may the same one if there may be an access list, in whose
    // presence the group's bits say what others than the group may do.
    let mode = if has_group && has_attributes {
        old.mode()
    } else {
        old.mode() & 0o707 | everybodys << 3
    };
    new.set_permissions(Permissions::from_mode(mode & 0o777))
        .writing(from)
}

/// Windows gives a new file the access list that its folder passes on.
#[cfg(not(unix))]
pub(super) fn copy(_from: &Path, _old: &Metadata, _new: &File, _to: &Path) -> Result<()> {
    Ok(())
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
fn copy_extended(from: &Path, to: &Path) -> Result<bool> {
    use crate::problem::Problem;

    let Ok(names) = xattr::list(from) else {
        return Ok(false);
    };
    for name in names {
        let Ok(Some(value)) = xattr::get(from, &name) else {
            continue;
        };
        if xattr::get(to, &name).is_ok_and(|own| own.as_ref() == Some(&value)) {
            continue;
        }
        xattr::set(to, &name, &value).map_err(|error| {
            let why = format!(
                "has attributes that cannot be kept: {} ({error})",
                name.display()
            );
            Problem::new(from, why)
        })?;
    }
    Ok(true)
}
