//! Numbers that a host may set, as far as they have bounds or an order.

use super::MACHINE;
use super::model_check::ModelCheckLimits;
use super::options::ModelCheckSetting;
use turnkeeper_base::error::{Error, ErrorCode};
use turnkeeper_base::options::Count;

/// A number that a host may set: its name, and the usual one where the host has set none.
#[derive(Debug, Clone, Copy)]
pub struct Number {
    name: &'static str,
    user_value: Option<u64>,
    usual: u64,
}

impl Number {
    /// The option of this name.
    pub fn new(name: &'static str, user_value: Option<Count>, usual: u64) -> Self {
        Self {
            name,
            user_value: user_value.map(Count::get),
            usual,
        }
    }

    /// The number that holds.
    pub fn value(self) -> u64 {
        self.user_value.unwrap_or(self.usual)
    }

    /// Refuses it if it is more than this.
    ///
    /// # Errors
    /// `invalid_config`, naming it.
    pub fn at_most(self, most: u64) -> Result<(), Error> {
        match self.value() {
            number if number > most => Err(refused(
                self.name,
                format!("must be at most {most}, not {number}"),
            )),
            _ => Ok(()),
        }
    }

    /// Refuses the one of the two that the host has set, if this is more than the other.
    ///
    /// # Errors
    /// `invalid_config`, naming that one.
    pub fn no_more_than(self, other: Self) -> Result<(), Error> {
        let (lower, higher) = (self.value(), other.value());
        if lower <= higher {
            return Ok(());
        }
        Err(match self.user_value {
            Some(_) => refused(
                self.name,
                format!("must be at most {}, {higher}, not {lower}", other.name),
            ),
            None => refused(
                other.name,
                format!("must be at least {}, {lower}, not {higher}", self.name),
            ),
        })
    }
}

/// Whether the intervals between requests to a model are in order.
///
/// # Errors
/// `invalid_config`, naming the one that the host has set.
pub fn check_intervals(setting: Option<&ModelCheckSetting>) -> Result<(), Error> {
    let Some(ModelCheckSetting::On(options)) = setting else {
        return Ok(());
    };
    let [least, most] = [
        ModelCheckLimits::MIN_INTERVAL,
        ModelCheckLimits::MAX_INTERVAL,
    ];
    let longest = Number::new("modelCheck.maxInterval", options.max_interval, most);
    Number::new("modelCheck.minInterval", options.min_interval, least).no_more_than(longest)
}

/// The error for an option.
pub fn refused(option: &str, message: String) -> Error {
    Error::new(ErrorCode::InvalidConfig, MACHINE, message).at(option)
}
