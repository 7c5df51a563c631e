// What the compiler does not see: promises that nobody waits for, values that lose their types, types that
// are imported as values. Formatting is prettier's.

import { defineConfig } from "eslint/config";
import { configs } from "typescript-eslint";

export default defineConfig(
  { ignores: ["**/node_modules/", "js/glue/", "js/src/boundary/generated/", "target/", "pkg/"] },
  configs.recommendedTypeChecked,
  {
    languageOptions: { parserOptions: { projectService: true } },
    linterOptions: { reportUnusedDisableDirectives: "error" },
    rules: {
      "prefer-const": ["error", { ignoreReadBeforeAssign: true }],
      eqeqeq: ["error", "always", { null: "ignore" }],
      "@typescript-eslint/consistent-type-imports": "error",
      "@typescript-eslint/no-deprecated": "error",
      // A name for what is taken out of an object to leave it behind.
      "@typescript-eslint/no-unused-vars": [
        "error",
        { varsIgnorePattern: "^_", argsIgnorePattern: "^_", caughtErrors: "all" },
      ],
      // Numbers that cross the boundary are compared with the names that the core gives them.
      "@typescript-eslint/no-unsafe-enum-comparison": "off",
      "@typescript-eslint/prefer-readonly": "error",
      "@typescript-eslint/restrict-template-expressions": ["error", { allowNumber: true }],
      "@typescript-eslint/return-await": "error",
      "@typescript-eslint/use-unknown-in-catch-callback-variable": "error",
    },
  },
  {
    // A host's classes are taken whatever their parameters are, and its values whatever they hold.
    files: ["js/src/adapters/**", "js/src/messages/**", "js/src/terminals/vscode/**"],
    rules: {
      "@typescript-eslint/no-base-to-string": "off",
      "@typescript-eslint/no-explicit-any": "off",
      "@typescript-eslint/no-unnecessary-type-assertion": "off",
      "@typescript-eslint/no-unsafe-argument": "off",
    },
  },
  {
    // What the generated glue returns is `any`, and is given its generated type where it is called.
    files: [
      "js/src/{boundary,loop,context,prompt,memory,terminals}/**",
      "js/src/messages/tokens.ts",
    ],
    rules: {
      "@typescript-eslint/no-unsafe-argument": "off",
      "@typescript-eslint/no-unsafe-assignment": "off",
      "@typescript-eslint/no-unsafe-return": "off",
    },
  },
);
