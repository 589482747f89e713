import { defineConfig } from "@hey-api/openapi-ts";

export default defineConfig({
  input: process.env.LONJA_OPENAPI!,
  output: { path: process.env.LONJA_GENERATED!, module: { extension: ".ts" } },
});
