use crate::copilot_cli;
use crate::watch::setup::{Platform, Setup, Surroundings, Version, Versions};

pub(super) fn setup(around: &Surroundings) -> Setup {
    let editors = match around.platform {
        Platform::MacOs => around.home("Library/Application Support"),
        Platform::Windows => around.named("APPDATA", around.home("AppData/Roaming")),
        Platform::Unix => around.named("XDG_CONFIG_HOME", around.home(".config")),
    };
    // VS Code alone is no sign of it.
    let extensions = around.extensions("github.copilot*");
    let storage = ["Code", "Code - Insiders"].map(|name| {
        editors
            .join(name)
            .join("User")
            .join("globalStorage")
            .join("github.copilot*")
    });
    let chats = ["Code", "Code - Insiders"].map(|name| {
        let user = editors.join(name).join("User");
        user.join("workspaceStorage/*/chatSessions")
    });
    let signs = extensions.into_iter().chain(storage).chain(chats).collect();
    let both = copilot_cli::setup::both(around);
    Setup {
        signs,
        // The command line may read the file, too.
        versions: Versions {
            since: Version::FIRST,
            ..both.versions
        },
        ..both
    }
}
