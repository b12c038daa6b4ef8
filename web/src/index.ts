// The package: importing it defines <stride-scope>.
export { type At, StrideScope } from "./element";
export { type Engine, type Wasm, loadEngine, setWasmUrl } from "./engine";
