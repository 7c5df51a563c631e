/** How the user calls this command again, in words to paste: `npx` puts nothing on the path. */
export const COMMAND = process.env.npm_command === "exec" ? "npx turnkeeper" : "turnkeeper";
