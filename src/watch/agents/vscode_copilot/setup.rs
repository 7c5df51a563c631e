use crate::agents::copilot_cli;
use crate::setup::{Platform, Setup, Surroundings};

pub(super) fn setup(around: &Surroundings) -> Setup {
    let editors = match around.platform {
        Platform::MacOs => around.home("Library/Application Support"),
        Platform::Windows => around.named("APPDATA", around.home("AppData/Roaming")),
        Platform::Unix => around.named("XDG_CONFIG_HOME", around.home(".config")),
    };
    // VS Code alone is no sign of it.
    let extensions = [".vscode", ".vscode-insiders", ".vscode-server"].map(|folder| {
        around
            .home(folder)
            .join("extensions")
            .join("github.copilot*")
    });
    let storage = ["Code", "Code - Insiders"].map(|name| {
        editors
            .join(name)
            .join("User")
            .join("globalStorage")
            .join("github.copilot*")
    });
    let signs = extensions.into_iter().chain(storage).collect();
    Setup {
        signs,
        ..copilot_cli::setup::both(around)
    }
}
