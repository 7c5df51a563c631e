// The bundler turns the module into text, or leaves it to the platform; see index.ts, workerd.ts.
declare module "*.wasm" {
  const wasm: string & WebAssembly.Module;
  export default wasm;
}
