//! The shapes that the loop detector and JavaScript exchange, as TypeScript.

mod loop_report;

use turnkeeper_base::typescript::{Config, declare, enums};

use crate::{
    AgentEvent, Channel, Counts, LoopDetectorOptions, LoopProfile, LoopType, LoopVerdict,
    MessageTexts, ModelCheckOptions, ModelCheckRequest, PromptInfo, RuleName, ToolLists, Wasted,
};

/// The tools that run a command, of Cline, Roo Code and Kilo Code, gemini-cli and DeepV Code, Claude
/// Code, SWE-agent and crush, Codex, OpenHands, goose, Cursor, Windsurf, and VS Code. The TypeScript
/// side has its list from here.
const COMMAND_TOOLS: &str =
    "execute_command run_shell_command Bash bash shell Shell local_shell exec_command
     container.exec execute_bash run terminal developer__shell run_terminal_cmd
     run_terminal_command run_command runCommand run_in_terminal runInTerminal";

/// The shapes of this crate.
pub fn declarations(config: &Config) -> String {
    let mut file = String::new();
    file += &enums::objects::<AgentEvent>(config, "type");
    file += &enums::strings::<LoopType>(config);
    file += &enums::strings::<RuleName>(config);
    file += &enums::strings::<LoopProfile>(config);
    file += &enums::strings::<Channel>(config);
    file += &declare::<Wasted>(config);
    file += &loop_report::declarations(config);
    file += &enums::objects::<LoopVerdict>(config, "action");
    file += &declare::<MessageTexts>(config);
    file += &declare::<ModelCheckOptions>(config);
    file += &declare::<ToolLists>(config);
    file += &declare::<LoopDetectorOptions>(config);
    file += &declare::<ModelCheckRequest>(config);
    file += &declare::<Counts>(config);
    file += &declare::<PromptInfo>(config);
    list_command_tools(&mut file);
    file
}

fn list_command_tools(file: &mut String) {
    file.push_str(
        "\n/** The tools that run a command, of the agents whose sessions this package reads. */\n",
    );
    file.push_str("export const COMMAND_TOOLS: readonly string[] = [\n");
    for tool in COMMAND_TOOLS.split_whitespace() {
        file.push_str(&format!("  \"{tool}\",\n"));
    }
    file.push_str("];\n");
}
