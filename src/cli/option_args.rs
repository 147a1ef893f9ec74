//! `--option` of commands that search or play.

use super::error::{CliError, Context, Failure};
use crate::engine::options::Setting;
use crate::engine::{Engine, SettingError};

/// Reads an option, `NAME=VALUE` as in `setoption`.
///
/// # Errors
/// When there is no such option, or it cannot have that value.
pub(super) fn setting(text: &str) -> Result<Setting, String> {
    let (name, value) = text.split_once('=').ok_or("there is no `=` in it")?;
    Setting::read(name, value).map_err(|error| error.to_string())
}

/// Reads an option of a command: one that changes something there (`has_effect`), but none
/// of `own`, the declared names of options with the arguments that the command has for them.
///
/// # Errors
/// When there is no such option, it changes nothing there, the command has an argument for it, or it cannot have that
/// value.
pub(super) fn read(text: &str, has_effect: fn(&Setting) -> bool, own: &[(&str, &str)]) -> Result<Setting, String> {
    let setting = setting(text)?;
    let name = setting.name();
    match own.iter().find(|(option, _)| setting.is(option)) {
        Some((_, argument)) => Err(format!("option {name}: use {argument}")),
        None if !has_effect(&setting) => Err(format!("option {name} has no effect in this command")),
        None => setting.out_of_range().map_or(Ok(setting), Err),
    }
}

/// An engine with these options.
///
/// # Errors
/// When a file or folder of one of them cannot be used, or there is not enough memory.
pub(super) fn engine(settings: &[Setting]) -> Result<Engine, Failure> {
    let mut engine = Engine::new();
    for setting in settings {
        match engine.set(setting) {
            Ok(()) => {}
            Err(SettingError::Network(path, error)) => return Err(error).in_file(path),
            Err(SettingError::Tables(bad)) => return Err(CliError::Tables(bad).into()),
            Err(SettingError::Books(bad)) => return Err(CliError::Books(bad).into()),
            Err(error) => return Err(error.into()),
        }
    }
    Ok(engine)
}
